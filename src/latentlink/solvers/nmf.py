"""Non-negative matrix factorization: every known entry counts once."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.network.network import Network
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.completed_sweeps import Completed
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.multiplicative_sweeps import Multiplied
from latentlink.solvers.descent.packing import plain_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.nonnegative import NonNegative
from latentlink.solvers.wnmf import WNMF
from latentlink.strategy import strategy
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number

__all__ = ["NMF"]


@strategy
class NMF(NonNegative):
    """Non-negative matrix factorization under the Frobenius norm.

        minimise  sum over known  (x_ij - sum_c W_ic H_cj)^2   over W, H >= 0.

    Hidden and unknown entries have no say; unlisted entries are zeros of the background's weight. On a matrix
    that is known throughout this is the ordinary NMF of equation 1 of the paper.

    Parameters
    ----------
    max_iter : int
        Sweeps at the most.
    tol : float
        Stop when a sweep lowers the loss by less than this share of it.
    precision : {"float64", "float32"}
        Arithmetic of the factors.
    init : {"random", "nndsvd"}
        Where to begin: uniform numbers scaled to the data, or the positive parts of singular vectors.
    updates : {"descent", "multiplicative"}
        Exact coordinate descent (HALS), or the multiplicative updates of Lee and Seung, which the paper uses
        and which need several times as many sweeps.
    cycles : int
        How often a row's coordinates are gone through before the next row: gathering a row costs as much as
        improving it, and three cycles need less than half the sweeps of one.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[1.0, 2.0], [2.0, 4.0]])
    >>> model = NMF().solve(network, 1, 0).members[0]
    >>> model.score([0, 1], [1, 1]).round(3)
    array([2., 4.])
    """

    updates: str = "descent"
    cycles: int = 3

    needs_nonnegative: ClassVar[bool] = True
    needs_unit_weights: ClassVar[bool] = True

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        super().check_settings()
        check_choice(self, "updates", ("descent", "multiplicative"))
        check_number(self, "cycles", 1, whole=True)

    @property
    def penalties(self) -> tuple[float, float]:
        """The penalties of W and of H: none."""
        return 0.0, 0.0

    def for_new_rows(self, network: Network) -> tuple[Solver, int]:
        """Return WNMF without a ridge: the same loss, on entries of any weight."""
        return self._transposed(WNMF(precision=self.precision)), max(1, network.shape[0])

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Improve by Gram matrices alone where everything is known, else entry by entry."""
        del offsets
        how = plain_coordinates(rows.shape[1], block.width, self.precision)
        if self.updates == "multiplicative":
            return Multiplied(block, rows, cols, how, how)
        if _all_known(block):
            return Completed(block, rows, cols, how, how)
        return Descent(block, rows, cols, how, how, cycles=self.cycles)


def _all_known(block: Block) -> bool:
    """Whether every entry of the matrix is known with weight 1 to all members."""
    n, m = block.ensemble.network.shape
    listed_all = len(block.rows.indices) == n * m
    everything = block.background == 1 or (block.background == 0 and listed_all)
    ones = not block.rows.per_member and bool(np.all(block.rows.weights == 1))
    return everything and ones and not np.isnan(block.rows.values).any()
