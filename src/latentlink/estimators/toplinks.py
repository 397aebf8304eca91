"""The best-scored pairs of all, found block by block: all pairs are looked at, but never held at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors, sigmoid
from latentlink.network import Network

__all__ = ["best_pairs", "block_scores", "listed_values"]

Array = NDArray[Any]

_BLOCK = 1 << 18  # scores at once, unless one row has more: 2 MB, which stay in cache while they are summed


def best_pairs(
    network: Network,
    models: Sequence[Factors],
    n: int,
    *,
    per_node: bool = False,
    known: bool = False,
    self_loops: bool = False,
) -> tuple[Array, Array]:
    """Return rows and columns of the n best-scored pairs, best first; the order of ties is that of pairs.

    Pairs that are known are passed over unless asked for, and so are pairs of a node with itself in a network
    of one kind of nodes. An undirected pair comes once, the smaller index first.

    Parameters
    ----------
    network : Network
        What is known.
    models : sequence of Factors
        The mean of their scores decides.
    n : int
        How many pairs.
    per_node : bool
        So many for each row, row by row, instead of so many in all; an undirected pair then belongs to both
        its nodes.
    known : bool
        Whether known pairs take part.
    self_loops : bool
        Whether a node is a candidate for itself.
    """
    halved = network.symmetric and not per_node
    blocks = _blocks(network, models, known, self_loops or not network.square, halved)
    found = [_of_each_row(block, n) for block in blocks] if per_node else [_of_all(blocks, n)]
    rows, cols = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return rows, cols


def block_scores(model: Any, begin: int, end: int, first: int = 0) -> Array:
    """Return scores of rows ``begin`` to ``end`` with all columns from ``first`` on.

    Components are added one after the other, so that a score does not depend on where in a block it stands:
    equal rows have equal scores, to the last bit. (A matrix product sums in an order of its own.)
    """
    if not isinstance(model, Factors):
        return model.block(begin, end, first)
    rows, cols = slice(begin, end), slice(first, None)
    score = _product(model.W[rows], model.H[:, cols], model.boolean)
    score += _biases(model.row_bias, model.col_bias, rows, cols)
    if model.symmetric and model.boolean:
        np.maximum(score, _product(model.H.T[rows], model.W.T[:, cols], boolean=True), out=score)
    elif model.symmetric:
        score += _product(model.H.T[rows], model.W.T[:, cols], boolean=False)
        score += _biases(model.col_bias, model.row_bias, rows, cols)
        score /= 2
    score += model.offset
    return sigmoid(score) if model.logistic else score


def _each_block(models: Sequence[Any], begin: int, end: int, first: int) -> Iterator[Array]:
    """Yield the scores of a block by each model; models that share some of the work do it once."""
    if hasattr(models, "blocks"):
        yield from models.blocks(begin, end, first)
    else:
        yield from (block_scores(model, begin, end, first) for model in models)


def _product(A: Array, B: Array, boolean: bool) -> Array:
    if boolean:  # small whole numbers, exact in any order
        return (A @ B > 0.5).astype(np.float64)
    total = np.zeros((len(A), B.shape[1]))
    for c in range(A.shape[1]):
        total += np.multiply.outer(A[:, c], B[c])
    return total


def _biases(row: Array | None, col: Array | None, rows: slice, cols: slice) -> Array | float:
    found: Array | float = 0.0
    if row is not None:
        found = found + row[rows, None]
    if col is not None:
        found = found + col[None, cols]
    return found


def _blocks(
    network: Network, models: Sequence[Factors], known: bool, loops: bool, halved: bool
) -> Iterator[tuple[int, int, Array]]:
    """Yield (first row, first column, scores), with -inf for pairs that do not take part."""
    n, m = network.shape
    step = max(1, _BLOCK // m)
    for begin in range(0, n, step):
        end = min(n, begin + step)
        first = begin if halved else 0
        scores = np.zeros((end - begin, m - first))
        for part in _each_block(models, begin, end, first):
            scores += part
        scores /= len(models)
        if not known:
            _leave_known(network, scores, begin, end, first)
        lines, places = np.arange(end - begin), np.arange(begin, end) - first
        if halved:
            scores[np.arange(m - first)[None, :] < places[:, None]] = -np.inf
        if not loops:
            scores[lines, places] = -np.inf
        yield begin, first, scores


def _leave_known(network: Network, scores: Array, begin: int, end: int, first: int) -> None:
    view = network.csr
    entries = slice(view.indptr[begin], view.indptr[end])
    lines = np.repeat(np.arange(end - begin), np.diff(view.indptr[begin : end + 1]))
    places = np.asarray(view.indices[entries], np.int64) - first
    out = network.known[view.position[entries]] & (places >= 0)
    scores[lines[out], places[out]] = -np.inf


def _of_all(blocks: Iterator[tuple[int, int, Array]], n: int) -> tuple[Array, Array]:
    rows, cols, scores = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    least = -np.inf
    for begin, first, block in blocks:
        # Later pairs lose against equal ones: only what is better than the worst kept can matter.
        near = np.flatnonzero(block.ravel() > least)
        near = near[_best(block.ravel()[near], n)]
        more_rows, more_cols = np.divmod(near, block.shape[1])
        rows, cols = np.concatenate([rows, more_rows + begin]), np.concatenate([cols, more_cols + first])
        scores = np.concatenate([scores, block.ravel()[near]])
        kept = np.sort(_best(scores, n))
        rows, cols, scores = rows[kept], cols[kept], scores[kept]
        if len(scores) == n:
            least = scores.min()
    order = np.lexsort((cols, rows, -scores))
    return rows[order], cols[order]


def _of_each_row(found: tuple[int, int, Array], n: int) -> tuple[Array, Array]:
    begin, first, block = found
    best = []
    for line in block:
        near = np.flatnonzero(line > -np.inf)
        near = near[_best(line[near], n)]
        best.append(near[np.argsort(-line[near], kind="stable")])
    rows = np.repeat(np.arange(begin, begin + len(block)), [len(each) for each in best])
    return rows, np.concatenate(best) + first


def _best(scores: Array, n: int) -> Array:
    """Return places of the n largest numbers, ascending; among equal ones the first."""
    if len(scores) <= n:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    above = np.flatnonzero(scores > least)
    equal = np.flatnonzero(scores == least)[: n - len(above)]
    return np.sort(np.concatenate([above, equal]))


def listed_values(network: Network, rows: Array, cols: Array) -> Array:
    """Return the known values that the network lists for pairs, NaN for the others.

    Examples
    --------
    >>> network = Network.from_edges([("a", "b", 3.0)], symmetric=True)
    >>> listed_values(network, np.array([1, 0]), np.array([0, 0]))
    array([ 3., nan])
    """
    if network.symmetric:
        rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
    width = network.shape[1]
    key = network.rows.astype(np.int64) * width + network.cols
    if not len(key):
        return np.full(len(rows), np.nan)
    wanted = np.asarray(rows, np.int64) * width + cols
    place = np.minimum(np.searchsorted(key, wanted), len(key) - 1)
    return np.where((key[place] == wanted) & network.known[place], network.values[place], np.nan)
