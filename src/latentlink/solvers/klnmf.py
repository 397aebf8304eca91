"""Non-negative matrix factorization of counts, under the Kullback-Leibler divergence."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from latentlink.network import Ensemble
from latentlink.solvers.base import Solver
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.divergence_sweeps import DivergenceSweeps
from latentlink.solvers.descent.packing import plain_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.nonnegative import NonNegative
from latentlink.strategy import strategy
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number

__all__ = ["KLNMF"]


@strategy
class KLNMF(NonNegative):
    """Non-negative matrix factorization under the generalised Kullback-Leibler divergence, for counts.

        minimise  sum over listed  w_ij ( x_ij log(x_ij / xhat_ij) - x_ij + xhat_ij )
                  + c * sum over unlisted  xhat_ij,      xhat_ij = sum_c W_ic H_cj,   over W, H >= 0,

    where c is the weight of the background. That is the maximum likelihood of Poisson variables with the
    means xhat; twice the loss is their deviance. An error of 1 weighs as much as the count is small, where
    under the Frobenius norm the largest counts dominate. Values need not be integers.

    Parameters
    ----------
    max_iter, tol, precision, extrapolate, init
        As for `NMF`.
    updates : {"descent", "multiplicative"}
        Newton's steps of one coordinate at a time, shortened where they could pass the minimum, or the
        multiplicative updates of Lee and Seung. The loss never rises under either; multiplicative updates
        need several times as many sweeps, and cannot leave a 0.
    cycles : int
        How often the coordinates of a row are updated before the next row, by "descent".

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_dense([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [3.0, np.nan, 0.0]])
    >>> model = KLNMF().solve(network, 1, 0).members[0]
    >>> model.score([2, 2], [1, 2]).round(3)
    array([6., 0.])
    """

    updates: str = "descent"
    cycles: int = 2

    needs_nonnegative: ClassVar[bool] = True

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_choice(self, "updates", ("descent", "multiplicative"))
        check_number(self, "cycles", 1, 1000, whole=True)

    def loss_scale(self, ensemble: Ensemble, member: int, offset: float) -> float:
        """Return the weighted sum of a member's known entries, which has the unit of the divergence."""
        del offset
        values, weights = ensemble.member_entries(member)
        return float(np.sum(weights * values))

    def for_refit(self) -> Solver:
        """Return the solver with coordinate descent: a multiplicative step cannot leave a 0."""
        return clone(self).set_params(updates="descent")

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Return descent or multiplicative updates of rows and columns."""
        del offsets
        coordinates = plain_coordinates(rows.shape[1], block.width, self.precision)
        multiplied = self.updates == "multiplicative"
        return DivergenceSweeps(
            block, rows, cols, coordinates, coordinates, cycles=self.cycles, multiplied=multiplied
        )
