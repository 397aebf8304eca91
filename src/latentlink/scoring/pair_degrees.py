"""Degrees of pairs: the product of the numbers of known entries of both nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network

__all__ = ["PairDegrees"]


@dataclass(frozen=True, eq=False)
class PairDegrees:
    """Numbers of known entries of rows and columns, each plus 1, multiplied for a pair.

    Attributes
    ----------
    of_rows, of_cols : arrays, shape (rows,) and (columns,)
        Known entries of each node, plus 1.

    Examples
    --------
    >>> network = Network.from_edges([("a", "b"), ("b", "c")], symmetric=True)
    >>> PairDegrees.of(network)(np.array([0, 0]), np.array([1, 2]))
    array([6., 4.])
    """

    of_rows: NDArray[np.float64]
    of_cols: NDArray[np.float64]

    @classmethod
    def of(cls, network: Network) -> PairDegrees:
        """Count the known entries of a network; an undirected pair counts for both its nodes."""
        rows, cols = network.rows[network.known], network.cols[network.known]
        n, m = network.shape
        of_rows, of_cols = (
            1 + np.bincount(nodes, minlength=size).astype(np.float64)
            for nodes, size in ((rows, n), (cols, m))
        )
        if network.symmetric:
            of_rows = of_cols = of_rows + of_cols - 1
        return cls(of_rows, of_cols)

    def __call__(self, rows: NDArray[Any], cols: NDArray[Any]) -> NDArray[np.float64]:
        """Return the degree of each pair."""
        degrees: NDArray[np.float64] = self.of_rows[rows] * self.of_cols[cols]
        return degrees
