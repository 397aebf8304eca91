"""Unlisted pairs, listed: for losses that know no Gram matrices."""

from __future__ import annotations

import numpy as np

from latentlink.network import Ensemble

__all__ = ["with_listed_background"]


def with_listed_background(ensemble: Ensemble, most: int) -> Ensemble:
    """List all unlisted pairs with the background's weight, or a sample of ``most`` that stands for them."""
    network = ensemble.network
    if network.background == 0:
        return ensemble
    n, m = network.shape
    listed = np.zeros((n, m), bool)
    listed[network.rows, network.cols] = True
    if network.symmetric:
        listed |= np.tri(n, k=-1 if network.has_self_loops else 0, dtype=bool)
    rows, cols = np.nonzero(~listed)
    return ensemble.with_listed(rows, cols, np.full(len(rows), network.background), 0.0)
