"""Parts shared by the generators of random data: checked sizes, random generators, products and noise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.random import rng_for
from latentlink.validation.numbers import checked_count

__all__ = ["generator", "noisy_network", "product"]


def generator(seed: Any, rows: Any, columns: Any, rank: Any) -> np.random.Generator:
    """Return the random generator of a seed, size and rank, or raise InputError for invalid ones."""
    seed = checked_count(seed, "seed", 0)
    rows, columns = checked_count(rows, "rows"), checked_count(columns, "columns")
    meaning = f", since a matrix of {rows:,} x {columns:,} has no larger rank"
    return rng_for(seed, rows, columns, checked_count(rank, "rank", 1, min(rows, columns), meaning))


def product(truth: Factors) -> NDArray[Any]:
    """Return the product of factors as a dense matrix."""
    rows, cols = (index.ravel() for index in np.indices(truth.shape))
    return truth.score(rows, cols).reshape(truth.shape)


def noisy_network(truth: Factors, noise: float, rng: np.random.Generator) -> Network:
    """Return the product of factors as a network, with normal noise in units of its standard deviation.

    Negative results are set to 0. Without noise no random numbers are drawn.
    """
    X = product(truth)
    if noise > 0:
        X = np.maximum(X + noise * X.std() * rng.standard_normal(X.shape), 0.0)
    return Network.from_dense(X)
