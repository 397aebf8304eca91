"""Weights of several scores, learned from pairs that none of them has seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from latentlink.network import Network
from latentlink.uncertainty.regression import logistic_weights

__all__ = ["learned_weights", "values_and_weights"]

Array = NDArray[np.float64]

_PENALTY = 1e-6  # keeps weights of scores that say the same in bounds


def learned_weights(tables: Sequence[Array], tests: Sequence[Network]) -> Array:
    """Return the weights of scores, and the constant last, from what they say of parts hidden in turn.

    A score that would count against what it says is left out: its weight is 0, never below.

    Parameters
    ----------
    tables : sequence of arrays, shape (pairs, scores)
        What each score says of the pairs of each part.
    tests : sequence of Network
        What is known of these pairs: links and non-links.
    """
    table = np.vstack(tables)
    values, counts = values_and_weights(tests)
    used = list(range(table.shape[1]))
    weights = np.append(np.zeros(len(used)), logit(np.average(values, weights=counts)))
    while used:
        found = logistic_weights(table[:, used], values, counts, _PENALTY)
        against = int(np.argmin(found[:-1] * table[:, used].std(axis=0)))
        if found[against] >= 0:
            weights[used], weights[-1] = found[:-1], found[-1]
            break
        used.pop(against)
    return weights


def values_and_weights(tests: Sequence[Network]) -> tuple[Array, Array]:
    """Return values and weights of all parts."""
    values, weights = (
        np.concatenate([getattr(test, name) for test in tests]) for name in ("values", "weights")
    )
    return values, weights
