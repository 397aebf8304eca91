"""Weights of several scores, learned from pairs that none of them has seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.uncertainty.regression import logistic_weights

__all__ = ["learned_weights", "values_and_weights"]

Array = NDArray[np.float64]


def learned_weights(tables: Sequence[Array], tests: Sequence[Network], penalty: float) -> Array:
    """Return the weights of scores, and the constant last, from what they say of parts hidden in turn.

    Parameters
    ----------
    tables : sequence of arrays, shape (pairs, scores)
        What each score says of the pairs of each part.
    tests : sequence of Network
        What is known of these pairs.
    penalty : float
        Of the weights, as for `logistic_weights`.
    """
    return logistic_weights(np.vstack(tables), *values_and_weights(tests), penalty)


def values_and_weights(tests: Sequence[Network]) -> tuple[Array, Array]:
    """Return values and weights of all parts; refuse links alone, or non-links alone."""
    values, weights = (
        np.concatenate([getattr(test, name) for test in tests]) for name in ("values", "weights")
    )
    if len(np.unique(values[weights > 0])) < 2:
        raise IncompatibleError(
            f"Among {len(values):,} entries held out there are not both links and non-links, from which the "
            "weights of the scores could be learned. List known non-links, or give the network a background."
        )
    return values, weights
