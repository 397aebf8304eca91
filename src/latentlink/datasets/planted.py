"""A generated Boolean matrix with planted components and flipped cells."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.dataset import Dataset
from latentlink.datasets.generated import generator, product
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.validation.numbers import checked_number

__all__ = ["planted_boolean"]

_SHARE_OF_ONES = 0.4  # in the product, unless a density is given


def planted_boolean(
    rows: int = 200,
    columns: int = 100,
    rank: int = 10,
    seed: int = 0,
    *,
    density: float | None = None,
    flips: float = 0.0,
) -> Dataset:
    """Generate a Boolean matrix of a planted number of random components, with a share of its cells flipped.

        X[i, j] = 1 if some component c has W[i, c] = H[c, j] = 1, else 0,   P(W = 1) = P(H = 1) = density

    A component that is drawn empty gets one random row or column. A cell of X is 1 with probability
    1 - (1 - density^2)^rank. All entries are known.

    Parameters
    ----------
    rows, columns : int
        Numbers of rows and columns.
    rank : int
        Number of planted components, at most the number of rows and of columns. The Boolean rank of the
        product is lower if one component is covered by the others by chance.
    seed : int
        Each seed, size and rank gives other data; the factors do not depend on the flips.
    density : float or None
        Share of ones in the factors, above 0 and below 1. By default 40 % of the product are ones on average,
        which is a density of 0.22 at rank 10.
    flips : float
        Share of the cells that are flipped, from 0 to 0.5, rounded to a whole number of cells.

    Returns
    -------
    Dataset
        With the factors before flips as ``truth``.

    Examples
    --------
    >>> from latentlink import datasets
    >>> datasets.planted_boolean(rows=20, columns=10, rank=3)
    Dataset planted_boolean: random Boolean factors, 20 x 10, seed 0, 0 cells flipped, rank 3
    """
    rng = generator(seed, rows, columns, rank)
    flips = checked_number(flips, "flips", 0, 0.5)
    if density is None:
        density = math.sqrt(1 - (1 - _SHARE_OF_ONES) ** (1 / rank))
    density = checked_number(density, "density", 0, 1, above=True, below=True)
    truth = Factors(
        _memberships(rows, rank, density, rng).T, _memberships(columns, rank, density, rng), boolean=True
    )
    X = product(truth)
    flipped = rng.choice(X.size, round(flips * X.size), replace=False)
    X.flat[flipped] = 1 - X.flat[flipped]
    description = f"random Boolean factors, {rows} x {columns}, seed {seed}, {len(flipped):,} cells flipped"
    return Dataset("planted_boolean", description, Network.from_dense(X), truth.rank, truth)


def _memberships(size: int, rank: int, density: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return random memberships of nodes in components, none of them empty, shape (rank, size)."""
    memberships = rng.random((rank, size)) < density
    spare = rng.integers(size, size=rank)
    empty = np.flatnonzero(~memberships.any(axis=1))
    memberships[empty, spare[empty]] = True
    return memberships.astype(np.float64)
