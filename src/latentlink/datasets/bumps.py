"""A generated non-negative matrix with smooth, overlapping components."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.dataset import Dataset
from latentlink.datasets.generated import generator, noisy_network
from latentlink.factors import Factors
from latentlink.validation.numbers import checked_number

__all__ = ["bumps"]

# In units of the distance of neighbours, which gives two neighbours a cosine of about 0.64.
_WIDTH = 0.75
_JITTER = 0.15


def bumps(columns: int = 100, rank: int = 3, seed: int = 0, *, rows: int = 50, noise: float = 0.0) -> Dataset:
    """Generate a non-negative matrix whose components are Gaussian bumps that overlap their neighbours.

        X = W H,   W[i, c] = exp(-(i - centre_c)^2 / (2 width^2)),   width = 0.75 rows / rank

    and H likewise along the columns. Centres are evenly spaced, then moved at random by up to 0.15 of their
    distance, so that the cosine of neighbours is about 0.5 to 0.8. Components have the same order along rows
    and columns: neighbours in W are neighbours in H, which makes them as hard to separate as possible. X has
    exactly the given rank, but no bump is exactly 0 anywhere, so that other non-negative factors of that
    rank may fit as well as the true ones.

    All entries are known. Noise is normal with a standard deviation of ``noise`` times that of the entries
    of W H, and negative results are set to 0.

    Parameters
    ----------
    columns : int
        Number of columns.
    rank : int
        Number of components, at most the number of rows and of columns.
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

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.bumps(rank=4)
    >>> data.truth.W.argmax(axis=0).tolist()
    [6, 17, 31, 43]
    """
    rng = generator(seed, rows, columns, rank)
    noise = checked_number(noise, "noise", 0)
    truth = Factors(_bumps(rows, rank, rng).T, _bumps(columns, rank, rng))
    network = noisy_network(truth, noise, rng)
    description = (
        f"overlapping bumps along rows and columns, {rows} x {columns}, seed {seed}, noise {noise:g}"
    )
    return Dataset("bumps", description, network, truth.rank, truth)


def _bumps(size: int, rank: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return bumps along one axis, shape (rank, size)."""
    spacing = size / rank
    jitter = rng.uniform(-_JITTER, _JITTER, rank)
    centres = (np.arange(rank) + 0.5 + jitter) * spacing - 0.5
    distances = np.arange(size) - centres[:, None]
    return np.exp(-((distances / (_WIDTH * spacing)) ** 2) / 2)
