"""Recommender factorization: non-negative factors and biases of rows and columns."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.known_weight import network_weight
from latentlink.solvers.descent.multiplicative_sweeps import Multiplied
from latentlink.solvers.descent.packing import biased_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.needs import is_penalty
from latentlink.solvers.nonnegative import NonNegative
from latentlink.solvers.starts import nndsvd_start, random_start
from latentlink.strategy import strategy
from latentlink.validation.bounds import MOST_CYCLES
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number, is_pair

__all__ = ["RNMF"]

_OF_BIASES = ("ridge_row_bias", "ridge_col_bias")


@strategy
class RNMF(NonNegative):
    """Recommender NMF: mean, row and column biases, and non-negative factors of the residuals.

        minimise  sum over listed  w_ij (x_ij - mu - b_i - c_j - sum_c W_ic H_cj)^2
                  + ridge sum_i p_i |W_i|^2 + ridge_cols sum_j q_j |H_j|^2
                  + ridge_row_bias |b|^2 + ridge_col_bias |c|^2,   W, H >= 0,

    where mu is the weighted mean of the known values, the zeros of a background included (section 3.5 of the
    paper). Biases and values may have any sign.

    The penalty of a row or column grows with the number n of its known entries: p = (1 + n / mean of n) / 2,
    and q likewise. With the same penalty for all, a row of many entries gets a component of its own, and
    entries of columns that it shares with few are extrapolated far beyond the data. (A constant penalty is
    the trace norm of the matrix, which fails where entries are not sampled uniformly; this is the weighted
    trace norm with smoothed marginals: Foygel, Shamir, Srebro and Salakhutdinov, 2011.)

    Parameters
    ----------
    max_iter, tol, precision, extrapolate, init, cycles
        As for `NMF`.
    ridge : float or "auto"
        Penalty of W, and default of the other penalties. "auto" is chosen by a rank search; a solver on its
        own takes 1.
    ridge_cols, ridge_row_bias, ridge_col_bias : float or None
        Penalties of H, of the row biases and of the column biases; None is ``ridge``.
    ridge_counts : "auto", (float, float) or None
        Numbers of known entries of a row and of a column whose penalty is ``ridge`` (p = q = 1). "auto" takes
        the means; None is the paper's, p = q = 1 for all.
    updates : {"descent", "paper"}
        Exact coordinate descent of factors and biases, or the paper's multiplicative updates of the factors
        and gradient steps of the biases, under which the loss may rise. The paper's updates need values >= 0.
    rate : float
        Length of the paper's gradient steps, as a fraction of the mean error of a row. (The paper takes the
        sum of the errors, for which no length suits both short and long rows.)

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[5.0, 3.0], [4.0, 2.0], [3.0, np.nan]])
    >>> model = RNMF(ridge=0.1).solve(network, 1, 0).members[0]
    >>> bool(model.score(2, 1)[0] < 2.0)
    True
    """

    ridge: float | str = "auto"
    ridge_cols: float | None = None
    ridge_row_bias: float | tuple[float, ...] | None = None
    ridge_col_bias: float | tuple[float, ...] | None = None
    ridge_counts: str | tuple[float, float] | None = "auto"
    updates: str = "descent"
    rate: float = 0.1
    cycles: int = 3

    biased: ClassVar[bool] = True
    plain_ridge: ClassVar[float] = 1.0
    ridge_grid: ClassVar[tuple[float, ...]] = (0.003, 0.03, 0.3, 1.0, 3.0, 6.0)

    @property
    def on_devices(self) -> bool:  # type: ignore[override]
        """Whether updates run on devices: coordinate descent does."""
        return self.updates == "descent"

    @property
    def needs_nonnegative(self) -> bool:  # type: ignore[override]
        """Whether values must be >= 0, as multiplicative updates need."""
        return self.updates == "paper"

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_choice(self, "updates", ("descent", "paper"))
        check_number(self, "rate", 0, above=True)
        check_number(self, "cycles", 1, MOST_CYCLES, whole=True)
        for name in ("ridge_cols", "ridge_row_bias", "ridge_col_bias"):
            value: Any = getattr(self, name)
            several = isinstance(value, tuple) and len(value) > 0 and is_penalty(value)
            if value is not None and not several:  # a search for the ridge has one for each member
                check_number(self, name, 0)
        self._check_counts()

    def _check_counts(self) -> None:
        counts: Any = self.ridge_counts
        if counts is None or (isinstance(counts, str) and counts == "auto"):
            return
        if not is_pair(counts, 0, above=True):
            raise IncompatibleError(
                f'{type(self).__name__} has ridge_counts={counts!r}; expected "auto", None, or two numbers '
                "> 0: the known entries of a row and of a column whose penalty is ridge."
            )

    def fitted_to(self, network: Network) -> Self:
        """Return the solver with ``ridge_counts="auto"`` replaced by the means of the network."""
        if self.ridge_counts != "auto":
            return self
        means = (float(weight.mean()) or 1.0 for weight in network_weight(network))
        copied: Self = clone(self)
        return copied.set_params(ridge_counts=tuple(means))

    def penalty_weights(self, network: Network) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return p of the rows and q of the columns, which grow with their known entries."""
        counts = self.fitted_to(network).ridge_counts
        if counts is None or isinstance(counts, str):
            return super().penalty_weights(network)
        rows, cols = network_weight(network)
        return (1 + rows / counts[0]) / 2, (1 + cols / counts[1]) / 2

    def ridge_scale(self, network: Network) -> float:
        """Return the standard deviation of the known values."""
        return float(np.std(network.values[network.known])) or 1.0

    def with_ridge(self, ridge: float | tuple[float, ...], unit: float) -> Self:
        """Return the solver with a penalty of the factors, and the same divided by its unit for the biases.

        A product of two factors has the unit of the values, and so has a bias. So the penalty of factors has
        that unit, and the penalty of biases has none.
        """
        relative = tuple(np.divide(ridge, unit).tolist()) if isinstance(ridge, tuple) else ridge / unit
        of_biases = {name: relative for name in _OF_BIASES if getattr(self, name) is None}
        return super().with_ridge(ridge, unit).set_params(**of_biases)

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return the solver of the transposed problem, with the penalties of the biases exchanged too."""
        solver, batch = super().for_new_rows(network)
        row, _ = self.penalties
        counts = self.ridge_counts
        return solver.set_params(
            ridge_counts=counts if counts is None or isinstance(counts, str) else counts[::-1],
            ridge_row_bias=row if self.ridge_col_bias is None else self.ridge_col_bias,
            ridge_col_bias=row if self.ridge_row_bias is None else self.ridge_row_bias,
        ), batch

    def start(self, ensemble: Ensemble, member: int, rank: int, rng: np.random.Generator) -> Factors:
        """Return a start whose product has the size of the standard deviation of the values; biases are 0."""
        spread = ensemble.member_std(member)
        if self.init == "random":
            return random_start(ensemble, rank, spread, rng)
        return nndsvd_start(ensemble, member, rank, self.offset(ensemble, member), spread)

    def for_refit(self) -> Solver:
        """Return the solver with exact coordinate descent: a multiplicative step cannot leave a 0."""
        return clone(self).set_params(updates="descent")

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Return sweeps of factors and biases, which are one more coordinate."""
        ridge = self.ridge_of(block)
        others = [
            ridge if value is None else block.of_members(value)
            for value in (self.ridge_cols, self.ridge_row_bias, self.ridge_col_bias)
        ]
        of_rows = self._relative_counts(block, 0)
        of_cols = self._relative_counts(block, 1)
        row_coordinates = biased_coordinates(rows, True, (ridge, others[1]), 0.0, offsets, of_rows)
        col_coordinates = biased_coordinates(cols, False, (others[0], others[2]), 0.0, offsets, of_cols)
        if self.updates == "descent":
            return Descent(block, rows, cols, row_coordinates, col_coordinates, cycles=self.cycles)
        return Multiplied(block, rows, cols, row_coordinates, col_coordinates, rate=self.rate)

    def _relative_counts(self, block: Block, side: int) -> NDArray[Any] | None:
        """Return the known weight of each line over ``ridge_counts``; None without these."""
        if self.ridge_counts is None:
            return None
        weight, mean = block.known_weight(side)
        if isinstance(self.ridge_counts, str):
            return weight / np.where(mean > 0, mean, 1)
        return weight / self.ridge_counts[side]
