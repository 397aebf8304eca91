"""Non-links for a network of which only links are known: pairs drawn among the unlisted ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network, sample_negatives
from latentlink.network.pair_codes import PairCodes
from latentlink.random import rng_for

__all__ = [
    "drawn_pairs",
    "each_once",
    "is_links_alone",
    "knows_links_only",
    "with_drawn_non_links",
    "without_drawn_non_links",
]

_DRAWN = -5 % 2**32  # keeps these draws apart from those of a rank search and of inner folds


def is_links_alone(network: Network) -> bool:
    """Return whether some links are known, and nothing else."""
    return not network.background and knows_links_only(network)


def knows_links_only(network: Network) -> bool:
    """Return whether all known entries are links, of which there are some, whatever the background."""
    values = network.values[network.known]
    return len(values) > 0 and bool(np.all(values != 0))


def with_drawn_non_links(network: Network, seed: int) -> tuple[Network, int]:
    """Return a network of links alone with as many unlisted pairs as non-links, and their number.

    They are drawn uniformly among unlisted pairs, hidden ones left out; some may be links that have not been
    observed. Each has the mean weight of the links, so that both classes weigh the same. Any other network is
    returned as it is, with 0.

    Examples
    --------
    >>> links = Network.from_edges([("a", "b"), ("b", "c"), ("c", "d")], symmetric=True)
    >>> with_drawn_non_links(links, 0)
    (Network: 4 x 4, symmetric, 3 links, 3 non-links, nothing else, 3)
    """
    if not is_links_alone(network):
        return network, 0
    codes = PairCodes(network.shape, network.symmetric, network.square)
    unlisted = codes.total - len(codes.of_listed(network.rows, network.cols))
    count = int(min(unlisted, network.n_known))
    if not count:
        return network, 0
    both = sample_negatives(network, count, rng=rng_for(seed, _DRAWN))
    weights = network.weights[network.known]
    weight = weights[0] if (weights == weights[0]).all() else weights.mean()  # a mean of equals is rounded
    return both.with_weights(np.where(_drawn(both), weight, both.weights)), count


def without_drawn_non_links(network: Network) -> Network:
    """Return the links alone, which are all that was known before non-links were drawn."""
    return network.subset(~_drawn(network))


def each_once(network: Network) -> Network:
    """Return a network whose known pairs have weight 1: how strong a link is says nothing about how many."""
    return network.with_weights(network.known.astype(np.float64))


def drawn_pairs(network: Network) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return rows and columns of the non-links that were drawn."""
    drawn = _drawn(network)
    return network.rows[drawn], network.cols[drawn]


def _drawn(network: Network) -> NDArray[np.bool_]:
    """Mark the drawn non-links: all that are known, since links alone were."""
    return network.known & (network.values == 0)
