"""The weight of the known entries of each row or column."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed
from latentlink.network import Network

__all__ = ["known_weight", "network_weight"]

Array = NDArray[np.float64]


def known_weight(listed: Listed, others: int, background: float | NDArray[Any]) -> Array:
    """Return the total weight of the known entries of each line for each member, shape (lines, members).

    Parameters
    ----------
    listed : Listed
        The entries by row, or by column.
    others : int
        The number of columns, or of rows: the length of a line.
    background : float, or array of shape (members,)
        The weight of unlisted entries.
    """
    degree = np.diff(listed.indptr)
    lines = np.repeat(np.arange(len(degree)), degree)
    weights = listed.weights if listed.per_member else listed.weights[:, None]
    known = np.where(np.isnan(listed.values), 0, weights)
    sums = [np.bincount(lines, known[:, lane], len(degree)) for lane in range(known.shape[1])]
    unlisted: Array = np.multiply.outer(others - degree, np.broadcast_to(background, known.shape[1]))
    return np.stack(sums, axis=1) + unlisted


def network_weight(network: Network) -> tuple[Array, Array]:
    """Return the total weight of the known entries of each row, and of each column.

    As in the listing of a block, an undirected pair counts for both its nodes, a self loop twice. The
    diagonal of an undirected network without self loops is hidden, and is not part of the background.

    Examples
    --------
    >>> network_weight(Network.from_dense([[1.0, 2.0], [3.0, np.nan]]))
    (array([2., 1.]), array([2., 1.]))
    """
    n, m = network.shape
    known = network.known * network.weights
    rows: Array = np.bincount(network.rows, known, n).astype(np.float64)
    cols: Array = np.bincount(network.cols, known, m).astype(np.float64)
    if network.symmetric:
        rows = cols = rows + cols
    if network.background:
        diagonal = int(network.symmetric and not network.has_self_loops)
        rows = rows + network.background * (m - diagonal - np.diff(network.csr.indptr))
        cols = cols + network.background * (n - diagonal - np.diff(network.csc.indptr))
    return rows, cols
