"""The share of links among the unknown pairs that decisions suppose where none is stated."""

from __future__ import annotations

import numpy as np

from latentlink.scoring import Calibrated

__all__ = ["listed_share"]


def listed_share(calibrated: Calibrated) -> float:
    """Return the listed links as a share of all pairs, those that were kept back from the fit with them.

    It is what one knows without a model: the unknown pairs are supposed to have links at the rate at which
    links are listed at all. An estimate from the scores of random unknown pairs is no better founded, see
    the decisions of the documentation.
    """
    network = calibrated.network
    links = int(np.count_nonzero(network.values[network.known] == 1))
    if not network.known.all():  # kept back
        links += int(np.count_nonzero(calibrated.values == 1))
    return links / network.n_pairs
