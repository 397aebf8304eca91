"""Planted data of which a part is known, a part calibrates, and the rest is asked."""

from __future__ import annotations

import numpy as np

from latentlink import Network, datasets
from latentlink.splitting import Split, holdout

__all__ = ["pairs", "planted"]


def pairs(network: Network) -> np.ndarray:
    """Return the listed pairs, shape (pairs, 2)."""
    return np.column_stack([network.rows, network.cols])


def planted(rank: int, known: float, flips: float, seed: int) -> Split:
    """Split planted Boolean data, 100 x 80: a share is known, a tenth calibrates, and the rest is asked."""
    data = datasets.planted_boolean(rows=100, columns=80, rank=rank, flips=flips, seed=seed)
    return holdout(data.network, 0.9 - known, seed, calibration=0.1)
