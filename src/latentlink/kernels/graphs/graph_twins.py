"""Counts and sums on graphs in plain NumPy, by dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["core_numbers", "distances", "path_sums", "substitute", "triangle_counts"]

Array = NDArray[Any]


def path_sums(
    graph: tuple[tuple[Array, Array, Array], tuple[Array, Array, Array]],
    weights: tuple[Array, Array],
    steps: int,
    rows: Array,
    cols: Array,
) -> Array:
    """Return for each pair the weighted number of paths between its ends, one step longer than ``steps``."""
    (indptr, indices, link_weights), (col_indptr, _, _) = graph
    A = np.zeros((len(indptr) - 1, len(col_indptr) - 1))
    A[np.repeat(np.arange(len(A)), np.diff(indptr)), indices] = link_weights
    by_col, by_row = weights
    walks = A * by_col
    if steps == 2:
        walks = walks @ A.T * by_row
    return (walks @ A)[rows, cols]


def core_numbers(indptr: Array, indices: Array) -> Array:
    """Return the largest k of each node for which it is in a subgraph whose nodes have k links or more."""
    cores = np.zeros(len(indptr) - 1, np.int64)
    adjacency = _adjacency(indptr, indices).astype(bool)
    left = np.ones(len(cores), bool)
    k = 0
    while left.any():
        k += 1
        while (few := left & ((adjacency & left).sum(axis=1) < k)).any():
            left &= ~few
        cores[left] = k
    return cores


def triangle_counts(indptr: Array, indices: Array) -> Array:
    """Return the number of triangles that each node is in."""
    A = _adjacency(indptr, indices)
    return np.diagonal(A @ A @ A) // 2


def distances(indptr: Array, indices: Array, sources: Array, targets: Array) -> Array:
    """Return the number of links on a shortest path from each source to its target; -1 without a path."""
    A = _adjacency(indptr, indices)
    found = np.full(A.shape, -1)
    reached = np.eye(len(A), dtype=np.int64)
    for steps in range(len(A)):
        found[(reached > 0) & (found < 0)] = steps
        reached = np.minimum(reached @ A, 1)
    result: Array = found[sources, targets]
    return result


def substitute(lower: tuple[Array, Array, Array], upper: tuple[Array, Array, Array], X: Array) -> None:
    """Replace the columns of X by the solutions Z of L U Z = X."""
    for indptr, indices, values in (lower, upper):
        matrix = np.zeros((len(X), len(X)))
        matrix[np.repeat(np.arange(len(X)), np.diff(indptr)), indices] = values
        X[...] = np.linalg.solve(matrix, X)


def _adjacency(indptr: Array, indices: Array) -> Array:
    A = np.zeros((len(indptr) - 1, len(indptr) - 1), np.int64)
    A[np.repeat(np.arange(len(A)), np.diff(indptr)), indices] = 1
    return A
