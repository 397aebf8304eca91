"""The noise of entries of weight 1, unknown, with a gamma prior in the unit of the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Ensemble

__all__ = ["NOISE_RATE", "NOISE_SHAPE", "NoiseLevel", "known_counts"]

Array = NDArray[Any]

# The prior of the noise, as a share of the variance of the data: its inverse is Gamma(1, 0.01).
NOISE_SHAPE, NOISE_RATE = 1.0, 0.01


class NoiseLevel:
    """The precision of an entry of weight 1, of each chain.

    Parameters
    ----------
    spreads : array, shape (lanes,)
        The standard deviation of each chain's data.
    counts, weights : arrays, shape (lanes,)
        Number of known entries of each chain, unlisted zeros included, and their total weight.
    """

    def __init__(self, spreads: Array, counts: Array, weights: Array) -> None:
        self.shape = NOISE_SHAPE + counts / 2
        self.rate = NOISE_RATE * spreads**2 * np.where(counts > 0, weights / counts, 1.0)
        # Begin as if nothing was explained: the first draws then stay near the prior.
        self.tau = self.shape / (self.rate + spreads**2 * weights / 2)

    def draw(self, loss: Array, rngs: Sequence[np.random.Generator]) -> None:
        """Draw the precision of each chain given its weighted squared error; other lanes repeat the last."""
        for lane, rng in enumerate(rngs):
            self.tau[lane] = rng.gamma(self.shape[lane]) / (self.rate[lane] + loss[lane] / 2)
        self.tau[len(rngs) :] = self.tau[len(rngs) - 1]


def known_counts(ensemble: Ensemble, members: Sequence[int]) -> tuple[Array, Array]:
    """Return the number of known entries of some members and their total weight, unlisted zeros included."""
    network = ensemble.network
    unlisted = network.n_pairs - network.n_listed if network.background else 0
    weights = [ensemble.member_entries(member)[1] for member in members]
    counts = np.array([float(np.count_nonzero(own) + unlisted) for own in weights])
    return counts, np.array([float(own.sum() + network.background * unlisted) for own in weights])
