"""Weighted non-negative matrix factorization."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.descent.coordinate_sweeps import Descent
from latentlink.solvers.descent.packing import plain_coordinates
from latentlink.solvers.descent.sweeps import Sweeps
from latentlink.solvers.nonnegative import NonNegative
from latentlink.strategy import strategy
from latentlink.validation.bounds import MOST_CYCLES
from latentlink.validation.numbers import check_number

__all__ = ["WNMF"]


@strategy
class WNMF(NonNegative):
    """Weighted non-negative matrix factorization of the known entries.

        minimise  sum over listed  w_ij (x_ij - sum_c W_ic H_cj)^2  +  ridge (|W|^2 + |H|^2)   over W, H >= 0,

    plus the zeros of the background with their weight (section 3.4 of the paper). Each coordinate is
    minimised exactly in turn, so the loss never rises.

    Parameters
    ----------
    max_iter, tol, precision, extrapolate, init, cycles
        As for `NMF`.
    ridge : float or "auto"
        Penalty of W and H. On sparse networks it matters as much as the rank: "auto" is chosen by a rank
        search, by held-out errors; a solver on its own takes 0.

    Examples
    --------
    >>> from latentlink import Network
    >>> network = Network.from_edges([(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0)], shape=(2, 2))
    >>> model = WNMF().solve(network, 1, 0).members[0]
    >>> model.score(1, 1).round(3)
    array([4.])
    """

    ridge: float | str = "auto"
    cycles: int = 3

    needs_nonnegative: ClassVar[bool] = True
    squared_error: ClassVar[bool] = True
    on_devices: ClassVar[bool] = True
    plain_ridge: ClassVar[float] = 0.0
    ridge_grid: ClassVar[tuple[float, ...]] = (0.0, 0.1, 1.0, 3.0)

    def check_settings(self) -> None:
        """Raise IncompatibleError for settings out of range."""
        super().check_settings()
        check_number(self, "cycles", 1, MOST_CYCLES, whole=True)

    def ridge_scale(self, network: Network) -> float:
        """Return the root mean square of the known values, the unit of a product of factors."""
        return float(np.sqrt(np.mean(network.values[network.known] ** 2))) or 1.0

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Return exact coordinate descent of rows and columns."""
        del offsets
        coordinates = plain_coordinates(rows.shape[1], block.width, self.precision, self.ridge_of(block))
        return Descent(block, rows, cols, coordinates, coordinates, cycles=self.cycles)
