"""Generated networks of a stochastic block model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.datasets.block_structure import (
    block_indicators,
    checked_exponent,
    power_law_weights,
    random_blocks,
)
from latentlink.datasets.dataset import Dataset
from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.network.pair_codes import PairCodes
from latentlink.random import rng_for
from latentlink.validation.choices import checked_switch
from latentlink.validation.numbers import checked_count
from latentlink.validation.wording import shown_repr

__all__ = ["planted_blocks"]

_MOST_ENTRIES = 20_000_000


def planted_blocks(
    nodes: int | tuple[int, int] = 200,
    blocks: int = 4,
    seed: int = 0,
    *,
    probabilities: ArrayLike = (0.3, 0.03),
    exponent: float | None = None,
    directed: bool = False,
    links_only: bool = False,
) -> Dataset:
    """Generate a network by a stochastic block model, with or without degree correction.

        P(link of i and j) = min(1, t_i t_j p[block of i, block of j])

    Links are independent. The sizes of blocks differ by at most one node, and nodes are in random order.
    Without degree correction all t are 1. With it they follow a power law with mean 1 in every block, so that
    p is the mean probability as long as few products are above 1. Nodes have no links with themselves.

    Parameters
    ----------
    nodes : int or (int, int)
        Number of nodes; a pair is the numbers of rows and columns of a bipartite network. A matrix has at
        most 20 million entries, since every pair is drawn: `heavy_tailed` generates larger networks.
    blocks : int
        Number of blocks; of a bipartite network, of rows and of columns.
    seed : int
        Each seed, size and number of blocks gives other data.
    probabilities : (float, float) or array, shape (blocks, blocks)
        Probabilities of a link within a block and between two blocks, or of each pair of blocks. A network
        is assortative if the first is larger, else disassortative.
    exponent : float or None
        Exponent of the power law of degrees, above 2; about 2.5 in many networks. None for no degree
        correction.
    directed : bool
        Links have a direction, and rows and columns are the same nodes. With degree correction, the weights
        of a node as source and as target are independent.
    links_only : bool
        List the links alone, so that all other pairs are unknown; else all pairs are known.

    Returns
    -------
    Dataset
        Its ``truth`` scores a pair with the probability of a link, and ``truth.W.argmax(axis=1)`` are the
        blocks of the rows.

    References
    ----------
    Holland, Laskey and Leinhardt (1983), Stochastic blockmodels: first steps. Karrer and Newman (2011),
    Stochastic blockmodels and community structure in networks.

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.planted_blocks(60, 3)
    >>> data.network
    Network: 60 x 60, symmetric, 222 links, 1,548 non-links, nothing else
    >>> data.truth.score(0, [1, 3])
    array([0.3 , 0.03])
    """
    seed = checked_count(seed, "seed", 0)
    shape = _checked_shape(nodes)
    bipartite = isinstance(nodes, tuple | list)
    directed = _checked_direction(directed, bipartite)
    symmetric = not directed and not bipartite
    blocks = checked_count(blocks, "blocks", 1, min(shape), ", at most one for each node")
    p = _checked_probabilities(probabilities, blocks, symmetric)
    exponent = None if exponent is None else checked_exponent(exponent)
    rng = rng_for(seed, *shape, blocks)

    of_rows = random_blocks(shape[0], blocks, rng)
    of_cols = random_blocks(shape[1], blocks, rng) if bipartite else of_rows
    row_weights = _weights(of_rows, exponent, rng)
    col_weights = row_weights if symmetric else _weights(of_cols, exponent, rng)
    W = block_indicators(of_rows, row_weights, blocks)
    H = p @ block_indicators(of_cols, col_weights, blocks).T
    truth = Factors(W, H, symmetric=symmetric, bounds=(0.0, 1.0))

    network = _drawn(truth, not bipartite, rng)
    if checked_switch(links_only, "links_only"):
        network = network.subset(network.values == 1)
    kind = "bipartite" if bipartite else "directed" if directed else "undirected"
    size = " x ".join(f"{side:,}" for side in shape) if bipartite else f"{shape[0]:,} nodes"
    description = f"{kind} stochastic block model, {size}, seed {seed}"
    return Dataset("planted_blocks", description, network, truth.rank, truth)


def _checked_shape(nodes: Any) -> tuple[int, int]:
    """Return the numbers of rows and columns."""
    pair = nodes if isinstance(nodes, tuple | list) else (nodes, nodes)
    if len(pair) != 2:
        raise InputError(
            f"nodes is {shown_repr(nodes)}; expected a whole number, or a pair of them: the numbers of rows "
            "and columns of a bipartite network."
        )
    rows, cols = (checked_count(size, "nodes", 1) for size in pair)
    if rows * cols > _MOST_ENTRIES:
        raise InputError(
            f"nodes is {shown_repr(nodes)}, which makes {rows * cols:,} entries; expected at most "
            f"{_MOST_ENTRIES:,}, since every pair is drawn. Use heavy_tailed for larger networks."
        )
    return rows, cols


def _checked_direction(directed: Any, bipartite: bool) -> bool:
    if checked_switch(directed, "directed") and bipartite:
        raise InputError(
            "directed is True, but nodes is a pair; expected one number of nodes for a directed network. "
            "Leave directed out for a bipartite one."
        )
    return bool(directed)


def _checked_probabilities(probabilities: Any, blocks: int, symmetric: bool) -> NDArray[np.float64]:
    """Return the probabilities of each pair of blocks."""
    expected = f"two numbers from 0 to 1, or {blocks} x {blocks} of them"
    try:
        p = np.array(probabilities, np.float64)
    except (TypeError, ValueError):
        raise InputError(f"probabilities are {shown_repr(probabilities)}; expected {expected}.") from None
    if p.shape == (2,):
        p = np.where(np.eye(blocks, dtype=bool), p[0], p[1])
    if p.shape != (blocks, blocks):
        raise InputError(f"probabilities have shape {p.shape}; expected {expected}.")
    if not np.all((p >= 0) & (p <= 1)):
        raise InputError(f"A probability is {p[~((p >= 0) & (p <= 1))][0]:g}; expected a number from 0 to 1.")
    if symmetric and not np.array_equal(p, p.T):
        raise InputError(
            "probabilities are not symmetric; expected the same for (a, b) and (b, a) in an undirected "
            "network. Make them symmetric, or give directed=True."
        )
    return p


def _weights(
    blocks: NDArray[np.int64], exponent: float | None, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Return weights of nodes with mean 1 in every block."""
    if exponent is None:
        return np.ones(len(blocks))
    weights = power_law_weights(len(blocks), exponent, rng)
    return weights / (np.bincount(blocks, weights) / np.bincount(blocks))[blocks]


def _drawn(truth: Factors, square: bool, rng: np.random.Generator) -> Network:
    """Return a network of all pairs, each a link with its probability."""
    codes = PairCodes(truth.shape, truth.symmetric, square)
    rows, cols = codes.pairs(np.arange(codes.total))
    values = (rng.random(codes.total) < truth.score(rows, cols)).astype(np.float64)
    return Network(rows, cols, values, shape=truth.shape, symmetric=truth.symmetric, square=square)
