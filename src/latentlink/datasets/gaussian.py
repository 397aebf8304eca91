"""Generated non-negative matrices with half-normal factors, the Gaussian data of the paper."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from latentlink.datasets.dataset import Dataset
from latentlink.datasets.generated import generator, noisy_network
from latentlink.factors import Factors
from latentlink.validation.numbers import checked_number

__all__ = ["GaussianCase", "gaussian", "gaussian_cases"]

_WIDTHS = range(50, 401, 50)
_RANKS = range(2, 7)
_SEEDS = range(10)


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


class GaussianCase(NamedTuple):
    """Arguments of one of the paper's Gaussian matrices.

    Attributes
    ----------
    columns, rank, seed : int
        As for `gaussian`; all have 50 rows.
    """

    columns: int
    rank: int
    seed: int

    def generate(self, noise: float = 0.0) -> Dataset:
        """Return the matrix; noise is that of `gaussian`."""
        return gaussian(*self, noise=noise)


def gaussian_cases() -> tuple[GaussianCase, ...]:
    """Return the paper's 400 Gaussian matrices as cases, each of which is generated when it is needed.

    They have 50 rows and 50, 100, ..., 400 columns, ranks 2 to 6, and ten seeds for each size and rank. The
    numbers are our own: the paper does not publish its seeds.

    Returns
    -------
    tuple of GaussianCase
        Named tuples ``(columns, rank, seed)`` with a method ``generate``; seeds change fastest.

    References
    ----------
    Section 4.1 of the paper, the Gaussian data.

    Examples
    --------
    >>> from latentlink import datasets
    >>> cases = datasets.gaussian_cases()
    >>> len(cases), cases[-1]
    (400, GaussianCase(columns=400, rank=6, seed=9))
    >>> cases[0].generate().network.shape
    (50, 50)
    """
    return tuple(
        GaussianCase(columns, rank, seed) for columns in _WIDTHS for rank in _RANKS for seed in _SEEDS
    )
