"""What every solver is: settings, declared needs, and two verbs, solve and refit."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.random import checked_rngs
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.fit_blocks import Solved, fit_blocks
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.magnitude import check_magnitude
from latentlink.solvers.needs import check_members, check_needs, check_ridge
from latentlink.strategy import Strategy, strategy
from latentlink.validation.choices import check_choice, check_switch
from latentlink.validation.numbers import check_number, is_number

__all__ = ["NEW_ROW_SWEEPS", "Solved", "Solver", "of_members"]

NEW_ROW_SWEEPS = 50  # of a refit of new rows, after which those that have converged are left out

Array = NDArray[Any]


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
        return self.solve_checked(self._checked(data, rank), rank, rngs, start=start)

    def solve_checked(
        self,
        ensemble: Ensemble,
        rank: int,
        rngs: np.random.Generator | Sequence[np.random.Generator] | int | None = None,
        *,
        start: Factors | Sequence[Factors] | None = None,
    ) -> Solved:
        """Do the same as `solve` for an ensemble that `check` has passed; rank searches call it."""
        ensemble = self.prepared(ensemble)
        generators = [] if start is not None else checked_rngs(rngs, rank, ensemble.n_members)
        given = None if start is None else self._checked_start(start, ensemble, rank)

        def begin(member: int) -> Factors:
            if given is not None:
                return self.adopt_start(ensemble, member, given[member])
            drawn = self.start(ensemble, member, rank, generators[member])
            return replace(drawn, offset=self.offset(ensemble, member))

        return fit_blocks(self, ensemble, begin, rank, whole=True)

    def refit(self, data: Network | Ensemble, centre: Factors | Sequence[Factors]) -> Solved:
        """Solve for what a given centre leaves open, on known entries alone.

        Given W (and the row biases and the offset), H (and the column biases) are found; the problem is
        convex. To fold in new rows instead, transpose network and centre.
        """
        given = _listed_factors(centre)
        return self.refit_checked(self._checked(data, given[0].rank if given else 1), given)

    def refit_checked(self, ensemble: Ensemble, centre: Sequence[Factors]) -> Solved:
        """Do the same as `refit` for an ensemble that `check` has passed."""
        ensemble = self.prepared(ensemble)
        rank = centre[0].rank if centre else 1
        begin = self._checked_start(centre, ensemble, rank)
        return fit_blocks(self, ensemble, begin.__getitem__, rank, whole=False)

    def check(self, data: Network | Ensemble) -> None:
        """Raise for settings or data that this solver cannot work on, in a sentence that names both."""
        self.check_settings()
        if not isinstance(data, (Network, Ensemble)):
            raise IncompatibleError(
                f"{self} works on a Network or an Ensemble, but this is of type {type(data).__name__}. "
                "Make a network with Network.from_dense, from_sparse, from_edges or from_file."
            )
        ensemble = Ensemble.of(data) if isinstance(data, Network) else data
        check_needs(self, ensemble.network)
        check_members(self, ensemble)
        check_magnitude(self, ensemble)

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

    @property
    def penalties(self) -> tuple[float, float]:
        """The penalties of W and of H as two numbers, 0 where there are none."""
        # One number in a solver as it was used; only a search for the ridge has one for each member.
        row = float(np.median(self.ridge_used))
        col = getattr(self, "ridge_cols", None)
        return row, row if col is None else float(col)

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return the solver that folds new rows in, and how many rows it takes at once.

        New rows are columns of the transposed problem, refitted with the model's columns given. There the
        penalties of rows and columns are exchanged. Every row goes on until it has converged itself
        (``tol=0``), so that its factors do not depend on other new rows.

        Parameters
        ----------
        network : Network
            The known entries of the new rows.
        """
        return self._transposed(self), max(1, network.shape[0])

    def _transposed(self, solver: Solver) -> Solver:
        """Return a copy of a solver for the transposed problem, with this solver's penalties exchanged."""
        row, col = self.penalties
        settings: dict[str, Any] = {
            "max_iter": NEW_ROW_SWEEPS,
            "tol": 0.0,
            "precision": "float64",
            "extrapolate": False,
            "updates": "descent",
            "ridge": col,
            "ridge_cols": row,
        }
        copied: Solver = clone(solver)
        known = copied.get_params()
        return copied.set_params(**{name: value for name, value in settings.items() if name in known})

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
        return ensemble.member_mean(member) if self.biased else 0.0

    def adopt_start(self, ensemble: Ensemble, member: int, start: Factors) -> Factors:
        """Return a given start in this solver's own parametrization."""
        if self.biased and start.row_bias is None and start.col_bias is None:
            return replace(start, offset=self.offset(ensemble, member))
        return start

    def project(self, centre: Factors) -> Factors:
        """Project the central model of an ensemble onto this solver's constraints.

        Medians of W and of H, taken separately, need not fulfil them.
        """
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
        """Return the data as an ensemble that can be factorized at this rank, or raise."""
        self.check(data)
        if not is_number(rank, 1, whole=True):
            raise IncompatibleError(f"The rank is {rank!r}; expected a whole number >= 1.")
        ensemble = Ensemble.of(data) if isinstance(data, Network) else data
        if isinstance(self.ridge_used, tuple) and len(self.ridge_used) != ensemble.n_members:
            raise IncompatibleError(
                f"{type(self).__name__} has {len(self.ridge_used)} ridges for {ensemble.n_members} members; "
                "expected one number, or one for each member."
            )
        return ensemble

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
