"""Splits of planted Boolean data into training, calibration and test entries."""

from __future__ import annotations

import numpy as np

from latentlink import Network, datasets
from latentlink.splitting import Split, holdout

__all__ = ["listed_pairs", "planted_split"]


def listed_pairs(network: Network) -> np.ndarray:
    """Return the listed pairs, shape (pairs, 2)."""
    return np.column_stack([network.rows, network.cols])


def planted_split(rank: int, known: float, flips: float, seed: int) -> Split:
    """Split planted Boolean data, 100 x 80: a share to train, a tenth to calibrate, the rest to test."""
    data = datasets.planted_boolean(rows=100, columns=80, rank=rank, flips=flips, seed=seed)
    return holdout(data.network, 0.9 - known, seed, calibration=0.1)
