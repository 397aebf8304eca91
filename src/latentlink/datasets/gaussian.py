"""A matrix of half-normal factors, as in the paper's Gaussian data."""

from __future__ import annotations

import numpy as np

from latentlink.datasets.dataset import Dataset
from latentlink.datasets.generated import generator, noisy_network
from latentlink.factors import Factors
from latentlink.validation.numbers import checked_number

__all__ = ["gaussian"]


def gaussian(
    columns: int = 100, rank: int = 3, seed: int = 0, *, rows: int = 50, noise: float = 0.0
) -> Dataset:
    """Make a non-negative matrix of known rank from absolute values of normal numbers.

        X = W H,   W = |N(0, 1)| of shape (rows, rank),   H = |N(0, 1)| of shape (rank, columns)

    Everything is known. With noise, normal numbers are added whose standard deviation is ``noise`` times
    that of the entries of W H, and what falls below 0 is set to 0.

    Parameters
    ----------
    columns : int
        Number of columns; the paper has 50 to 400.
    rank : int
        Number of patterns, no more than rows or columns; the paper has 2 to 6.
    seed : int
        Other seeds, sizes and ranks give other data. Noise is drawn last: the factors do not depend on it.
    rows : int
        Number of rows.
    noise : float
        Standard deviation of the noise in units of that of W H, 0 or more.

    Returns
    -------
    Dataset
        Its truth is W and H, before any noise.

    References
    ----------
    Section 4.1 of the paper, the Gaussian data.

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.gaussian(columns=200, rank=4)
    >>> data.network.shape, data.truth.rank
    ((50, 200), 4)
    """
    rng = generator(seed, rows, columns, rank)
    noise = checked_number(noise, "noise", 0)
    W = np.abs(rng.standard_normal((rows, rank)))
    H = np.abs(rng.standard_normal((rank, columns)))
    truth = Factors(W, H)
    network = noisy_network(truth, noise, rng)
    described = f"half-normal factors, {rows} x {columns}, seed {seed}, noise {noise:g}"
    return Dataset("gaussian", described, network, truth.rank, truth)
