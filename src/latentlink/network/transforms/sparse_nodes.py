"""Removal of nodes with few partners (the k-core of a network)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.compressed import View, ascending_unique, compressed_view
from latentlink.network.history import Step
from latentlink.network.network import Network, require_network
from latentlink.validation.numbers import checked_count
from latentlink.validation.wording import counted

__all__ = ["drop_sparse_nodes"]

Indices = NDArray[np.integer[Any]]


def drop_sparse_nodes(
    network: Network, partners: int, *, links_only: bool = False, repeat: bool = True
) -> Network:
    """Remove nodes with fewer partners than a minimum, by default until all remaining nodes have enough.

    The partners of a node are the other nodes that share a known listed pair with it, in either direction.
    If rows and columns are two kinds of nodes, both kinds need enough partners of the other.

    Parameters
    ----------
    network : Network
        Pairs listed more than once count once.
    partners : int
        Nodes with fewer partners are removed, with all their entries.
    links_only : bool
        Count only pairs whose value is not 0, not known non-links.
    repeat : bool
        Repeat until every remaining node has enough partners among the remaining nodes (with
        ``links_only``, the k-core of the links); else remove nodes once.

    Returns
    -------
    Network
        The remaining nodes get new indices; in a network without names, the old indices become names. The
        last step of the history counts the removed nodes.

    Examples
    --------
    >>> edges = [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")]
    >>> cleaned = drop_sparse_nodes(Network.from_edges(edges, symmetric=True), 2)
    >>> cleaned.row_names.tolist()
    ['a', 'b', 'c']
    """
    require_network(network, "drop_sparse_nodes")
    partners = checked_count(partners, "partners")
    n, m = network.shape
    shift = 0 if network.square else n
    graph = _partners(network, shift, links_only)
    remaining = _core(graph, partners, repeat)
    rows, cols = remaining[:n], remaining[shift : shift + m]
    if not rows.any() or not cols.any():
        raise InputError(
            f"partners is {partners}, with which no row or no column would remain; a node of this network "
            f"has at most {counted(int(np.diff(graph.indptr).max()), 'partner')}"
            f"{' before others are removed' if repeat else ''}. Set a smaller number."
        )
    return _restricted(network, rows, cols, int(np.count_nonzero(~remaining)), partners)


def _partners(network: Network, shift: int, links_only: bool) -> View:
    """Return the adjacency of partners; columns of a network that is not square are numbered after rows."""
    counted_pairs = network.known & (network.values != 0) if links_only else network.known
    one = network.rows[counted_pairs].astype(np.int64)
    other = network.cols[counted_pairs].astype(np.int64) + shift
    one, other = np.minimum(one, other), np.maximum(one, other)
    size = network.shape[0] if network.square else sum(network.shape)
    keys = ascending_unique((one * size + other)[one != other])
    return compressed_view(keys // size, keys % size, (size, size), both=True)


def _core(graph: View, partners: int, repeat: bool) -> NDArray[np.bool_]:
    """Return a mask of the remaining nodes; a round updates only neighbours of the nodes just removed."""
    degree = np.diff(graph.indptr).astype(np.int64)
    remaining = degree >= partners
    removed: Indices = np.flatnonzero(~remaining)
    while repeat and removed.size:
        affected, times = np.unique(_neighbours(graph, removed), return_counts=True)
        degree[affected] -= times
        removed = affected[remaining[affected] & (degree[affected] < partners)]
        remaining[removed] = False
    return remaining


def _neighbours(graph: View, nodes: Indices) -> Indices:
    starts, stops = graph.indptr[nodes].astype(np.int64), graph.indptr[nodes + 1].astype(np.int64)
    lengths = stops - starts
    before = np.cumsum(lengths) - lengths
    neighbours: Indices = graph.indices[np.repeat(starts - before, lengths) + np.arange(lengths.sum())]
    return neighbours


def _restricted(
    network: Network, rows: NDArray[np.bool_], cols: NDArray[np.bool_], count: int, partners: int
) -> Network:
    listed = rows[network.rows] & cols[network.cols]
    new_row, new_col = np.cumsum(rows) - 1, np.cumsum(cols) - 1
    removed = int(np.count_nonzero(~listed))
    sentence = (
        f"Removed {counted(count, 'node')} with fewer than {counted(partners, 'partner')}, with "
        f"{counted(removed, 'entry', 'entries')}."
    )
    return Network(
        new_row[network.rows[listed]],
        new_col[network.cols[listed]],
        network.values[listed],
        network.weights[listed],
        shape=(int(rows.sum()), int(cols.sum())),
        background=network.background,
        symmetric=network.symmetric,
        square=network.square,
        row_names=_remaining_names(network.row_names, rows),
        col_names=_remaining_names(network.col_names, cols),
        history=(*network.history, Step("drop_sparse_nodes", count, sentence)),
    )


def _remaining_names(names: NDArray[np.str_] | None, remaining: NDArray[np.bool_]) -> NDArray[np.str_]:
    return np.flatnonzero(remaining).astype(np.str_) if names is None else names[remaining]
