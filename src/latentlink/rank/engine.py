"""The ensemble at one rank (Algorithm 1 of the paper): fit the members, align them, fit the central model."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import DataWarning
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.random import rng_for
from latentlink.rank.fit_errors import column_errors, relative_error
from latentlink.rank.results import Member, RankRecord
from latentlink.rank.speckle import HeldOutEntries, Speckle, draw_speckle, with_speckles
from latentlink.rank.stability import silhouettes
from latentlink.regime import Cells, Regime
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.description_length import description_length
from latentlink.regime.gibbs import gibbs_sample
from latentlink.solvers import Convergence, Posterior, Solver
from latentlink.solvers.descent.blocks import member_groups
from latentlink.solvers.needs import check_members
from latentlink.solvers.posterior.chain_records import chains_apart

__all__ = ["Plan", "fit_members", "summarise", "with_redrawn_members"]

# Spawn keys of the seeds of perturbation, speckle and Gibbs sampling; those of starts begin with a rank.
_PERTURB, _SPECKLE, _GIBBS = -1 % 2**32, -2 % 2**32, -3 % 2**32

_NEGLIGIBLE_LOSS = 1e-6  # as a share of the size of the data in the unit of the loss
_MOST_COMPARED = 16  # draws of all chains, for silhouettes
_START_SWEEPS = 0.1  # share of max_iter after which several starts are compared


class MemberData(NamedTuple):
    """The training data of some members, and the entries held out of each.

    Attributes
    ----------
    ensemble : Ensemble
        Perturbed values of each member; held-out entries are NaN.
    speckles : tuple of Speckle
        The held-out entries of each member.
    """

    ensemble: Ensemble
    speckles: tuple[Speckle, ...]


@dataclass(frozen=True, eq=False)
class Plan:
    """Data and settings of a rank search: all that determines the ensembles.

    Attributes
    ----------
    network : Network
    solver : Solver
    regime : Regime
    n_members : int, default=16
        Number of members of the ensemble at each rank.
    seed : int, default=0
        Root of all seeds. A seed depends on the member, and that of a start on the rank too, but not on the
        other ranks that are visited.
    perturbed : bool, default=True
        Whether the data of the members are perturbed.
    bounds : (float, float) or None, default=None
        Range to which the scores of the fitted models are clipped.
    ridge_by_ensemble : bool, default=False
        Whether a ridge of "auto" is chosen by the held-out error of the ensemble, else by that of its
        members.
    """

    shared_by_tasks: ClassVar[bool] = True  # see `latentlink.cluster.shared_objects`

    network: Network
    solver: Solver
    regime: Regime
    n_members: int = 16
    seed: int = 0
    perturbed: bool = True
    bounds: tuple[float, float] | None = None
    ridge_by_ensemble: bool = False
    _member_data: dict[tuple[int, ...], MemberData] = field(default_factory=dict, init=False, repr=False)
    _held_out: dict[tuple[int, ...], HeldOutEntries] = field(default_factory=dict, init=False, repr=False)
    _speckles: dict[int, Speckle] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        # The caches are not sent to other processes: they build their own.
        return {**self.__dict__, "_member_data": {}, "_held_out": {}, "_speckles": {}}

    def member_data(self, members: Sequence[int]) -> MemberData:
        """Return the data of some members; cached, since they are the same at every rank."""
        key = tuple(members)
        if key not in self._member_data:
            speckles = tuple(self.speckle_of(member) for member in members)
            ensemble = self.ensemble_of(members, speckles)
            check_members(self.solver, ensemble)
            self._member_data[key] = MemberData(ensemble.as_checked(self.solver), speckles)
        return self._member_data[key]

    def speckle_of(self, member: int) -> Speckle:
        """Return the entries held out of a member; cached, since they are the same at every rank."""
        if member not in self._speckles:
            rng = rng_for(self.seed, _SPECKLE, member)
            self._speckles[member] = draw_speckle(self.network, self.regime.speckle, rng)
        return self._speckles[member]

    def held_out(self, members: Sequence[int]) -> HeldOutEntries:
        """Return the entries held out of some members; cached, since they are the same at every rank."""
        key = tuple(members)
        if key not in self._held_out:
            speckles = [self.speckle_of(member) for member in members]
            self._held_out[key] = HeldOutEntries.of(speckles, self.network.shape[1])
        return self._held_out[key]

    def trial(self, solver: Solver) -> Plan:
        """Return the plan with another solver, one start for each member and no perturbation."""
        regime = clone(self.regime).set_params(starts=1)
        plan = replace(self, solver=solver, regime=regime, perturbed=False)
        object.__setattr__(plan, "_speckles", self._speckles)  # each is drawn once, here or there
        return plan

    def without_hidden(self) -> Plan:
        """Return the plan without entries of zero weight, which only cost time.

        Under a background they stay: an unlisted entry would be a known zero.
        """
        network = self.network
        if network.background or network.n_known == network.n_listed:
            return self
        return replace(self, network=network.subset(network.known))

    @property
    def draws_members(self) -> bool:
        """Whether the members at the chosen rank are drawn anew, see `with_redrawn_members`."""
        if self.solver.samples:
            return self.regime.speckle > 0
        return self.regime.is_boolean and self.regime.polish

    def holding_nothing_out(self) -> Plan:
        """Return the plan with all known entries known to all members."""
        return replace(self, regime=clone(self.regime).set_params(speckle=0.0))

    @property
    def blocks(self) -> tuple[range, ...]:
        """Groups of members that are fitted together; they do not depend on the number of workers."""
        groups = member_groups(self.n_members, self.solver.precision)
        return tuple(range(group[0], group[-1] + 1) for group in groups)

    def ensemble_of(self, members: Sequence[int], speckles: Sequence[Speckle]) -> Ensemble:
        """Return the training data of some members: perturbed, with their speckles held out."""
        ensemble = Ensemble.of(self.network, len(members))
        if self.perturbed:
            rngs = [rng_for(self.seed, _PERTURB, member) for member in members]
            ensemble = self.regime.perturb.ensemble(self.network, rngs)
        return with_speckles(ensemble, speckles) if self.regime.speckle else ensemble


def fit_members(plan: Plan, rank: int, members: Sequence[int]) -> list[Member]:
    """Fit some members at a rank: perturb, solve from random starts, and binarize in a Boolean regime."""
    ensemble, speckles = plan.member_data(members)
    with suppressed_solver_warnings():
        if plan.regime.starts == 1 or plan.solver.samples:  # a chain forgets its start
            solved = plan.solver.solve(ensemble, rank, _generators(plan, rank, members, 0))
        else:
            start = _best_starts(plan, rank, members, ensemble)
            solved = plan.solver.solve(ensemble, rank, start=start)
    if solved.chains:
        return [
            Member(chain.draws[-1], float(record.loss[-1]), speckle.error(chain), record.converged, chain)
            for chain, record, speckle in zip(solved.chains, solved.records, speckles, strict=True)
        ]
    cells = Cells.each(ensemble) if plan.regime.is_boolean else [None] * len(members)
    return [
        replace(_evaluated(plan, factors, record, known, speckle), device=device)
        for factors, record, known, speckle, device in zip(
            solved.members, solved.records, cells, speckles, solved.devices, strict=True
        )
    ]


def _generators(plan: Plan, rank: int, members: Sequence[int], start: int) -> list[np.random.Generator]:
    """Return the random generator of one start for each member."""
    return [rng_for(plan.seed, rank, member, start) for member in members]


def _best_starts(plan: Plan, rank: int, members: Sequence[int], ensemble: Ensemble) -> list[Factors]:
    """Return for each member the random start of smallest loss after a tenth of ``max_iter``."""
    solver = clone(plan.solver)
    solver.max_iter = max(1, round(_START_SWEEPS * plan.solver.max_iter))
    best: list[Factors] = []
    smallest = np.full(len(members), np.inf)
    for start in range(plan.regime.starts):
        solved = solver.solve(ensemble, rank, _generators(plan, rank, members, start))
        losses = np.array([record.loss[-1] for record in solved.records])
        better = losses < smallest
        best = [new if better[p] else best[p] for p, new in enumerate(solved.members)]
        smallest = np.minimum(losses, smallest)
    return best


def _evaluated(
    plan: Plan, factors: Factors, record: Convergence, cells: Cells | None, speckle: Speckle
) -> Member:
    """Binarize a solution in a Boolean regime, and return it with its loss and its held-out error."""
    loss = float(record.loss[-1])
    if cells is not None:
        factors = plan.regime.binarize(factors, cells)
        biased = factors.row_bias is not None or factors.col_bias is not None
        loss = loss if biased else BooleanFit(cells, factors.W, factors.H).error()
    return Member(factors, loss, speckle.error(factors), record.converged)


class _SuppressedWarnings:
    """Warning filters that are set by the first thread to enter and restored by the last to leave.

    Filters belong to the process: with one `warnings.catch_warnings` in each thread, a thread could restore
    the filters of another.
    """

    def __init__(self) -> None:
        self._lock, self._threads = Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._threads:
                self._filters = warnings.catch_warnings()
                self._filters.__enter__()
                warnings.simplefilter("ignore", ConvergenceWarning)
                warnings.simplefilter("ignore", DataWarning)
            self._threads += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._threads -= 1
            if not self._threads:
                self._filters.__exit__(None, None, None)


_SUPPRESSED_WARNINGS = _SuppressedWarnings()


def suppressed_solver_warnings() -> _SuppressedWarnings:
    """Return a context without solver warnings, which each block would repeat; the search warns once."""
    return _SUPPRESSED_WARNINGS


def summarise(plan: Plan, rank: int, members: Sequence[Member]) -> RankRecord:
    """Align the members of a rank, fit their central model to all known entries, and measure both."""
    negligible = _NEGLIGIBLE_LOSS * plan.solver.loss_scale(Ensemble.of(plan.network), 0, 0.0)
    losses = [member.loss for member in members]
    every = [member.chain for member in members if member.chain is not None]
    far = chains_apart(every, negligible) if every else _loss_outliers(losses, negligible)
    outliers = far if plan.regime.set_aside else ()
    retained = [member for index, member in enumerate(members) if index not in outliers]
    chains = [chain for index, chain in enumerate(every) if index not in outliers]
    aligned = plan.regime.align.align([model for member in retained for model in member.models])
    model = aligned.centre if chains else _central_model(plan, rank, aligned.centre)
    # Errors of the fit are those of the model as it was fitted; its answers are clipped.
    bounded = partial(replace, bounds=plan.bounds)
    distance = plan.regime.silhouette_distance
    # Draws of a chain are alike, and the cost of silhouettes grows with the square of their number.
    compared = (
        aligned.members[:: max(1, len(aligned.members) // _MOST_COMPARED)] if chains else aligned.members
    )
    return RankRecord(
        rank=rank,
        model=bounded(model),
        members=tuple(bounded(member) for member in aligned.members),
        stability_rows=silhouettes([member.W for member in compared], distance),
        stability_cols=silhouettes([member.H.T for member in compared], distance),
        relative_error=relative_error(plan.network, model),
        column_errors=column_errors(plan.network, model),
        held_out=np.array([np.nan if p in outliers else member.held_out for p, member in enumerate(members)]),
        set_aside=outliers,
        converged=sum(member.converged for member in members),
        description_length=_description_length(plan, model),
        held_out_ensemble=_ensemble_errors(plan, members, outliers),
        posterior=Posterior.of(chains, [every[p] for p in outliers]) if chains else None,
        device=", ".join(sorted({member.device for member in members})),
    )


def _ensemble_errors(plan: Plan, members: Sequence[Member], outliers: Sequence[int]) -> NDArray[np.float64]:
    """Return the held-out errors of the mean of the retained members; NaN for the others."""
    errors = np.full(len(members), np.nan)
    retained = [index for index in range(len(members)) if index not in outliers]
    if plan.regime.speckle:
        answers = [members[index].answering(plan.bounds) for index in retained]
        errors[retained] = plan.held_out(retained).ensemble_errors(answers)
    return errors


def with_redrawn_members(plan: Plan, record: RankRecord) -> RankRecord:
    """Return the record of the chosen rank with members drawn anew, if `Plan.draws_members`; else as it is.

    Undetermined entries of Boolean members are Gibbs-sampled, which costs as much as polishing; without
    polishing, as in the paper, they are not. Of a solver that samples, chains from which entries were held
    out are replaced by chains given all known entries: nothing less is the posterior. The held-out errors
    stay those that chose the rank.
    """
    if not plan.draws_members:
        return record
    if plan.solver.samples:
        whole = plan.holding_nothing_out()
        members = [each for block in plan.blocks for each in fit_members(whole, record.rank, block)]
        drawn = summarise(whole, record.rank, members)
        return replace(drawn, held_out=record.held_out, held_out_ensemble=record.held_out_ensemble)
    cells = Cells.of(Ensemble.of(plan.network))
    samples = tuple(
        gibbs_sample(member, cells, rng_for(plan.seed, _GIBBS, record.rank, index))
        for index, member in enumerate(record.members)
    )
    return replace(record, members=samples)


def _description_length(plan: Plan, model: Factors) -> float:
    """Return the description length of a model in a Boolean regime; NaN for others and with biases."""
    if not plan.regime.is_boolean or model.row_bias is not None or model.col_bias is not None:
        return float("nan")
    return description_length(BooleanFit(Cells.of(Ensemble.of(plan.network)), model.W, model.H))


def _loss_outliers(losses: Sequence[float], negligible: float) -> tuple[int, ...]:
    """Return members whose loss is above twice the lower quartile, but at most the upper half of them.

    A loss of at most ``negligible`` is none: on exact data losses differ by orders of magnitude at random.
    """
    order = np.argsort(losses, kind="stable")
    bound = max(negligible, 2 * losses[order[len(order) // 4]])
    return tuple(sorted(int(p) for p in order[(len(order) + 1) // 2 :] if not losses[p] <= bound))


def _central_model(plan: Plan, rank: int, centre: Factors) -> Factors:
    """Fit the centre to all known entries in double precision: by the solver's refit, then by the polish."""
    solver: Solver = clone(plan.solver).set_params(precision="float64")
    unperturbed = Ensemble.of(plan.network).as_checked(solver)
    with suppressed_solver_warnings():
        start = solver.project(replace(centre, boolean=False))
        if not plan.regime.is_boolean:
            # Aligned members have W of unit length, so that a ridge on H alone would shrink the whole model.
            start = start.balanced()
        model = solver.refit(unperturbed, [start]).members[0]
        if plan.regime.polish and not plan.regime.is_boolean:
            model = solver.solve(unperturbed, rank, start=[model]).members[0]
    if plan.regime.is_boolean:
        model = plan.regime.binarize(model, Cells.of(unperturbed))
    return model
