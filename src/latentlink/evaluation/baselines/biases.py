"""Biases only: a regression on the row and the column of a pair, without any interaction of both."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression, Ridge

from latentlink.network import Network, sample_negatives
from latentlink.strategy import Strategy, strategy

__all__ = ["Biases"]

Array = NDArray[Any]


@strategy
class Biases(Strategy):
    """Regression on indicators of the row and of the column: ridge for values, logistic for links.

        score_ij = mu + b_i + c_j,    before the logistic function for links,

    with a squared penalty of b and c; in an undirected network b = c. If no non-links are known, as many as
    there are links are drawn uniformly.

    Parameters
    ----------
    penalty : float, default=5.0
        Penalty of values, in units of their variance around the score: about as many entries as a bias needs
        to be half trusted.
    link_penalty : float, default=1.0
        Penalty of links.

    Examples
    --------
    >>> ratings = Network.from_dense([[5.0, 4.0, np.nan], [2.0, 1.0, 1.0], [5.0, np.nan, 4.0]])
    >>> Biases(penalty=1e-6).fit(ratings).predict_links(np.array([[0, 2]])).round(1)
    array([4.])
    """

    penalty: float = 5.0
    link_penalty: float = 1.0

    def fit(self, network: Network) -> Self:
        """Fit the biases to the known entries."""
        self.network_ = network
        if network.is_binary and network.values[network.known].all():
            network = sample_negatives(network, rng=0)
        known = network.known
        X = self._indicators(network.rows[known], network.cols[known])
        if network.is_binary:
            model = LogisticRegression(C=1 / self.link_penalty, max_iter=1000)
        else:
            model = Ridge(alpha=self.penalty, solver="sparse_cg", random_state=0)
        self.model_ = model.fit(X, network.values[known], sample_weight=network.weights[known])
        return self

    def predict_links(self, pairs: Array) -> Array:
        """Score pairs of row and column indices, shape (pairs, 2)."""
        X = self._indicators(pairs[:, 0], pairs[:, 1])
        return self.model_.decision_function(X) if self.network_.is_binary else self.model_.predict(X)

    def _indicators(self, rows: Array, cols: Array) -> Any:
        """Return one column for each row and each column of the network; for each node if undirected."""
        n, m = self.network_.shape
        shift, width = (0, n) if self.network_.symmetric else (n, n + m)
        indices = np.column_stack([rows, np.asarray(cols, np.int64) + shift]).ravel()
        indptr = np.arange(0, len(indices) + 1, 2)
        return sparse.csr_matrix((np.ones(len(indices)), indices, indptr), shape=(len(indptr) - 1, width))
