"""What every solver is: settings, declared needs, and two verbs, solve and refit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.background import with_meant_diagonal
from latentlink.solvers.blocks import Block, groups_of, make_block
from latentlink.solvers.convergence import Convergence, Stopping, descend, warn_if_stopped_early
from latentlink.solvers.empty import warn_of_empty
from latentlink.solvers.extrapolation import Extrapolation
from latentlink.solvers.generators import checked_rngs
from latentlink.solvers.layout import pack, unpack
from latentlink.solvers.magnitude import check_magnitude
from latentlink.solvers.needs import check_members, check_needs, check_ridge
from latentlink.solvers.starts import member_entries, member_mean
from latentlink.solvers.sweeps import Sweeps
from latentlink.strategy import Strategy, check_choice, check_number, check_switch, strategy

__all__ = ["Solved", "Solver", "of_members"]

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Solved:
    """What a solver found.

    Attributes
    ----------
    members : tuple of Factors
        The model of each member.
    records : tuple of Convergence
        How each member's descent went.
    """

    members: tuple[Factors, ...]
    records: tuple[Convergence, ...]

    def score(self, rows: ArrayLike, cols: ArrayLike) -> Array:
        """Score pairs by the mean of all members."""
        return np.mean([member.score(rows, cols) for member in self.members], axis=0)


@strategy
class Solver(Strategy):
    """Settings of a factorization at a given rank, for a batch of ensemble members at once.

    Parameters
    ----------
    max_iter : int
        Sweeps at the most.
    tol : float
        Stop when a sweep lowers the loss by less than this share of it.
    precision : {"float64", "float32"}
        Arithmetic of the factors. In single precision a background's loss is known less well where many
        entries are hidden: it is the difference of two large sums.
    extrapolate : bool
        Whether each sweep begins a step beyond the last one, the same way: a quarter of the sweeps suffice,
        at the cost of a second copy of the factors. Multiplicative and gradient steps never do.
    """

    max_iter: int = 500
    tol: float = 1e-5
    precision: str = "float64"
    extrapolate: bool = True

    needs_nonnegative: ClassVar[bool] = False
    needs_binary: ClassVar[bool] = False
    needs_symmetric: ClassVar[bool] = False
    needs_unit_weights: ClassVar[bool] = False
    biased: ClassVar[bool] = False
    logistic: ClassVar[bool] = False
    plain_ridge: ClassVar[float | None] = None
    ridge_grid: ClassVar[tuple[float, ...]] = ()

    # ------------------------------------------------------------ the two verbs

    def solve(
        self,
        data: Network | Ensemble,
        rank: int,
        rngs: np.random.Generator | Sequence[np.random.Generator] | int | None = None,
        *,
        start: Factors | Sequence[Factors] | None = None,
    ) -> Solved:
        """Factorize every member at this rank.

        Parameters
        ----------
        data : Network or Ensemble
            A network is an ensemble of one member.
        rank : int
            Number of components.
        rngs : int, sequence of Generator, Generator or None
            A seed, of which each member at each rank gets its own part (`latentlink.random.member_rngs`); or
            one generator for each member, a single one for a single member. None draws a seed.
        start : sequence of Factors
            Where each member begins, instead of at random; for a single member one Factors will do. A start
            without biases gets those of 0 and the member's own offset where the solver has biases.
        """
        ensemble = self._checked(data, rank)
        generators = [] if start is not None else checked_rngs(rngs, rank, ensemble.n_members)
        given = None if start is None else self._checked_start(start, ensemble, rank)

        def begin(member: int) -> Factors:
            if given is not None:
                return self.taken(ensemble, member, given[member])
            drawn = self.start(ensemble, member, rank, generators[member])
            return replace(drawn, offset=self.offset(ensemble, member))

        return self._run(ensemble, begin, rank, whole=True)

    def refit(self, data: Network | Ensemble, centre: Factors | Sequence[Factors]) -> Solved:
        """Solve for what a given centre leaves open, on known entries alone.

        Given W (and the row biases and the offset), H (and the column biases) are found; the problem is
        convex. To fold in new rows instead, transpose network and centre.
        """
        given = _listed_factors(centre)
        rank = given[0].rank if given else 1
        ensemble = self._checked(data, rank)
        begin = self._checked_start(given, ensemble, rank)
        return self._run(ensemble, begin.__getitem__, rank, whole=False)

    # ------------------------------------------------------------ what a solver says of itself

    @abstractmethod
    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Where a member begins."""

    @abstractmethod
    def sweeps(self, block: Block, rows: Array, cols: Array, offsets: Array) -> Sweeps:
        """How a block of members is improved."""

    @property
    def ridge_used(self) -> float | tuple[float, ...]:
        """The penalty as a number: a solver that is asked to choose it has nothing to choose it by."""
        ridge: Any = getattr(self, "ridge", None)
        if isinstance(ridge, tuple):
            return ridge
        return float(self.plain_ridge or 0.0) if ridge is None or ridge == "auto" else float(ridge)

    def ridge_of(self, block: Block) -> float | Array:
        """Return the penalty of the members of a block: one for all, or one for each."""
        return of_members(self.ridge_used, block)

    def with_ridge(self, ridge: float | tuple[float, ...], unit: float) -> Self:
        """Return the solver with a penalty that was found by trying multiples of a unit."""
        del unit
        return clone(self).set_params(ridge=ridge)

    def ridge_scale(self, network: Network) -> float:
        """Return the unit of the penalties that are worth trying: by how much the data vary, once."""
        del network
        return 1.0

    def offset(self, ensemble: Ensemble, member: int) -> float:
        """Return what all scores of a member have in common."""
        return member_mean(ensemble, member) if self.biased else 0.0

    def taken(self, ensemble: Ensemble, member: int, start: Factors) -> Factors:
        """Return a start that was given, in this solver's own form."""
        if self.biased and start.row_bias is None and start.col_bias is None:
            return replace(start, offset=self.offset(ensemble, member))
        return start

    def meant(self, centre: Factors) -> Factors:
        """Return the middle of several models in this solver's own form, which a middle may have lost."""
        return centre

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble in the form in which it is solved."""
        return ensemble

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_number(self, "max_iter", 1, whole=True)
        check_number(self, "tol", 0)
        check_choice(self, "precision", ("float64", "float32"))
        check_switch(self, "extrapolate")
        if self.plain_ridge is not None:
            check_ridge(self)

    def check_start(self, factors: Factors) -> None:
        """Refuse factors that this solver cannot go on from."""
        parts = (factors.W, factors.H, factors.row_bias, factors.col_bias, factors.offset)
        if not all(part is None or np.isfinite(part).all() for part in parts):
            raise IncompatibleError(f"{self} needs a start of finite numbers, but this one has others.")

    # ------------------------------------------------------------ the work

    def _checked(self, data: Network | Ensemble, rank: int) -> Ensemble:
        self.check_settings()
        if not isinstance(data, (Network, Ensemble)):
            raise IncompatibleError(
                f"{self} works on a Network or an Ensemble, but this is of type {type(data).__name__}. "
                "Make a network with Network.from_dense, from_sparse, from_edges or from_file."
            )
        ensemble = Ensemble.of(data) if isinstance(data, Network) else data
        if isinstance(rank, bool) or not hasattr(rank, "__index__") or rank < 1:
            raise IncompatibleError(f"The rank is {rank!r}; expected a whole number >= 1.")
        check_needs(self, ensemble.network)
        check_members(self, ensemble)
        if isinstance(self.ridge_used, tuple) and len(self.ridge_used) != ensemble.n_members:
            raise IncompatibleError(
                f"{type(self).__name__} has {len(self.ridge_used)} ridges for {ensemble.n_members} members; "
                "expected one number, or one for each member."
            )
        check_magnitude(self, ensemble)
        return self.prepared(ensemble)

    def _checked_start(
        self, start: Factors | Sequence[Factors], ensemble: Ensemble, rank: int
    ) -> list[Factors]:
        """Return one start a member, of the right shape."""
        given = _listed_factors(start)
        if len(given) != ensemble.n_members:
            raise IncompatibleError(f"There are {len(given)} starts for {ensemble.n_members} members.")
        for factors in given:
            if factors.shape != ensemble.network.shape or factors.rank != rank:
                raise IncompatibleError(
                    f"A start has shape {factors.shape} and rank {factors.rank}; expected "
                    f"{ensemble.network.shape} and rank {rank}."
                )
            self.check_start(factors)
        return given

    def _run(
        self,
        ensemble: Ensemble,
        begin: Callable[[int], Factors],
        rank: int,
        whole: bool,
    ) -> Solved:
        ensemble = with_meant_diagonal(ensemble)
        warn_of_empty(ensemble)
        groups = groups_of(ensemble.n_members, self.precision)
        # One block at a time: its lanes are gone before the next one's are made.
        pairs = [pair for group in groups for pair in self._run_block(ensemble, group, begin, whole)]
        members, records = zip(*pairs, strict=True)
        warn_if_stopped_early(self, rank, records)
        return Solved(members, records)

    def _run_block(
        self,
        ensemble: Ensemble,
        group: range,
        begin: Callable[[int], Factors],
        whole: bool,
    ) -> list[tuple[Factors, Convergence]]:
        block = make_block(ensemble, group, self.precision)
        rows, cols, offsets = pack(map(begin, group), block.width, self.biased, self.precision)
        sweeps = self.sweeps(block, rows, cols, offsets)
        stopping = Stopping(self.max_iter, self.tol, self._floor(block, offsets))
        step = sweeps.sweep if whole else sweeps.sweep_cols
        moving = sweeps.moving(whole) if self.extrapolate else []
        extrapolation = Extrapolation(moving) if moving else None
        records = descend(step, sweeps.loss, (rows, cols), stopping, extrapolation)
        sweeps.fill_empty(whole)
        del (
            block,
            sweeps,
            step,
            moving,
            extrapolation,
        )  # their values may be larger than all factors, which are copied now
        symmetric = ensemble.network.symmetric
        found = [unpack(rows, cols, lane, self.biased, float(offsets[lane])) for lane in range(len(group))]
        models = [replace(factors, logistic=self.logistic, symmetric=symmetric) for factors in found]
        return list(zip(models, records[: len(group)], strict=True))

    def _floor(self, block: Block, offsets: Array) -> Array:
        """Return a millionth of what there is to fit: a loss below it is an exact fit for all purposes."""
        if self.logistic:
            return np.zeros(block.width)
        energy = np.zeros(block.width)
        for lane, member in enumerate(block.members):
            values, weights = member_entries(block.ensemble, member)
            energy[lane] = np.sum(weights * (values - offsets[lane]) ** 2)
        share = 1e-6
        if np.any(block.background) and self.tol > 0:
            # The background's loss is a difference, known to some units of the last place of the energy.
            share = max(share, 8 * float(np.finfo(self.precision).eps) / self.tol)
        return share * energy


def _listed_factors(given: Factors | Sequence[Factors]) -> list[Factors]:
    """Return one or more models as a list, or refuse what is none."""
    models = list(given) if isinstance(given, Sequence) else [given]
    for model in models:
        if not isinstance(model, Factors):
            raise IncompatibleError(
                f"Expected Factors, one for each member, but found an object of type {type(model).__name__}. "
                "Take them from Solved.members, or make them with Factors(W, H)."
            )
    return models


def of_members(value: float | tuple[float, ...], block: Block) -> float | Array:
    """Return a number for all members of a block, or one for each of them."""
    return np.array(value)[block.members] if isinstance(value, tuple) else value
