"""Hard non-links: for each test link, the most plausible pairs of either end that are not listed (HeaRT)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from latentlink.network import Network
from latentlink.proximity import LinkGraph, personalized_pagerank, resource_allocation

__all__ = ["hard_pairs"]

Array = NDArray[Any]

_BLOCK = 1 << 20  # pairs that are ranked at once


def hard_pairs(
    listed: Network, graph: LinkGraph, links: tuple[Array, Array], per_link: int, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Return hard non-links of each link: rows, columns, and the number of the link.

    One end of the link is kept and the other one replaced by the nodes that rank highest for it by resource
    allocation or by personalized PageRank in the training graph, whichever rank is better; half of the
    non-links for each end (Li and others 2023). Ties are broken at random.

    Parameters
    ----------
    listed : Network
        All its listed pairs, hidden or not, are left out.
    graph : LinkGraph
        The training links.
    links : (rows, cols)
        The test links.
    per_link : int
        Non-links of each link, where there are as many.
    rng : Generator
    """
    count = per_link // 2
    rows, cols = links
    parts = []
    for kept, turned in ((rows, False), (cols, True)):
        nodes, of_link = np.unique(kept, return_inverse=True)
        best, exist = _best_partners(listed, graph, nodes, turned, count, rng)
        link, place = np.nonzero(exist[of_link])
        one, other = kept[link], best[of_link][link, place]
        parts.append((other, one, link) if turned else (one, other, link))
    rows, cols, link = (np.concatenate(part) for part in zip(*parts, strict=True))
    return rows, cols, link


def _best_partners(
    listed: Network, graph: LinkGraph, nodes: Array, turned: bool, count: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Return the best partners of nodes (of columns, if ``turned``) and a mask of those that exist."""
    size = listed.shape[0 if turned else 1]
    count = min(count, size)
    best, exist = np.empty((len(nodes), count), np.int64), np.empty((len(nodes), count), bool)
    width = max(1, _BLOCK // size)
    for begin in range(0, len(nodes), width):
        block = nodes[begin : begin + width]
        one, other = np.repeat(block, size), np.tile(np.arange(size), len(block))
        pair = (other, one) if turned else (one, other)
        taken = listed.positions(*pair) >= 0
        if listed.square:
            taken |= one == other
        ranks = np.full((len(block), size), np.inf)
        for heuristic in (resource_allocation, personalized_pagerank):
            scores = np.where(taken, -1.0, heuristic(graph, *pair)).reshape(ranks.shape)
            ranks = np.minimum(ranks, rankdata(-scores, method="min", axis=1))
        ranks = np.where(taken.reshape(ranks.shape), np.inf, ranks + rng.random(ranks.shape))
        order = np.argsort(ranks, axis=1)[:, :count]
        best[begin : begin + width] = order
        exist[begin : begin + width] = np.isfinite(np.take_along_axis(ranks, order, axis=1))
    return best, exist
