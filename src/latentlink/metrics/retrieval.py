"""Retrieval metrics: links among the first of a ranking, for all pairs or for each node, row or link.

Pairs of equal scores have no order: the expected value over all their orders is returned (for reciprocal
ranks the reciprocal of the expected rank), so that results do not depend on the order of the arrays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.metrics.inputs import label_input, number_input
from latentlink.validation.columns import Floats
from latentlink.validation.numbers import checked_count

__all__ = ["mean_reciprocal_rank", "precision_at_k", "recall_at_k", "vertex_precision"]

Integers = NDArray[np.integer[Any]]


def precision_at_k(
    labels: ArrayLike, scores: ArrayLike, k: int = 10, groups: ArrayLike | None = None
) -> float:
    """Return the share of links among the k best-scored pairs.

    Parameters
    ----------
    labels : array of 0 and 1, shape (pairs,)
    scores : array, shape (pairs,)
    k : int
        Number of pairs at the top; all pairs if there are fewer.
    groups : array of int, shape (pairs,), optional
        Row, node or query of each pair: the mean over the groups with at least one link is returned.

    Examples
    --------
    >>> precision_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)
    0.5
    """
    runs = _tied_runs(labels, scores, groups)
    return float(np.mean(runs.hits(k) / np.minimum(_size(k), runs.sizes[runs.with_links])))


def recall_at_k(labels: ArrayLike, scores: ArrayLike, k: int = 10, groups: ArrayLike | None = None) -> float:
    """Return the share of all links that are among the k best-scored pairs.

    Parameters
    ----------
    labels, scores, k, groups
        As for `precision_at_k`.

    Examples
    --------
    >>> recall_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=3)
    1.0
    """
    runs = _tied_runs(labels, scores, groups)
    return float(np.mean(runs.hits(k) / runs.n_links[runs.with_links]))


def vertex_precision(labels: ArrayLike, scores: ArrayLike, groups: ArrayLike, k: int = 10) -> float:
    """Return the vertex-centric precision, the mean over nodes of hits among the k best, out of the most.

        VCMPR@k = mean over nodes v of  (links of v among its k best-scored pairs) / min(k, links of v),

    the larger one of precision and recall of each node (Menand and Seshadhri 2024), so that a node with fewer
    than k links can reach 1. Nodes without links do not count.

    Parameters
    ----------
    labels, scores
        As for `precision_at_k`.
    groups : array of int, shape (pairs,)
        Node of each pair; a pair of an undirected network is listed once for each of its ends.
    k : int

    Examples
    --------
    >>> vertex_precision([1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6], [0, 0, 1, 1], k=1)
    0.5
    """
    runs = _tied_runs(labels, scores, groups)
    return float(np.mean(runs.hits(k) / np.minimum(_size(k), runs.n_links[runs.with_links])))


def mean_reciprocal_rank(labels: ArrayLike, scores: ArrayLike, groups: ArrayLike | None = None) -> float:
    """Return the mean over links of 1 / rank of the link among the non-links (MRR).

    Every link is ranked alone among the non-links of its group, as in HeaRT (Li and others 2023); other links
    do not count. Ties count half.

    Parameters
    ----------
    labels, scores
        As for `precision_at_k`.
    groups : array of int, shape (pairs,), optional
        Links are ranked among the non-links of the same group; without groups among all.

    Examples
    --------
    >>> mean_reciprocal_rank([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
    0.75
    """
    runs = _tied_runs(labels, scores, groups)
    ranks = 1 + runs.nonlinks_before + (runs.lengths - runs.links) / 2
    return float(np.average(1 / ranks, weights=runs.links))


@dataclass(frozen=True, eq=False)
class _Runs:
    """Runs of pairs of one group and one score, group by group, by descending score."""

    group: Integers  # of each run, counted from 0
    lengths: Floats
    links: Floats
    before: Floats  # pairs of the same group above the run
    nonlinks_before: Floats
    sizes: Floats  # pairs of each group
    n_links: Floats  # links of each group

    @property
    def with_links(self) -> NDArray[np.bool_]:
        return self.n_links > 0

    def hits(self, k: int) -> Floats:
        """Return the expected number of links among the k best pairs, of each group with links."""
        taken = np.clip(_size(k) - self.before, 0, self.lengths)
        expected = self.links * taken / self.lengths
        hits = np.bincount(self.group, expected, minlength=len(self.sizes)).astype(np.float64)
        return hits[self.with_links]


def _size(k: int) -> int:
    return checked_count(k, "k")


def _tied_runs(labels: ArrayLike, scores: ArrayLike, groups: ArrayLike | None) -> _Runs:
    truth = label_input(labels)
    numbers = number_input(scores, "score", truth)
    if not truth.any():
        raise InputError(f"All {len(truth):,} labels are 0; expected at least one link (1).")
    group = np.zeros(len(truth), np.int64)
    if groups is not None:
        group = np.unique(number_input(groups, "group", truth), return_inverse=True)[1]
    order = np.lexsort((-numbers, group))
    group, truth, numbers = group[order], truth[order], numbers[order]
    starts = np.flatnonzero(np.r_[True, (group[1:] != group[:-1]) | (numbers[1:] != numbers[:-1])])
    lengths = np.diff(np.append(starts, len(group))).astype(np.float64)
    links, of_run = np.add.reduceat(truth, starts), group[starts]
    sizes, n_links = (np.bincount(group, each).astype(np.float64) for each in (None, truth))
    before = starts - (np.cumsum(sizes) - sizes)[of_run]
    links_before = np.cumsum(links) - links - (np.cumsum(n_links) - n_links)[of_run]
    return _Runs(of_run, lengths, links, before, before - links_before, sizes, n_links)
