"""What every solver is: settings, declared needs, and two verbs, solve and refit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers.blocks import Block, blocks_of
from latentlink.solvers.convergence import Convergence, Stopping, descend, warn_if_stopped_early
from latentlink.solvers.empty import fill_empty, warn_of_empty
from latentlink.solvers.layout import pack, unpack
from latentlink.solvers.needs import check_needs
from latentlink.solvers.starts import member_entries, member_mean
from latentlink.solvers.sweeps import Sweeps
from latentlink.strategy import Strategy, check_choice, check_number, strategy

__all__ = ["Solved", "Solver"]

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
        Arithmetic of the factors.
    """

    max_iter: int = 500
    tol: float = 1e-5
    precision: str = "float64"

    needs_nonnegative: ClassVar[bool] = False
    needs_binary: ClassVar[bool] = False
    needs_symmetric: ClassVar[bool] = False
    needs_unit_weights: ClassVar[bool] = False
    biased: ClassVar[bool] = False
    logistic: ClassVar[bool] = False

    # ------------------------------------------------------------ the two verbs

    def solve(
        self,
        data: Network | Ensemble,
        rank: int,
        rngs: np.random.Generator | Sequence[np.random.Generator] | int | None = None,
        *,
        start: Sequence[Factors] | None = None,
    ) -> Solved:
        """Factorize every member at this rank.

        Parameters
        ----------
        data : Network or Ensemble
            A network is an ensemble of one member.
        rank : int
            Number of components.
        rngs : sequence of Generator
            One for each member; for a single member a Generator or a seed will do.
        start : sequence of Factors
            Where each member begins, instead of at random.
        """
        ensemble = self._checked(data, rank)
        generators = _checked_rngs(rngs, ensemble.n_members)
        given = None if start is None else _checked_start(start, ensemble, rank)

        def begin(member: int) -> Factors:
            if given is not None:
                return given[member]
            drawn = self.start(ensemble, member, rank, generators[member])
            return replace(drawn, offset=self.offset(ensemble, member))

        return self._run(ensemble, begin, rank, lambda sweeps: sweeps.sweep)

    def refit(self, data: Network | Ensemble, centre: Factors | Sequence[Factors]) -> Solved:
        """Solve for what a given centre leaves open, on known entries alone.

        Given W (and the row biases and the offset), H (and the column biases) are found; the problem is
        convex. To fold in new rows instead, transpose network and centre.
        """
        given = [centre] if isinstance(centre, Factors) else list(centre)
        ensemble = self._checked(data, given[0].rank)
        begin = _checked_start(given, ensemble, given[0].rank)
        return self._run(ensemble, begin.__getitem__, given[0].rank, lambda sweeps: sweeps.sweep_cols)

    # ------------------------------------------------------------ what a solver says of itself

    @abstractmethod
    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Where a member begins."""

    @abstractmethod
    def sweeps(self, block: Block, rows: Array, cols: Array, offsets: Array) -> Sweeps:
        """How a block of members is improved."""

    def offset(self, ensemble: Ensemble, member: int) -> float:
        """Return what all scores of a member have in common."""
        return member_mean(ensemble, member) if self.biased else 0.0

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble in the form in which it is solved."""
        return ensemble

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        check_number(self, "max_iter", 1, whole=True)
        check_number(self, "tol", 0)
        check_choice(self, "precision", ("float64", "float32"))

    # ------------------------------------------------------------ the work

    def _checked(self, data: Network | Ensemble, rank: int) -> Ensemble:
        ensemble = Ensemble.of(data) if isinstance(data, Network) else data
        self.check_settings()
        if isinstance(rank, bool) or not hasattr(rank, "__index__") or rank < 1:
            raise IncompatibleError(f"The rank is {rank!r}; expected a whole number >= 1.")
        check_needs(self, ensemble.network)
        return self.prepared(ensemble)

    def _run(
        self,
        ensemble: Ensemble,
        begin: Callable[[int], Factors],
        rank: int,
        step: Callable[[Sweeps], Callable[[], Array]],
    ) -> Solved:
        members: list[Factors] = []
        records: list[Convergence] = []
        for block in blocks_of(ensemble, self.precision):
            if not members:
                warn_of_empty(block)
            mine = [begin(member) for member in block.members[: block.count]]
            mine += mine[-1:] * (block.width - block.count)
            offsets = np.array([factors.offset for factors in mine])
            rows, cols = pack(mine, self.biased, self.precision)
            del mine
            sweeps = self.sweeps(block, rows, cols, offsets)
            stopping = Stopping(self.max_iter, self.tol, self._floor(block, offsets))
            records += descend(step(sweeps), sweeps.loss, (rows, cols), stopping)[: block.count]
            fill_empty(block, rows, cols)
            for lane in range(block.count):
                found = unpack(rows, cols, lane, self.biased, float(offsets[lane]))
                symmetric = ensemble.network.symmetric
                members.append(replace(found, logistic=self.logistic, symmetric=symmetric))
        warn_if_stopped_early(self, rank, records)
        return Solved(tuple(members), tuple(records))

    def _floor(self, block: Block, offsets: Array) -> Array:
        """Return a millionth of what there is to fit: a loss below it is an exact fit for all purposes."""
        if self.logistic:
            return np.zeros(block.width)
        energy = np.zeros(block.width)
        for lane, member in enumerate(block.members):
            values, weights = member_entries(block.ensemble, member)
            energy[lane] = np.dot(weights, (values - offsets[lane]) ** 2)
        return 1e-6 * energy


def _checked_rngs(rngs: Any, members: int) -> list[np.random.Generator]:
    """One generator a member."""
    if rngs is None or isinstance(rngs, (int, np.integer, np.random.Generator)):
        rngs = [np.random.default_rng(rngs)]
    if len(rngs) != members:
        raise IncompatibleError(
            f"There are {len(rngs)} random generators for {members} members; expected one for each "
            "(latentlink.random.member_rngs makes them)."
        )
    return list(rngs)


def _checked_start(start: Sequence[Factors], ensemble: Ensemble, rank: int) -> list[Factors]:
    """One start a member, of the right shape."""
    if len(start) != ensemble.n_members:
        raise IncompatibleError(f"There are {len(start)} starts for {ensemble.n_members} members.")
    for factors in start:
        if factors.shape != ensemble.network.shape or factors.rank != rank:
            raise IncompatibleError(
                f"A start has shape {factors.shape} and rank {factors.rank}; expected "
                f"{ensemble.network.shape} and rank {rank}."
            )
    return list(start)
