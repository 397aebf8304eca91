"""A matrix of smooth patterns that overlap their neighbours."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.dataset import Dataset
from latentlink.datasets.generated import generator, noisy_network
from latentlink.factors import Factors
from latentlink.validation.numbers import checked_number

__all__ = ["bumps"]

# In units of the distance of neighbours. Two bumps at that distance then have a cosine of about 0.64.
_WIDTH = 0.75
_JITTER = 0.15


def bumps(columns: int = 100, rank: int = 3, seed: int = 0, *, rows: int = 50, noise: float = 0.0) -> Dataset:
    """Make a non-negative matrix of smooth patterns, each of which overlaps its neighbours on both sides.

        X = W H,   W[i, c] = exp(-(i - centre_c)^2 / (2 width^2)),   width = 0.75 rows / rank

    and H alike along the columns. Centres are evenly spaced, then moved at random by up to 0.15 of their
    distance, so that the cosine of neighbours is about 0.5 to 0.8. Components stand in the same order on
    both sides: neighbours by row are neighbours by column, which makes them as hard to tell apart as such
    patterns can be. The rank of X is what is asked for, but no bump is ever exactly 0, so that other
    non-negative factors of that rank may fit as well as the true ones.

    Everything is known. With noise, normal numbers are added whose standard deviation is ``noise`` times
    that of the entries of W H, and what falls below 0 is set to 0.

    Parameters
    ----------
    columns : int
        Number of columns.
    rank : int
        Number of bumps, no more than rows or columns.
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
    described = f"overlapping bumps along rows and columns, {rows} x {columns}, seed {seed}, noise {noise:g}"
    return Dataset("bumps", described, network, truth.rank, truth)


def _bumps(size: int, rank: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw bumps along one side, shape (rank, size)."""
    distance = size / rank
    jitter = rng.uniform(-_JITTER, _JITTER, rank)
    centres = (np.arange(rank) + 0.5 + jitter) * distance - 0.5
    away = np.arange(size) - centres[:, None]
    return np.exp(-((away / (_WIDTH * distance)) ** 2) / 2)
