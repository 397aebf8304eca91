"""A generated non-negative matrix with half-normal factors, the Gaussian data of the paper."""

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
    """Generate a non-negative matrix of known rank with half-normal factors.

        X = W H,   W = |N(0, 1)| of shape (rows, rank),   H = |N(0, 1)| of shape (rank, columns)

    All entries are known. Noise is normal with a standard deviation of ``noise`` times that of the entries
    of W H, and negative results are set to 0.

    Parameters
    ----------
    columns : int
        Number of columns; 50 to 400 in the paper.
    rank : int
        Number of components, at most the number of rows and of columns; 2 to 6 in the paper.
    seed : int
        Each seed, size and rank gives other data; the factors do not depend on the noise.
    rows : int
        Number of rows.
    noise : float
        Standard deviation of the noise in units of that of W H, at least 0.

    Returns
    -------
    Dataset
        With the factors before noise as ``truth``.

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
    description = f"half-normal factors, {rows} x {columns}, seed {seed}, noise {noise:g}"
    return Dataset("gaussian", description, network, truth.rank, truth)
