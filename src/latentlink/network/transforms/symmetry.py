"""Conversion between undirected networks and symmetric matrices."""

from __future__ import annotations

import numpy as np

from latentlink.network.network import Network

__all__ = ["as_matrix", "as_symmetric"]


def as_symmetric(network: Network) -> Network:
    """Return a network that equals its transpose as an undirected network, any other one unchanged.

    A diagonal of zeros is not listed: a node and itself are not counted as a pair then.

    Examples
    --------
    >>> as_symmetric(Network.from_dense([[0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    Network: 3 x 3, symmetric, 2 links, 1 non-link, nothing else
    """
    if network.symmetric or network.shape[0] != network.shape[1]:
        return network
    entries, transposed = network.entries, network.transposed().entries
    if not all(np.array_equal(one, other) for one, other in zip(entries, transposed, strict=True)):
        return network
    loops = network.rows == network.cols
    no_loops = not network.values[loops].any()
    upper = network.rows < network.cols if no_loops else network.rows <= network.cols
    names = network.col_names if network.row_names is None else network.row_names
    return Network(
        *(part[upper] for part in entries),
        shape=network.shape,
        background=network.background,
        symmetric=True,
        row_names=names,
        col_names=network.col_names if network.col_names is not None else names,
    )


def as_matrix(network: Network) -> Network:
    """Return an undirected network as a matrix with each pair in both directions, any other one unchanged.

    A hidden diagonal is listed with weight 0 if the background weight is positive.

    Examples
    --------
    >>> as_matrix(Network.from_edges([(0, 1, 1), (1, 2, 0)], symmetric=True))
    Network: 3 x 3, 2 links, 2 non-links, rest unknown
    """
    if not network.symmetric:
        return network
    n, view = network.shape[0], network.csr
    rows, cols = np.repeat(np.arange(n), np.diff(view.indptr)), np.asarray(view.indices, np.int64)
    values, weights = network.values[view.position], network.weights[view.position]
    if network.background and not network.has_self_loops:
        nodes = np.arange(n)
        rows, cols = np.concatenate([rows, nodes]), np.concatenate([cols, nodes])
        values, weights = (np.concatenate([part, np.zeros(n)]) for part in (values, weights))
    return Network(
        rows,
        cols,
        values,
        weights,
        shape=network.shape,
        background=network.background,
        row_names=network.row_names,
        col_names=network.col_names,
    )
