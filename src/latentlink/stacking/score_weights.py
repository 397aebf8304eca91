"""Non-negative weights of several scores, learned from held-out pairs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from latentlink.network import Network
from latentlink.solvers.needs import n_unlisted
from latentlink.uncertainty.probabilities.logistic_regression import logistic_weights

__all__ = ["fit_score_weights", "share_of_links", "values_and_weights"]

Array = NDArray[np.float64]

_PENALTY = 1e-6  # bounds the weights of scores that are collinear


def fit_score_weights(tables: Sequence[Array], tests: Sequence[Network]) -> Array:
    """Return the weights of scores, the constant last, by logistic regression on held-out pairs.

    A score whose weight would be negative is left out: its weight is 0.

    Parameters
    ----------
    tables : sequence of arrays, shape (pairs, scores)
        Scores of the held-out pairs of each part.
    tests : sequence of Network
        The known values of these pairs: links and non-links.
    """
    table = np.vstack(tables)
    values, counts = values_and_weights(tests)
    used = list(range(table.shape[1]))
    weights = np.append(np.zeros(len(used)), logit(np.average(values, weights=counts)))
    while used:
        coefficients = logistic_weights(table[:, used], values, counts, _PENALTY)
        lowest = int(np.argmin(coefficients[:-1] * table[:, used].std(axis=0)))
        if coefficients[lowest] >= 0:
            weights[used], weights[-1] = coefficients[:-1], coefficients[-1]
            break
        used.pop(lowest)
    return weights


def values_and_weights(tests: Sequence[Network]) -> tuple[Array, Array]:
    """Return values and weights of the entries of all parts, one after the other."""
    return np.concatenate([test.values for test in tests]), np.concatenate([test.weights for test in tests])


def share_of_links(network: Network) -> float:
    """Return the weight of the known links as a share of that of all known pairs, the background included.

    Examples
    --------
    >>> network = Network.from_edges([("a", "b", 1), ("c", "d", 0)])
    >>> share_of_links(network), share_of_links(network.with_background(1.0))
    (0.5, 0.25)
    """
    unlisted = n_unlisted(network)
    links = network.weights[network.values != 0].sum()
    return float(links / (network.weights.sum() + network.background * unlisted))
