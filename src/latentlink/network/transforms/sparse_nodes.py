"""Taking nodes with few partners out of a network."""

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
    """Take out nodes that have too few partners to learn from.

    Partners of a node are the other nodes that a known listed pair joins it with, in either direction;
    where rows and columns are two kinds of nodes, both kinds need enough of the other.

    Parameters
    ----------
    network : Network
        Any; pairs listed more than once count once.
    partners : int
        Nodes with fewer partners are taken out, with all their entries.
    links_only : bool
        Count only partners joined by a value other than 0.
    repeat : bool
        Go on until every node left has enough partners among those left; else look once.

    Returns
    -------
    Network
        With fewer nodes; indices count anew, and a network without names gets its old indices as names. Its
        last line of history counts the nodes taken out.

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
    kept = _peeled(graph, partners, repeat)
    rows, cols = kept[:n], kept[shift : shift + m]
    if not rows.any() or not cols.any():
        raise InputError(
            f"No node has {counted(partners, 'partner')}{' among those left' if repeat else ''}, so nothing "
            f"would be left of this network, whose busiest node has {int(np.diff(graph.indptr).max())}. "
            "Ask for fewer."
        )
    return _restricted(network, rows, cols, int(np.count_nonzero(~kept)), partners)


def _partners(network: Network, shift: int, links_only: bool) -> View:
    """Who is joined with whom; columns that are nodes of their own come after the rows."""
    counts = network.known & (network.values != 0) if links_only else network.known
    one = network.rows[counts].astype(np.int64)
    other = network.cols[counts].astype(np.int64) + shift
    one, other = np.minimum(one, other), np.maximum(one, other)
    size = network.shape[0] if network.square else sum(network.shape)
    keys = ascending_unique((one * size + other)[one != other])
    return compressed_view(keys // size, keys % size, (size, size), both=True)


def _peeled(graph: View, partners: int, repeat: bool) -> NDArray[np.bool_]:
    """Which nodes stay; every round looks only at the neighbours of those that went in the last one."""
    degree = np.diff(graph.indptr).astype(np.int64)
    kept = degree >= partners
    gone: Indices = np.flatnonzero(~kept)
    while repeat and gone.size:
        lost, times = np.unique(_neighbours(graph, gone), return_counts=True)
        degree[lost] -= times
        gone = lost[kept[lost] & (degree[lost] < partners)]
        kept[gone] = False
    return kept


def _neighbours(graph: View, nodes: Indices) -> Indices:
    starts, stops = graph.indptr[nodes].astype(np.int64), graph.indptr[nodes + 1].astype(np.int64)
    lengths = stops - starts
    before = np.cumsum(lengths) - lengths
    found: Indices = graph.indices[np.repeat(starts - before, lengths) + np.arange(lengths.sum())]
    return found


def _restricted(
    network: Network, rows: NDArray[np.bool_], cols: NDArray[np.bool_], count: int, partners: int
) -> Network:
    listed = rows[network.rows] & cols[network.cols]
    new_row, new_col = np.cumsum(rows) - 1, np.cumsum(cols) - 1
    lost = int(np.count_nonzero(~listed))
    sentence = (
        f"Took out {counted(count, 'node')} with fewer than {counted(partners, 'partner')}, and "
        f"{counted(lost, 'entry', 'entries')} of theirs."
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
        row_names=_names(network.row_names, rows),
        col_names=_names(network.col_names, cols),
        history=(*network.history, Step("drop_sparse_nodes", count, sentence)),
    )


def _names(names: NDArray[np.str_] | None, kept: NDArray[np.bool_]) -> NDArray[np.str_]:
    return np.flatnonzero(kept).astype(np.str_) if names is None else names[kept]
