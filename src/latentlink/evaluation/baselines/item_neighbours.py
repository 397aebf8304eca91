"""Item-based nearest neighbours for values, on masked and sparse data."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from latentlink.evaluation.baselines.residual_svd import residuals
from latentlink.network import Network
from latentlink.strategy import Strategy, strategy

__all__ = ["ItemNeighbours"]

Array = NDArray[Any]

_BLOCK = 1 << 22  # similarities that are held at once


@strategy
class ItemNeighbours(Strategy):
    """Item-based nearest neighbours with shrunk correlations (KNN with baseline; Koren 2010).

        score_ij = b_ij + sum over the k neighbours l of s_jl r_il / sum over them of |s_jl|,

    where b are the biases, r = x - b the residuals of known entries, and the neighbours l are the columns
    known in row i that are most similar to column j. The similarity is the correlation of residuals over the
    rows in which both columns are known, shrunk by how few these are:

        s_jl = n_jl / (n_jl + shrinkage) * corr_jl.

    Parameters
    ----------
    k : int, default=40
        Number of neighbours; those of negative similarity are not used.
    shrinkage : float, default=100.0

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> taste = np.outer(rng.normal(size=60), [2, -2, 2, -2]) + 3
    >>> taste[0, 2] = np.nan
    >>> model = ItemNeighbours(shrinkage=1.0).fit(Network.from_dense(taste))
    >>> bool(abs(model.predict_links(np.array([[0, 2]]))[0] - taste[0, 0]) < 0.5)
    True
    """

    k: int = 40
    shrinkage: float = 100.0

    def fit(self, network: Network) -> Self:
        """Fit the biases, and keep the residuals of the known entries."""
        self.biases_, self.residuals_ = residuals(network)
        return self

    def predict_links(self, pairs: Array) -> Array:
        """Score pairs of row and column indices, shape (pairs, 2)."""
        rows, cols = pairs[:, 0], pairs[:, 1]
        scores = self.biases_.predict_links(pairs)
        items, item_of = np.unique(cols, return_inverse=True)
        width = max(1, _BLOCK // self.residuals_.shape[1])
        for begin in range(0, len(items), width):
            which = np.flatnonzero((item_of >= begin) & (item_of < begin + width))
            similar = self._similarities(items[begin : begin + width])
            longest = max(1, _BLOCK // max(1, int(np.diff(self.residuals_.indptr).max())))
            for part in np.split(which, range(longest, len(which), longest)):
                scores[part] += self._corrections(similar, item_of[part] - begin, rows[part])
        return scores

    def _similarities(self, items: Array) -> Array:
        """Return the shrunk correlations of some columns with all columns, shape (items, columns)."""
        R = self.residuals_
        known = R.copy()
        known.data = np.ones_like(R.data)
        squares = R.multiply(R).tocsr()
        R_items, known_items, square_items = (each[:, items].T.tocsr() for each in (R, known, squares))
        products, counts = (R_items @ R).toarray(), (known_items @ known).toarray()
        norms = np.sqrt((square_items @ known).toarray() * (known_items @ squares).toarray())
        scale = norms * (counts + self.shrinkage)
        return np.divide(products * counts, scale, out=np.zeros_like(products), where=scale > 0)

    def _corrections(self, similar: Array, item: Array, rows: Array) -> Array:
        """Return the weighted mean residual of the k nearest known columns of each pair."""
        begins, counts = self.residuals_.indptr[rows], np.diff(self.residuals_.indptr)[rows]
        pair = np.repeat(np.arange(len(rows)), counts)
        offset = np.arange(len(pair)) - np.repeat(np.cumsum(counts) - counts, counts)
        entry = np.repeat(begins, counts) + offset
        weight = similar[item[pair], self.residuals_.indices[entry]]
        order = np.lexsort((-weight, pair))  # pairs stay together, so that offsets become ranks
        pair, weight, entry = pair[order], weight[order], entry[order]
        used = (offset < self.k) & (weight > 0)
        pair, weight, rest = pair[used], weight[used], self.residuals_.data[entry[used]]
        total = np.bincount(pair, weight, minlength=len(rows))
        sums = np.bincount(pair, weight * rest, minlength=len(rows))
        return np.divide(sums, total, out=np.zeros(len(rows)), where=total > 0)
