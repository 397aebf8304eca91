"""What data drawn at random have in common: checked sizes, a product in which everything is known, noise."""

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
    """Return the generator that belongs to a size, a rank and a seed; refuse what makes no matrix."""
    seed = checked_count(seed, "seed", 0)
    rows, columns = checked_count(rows, "rows"), checked_count(columns, "columns")
    meaning = f", since the rank of a {rows:,} x {columns:,} matrix is never larger"
    return rng_for(seed, rows, columns, checked_count(rank, "rank", 1, min(rows, columns), meaning))


def product(truth: Factors) -> NDArray[Any]:
    """Return all scores of a model as a matrix."""
    rows, cols = (index.ravel() for index in np.indices(truth.shape))
    return truth.score(rows, cols).reshape(truth.shape)


def noisy_network(truth: Factors, noise: float, rng: np.random.Generator) -> Network:
    """Make a network of all scores, with normal noise in units of their deviation, clipped at 0.

    Without noise nothing is drawn.
    """
    X = product(truth)
    if noise > 0:
        X = np.maximum(X + noise * X.std() * rng.standard_normal(X.shape), 0.0)
    return Network.from_dense(X)
