"""The base class of solvers: settings, declared needs of the data, `solve` and `refit`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
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
from latentlink.solvers.devices.device_choice import check_device
from latentlink.solvers.needs import (
    check_finite_start,
    check_magnitude,
    check_members,
    check_needs,
    check_ridge,
    listed_factors,
    ridges_of_members,
)
from latentlink.strategy import Strategy, strategy
from latentlink.validation.bounds import MOST_ITERATIONS, MOST_SWEEPS
from latentlink.validation.choices import check_choice, check_switch
from latentlink.validation.numbers import check_number, is_number

__all__ = ["NEW_ROW_SWEEPS", "Solved", "Solver"]

NEW_ROW_SWEEPS = 50  # of each refit of new rows; rows that have converged are left out of the next one

Array = NDArray[Any]


@strategy
class Solver(Strategy):
    """A matrix factorization at a given rank, fitted to all members of an ensemble at once.

    A subclass implements `start` and `sweeps`, and declares its needs of the data and the form of its model
    as class attributes. Batches, convergence, empty rows and columns and warnings are handled here.

    Parameters
    ----------
    max_iter : int
        Largest number of sweeps.
    tol : float
        Relative tolerance: a member converges when a sweep changes its loss by no more than this fraction.
        With 0, ``max_iter`` is the number of sweeps rather than a limit, and no warning follows.
    precision : {"float64", "float32"}
        Precision of the factors. In single precision the loss of a background is less accurate if many
        entries are hidden: it is the difference of two large sums.
    extrapolate : bool
        Whether sweeps are extrapolated, with a restart where the loss rises. That takes about a quarter of
        the sweeps, at the cost of a second copy of the factors. Multiplicative and gradient steps are never
        extrapolated.
    device : str or None
        Where it runs, see `latentlink.solvers.devices.device_choice`: None or "cpu" for the compiled kernels,
        "cuda" for all GPUs, "cuda:1" for one, "auto" for GPUs if there are any. New rows run on the CPU.

    Attributes
    ----------
    needs_nonnegative, needs_binary, needs_symmetric, needs_unit_weights : bool
        Needs of the data: values >= 0, values 0 and 1, an undirected network, weights of 0 and 1. Checked
        before any work.
    biased : bool
        Whether the model has row and column biases and an offset.
    logistic : bool
        Whether the loss is the cross-entropy, and scores are probabilities.
    unknown_is_zero : bool
        Whether unknown entries count as known zeros.
    squared_error : bool
        Whether the loss is a weighted squared error and the ridge, and nothing else: then new rows can be
        pulled towards the mean of the fitted ones, see `latentlink.folding.mean_rows`.
    samples : bool
        Whether members are chains of draws from a posterior, instead of minima of a loss.
    on_devices : bool
        Whether its updates run on devices other than the CPU.
    rotates : bool
        Whether draws are rotated at random, so that components cannot be matched one by one.
    plain_ridge : float or None
        The ridge of a solver on its own for ``ridge="auto"``; None for a solver without an automatic ridge.
    ridge_grid : tuple of float
        Multiples of `ridge_scale` that a rank search tries for ``ridge="auto"``.
    """

    max_iter: int = 500
    tol: float = 1e-5
    precision: str = "float64"
    extrapolate: bool = True
    device: str | None = None

    needs_nonnegative: ClassVar[bool] = False
    needs_binary: ClassVar[bool] = False
    needs_symmetric: ClassVar[bool] = False
    needs_unit_weights: ClassVar[bool] = False
    biased: ClassVar[bool] = False
    logistic: ClassVar[bool] = False
    unknown_is_zero: ClassVar[bool] = False
    squared_error: ClassVar[bool] = False
    samples: ClassVar[bool] = False
    rotates: ClassVar[bool] = False
    on_devices: ClassVar[bool] = False
    plain_ridge: ClassVar[float | None] = None
    ridge_grid: ClassVar[tuple[float, ...]] = ()

    @classmethod
    def for_members(cls) -> Self:
        """Return the solver with the settings of ensemble members: a fifth of the sweeps, tol 1e-4, float32.

        Members differ by their perturbations and starts by more than that. The central model is fitted in
        double precision whatever the members' precision is.

        Examples
        --------
        >>> from latentlink.solvers import WNMF
        >>> WNMF.for_members()
        WNMF(max_iter=100, precision='float32', tol=0.0001)
        """
        return cls(max_iter=cls().max_iter // 5, tol=1e-4, precision="float32")

    # ------------------------------------------------------------ solve and refit

    def solve(
        self,
        data: Network | Ensemble,
        rank: int,
        rngs: np.random.Generator | Sequence[np.random.Generator] | int | None = None,
        *,
        start: Factors | Sequence[Factors] | None = None,
    ) -> Solved:
        """Factorize every member at a given rank.

        Parameters
        ----------
        data : Network or Ensemble
            A network is an ensemble of one member.
        rank : int
            Number of components.
        rngs : int, sequence of Generator, Generator or None
            A seed, from which each member at each rank gets its own generator
            (`latentlink.random.member_rngs`); or one generator for each member, a single one for a single
            member. None draws a seed.
        start : Factors, sequence of Factors, or None
            Start of each member, instead of a random one; a single one for a single member. If the solver has
            biases, a start without them gets biases of 0 and the offset of the member.

        Returns
        -------
        Solved
            With ``members``, a `Factors` for each member, and ``records``, its `Convergence`.
        """
        ensemble = self.prepared(self._checked(data, rank))
        drawn = self.samples or start is None
        generators = checked_rngs(rngs, rank, ensemble.n_members) if drawn else []
        given = None if start is None else self._checked_start(start, ensemble, rank)

        def begin(member: int) -> Factors:
            if given is not None:
                return self.adopt_start(ensemble, member, given[member])
            initial = self.start(ensemble, member, rank, generators[member])
            offset = self.offset(ensemble, member)
            return initial if initial.offset == offset else replace(initial, offset=offset)

        return self._solved(ensemble, begin, generators, rank)

    def _solved(
        self,
        ensemble: Ensemble,
        begin: Callable[[int], Factors],
        rngs: Sequence[np.random.Generator],
        rank: int,
    ) -> Solved:
        """Return the solution of prepared data from the start of each member, by descent."""
        del rngs
        return fit_blocks(self, ensemble, begin, rank, whole=True)

    def refit(self, data: Network | Ensemble, centre: Factors | Sequence[Factors]) -> Solved:
        """Fit H (and the column biases) to the known entries, given W (and the row biases and the offset).

        The problem is convex. `SymLMF` fits the biases, given the factors. To fit rows instead, transpose the
        network and the models.

        Parameters
        ----------
        data : Network or Ensemble
        centre : Factors or sequence of Factors
            The model of each member; H is the start.

        Returns
        -------
        Solved
        """
        ensemble, begin = self._checked_centre(data, centre)
        return fit_blocks(self.for_refit(), ensemble, begin.__getitem__, begin[0].rank, whole=False)

    def check(self, data: Network | Ensemble) -> None:
        """Raise IncompatibleError for settings out of range, or data that the solver cannot be fitted to."""
        self.check_settings()
        if not isinstance(data, (Network, Ensemble)):
            raise IncompatibleError(
                f"{self} is fitted to a Network or an Ensemble, but this is of type {type(data).__name__}. "
                "Make a network with Network.from_dense, from_sparse, from_edges or from_file."
            )
        ensemble = Ensemble.of(data) if isinstance(data, Network) else data
        check_needs(self, ensemble.network)
        check_members(self, ensemble)
        check_magnitude(self, ensemble)

    # ------------------------------------------------------------ hooks of subclasses

    @abstractmethod
    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return the start of a member; its offset is set by `offset`."""

    @abstractmethod
    def sweeps(self, block: Block, rows: Array, cols: Array, offsets: Array) -> Sweeps:
        """Return the sweeps of a block of members.

        Parameters
        ----------
        block : Block
            The data of the members.
        rows, cols : arrays, shape (nodes, coordinates, members)
            The packed factors, which sweeps update in place.
        offsets : array, shape (members,)
            The offset of each member.
        """

    @property
    def ridge_used(self) -> float | tuple[float, ...]:
        """The penalty as a number, or one for each member; ``plain_ridge`` if it is "auto"."""
        ridge: Any = getattr(self, "ridge", None)
        if isinstance(ridge, tuple):
            return ridge
        return float(self.plain_ridge or 0.0) if ridge is None or ridge == "auto" else float(ridge)

    @property
    def penalties(self) -> tuple[float, float]:
        """The penalties of W and of H as two numbers, 0 without a penalty."""
        # A fitted solver has one number; only a search for the ridge has one for each member.
        row = float(np.median(self.ridge_used))
        col = getattr(self, "ridge_cols", None)
        return row, row if col is None else float(col)

    def for_refit(self) -> Solver:
        """Return the solver that fits H given W, a convex problem: this one, if its steps can leave a 0."""
        return self

    def with_penalties(self, row: float, col: float) -> Self:
        """Return a copy with other penalties of W and of H; a solver without a ``ridge`` has none to set.

        Override it, and `penalties`, in a solver whose penalties are not named ``ridge`` and ``ridge_cols``.
        """
        copied: Self = clone(self)
        known = copied.get_params(deep=False)
        return copied.set_params(
            **{name: value for name, value in (("ridge", row), ("ridge_cols", col)) if name in known}
        )

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return the solver that fits new rows, and the number of rows that it fits at once.

        New rows are columns of the transposed problem, refitted with the columns of the model given: there
        the penalties of W and H are exchanged. Each row is fitted until it has converged itself
        (``tol=0``), so that its factors do not depend on the other new rows.

        Parameters
        ----------
        network : Network
            The known entries of the new rows.
        """
        row, col = self.penalties
        return self.for_refit().with_penalties(col, row).until_converged(), max(1, network.shape[0])

    def until_converged(self) -> Self:
        """Return a copy that runs a fixed number of exact sweeps in double precision, as new rows need it."""
        copied: Self = clone(self)
        exact = {"precision": "float64", "extrapolate": False, "device": None}  # saved models need no device
        return copied.set_params(max_iter=NEW_ROW_SWEEPS, tol=0.0, **exact)

    def ridge_of(self, block: Block) -> float | Array:
        """Return the penalty of a block, one number for all members or one for each."""
        return block.of_members(self.ridge_used)

    def with_ridge(self, ridge: float | tuple[float, ...], unit: float) -> Self:
        """Return the solver with a penalty that a search over multiples of ``unit`` has chosen."""
        del unit
        return clone(self).set_params(ridge=ridge)

    def penalty_weights(self, network: Network) -> tuple[Array, Array]:
        """Return the penalties of the rows and of the columns of a network, relative to the ridge: all 1."""
        return np.ones(network.shape[0]), np.ones(network.shape[1])

    def fitted_to(self, network: Network) -> Self:
        """Return the solver with settings that follow the data replaced by numbers, other than the ridge."""
        del network
        return self

    def ridge_scale(self, network: Network) -> float:
        """Return the unit of the penalties in ``ridge_grid``, which depends on the scale of the data."""
        del network
        return 1.0

    def loss_scale(self, ensemble: Ensemble, member: int, offset: float) -> float:
        """Return the size of a member's data in the unit of the loss, of which a millionth is negligible."""
        return ensemble.member_squares(member, offset)

    def offset(self, ensemble: Ensemble, member: int) -> float:
        """Return the offset of a member: the mean of its known entries if the model is biased, else 0."""
        return ensemble.member_mean(member) if self.biased else 0.0

    def adopt_start(self, ensemble: Ensemble, member: int, start: Factors) -> Factors:
        """Return a given start in the parametrization of this solver."""
        if self.biased and start.row_bias is None and start.col_bias is None:
            return replace(start, offset=self.offset(ensemble, member))
        return start

    def project(self, centre: Factors) -> Factors:
        """Return the central model of an ensemble projected onto the constraints of this solver.

        Medians of W and of H, taken separately, need not fulfil them.
        """
        return centre

    def prepared(self, ensemble: Ensemble) -> Ensemble:
        """Return the ensemble that is fitted, such as one with the background listed."""
        return ensemble

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        check_number(self, "max_iter", 1, MOST_ITERATIONS, whole=True)
        check_number(self, "tol", 0)
        if self.tol == 0 and self.max_iter > MOST_SWEEPS:
            raise IncompatibleError(
                f"{type(self).__name__} has max_iter={self.max_iter:,} with tol=0, which does all of these "
                f"sweeps; expected at most {MOST_SWEEPS:,}. Set a tol above 0, such as 1e-5, to stop when "
                "the loss no longer changes."
            )
        check_choice(self, "precision", ("float64", "float32"))
        check_switch(self, "extrapolate")
        check_device(self)
        if self.plain_ridge is not None:
            check_ridge(self)

    def check_start(self, factors: Factors) -> None:
        """Raise IncompatibleError for factors that cannot be a start of this solver."""
        check_finite_start(self, factors)

    # ------------------------------------------------------------ checks of arguments

    def _checked(self, data: Network | Ensemble, rank: int) -> Ensemble:
        """Return the data as an ensemble; raise if it cannot be factorized at this rank."""
        if not (isinstance(data, Ensemble) and data.checked_by is type(self)):
            self.check(data)
        if not is_number(rank, 1, whole=True):
            raise IncompatibleError(f"The rank is {rank!r}; expected a whole number >= 1.")
        ensemble = Ensemble.of(data) if isinstance(data, Network) else data
        for name, ridges in ridges_of_members(self).items():
            if len(ridges) != ensemble.n_members:
                which = "ridges" if name == "ridge" else f"numbers as {name}"
                raise IncompatibleError(
                    f"{type(self).__name__} has {len(ridges)} {which} for {ensemble.n_members} members; "
                    "expected one number, or one for each member."
                )
        return ensemble

    def _checked_centre(
        self, data: Network | Ensemble, centre: Factors | Sequence[Factors]
    ) -> tuple[Ensemble, list[Factors]]:
        """Return the data as an ensemble, and the model of each member whose columns are to be fitted."""
        given = listed_factors(centre)
        rank = given[0].rank if given else 1
        ensemble = self.prepared(self._checked(data, rank))
        return ensemble, self._checked_start(given, ensemble, rank)

    def _checked_start(
        self, start: Factors | Sequence[Factors], ensemble: Ensemble, rank: int
    ) -> list[Factors]:
        """Return one start per member; raise unless all have the right shape."""
        given = listed_factors(start)
        if len(given) != ensemble.n_members:
            raise IncompatibleError(
                f"There are {len(given)} starts for {ensemble.n_members} members; expected one for each."
            )
        for factors in given:
            if factors.shape != ensemble.network.shape or factors.rank != rank:
                raise IncompatibleError(
                    f"A start has shape {factors.shape} and rank {factors.rank}; expected "
                    f"{ensemble.network.shape} and rank {rank}."
                )
            self.check_start(factors)
        return given
