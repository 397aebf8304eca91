"""Discoveries among all untested pairs: two passes over their scores, of which the selected are listed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.scoring.untested_pairs import ScoredPairs
from latentlink.uncertainty.discovery.cross_discoveries import CrossDiscoveries, fold_threshold, least_e_value
from latentlink.uncertainty.discovery.discoveries import (
    Discoveries,
    last_selected_rank,
    ranks_among_nonlinks,
    require_enough_nonlinks,
)
from latentlink.validation.numbers import checked_share

__all__ = ["cross_discover_among_all", "discover_among_all"]

Array = NDArray[Any]

Parts = Callable[[], Iterable[ScoredPairs]]


def discover_among_all(parts: Parts, nonlinks: Array, fdr: float) -> tuple[Array, Array, Discoveries]:
    """Select pairs as links with a false discovery rate of at most ``fdr``, as `discover` does.

    A p-value takes one of n + 1 values for n known non-links. The first pass counts the pairs with each of
    them, from which the procedure of Benjamini and Hochberg follows; the second lists the selected.

    Parameters
    ----------
    parts : function
        Yields all candidates with their scores, part by part, the same in each call.
    nonlinks : array, shape (n,)
        Scores of known non-links, computed in the same way.
    fdr : float

    Returns
    -------
    rows, cols : arrays
        The selected pairs, smallest p-value and then highest score first.
    discoveries : Discoveries
        Its arrays have the selected alone.
    """
    share = checked_share(fdr, "fdr")
    require_enough_nonlinks(len(nonlinks), share)
    known = np.sort(nonlinks)
    counts = _counts_of_ranks(parts, known)
    last = last_selected_rank(counts, share)
    selected = [ScoredPairs(*(np.zeros(0, kind) for kind in (np.int64, np.int64, float)))]
    for part in parts() if last >= 0 else ():
        kept = ranks_among_nonlinks(part.scores, known) <= last
        selected.append(ScoredPairs(*(column[kept] for column in part)))
    rows, cols, scores = (np.concatenate(columns) for columns in zip(*selected, strict=True))
    order = np.lexsort((cols, rows, -scores))
    p_values = (1 + ranks_among_nonlinks(scores[order], known)) / len(counts)
    discoveries = Discoveries(
        np.ones(len(rows), bool),
        p_values,
        share,
        float(scores.min()) if len(scores) else math.inf,
        len(known),
        int(counts.sum()),
    )
    return rows[order], cols[order], discoveries


def cross_discover_among_all(
    folds: Sequence[Parts], nonlinks: Sequence[Array], fdr: float
) -> tuple[Array, Array, CrossDiscoveries]:
    """Select pairs as links by the mean of their e-values over folds, with a bounded false discovery rate.

    Parameters
    ----------
    folds : sequence of functions
        Each yields all candidates with their scores by the model of one fold, part by part, all in one order.
    nonlinks : sequence of arrays
        Scores of the known non-links of each fold by its model, ascending.
    fdr : float

    Returns
    -------
    rows, cols : arrays
        The selected pairs, largest e-value first.
    discoveries : CrossDiscoveries
        Its arrays have the selected alone.
    """
    share = checked_share(fdr, "fdr")
    thresholds = []
    for parts, known in zip(folds, nonlinks, strict=True):
        counts = _counts_of_ranks(parts, known)
        thresholds.append(fold_threshold(counts, share))
    n_candidates = int(counts.sum())
    positive = [(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))]
    for scored in zip(*(parts() for parts in folds), strict=True):
        e_values = np.zeros(len(scored[0].scores))
        for part, known, threshold in zip(scored, nonlinks, thresholds, strict=True):
            chosen = ranks_among_nonlinks(part.scores, known) <= threshold.rank
            e_values += np.where(chosen, threshold.e_value, 0.0) / len(folds)
        kept = e_values > 0
        positive.append((scored[0].rows[kept], scored[0].cols[kept], e_values[kept]))
    rows, cols, e_values = (np.concatenate(column) for column in zip(*positive, strict=True))
    selected = np.flatnonzero(e_values >= least_e_value(e_values, n_candidates, share))
    order = selected[np.lexsort((cols[selected], rows[selected], -e_values[selected]))]
    sizes = [len(known) for known in nonlinks]
    discoveries = CrossDiscoveries(np.ones(len(order), bool), e_values[order], share, sizes, n_candidates)
    return rows[order], cols[order], discoveries


def _counts_of_ranks(parts: Parts, nonlinks: Array) -> NDArray[np.int64]:
    """Count the pairs at each rank among non-links, which are ascending."""
    counts = np.zeros(len(nonlinks) + 1, np.int64)
    for part in parts():
        counts += np.bincount(ranks_among_nonlinks(part.scores, nonlinks), minlength=len(counts))
    return counts
