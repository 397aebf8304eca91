"""Algorithm 1 of the paper: an ensemble at a rank, what its members agree on, and how well it predicts."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import DataWarning
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.random import rng_for
from latentlink.rank.fit_errors import column_errors, relative_error
from latentlink.rank.results import Member, RankRecord
from latentlink.rank.speckle import Speckle, draw_speckle, with_speckles
from latentlink.rank.stability import silhouettes
from latentlink.regime import Cells, Regime
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.description_length import description_length
from latentlink.regime.gibbs import redraw
from latentlink.solvers import Convergence, Solver
from latentlink.solvers.descent.blocks import groups_of
from latentlink.solvers.needs import check_members

__all__ = ["Plan", "fit_members", "summarise", "with_drawn_members"]

# Keys that keep the seeds of perturbation and speckle apart from those of starts, which begin with a rank.
_PERTURB, _SPECKLE, _REDRAW = -1 % 2**32, -2 % 2**32, -3 % 2**32

_ALL_BUT_NONE = 1e-6  # share of the data's squares below which a loss is as good as none
_RACE = 0.1  # share of the sweeps after which the best of several starts is known well enough


class Shown(NamedTuple):
    """The data of some members, less what they are not shown."""

    ensemble: Ensemble
    speckles: tuple[Speckle, ...]


@dataclass(frozen=True, eq=False)
class Plan:
    """All that one ensemble search is told.

    Attributes
    ----------
    network : Network
    solver : Solver
    regime : Regime
    n_members : int
        Members of the ensemble at each rank.
    seed : int
    perturbed : bool
        Whether members' data are perturbed.
    """

    network: Network
    solver: Solver
    regime: Regime
    n_members: int = 16
    seed: int = 0
    perturbed: bool = True
    _shown: dict[tuple[int, ...], Shown] = field(default_factory=dict, init=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_shown": {}}  # other processes make their own

    def shown_to(self, members: Sequence[int]) -> Shown:
        """Return what some members see, and what they do not: the same at every rank, so made once."""
        key = tuple(members)
        if key not in self._shown:
            speckles = tuple(self.speckle_of(member) for member in members)
            ensemble = self.ensemble_of(members, speckles)
            check_members(self.solver, ensemble)
            self._shown[key] = Shown(ensemble, speckles)
        return self._shown[key]

    def speckle_of(self, member: int) -> Speckle:
        """Return what a member is not shown: the same at every rank."""
        return draw_speckle(self.network, self.regime.speckle, rng_for(self.seed, _SPECKLE, member))

    def trial(self, solver: Solver) -> Plan:
        """Return a plan to try a solver with: one start, and nothing perturbed."""
        return replace(self, solver=solver, regime=clone(self.regime).set_params(starts=1), perturbed=False)

    def without_hidden(self) -> Plan:
        """Return the plan without hidden entries, where unlisted ones are hidden as well: half the work."""
        network = self.network
        if network.background or network.n_known == network.n_listed:
            return self
        return replace(self, network=network.subset(network.known))

    @property
    def blocks(self) -> tuple[range, ...]:
        """Members that are fitted together; fixed, whoever does the work."""
        groups = groups_of(self.n_members, self.solver.precision)
        return tuple(range(group[0], group[-1] + 1) for group in groups)

    def ensemble_of(self, members: Sequence[int], speckles: Sequence[Speckle]) -> Ensemble:
        """Return the data of some members: perturbed, and less their speckles."""
        ensemble = Ensemble.of(self.network, len(members))
        if self.perturbed:
            rngs = [rng_for(self.seed, _PERTURB, member) for member in members]
            ensemble = self.regime.perturb.ensemble(self.network, rngs)
        return with_speckles(ensemble, speckles) if self.regime.speckle else ensemble


def fit_members(plan: Plan, rank: int, members: Sequence[int]) -> list[Member]:
    """Perturb, start at random, solve and cut some members at a rank."""
    ensemble, speckles = plan.shown_to(members)
    with quiet():
        if plan.regime.starts == 1:
            solved = plan.solver.solve_checked(ensemble, rank, _generators(plan, rank, members, 0))
        else:
            start = _best_starts(plan, rank, members, ensemble)
            solved = plan.solver.solve_checked(ensemble, rank, start=start)
    cells = Cells.each(ensemble) if plan.regime.is_boolean else [None] * len(members)
    return [
        _judged(plan, factors, record, known, speckle)
        for factors, record, known, speckle in zip(
            solved.members, solved.records, cells, speckles, strict=True
        )
    ]


def _generators(plan: Plan, rank: int, members: Sequence[int], start: int) -> list[np.random.Generator]:
    """Return the generator of each member's start."""
    return [rng_for(plan.seed, rank, member, start) for member in members]


