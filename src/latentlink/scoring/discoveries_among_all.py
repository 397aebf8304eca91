"""Discoveries among all untested pairs: two passes over their scores, of which the selected are listed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.scoring.untested_pairs import ScoredPairs
from latentlink.uncertainty.discoveries import (
    Discoveries,
    last_selected_rank,
    ranks_among_nonlinks,
    require_enough_nonlinks,
)
from latentlink.validation.numbers import checked_share

__all__ = ["discover_among_all"]

Array = NDArray[Any]


def discover_among_all(
    parts: Callable[[], Iterable[ScoredPairs]], nonlinks: Array, fdr: float
) -> tuple[Array, Array, Discoveries]:
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
    counts = np.zeros(len(known) + 1, np.int64)
    for part in parts():
        counts += np.bincount(ranks_among_nonlinks(part.scores, known), minlength=len(counts))
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
