"""Sums over the paths between pairs of a graph, for the pairs that are asked alone.

A graph has rows and columns; unordered, both are the same nodes. A walk from row i goes to its columns u, and
of two steps on to the rows v of each u. What arrives at a place is kept in ``scratch``, as long as the pairs
of that row are looked at: for each of them, it is summed over the rows that its column j has.
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, helper, kernel

__all__ = ["compiled_path_sums"]


@helper
def walk(rows, cols, by_col, by_row, i, steps, scratch, put):
    """Add what arrives at every place by walks from row i, or put the places back to 0."""
    row_begin, row_to = rows
    col_begin, col_to = cols
    for a in range(row_begin[i], row_begin[i + 1]):
        u = row_to[a]
        if steps == 1:
            scratch[u] = by_col[u] if put else 0.0
        else:
            for b in range(col_begin[u], col_begin[u + 1]):
                v = col_to[b]
                scratch[v] = scratch[v] + by_col[u] * by_row[v] if put else 0.0


@cache
def compiled_path_sums():
    """Return the kernel that sums over paths; pairs stand by row, those of nodes[t] from begins[t] on."""
    edition = EDITION

    @kernel
    def path_sums(rows, cols, by_col, by_row, nodes, begins, asked, steps, scratch, total):
        _ = edition
        col_begin, col_to = cols
        for t in range(len(nodes)):
            walk(rows, cols, by_col, by_row, nodes[t], steps, scratch, True)
            for p in range(begins[t], begins[t + 1]):
                found = 0.0
                for b in range(col_begin[asked[p]], col_begin[asked[p] + 1]):
                    found += scratch[col_to[b]]
                total[p] = found
            walk(rows, cols, by_col, by_row, nodes[t], steps, scratch, False)

    return path_sums
