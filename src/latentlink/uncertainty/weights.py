"""The paper's weights: sure predictions count more."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from latentlink.errors import InputError
from latentlink.uncertainty.arrays import Array, spreads_of

__all__ = ["uq_weights"]


def uq_weights(spread: ArrayLike, train_spread: ArrayLike) -> Array:
    """Return the weight of each pair in the UQ-based metrics, between 0 and 1: the surer, the nearer to 1.

        w_ij = U_ij / (1 + median of U over the training entries),    weight_ij = 1 / (1 + w_ij)

    Spreads of scores between 0 and 1 are small against 1, so that these weights are all near 1.

    Parameters
    ----------
    spread : array, shape (pairs,)
        Standard deviation of the members' scores at the pairs that are judged.
    train_spread : array, shape (entries,)
        The same at the entries that they were fitted to.

    Examples
    --------
    >>> uq_weights([0.0, 1.25], [0.2, 0.25, 0.9])
    array([1. , 0.5])
    """
    known = spreads_of(train_spread)
    if not len(known):
        raise InputError("There are no training entries to take the median of; expected at least one.")
    weights: Array = 1 / (1 + spreads_of(spread) / (1 + np.median(known)))
    return weights
