"""A Boolean matrix of random parts, with some cells flipped."""

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

_SHARE = 0.4  # of ones in the product, unless a density is given


def planted_boolean(
    rows: int = 200,
    columns: int = 100,
    rank: int = 10,
    seed: int = 0,
    *,
    density: float | None = None,
    flips: float = 0.0,
) -> Dataset:
    """Make a Boolean matrix of a planted number of random parts, and flip a share of its cells.

        X[i, j] = 1 if some component c has W[i, c] = H[c, j] = 1, else 0,   P(W = 1) = P(H = 1) = density

    A component that would be drawn empty gets one row or column at random. A cell of X is 1 with probability
    1 - (1 - density^2)^rank. Everything is known.

    Parameters
    ----------
    rows, columns : int
        The size.
    rank : int
        Number of planted components, no more than rows or columns. The Boolean rank of the matrix is at most
        this; it is less where the other components happen to cover one of them.
    seed : int
        Other seeds, sizes and ranks give other data. Flips are drawn last: the factors do not depend on them.
    density : float or None
        Share of ones in the factors, above 0 and below 1; None chooses it such that 40 % of the product are
        ones on average, which is 0.22 at rank 10.
    flips : float
        Share of the cells that are flipped, from 0 to 0.5: exactly so many, rounded to whole cells.

    Returns
    -------
    Dataset
        Its truth is W and H, before any flip.

    Examples
    --------
    >>> from latentlink import datasets
    >>> datasets.planted_boolean(rows=20, columns=10, rank=3)
    Dataset planted_boolean: random Boolean factors, 20 x 10, seed 0, 0 cells flipped, rank 3
    """
    rng = generator(seed, rows, columns, rank)
    flips = checked_number(flips, "flips", 0, 0.5)
    if density is None:
        density = math.sqrt(1 - (1 - _SHARE) ** (1 / rank))
    density = checked_number(density, "density", 0, 1, above=True, below=True)
    truth = Factors(_parts(rows, rank, density, rng).T, _parts(columns, rank, density, rng), boolean=True)
    X = product(truth)
    flipped = rng.choice(X.size, round(flips * X.size), replace=False)
    X.flat[flipped] = 1 - X.flat[flipped]
    described = f"random Boolean factors, {rows} x {columns}, seed {seed}, {len(flipped):,} cells flipped"
    return Dataset("planted_boolean", described, Network.from_dense(X), truth.rank, truth)


def _parts(size: int, rank: int, density: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw which of ``size`` nodes are in each component, none of them empty, shape (rank, size)."""
    parts = rng.random((rank, size)) < density
    spare = rng.integers(size, size=rank)
    empty = np.flatnonzero(~parts.any(axis=1))
    parts[empty, spare[empty]] = True
    return parts.astype(np.float64)
