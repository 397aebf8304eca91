"""Parts shared by generated networks: random blocks of nodes, and weights that follow a power law."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.validation.numbers import checked_number

__all__ = ["block_indicators", "checked_exponent", "power_law_weights", "random_blocks"]


def checked_exponent(exponent: Any) -> float:
    """Return the exponent of a power law of degrees, or raise InputError unless it is above 2."""
    meaning = ", since degrees of a smaller exponent have no mean"
    return checked_number(exponent, "exponent", 2, above=True, meaning=meaning)


def power_law_weights(size: int, exponent: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return weights r^(-1 / (exponent - 1)), r = 1, 2, ..., in random order, with mean 1.

    Nodes of such weights have degrees whose frequencies decrease as degree^-exponent (Chung and Lu, 2002).

    Examples
    --------
    >>> weights = power_law_weights(1000, 2.5, np.random.default_rng(0))
    >>> float(weights.mean().round(6)), float(weights.max().round(1))
    (1.0, 36.3)
    """
    weights = np.arange(1, size + 1) ** (-1 / (exponent - 1))
    return rng.permutation(weights / weights.mean())


def random_blocks(size: int, blocks: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random block of each node; the sizes of two blocks differ by at most one."""
    return rng.permutation(np.arange(size) % blocks)


def block_indicators(
    blocks: NDArray[np.int64], weights: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Return a matrix with the weight of each node in the column of its block, shape (nodes, count)."""
    indicators = np.zeros((len(blocks), count))
    indicators[np.arange(len(blocks)), blocks] = weights
    return indicators
