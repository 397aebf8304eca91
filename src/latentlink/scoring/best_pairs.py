"""The best-scored pairs, found block by block: all pairs are scored, but never held in memory at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import warn_user
from latentlink.network import Network
from latentlink.network.lookup import positions_among
from latentlink.scoring.pair_model import Members
from latentlink.scoring.scorer import Scorer, mean_and_spread
from latentlink.tables import Table
from latentlink.validation.numbers import checked_count

__all__ = [
    "BLOCK_SIZE",
    "SHORTLIST",
    "SHORTLIST_OF_NODE",
    "Block",
    "Candidates",
    "best_pairs",
    "recommend",
    "score_blocks",
    "top_links",
]

Array = NDArray[Any]

# Scores at once, unless one row has more: 2 MB, which stay in cache while they are summed.
BLOCK_SIZE = 1 << 18
# A block of an undirected network scores a few pairs twice: flat ones leave few of them.
_STRIPS, _FEW_ROWS = 16, 32

# Pairs of a shortlist, and of that of a node: at least so many, and so many times those that are wanted.
SHORTLIST = (100_000, 50)
SHORTLIST_OF_NODE = (100, 10)


class Candidates(NamedTuple):
    """Which pairs are ranked.

    Attributes
    ----------
    per_node : bool
        The best pairs of each row, row by row, instead of the best of all; an undirected pair then belongs
        to both its nodes.
    known : bool
        Known pairs are ranked too.
    self_loops : bool
        In a network of one kind of nodes, pairs of a node with itself are ranked too.
    excluded : array of int or None
        Ascending keys ``row * columns + column`` of pairs that are not ranked, as from `excluded_keys`.
    exact : bool
        All pairs are scored, even where the models have an approximation that finds a shortlist.
    """

    per_node: bool = False
    known: bool = False
    self_loops: bool = False
    excluded: Array | None = None
    exact: bool = False


class Block(NamedTuple):
    """Scores of consecutive rows with all columns from ``first`` on, -inf for pairs that are not ranked."""

    begin: int
    first: int
    scores: Array


def top_links(
    network: Network, scorer: Scorer, n: int, candidates: Candidates, by: str | None = None
) -> Table:
    """Return the best-scored pairs with score and spread, best first.

    Parameters
    ----------
    network : Network
        The training network.
    scorer : Scorer
    n : int
        Number of pairs.
    candidates : Candidates
        Which pairs are ranked.
    by : {"model", "ensemble"} or None
        As for `Scorer.models`.

    Returns
    -------
    Table
        With the columns row, column, score, spread, and value if known pairs are ranked.
    """
    rows, cols = best_pairs(network, scorer.models(by), checked_count(n, "n"), candidates)
    return _table(network, scorer, rows, cols, candidates, by)


def recommend(
    network: Network, scorer: Scorer, row: int, n: int, candidates: Candidates, by: str | None = None
) -> Table:
    """Return the best-scored columns of one row with score and spread, best first; no other row is scored.

    Parameters
    ----------
    network, scorer, n, candidates, by
        As for `top_links`.
    row : int
        Index of the row.

    Returns
    -------
    Table
        That of ``top_links`` with ``per_node``, of this row alone.
    """
    one = candidates._replace(per_node=True)
    count = checked_count(n, "n")
    rows, cols = _best_of_rows(_block(network, scorer.models(by), one, row, row + 1), count)
    return _table(network, scorer, rows, cols, one, by, " of this row")


def _table(
    network: Network,
    scorer: Scorer,
    rows: Array,
    cols: Array,
    candidates: Candidates,
    by: str | None,
    which: str = "",
) -> Table:
    """Return pairs with their scores, and warn if there are none."""
    if not len(rows):
        excluded = " or excluded" if candidates.excluded is not None and len(candidates.excluded) else ""
        warn_user(
            f"Every pair{which} is known{excluded}, so that there is none to predict. A fitted model ranks "
            "known pairs too: top_links(known=True)."
        )
    score, spread = scorer.score_and_spread(rows, cols, by)
    row, column = network.node_names(rows, cols)
    columns = {"row": row, "column": column, "score": score, "spread": spread}
    if candidates.known:
        columns["value"] = _known_values(network, rows, cols)
    return Table(columns)


def best_pairs(
    network: Network, models: Members, n: int, candidates: Candidates | None = None
) -> tuple[Array, Array]:
    """Return rows and columns of the n best-scored pairs, best first; ties stay in the order of the pairs.

    An undirected pair occurs once, the smaller index first, unless pairs are ranked for each node. Models
    that have an approximation score a shortlist alone: the pairs that are best by the approximation, and all
    known ones if these are ranked.
    """
    candidates = candidates or Candidates()
    approximation = None if candidates.exact else models.approximation(network)
    if approximation is None:
        return _best_of_blocks(score_blocks(network, models, candidates), n, candidates.per_node)
    least, times = SHORTLIST_OF_NODE if candidates.per_node else SHORTLIST
    blocks = score_blocks(network, approximation, candidates._replace(known=False))
    rows, cols = _best_of_blocks(blocks, max(least, times * n), candidates.per_node)
    if candidates.known:
        known_rows, known_cols = _known_pairs(network, candidates)
        rows, cols = np.concatenate([rows, known_rows]), np.concatenate([cols, known_cols])
    return _best_of_listed(rows, cols, mean_and_spread(models, rows, cols)[0], n, candidates.per_node)


def _known_pairs(network: Network, candidates: Candidates) -> tuple[Array, Array]:
    """Return the known pairs that are ranked; for each node both directions of an undirected one."""
    rows, cols = network.rows[network.known], network.cols[network.known]
    if network.symmetric and candidates.per_node:
        rows, cols = np.concatenate([rows, cols]), np.concatenate([cols, rows])
    keys = np.unique(rows * network.shape[1] + cols)
    if candidates.excluded is not None:
        keys = keys[positions_among(candidates.excluded, keys) < 0]
    rows, cols = np.divmod(keys, network.shape[1])
    ranked = (rows != cols) | (candidates.self_loops or not network.square)
    return rows[ranked], cols[ranked]


def _best_of_blocks(blocks: Iterator[Block], n: int, per_node: bool) -> tuple[Array, Array]:
    best = [_best_of_rows(each, n) for each in blocks] if per_node else [_best_of_all(blocks, n)]
    rows, cols = (np.concatenate(parts) for parts in zip(*best, strict=True))
    return rows, cols


def _best_of_listed(rows: Array, cols: Array, scores: Array, n: int, per_node: bool) -> tuple[Array, Array]:
    """Return the best of listed pairs, in the order of `_best_of_blocks`."""
    order = np.lexsort((cols, -scores, rows) if per_node else (cols, rows, -scores))
    if not per_node:
        return rows[order[:n]], cols[order[:n]]
    place = np.arange(len(order)) - np.searchsorted(rows[order], rows[order])  # in its row
    order = order[place < n]
    return rows[order], cols[order]


def score_blocks(network: Network, models: Members, candidates: Candidates) -> Iterator[Block]:
    """Yield the mean scores of consecutive rows, -inf for pairs that are not ranked.

    An undirected pair is scored once, in the row of the smaller index, unless pairs are ranked for each node.
    """
    n, m = network.shape
    step = max(1, BLOCK_SIZE // m)
    if network.symmetric and not candidates.per_node:
        step = min(step, max(_FEW_ROWS, n // _STRIPS))
    for begin in range(0, n, step):
        yield _block(network, models, candidates, begin, min(n, begin + step))


def _block(network: Network, models: Members, candidates: Candidates, begin: int, end: int) -> Block:
    """Return the mean scores of the rows ``begin`` to ``end``, -inf for pairs that are not ranked."""
    m = network.shape[1]
    upper_triangle = network.symmetric and not candidates.per_node
    first = begin if upper_triangle else 0
    scores = np.zeros((end - begin, m - first))
    for part in models.blocks(begin, end, first):
        scores += part
    scores /= len(models)
    if not candidates.known:
        _exclude_known(network, scores, begin, end, first)
    if candidates.excluded is not None:
        _exclude_keys(candidates.excluded, scores, begin, first, m)
    diagonal = np.arange(begin, end) - first
    if upper_triangle:
        scores[np.arange(m - first)[None, :] < diagonal[:, None]] = -np.inf
    if network.square and not candidates.self_loops:
        scores[np.arange(end - begin), diagonal] = -np.inf
    return Block(begin, first, scores)


def _exclude_known(network: Network, scores: Array, begin: int, end: int, first: int) -> None:
    view = network.csr
    entries = slice(view.indptr[begin], view.indptr[end])
    rows = np.repeat(np.arange(end - begin), np.diff(view.indptr[begin : end + 1]))
    cols = np.asarray(view.indices[entries], np.int64) - first
    excluded = network.known[view.position[entries]] & (cols >= 0)
    scores[rows[excluded], cols[excluded]] = -np.inf


def _exclude_keys(keys: Array, scores: Array, begin: int, first: int, width: int) -> None:
    low, high = np.searchsorted(keys, [begin * width, (begin + len(scores)) * width])
    rows, cols = np.divmod(keys[low:high], width)
    inside = cols >= first
    scores[rows[inside] - begin, cols[inside] - first] = -np.inf


def _best_of_all(blocks: Iterator[Block], n: int) -> tuple[Array, Array]:
    rows, cols, scores = np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)
    least = -np.inf
    for block in blocks:
        # Later pairs lose against equal ones: only pairs better than the worst kept can matter.
        flat = block.scores.ravel()
        near = np.flatnonzero(flat > least)
        near = near[_largest(flat[near], n)]
        more_rows, more_cols = np.divmod(near, block.scores.shape[1])
        rows = np.concatenate([rows, more_rows + block.begin])
        cols = np.concatenate([cols, more_cols + block.first])
        scores = np.concatenate([scores, flat[near]])
        kept = np.sort(_largest(scores, n))
        rows, cols, scores = rows[kept], cols[kept], scores[kept]
        if len(scores) == n:
            least = scores.min()
    order = np.lexsort((cols, rows, -scores))
    return rows[order], cols[order]


def _best_of_rows(block: Block, n: int) -> tuple[Array, Array]:
    """Return the best pairs of each row of a block with all columns, row by row."""
    best = []
    for scores in block.scores:
        near = np.flatnonzero(scores > -np.inf)
        near = near[_largest(scores[near], n)]
        best.append(near[np.argsort(-scores[near], kind="stable")])
    rows = np.repeat(np.arange(block.begin, block.begin + len(block.scores)), [len(each) for each in best])
    return rows, np.concatenate(best)


def _largest(scores: Array, n: int) -> Array:
    """Return the positions of the n largest numbers, ascending; among equal ones the first."""
    if len(scores) <= n:
        return np.arange(len(scores))
    least = np.partition(scores, len(scores) - n)[len(scores) - n]
    above = np.flatnonzero(scores > least)
    equal = np.flatnonzero(scores == least)[: n - len(above)]
    return np.sort(np.concatenate([above, equal]))


def _known_values(network: Network, rows: Array, cols: Array) -> Array:
    """Return the known values of pairs, NaN for the others."""
    values = np.where(network.known, network.values, np.nan)
    return np.append(values, np.nan)[network.positions(rows, cols)]  # the last for those not listed, -1
