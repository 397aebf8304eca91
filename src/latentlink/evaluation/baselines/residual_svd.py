"""Truncated singular value decomposition of what biases leave over."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from latentlink.evaluation.baselines.biases import Biases
from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_matrix
from latentlink.strategy import Strategy, strategy

__all__ = ["ResidualSVD", "residuals"]

Array = NDArray[Any]


@strategy
class ResidualSVD(Strategy):
    """Biases plus the truncated SVD of the residuals, in which an unknown entry is as the biases predict it.

    Parameters
    ----------
    rank : int, default=8
        Number of singular values; at most as many as there are rows or columns are used.

    Examples
    --------
    >>> ratings = Network.from_dense([[5.0, 1.0, 5.0, 1.0], [1.0, 5.0, 1.0, 5.0], [5.0, 1.0, 5.0, np.nan]])
    >>> bool(ResidualSVD(rank=1).fit(ratings).predict_links(np.array([[2, 3]]))[0] < 3)
    True
    """

    rank: int = 8

    def fit(self, network: Network) -> Self:
        """Fit the biases, and decompose the residuals of the known entries."""
        self.biases_, R = residuals(network)
        U, s, Vt = randomized_svd(R, min(self.rank, *R.shape), n_iter=7, random_state=0)
        self.factors_ = U * s, Vt.T
        return self

    def predict_links(self, pairs: Array) -> Array:
        """Score pairs of row and column indices, shape (pairs, 2)."""
        W, H = self.factors_
        return self.biases_.predict_links(pairs) + np.einsum("pc,pc->p", W[pairs[:, 0]], H[pairs[:, 1]])


def residuals(network: Network) -> tuple[Biases, Any]:
    """Return fitted biases, and known values minus their scores as a sparse matrix, shape (rows, columns)."""
    biases = Biases().fit(network)
    matrix = as_matrix(network)
    rows, cols = matrix.rows[matrix.known], matrix.cols[matrix.known]
    rest = matrix.values[matrix.known] - biases.predict_links(np.column_stack([rows, cols]))
    return biases, sparse.csr_array((rest, (rows, cols)), shape=network.shape)
