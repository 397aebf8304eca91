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
from latentlink.validation.numbers import check_number

__all__ = ["WNMF"]


@strategy
class WNMF(NonNegative):
    """Weighted NMF: known entries pull on the factors, each as much as it weighs.

        minimise  sum over listed  w_ij (x_ij - sum_c W_ic H_cj)^2  +  ridge (|W|^2 + |H|^2)   over W, H >= 0,

    plus the background's zeros with their weight (section 3.4 of the paper). Each coordinate is minimised
    exactly in turn; the loss never rises.

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
    ridge : float or "auto"
        Penalty of large factors. On sparse networks it matters as much as the rank: "auto" leaves it to a
        rank search, which chooses it by what it predicts; a solver on its own takes 0.
    cycles : int
        How often a row's coordinates are gone through before the next row: gathering a row costs as much as
        improving it, and three cycles need less than half the sweeps of one.

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
    plain_ridge: ClassVar[float] = 0.0
    ridge_grid: ClassVar[tuple[float, ...]] = (0.0, 0.1, 1.0, 3.0)

    def check_settings(self) -> None:
        """Refuse settings that make no sense."""
        super().check_settings()
        check_number(self, "cycles", 1, whole=True)

    def ridge_scale(self, network: Network) -> float:
        """Return the root mean square of what is known: a penalty of the factors grows with their product."""
        return float(np.sqrt(np.mean(network.values[network.known] ** 2))) or 1.0

    def sweeps(self, block: Block, rows: NDArray[Any], cols: NDArray[Any], offsets: NDArray[Any]) -> Sweeps:
        """Improve rows and columns by exact coordinate descent."""
        del offsets
        how = plain_coordinates(rows.shape[1], block.width, self.precision, self.ridge_of(block))
        return Descent(block, rows, cols, how, how, cycles=self.cycles)
