"""Generated networks of any size with heavy-tailed degrees and latent blocks."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.block_structure import (
    block_indicators,
    checked_exponent,
    power_law_weights,
    random_blocks,
)
from latentlink.datasets.dataset import Dataset
from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.network import Network, sample_negatives
from latentlink.network.compressed import ascending_unique
from latentlink.random import rng_for
from latentlink.validation.choices import checked_choice
from latentlink.validation.numbers import checked_count, checked_number
from latentlink.validation.wording import counted

__all__ = ["heavy_tailed"]

Integers = NDArray[np.int64]

_ROUNDS = 100
_CHUNK = 2**20


def heavy_tailed(
    nodes: int = 10_000,
    links: int = 100_000,
    seed: int = 0,
    *,
    exponent: float = 2.5,
    blocks: int = 10,
    mixing: float = 0.3,
    non_links: Literal["uniform", "degree-matched"] | None = None,
) -> Dataset:
    """Generate an undirected network of power-law degrees and latent blocks, in time linear in its links.

    Each node has a weight t and a block (a Chung-Lu model with blocks). A pair is drawn as follows, until
    there are enough distinct pairs of two different nodes:

        the first node in proportion to t among all nodes,
        the second in proportion to t among all nodes with probability ``mixing``, else in the block of the
        first.

    The weights are r^(-1 / (exponent - 1)), r = 1, 2, ..., in random order, for which the frequencies of
    degrees decrease as degree^-exponent, up to the largest degrees, which a finite network bounds. Memory is
    linear in nodes and links: 100,000 nodes with 2 million links take seconds.

    Parameters
    ----------
    nodes : int
        Number of nodes, at least 2.
    links : int
        Number of links, all distinct.
    seed : int
        Each seed and size gives other data.
    exponent : float
        Exponent of the power law of degrees, above 2.
    blocks : int
        Number of blocks of nodes; their sizes differ by at most one.
    mixing : float
        Share of pairs that are drawn without regard to blocks, from 0 to 1.
    non_links : {"uniform", "degree-matched"} or None
        List as many pairs as non-links, drawn by `latentlink.network.sample_negatives`. By default links
        alone are listed, and all other pairs are unknown.

    Returns
    -------
    Dataset
        Its ``truth`` scores a pair with the expected number of its draws, and ``truth.W.argmax(axis=1)`` are
        the blocks of the nodes.

    References
    ----------
    Chung and Lu (2002), Connected components in random graphs with given expected degree sequences.

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.heavy_tailed(1_000, 5_000, non_links="uniform")
    >>> data.network
    Network: 1,000 x 1,000, symmetric, 5,000 links, 5,000 non-links, rest unknown
    """
    seed, nodes = checked_count(seed, "seed", 0), checked_count(nodes, "nodes", 2)
    pairs = nodes * (nodes - 1) // 2
    links = checked_count(links, "links", 1, pairs, f", the number of pairs of {nodes:,} nodes")
    blocks = checked_count(blocks, "blocks", 1, nodes, ", at most one for each node")
    exponent, mixing = checked_exponent(exponent), checked_number(mixing, "mixing", 0, 1)
    if non_links is not None:
        checked_choice(non_links, ("uniform", "degree-matched"), "non_links")
    rng = rng_for(seed, nodes, links)

    of_nodes = random_blocks(nodes, blocks, rng)
    weights = power_law_weights(nodes, exponent, rng)
    low, high = _distinct_pairs(_Ends(of_nodes, weights, mixing), links, rng)
    network = Network(low, high, shape=(nodes, nodes), symmetric=True)
    if non_links is not None:
        network = sample_negatives(network, how=non_links, rng=rng)
    description = (
        f"power-law degrees in {counted(blocks, 'latent block')}, exponent {exponent:g}, seed {seed}"
    )
    truth = _expected_draws(of_nodes, weights, mixing, links)
    return Dataset("heavy_tailed", description, network, truth.rank, truth)


class _Ends:
    """Draws pairs of nodes, the second one in the block of the first or anywhere."""

    def __init__(self, blocks: Integers, weights: NDArray[np.float64], mixing: float) -> None:
        self.order = np.argsort(blocks, kind="stable")
        self.mixing = mixing
        self.cumulative = np.cumsum(weights[self.order])
        last = np.cumsum(np.bincount(blocks)) - 1
        ends = self.cumulative[last]
        # The range of cumulative weights of the block of each node, in the order of blocks.
        self.high = ends[blocks[self.order]]
        self.low = np.concatenate([[0.0], ends[:-1]])[blocks[self.order]]

    def draw(self, count: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
        """Return the smaller and the larger node of each pair, which are different."""
        first = self._at(rng.random(count) * self.cumulative[-1])
        anywhere = rng.random(count) < self.mixing
        low = np.where(anywhere, 0.0, self.low[first])
        high = np.where(anywhere, self.cumulative[-1], self.high[first])
        second = self._at(low + rng.random(count) * (high - low))
        different = first != second
        one, other = self.order[first[different]], self.order[second[different]]
        return np.minimum(one, other), np.maximum(one, other)

    def _at(self, sums: NDArray[np.float64]) -> Integers:
        """Return the positions of nodes by cumulative weights."""
        return np.minimum(np.searchsorted(self.cumulative, sums, side="right"), len(self.order) - 1)


def _distinct_pairs(ends: _Ends, count: int, rng: np.random.Generator) -> tuple[Integers, Integers]:
    """Draw distinct pairs of different nodes; the smaller node first."""
    nodes = len(ends.order)
    codes = np.zeros(0, np.int64)
    for _ in range(_ROUNDS):
        wanted = int(1.2 * (count - len(codes))) + 100
        pieces = [codes]
        for begin in range(0, wanted, _CHUNK):
            low, high = ends.draw(min(_CHUNK, wanted - begin), rng)
            pieces.append(low * nodes + high)
        codes = ascending_unique(np.concatenate(pieces))
        if len(codes) >= count:
            codes = codes[np.sort(rng.permutation(len(codes))[:count])]
            return codes // nodes, codes % nodes
    raise InputError(
        f"links is {count:,}, but after {_ROUNDS} rounds only {len(codes):,} distinct pairs were drawn: "
        "almost all pairs of the nodes of large weight are links already. Set fewer links, more nodes, a "
        "larger exponent, fewer blocks or more mixing."
    )


def _expected_draws(blocks: Integers, weights: NDArray[np.float64], mixing: float, links: int) -> Factors:
    """Return factors that score an unordered pair with the expected number of its draws."""
    of_block = np.bincount(blocks, weights)
    total = of_block.sum()
    rates = 2 * links * (mixing / total**2 + np.diag((1 - mixing) / (total * of_block)))
    W = block_indicators(blocks, weights, len(of_block))
    return Factors(W, rates @ W.T, symmetric=True)
