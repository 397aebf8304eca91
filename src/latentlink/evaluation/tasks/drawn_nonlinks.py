"""Test non-links, drawn among pairs that are not listed: uniform, by degree, or all pairs of some nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network, sample_negatives

__all__ = ["Drawn", "all_pairs_of_nodes", "corrupted_links", "sampled_pairs"]

Array = NDArray[Any]
Drawn = tuple[Array, Array]

_MOST_PAIRS = 200_000  # of all nodes that are scored against every other
_ROUNDS = 100


def sampled_pairs(listed: Network, test: Array, how: str, rng: np.random.Generator) -> Drawn:
    """Draw as many unlisted pairs as there are test links, uniformly or in proportion to degrees.

    Parameters
    ----------
    listed : Network
        All its listed pairs, hidden or not, are never drawn.
    test : array of bool, shape (listed,)
        The test links. If ``how`` is "degree", their ends are joined at random, so that every node has as
        many non-links as links in the test part (Aiyappa and others 2024 draw ends in proportion to degrees,
        which are the same proportions).
    how : {"uniform", "degree"}
    rng : Generator
    """
    only_test = listed.with_weights(test.astype(np.float64))
    kind: Any = "degree-matched" if how == "degree" else "uniform"
    both = sample_negatives(only_test, int(test.sum()), how=kind, rng=rng)
    drawn = listed.positions(both.rows, both.cols) < 0
    return both.rows[drawn].astype(np.int64), both.cols[drawn].astype(np.int64)


def corrupted_links(
    listed: Network, links: Drawn, kept: Array, degrees: tuple[Array, Array] | None, rng: np.random.Generator
) -> Drawn:
    """Replace one end of each link by another node, drawn uniformly or in proportion to degrees.

    Parameters
    ----------
    listed : Network
        Pairs that are not drawn.
    links : (rows, cols)
    kept : array of bool, shape (links,)
        Whether the row is kept and the column drawn; otherwise the other way round.
    degrees : (array, array) or None
        Weights of rows and columns; None draws uniformly.
    rng : Generator

    Returns
    -------
    rows, cols : arrays of int
        Links of which no free partner was drawn in 100 rounds are left out.
    """
    weights = [None, None] if degrees is None else [each / each.sum() for each in degrees]
    rows, cols = (np.array(each, np.int64) for each in links)
    open_ = np.arange(len(rows))
    for _ in range(_ROUNDS):
        drawn_rows, drawn_cols = (
            rng.choice(size, len(open_), p=weight) for size, weight in zip(listed.shape, weights, strict=True)
        )
        keep_row = kept[open_]
        rows[open_] = np.where(keep_row, links[0][open_], drawn_rows)
        cols[open_] = np.where(keep_row, drawn_cols, links[1][open_])
        taken = listed.positions(rows[open_], cols[open_]) >= 0
        taken |= (rows[open_] == cols[open_]) & listed.square
        open_ = open_[taken]
        if not len(open_):
            break
    found = np.setdiff1d(np.arange(len(rows)), open_)
    if not len(found):
        raise InputError("Every node is listed with all others, so that no non-links can be drawn for them.")
    return rows[found], cols[found]


def all_pairs_of_nodes(
    listed: Network, test: Array, max_nodes: int, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Return all unlisted pairs and the test links of random nodes: rows, columns, and the node of each.

    Nodes are drawn among those with test links: among rows, and in an undirected network among all.
    """
    rows, cols = listed.rows[test].astype(np.int64), listed.cols[test].astype(np.int64)
    if listed.symmetric:
        rows, cols = np.concatenate([rows, cols]), np.concatenate([cols, rows])
    size = listed.shape[1]
    nodes = rng.permutation(np.unique(rows))[: min(max_nodes, max(1, _MOST_PAIRS // size))]
    chosen = np.isin(rows, nodes)
    one, other = np.repeat(nodes, size), np.tile(np.arange(size), len(nodes))
    free = listed.positions(one, other) < 0
    if listed.square:
        free &= one != other
    one = np.concatenate([rows[chosen], one[free]])
    return one, np.concatenate([cols[chosen], other[free]]), one