def _best_starts(plan: Plan, rank: int, members: Sequence[int], ensemble: Ensemble) -> list[Factors]:
    """Return for each member the most promising of its random starts, each taken a tenth of the way."""
    solver = clone(plan.solver)
    solver.max_iter = max(1, round(_RACE * plan.solver.max_iter))
    best: list[Factors] = []
    least = np.full(len(members), np.inf)
    for start in range(plan.regime.starts):
        solved = solver.solve_checked(ensemble, rank, _generators(plan, rank, members, start))
        losses = np.array([record.loss[-1] for record in solved.records])
        ahead = losses < least
        best = [new if ahead[p] else best[p] for p, new in enumerate(solved.members)]
        least = np.minimum(losses, least)
    return best


def _judged(
    plan: Plan, factors: Factors, record: Convergence, cells: Cells | None, speckle: Speckle
) -> Member:
    """Cut a solution where the regime is Boolean, and measure it: by its loss, or by its errors once cut."""
    loss = float(record.loss[-1])
    if cells is not None:
        factors = plan.regime.binarize(factors, cells)
        biased = factors.row_bias is not None or factors.col_bias is not None
        loss = loss if biased else BooleanFit(cells, factors.W, factors.H).error()
    return Member(factors, loss, speckle.error(factors), record.converged)


class _Silence:
    """One change of the process's filters for all threads: the first makes it, the last takes it back."""

    def __init__(self) -> None:
        self._lock, self._inside = Lock(), 0

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._kept = warnings.catch_warnings()
                self._kept.__enter__()
                warnings.simplefilter("ignore", ConvergenceWarning)
                warnings.simplefilter("ignore", DataWarning)
            self._inside += 1

    def __exit__(self, *error: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._kept.__exit__(None, None, None)


_SILENCE = _Silence()


def quiet() -> _Silence:
    """Keep warnings that would come from every block: the search tells them once for all."""
    return _SILENCE


def summarise(plan: Plan, rank: int, members: Sequence[Member]) -> RankRecord:
    """Align the members of a rank, find their centre, fit it to the whole network and measure all of it."""
    stuck = _stuck([member.loss for member in members], _ALL_BUT_NONE * _energy(plan.network))
    agreeing = [member for place, member in enumerate(members) if place not in stuck]
    aligned = plan.regime.align.align([member.factors for member in agreeing])
    model = _fitted(plan, rank, aligned.centre)
    boolean = plan.regime.is_boolean
    return RankRecord(
        rank=rank,
        model=model,
        members=aligned.members,
        stability_rows=silhouettes([member.W for member in aligned.members], boolean),
        stability_cols=silhouettes([member.H.T for member in aligned.members], boolean),
        relative_error=relative_error(plan.network, model),
        column_errors=column_errors(plan.network, model),
        held_out=np.array([np.nan if p in stuck else each.held_out for p, each in enumerate(members)]),
        set_aside=stuck,
        converged=sum(member.converged for member in members),
        description_length=_description_length(plan, model),
    )


def with_drawn_members(plan: Plan, record: RankRecord) -> RankRecord:
    """Return the record with Boolean members that differ wherever the whole network leaves it open.

    It is done for the rank that was chosen, since it costs as much as polishing; the paper's form has none.
    """
    if not (record.model.boolean and plan.regime.polish):
        return record
    cells = Cells.of(Ensemble.of(plan.network))
    drawn = tuple(
        redraw(member, cells, rng_for(plan.seed, _REDRAW, record.rank, place))
        for place, member in enumerate(record.members)
    )
    return replace(record, members=drawn)


def _description_length(plan: Plan, model: Factors) -> float:
    """Return the bits of a Boolean model and its errors, whatever its product is; NaN for others."""
    if not plan.regime.is_boolean or model.row_bias is not None or model.col_bias is not None:
        return float("nan")
    return description_length(BooleanFit(Cells.of(Ensemble.of(plan.network)), model.W, model.H))


def _stuck(losses: Sequence[float], least: float) -> tuple[int, ...]:
    """Return members whose loss is far above the best, but never more than half of them.

    A loss of at most ``least`` is never far: on exact data, losses differ by orders and mean nothing.
    """
    order = np.argsort(losses, kind="stable")
    bound = max(least, 2 * losses[order[len(order) // 4]])
    return tuple(sorted(int(p) for p in order[(len(order) + 1) // 2 :] if not losses[p] <= bound))


def _energy(network: Network) -> float:
    """Return the weighted sum of the squares of known entries."""
    known = network.known
    return float(np.sum(network.weights[known] * network.values[known] ** 2))


def _fitted(plan: Plan, rank: int, centre: Factors) -> Factors:
    """Fit the centre to the whole network, in double precision: what it leaves open, then all of it."""
    solver: Solver = clone(plan.solver).set_params(precision="float64")
    whole = Ensemble.of(plan.network)
    with quiet():
        plain = solver.project(replace(centre, boolean=False))
        if not plan.regime.is_boolean:
            # Members are aligned with W of unit length: a ridge on H alone would then shrink all of it.
            plain = plain.balanced()
        model = solver.refit_checked(whole, [plain]).members[0]
        if plan.regime.polish and not plan.regime.is_boolean:
            model = solver.solve_checked(whole, rank, start=[model]).members[0]
    if plan.regime.is_boolean:
        model = plan.regime.binarize(model, Cells.of(whole))
    return model
