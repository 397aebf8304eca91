"""Non-links for a network of which only links are known: pairs drawn among the unlisted ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network, sample_negatives
from latentlink.random import rng_for
from latentlink.solvers.needs import n_unlisted

__all__ = [
    "drawn_pairs",
    "each_once",
    "is_links_alone",
    "knows_links_only",
    "relative_weights",
    "with_drawn_non_links",
]

_BITS = 27  # eight digits
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
    observed. Weights of links become relative (see `relative_weights`), and a drawn pair has weight 1, so
    that both classes weigh the same. Any other network is returned as it is, with 0.

    Examples
    --------
    >>> links = Network.from_edges([("a", "b"), ("b", "c"), ("c", "d")], symmetric=True)
    >>> with_drawn_non_links(links, 0)
    (Network: 4 x 4, symmetric, 3 links, 3 non-links, nothing else, 3)
    """
    if not is_links_alone(network):
        return network, 0
    count = int(min(n_unlisted(network), network.n_known))
    if not count:
        return network, 0
    links = network.with_weights(relative_weights(network.weights))
    return sample_negatives(links, count, rng=rng_for(seed, _DRAWN)), count


def relative_weights(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return weights divided by the mean of those above 0, to eight digits; equal weights become 1.

    Penalties and some features of a pair are not proportional to weights, so that weights in another unit
    would be another model. Digits beyond the eighth differ between units, and would decide ties.

    Examples
    --------
    >>> relative_weights(np.array([2.0, 6.0, 0.0])), relative_weights(np.array([0.1, 0.1]))
    (array([0.5, 1.5, 0. ]), array([1., 1.]))
    """
    known = weights > 0
    shares = weights / weights.max()  # of the largest: a sum of large weights would overflow
    parts, exponents = np.frexp(shares / shares[known].mean())
    relative = np.ldexp(np.round(parts * 2**_BITS) / 2**_BITS, exponents)
    return np.where(known, np.maximum(relative, np.finfo(np.float64).tiny), 0.0)


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
