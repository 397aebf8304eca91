"""Weighted numbers of paths between the ends of given pairs of a graph.

A graph is bipartite, with rows and columns; an undirected graph has the same nodes on both sides. A walk from
row i goes to its columns u and, if it has two steps, on to the rows v of each u. The weight of a walk is the
product of the weights of its links and of the nodes that it passes through. The weights that arrive at each
node are in ``scratch`` while the pairs of that row are processed: for a pair (i, j) they are summed over the
neighbours of column j.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import EDITION, helper, kernel, mode

__all__ = ["path_sums"]

Array = NDArray[Any]
Edges = tuple[Array, Array, Array]


@helper
def walk(rows, cols, by_col, by_row, i, steps, scratch, put):
    """Add the weights of walks from row i to the nodes where they end, or reset those nodes to 0."""
    row_begin, row_to, row_weight = rows
    col_begin, col_to, col_weight = cols
    for a in range(row_begin[i], row_begin[i + 1]):
        u = row_to[a]
        if steps == 1:
            scratch[u] = by_col[u] * row_weight[a] if put else 0.0
        else:
            for b in range(col_begin[u], col_begin[u + 1]):
                v = col_to[b]
                link_weight = row_weight[a] * col_weight[b]
                scratch[v] = scratch[v] + by_col[u] * by_row[v] * link_weight if put else 0.0


@cache
def compiled_path_sums():
    """Return the kernel that sums over paths; pairs are sorted by row, from begins[t] on for nodes[t]."""
    edition = EDITION

    @kernel
    def path_sums(rows, cols, by_col, by_row, nodes, begins, targets, steps, scratch, total):
        _ = edition
        col_begin, col_to, col_weight = cols
        for t in range(len(nodes)):
            walk(rows, cols, by_col, by_row, nodes[t], steps, scratch, True)
            for p in range(begins[t], begins[t + 1]):
                weight = 0.0
                for b in range(col_begin[targets[p]], col_begin[targets[p] + 1]):
                    weight += scratch[col_to[b]] * col_weight[b]
                total[p] = weight
            walk(rows, cols, by_col, by_row, nodes[t], steps, scratch, False)

    return path_sums


def path_sums(
    graph: tuple[Edges, Edges], weights: tuple[Array, Array], steps: int, rows: Array, cols: Array
) -> Array:
    """Return for each pair the weighted number of paths between its ends, one step longer than ``steps``.

    ``graph`` is the columns of every row and the rows of every column, each as (indptr, indices, weights of
    the links); ``weights`` are those of the columns and of the rows that a path passes through. With
    ``steps=1`` rows and columns are the same nodes.
    """
    if mode() == "reference":
        return reference.path_sums(graph, weights, steps, rows, cols)
    order = np.argsort(rows, kind="stable")
    nodes, begins = np.unique(rows[order], return_index=True)
    scratch, total = np.zeros(max(len(part[0]) for part in graph)), np.empty(len(rows))
    compiled_path_sums()(
        *graph, *weights, nodes, np.append(begins, len(rows)), cols[order], steps, scratch, total
    )
    sums = np.empty(len(rows))
    sums[order] = total
    return sums
