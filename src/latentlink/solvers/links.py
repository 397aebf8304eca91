"""What solvers of 0/1 links share: the offset, the background as listed pairs, and self loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import warn_user
from latentlink.kernels import Mirror
from latentlink.network import Ensemble
from latentlink.network.background import with_listed_background

__all__ = [
    "MOST_SAMPLED",
    "component_signs",
    "default_sample",
    "logit_of_links",
    "node_mirror",
    "warn_of_self_loops",
    "with_listed_non_links",
    "without_self_loops",
]

# Unlisted pairs of a background that are sampled by default: so many for each link and node, within bounds.
_SAMPLED_FOR_EACH, _LEAST_SAMPLED, MOST_SAMPLED = 10, 10_000, 1_000_000


def with_listed_non_links(ensemble: Ensemble, sample: int | None, seed: int) -> Ensemble:
    """Return the ensemble with the pairs of the background listed, or a weighted sample of them.

    Parameters
    ----------
    ensemble : Ensemble
    sample : int or None
        Number of unlisted pairs to sample if there are more than that. None is ten times the known links or
        the rows or columns, whichever are most, from 10,000 to 1,000,000.
    seed : int
        Seed of the sample.
    """
    if sample is None:
        # Links alone count: unlisted pairs that are held out of some members are listed already.
        links = int(np.count_nonzero(ensemble.network.known & (ensemble.network.values != 0)))
        sample = default_sample(links, ensemble.network.shape)
    return with_listed_background(ensemble, sample, seed)


def default_sample(links: int, shape: tuple[int, int]) -> int:
    """Return how many unlisted pairs of a background are sampled, given the known links and the shape.

    Examples
    --------
    >>> default_sample(500, (3000, 2000)), default_sample(500_000, (3000, 2000))
    (30000, 1000000)
    """
    return min(MOST_SAMPLED, max(_LEAST_SAMPLED, _SAMPLED_FOR_EACH * max(links, *shape)))


def logit_of_links(ensemble: Ensemble, member: int) -> float:
    """Return the logit of the fraction of links of a member."""
    # A fraction of 0 or 1 has no finite logit: add half a link and half a non-link.
    count = ensemble.member_count(member)
    fraction = (ensemble.member_mean(member) * count + 0.5) / (count + 1)
    return float(np.log(fraction / (1 - fraction)))


def without_self_loops(ensemble: Ensemble) -> Ensemble:
    """Return the ensemble with self loops hidden."""
    network = ensemble.network
    loops = network.rows == network.cols
    if not loops.any():
        return ensemble
    weights = np.where(loops if ensemble.weights.ndim == 1 else loops[:, None], 0.0, ensemble.weights)
    return Ensemble(network.hide(loops), ensemble.values, weights)


def warn_of_self_loops(ensemble: Ensemble, name: str, other: str) -> None:
    """Warn if a solver with one factor for each node leaves out known self loops."""
    network = ensemble.network
    loops = int(np.count_nonzero((network.rows == network.cols) & network.known))
    if loops:
        warn_user(
            f"{name} leaves {loops:,} known self loop{'s' if loops > 1 else ''} out of its fit: the score of "
            f"a self loop would be the square of a node's own factor. Choose {other} if self loops matter.",
        )


def component_signs(rank: int, repelling: float) -> NDArray[Any]:
    """Return the sign of each component of a symmetric model, repelling ones last.

    Examples
    --------
    >>> component_signs(3, 0.4)
    array([ 1.,  1., -1.])
    """
    last = min(rank, int(repelling * rank))
    return np.repeat([1.0, -1.0], [rank - last, last])


def node_mirror(signs: NDArray[Any], dtype: Any) -> Mirror:
    """Return how the packed column of a node is a copy of its row, with the signs of its components."""
    size = len(signs) + 2
    partner = np.arange(size)
    partner[0] = size - 1  # a row's bias comes first, a column's last
    sign = np.ones(size, dtype)
    sign[1:-1] = signs
    return Mirror(partner, sign)
