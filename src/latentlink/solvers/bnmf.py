"""Boolean non-negative matrix factorization, before thresholding."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.completed_sweeps import Completed
from latentlink.solvers.descent.packing import plain_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.nonnegative import NonNegative
from latentlink.strategy import strategy
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number

__all__ = ["BNMF"]


@strategy
class BNMF(NonNegative):
    """Boolean NMF: non-negative factors whose product may exceed 1 at known ones without error.

        minimise  sum over known  w_ij (y_ij - sum_c W_ic H_cj)^2  +  ridge |W|^2 + ridge_cols |H|^2,

    over W, H >= 0 and an auxiliary matrix y with y_ij = 0 where x_ij = 0 and lower <= y_ij <= upper where
    x_ij = 1 (section 3.6 of the paper). The sum of overlapping components may exceed 1, as in a Boolean
    product; the factors are binarized by a threshold afterwards. An entry is a one if its value exceeds 1/2.

    Parameters
    ----------
    max_iter, tol, precision, extrapolate, init
        As for `NMF`.
    ridge : float or "auto"
        Penalty of W. "auto" is chosen by a rank search; a solver on its own takes 0.
    ridge_cols : float or None
        Penalty of H; None is ``ridge``.
    lower : float
        Smallest target of a known one.
    upper : float or None
        Largest target of a known one; None is the rank, the largest sum of Boolean components (or ``lower``,
        if that is larger).
    updates : {"descent", "multiplicative"}
        Exact coordinate descent on the completed matrix, or the paper's multiplicative updates.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    >>> model = BNMF().solve(network, 2, 0).members[0]
    >>> (model.score([0, 0, 1], [0, 2, 1]) > 0.5).tolist()
    [True, False, True]
    """

    max_iter: int = 1000
    ridge: float | str = "auto"
    ridge_cols: float | None = None
    lower: float = 1.0
    upper: float | None = None
    updates: str = "descent"

    needs_nonnegative: ClassVar[bool] = True
    plain_ridge: ClassVar[float] = 0.0
    ridge_grid: ClassVar[tuple[float, ...]] = (0.0, 0.3, 1.0, 3.0)
    needs_binary: ClassVar[bool] = True

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_choice(self, "updates", ("descent", "multiplicative"))
        check_number(self, "lower", 0, above=True)
        if self.ridge_cols is not None:
            check_number(self, "ridge_cols", 0)
        if self.upper is not None:
            check_number(self, "upper", self.lower)

    @property
    def on_devices(self) -> bool:  # type: ignore[override]
        """Whether updates run on devices: coordinate descent does."""
        return self.updates == "descent"

    def for_refit(self) -> Solver:
        """Return the solver with exact coordinate descent: a multiplicative step cannot leave a 0."""
        return clone(self).set_params(updates="descent")

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Return descent on the completed matrix, which is low rank plus sparse."""
        del offsets
        rank = rows.shape[1]
        block = block.with_weights_up_to_one()
        ridge = self.ridge_of(block)
        ridge_cols = ridge if self.ridge_cols is None else self.ridge_cols
        row_coordinates = plain_coordinates(rank, block.width, self.precision, ridge / block.scale)
        col_coordinates = plain_coordinates(rank, block.width, self.precision, ridge_cols / block.scale)
        upper = max(float(rank), self.lower) if self.upper is None else self.upper
        multiplied = self.updates == "multiplicative"
        bounds = (self.lower, upper)
        return Completed(
            block, rows, cols, row_coordinates, col_coordinates, bounds=bounds, multiplied=multiplied
        )
