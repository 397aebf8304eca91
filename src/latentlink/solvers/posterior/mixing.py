"""Convergence of chains: split R-hat and the effective number of draws."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["effective_sizes", "split_r_hats"]

Array = NDArray[Any]


def split_r_hats(traces: Array) -> Array:
    """Return split R-hat of each quantity: 1 where all halves of all chains have the same distribution.

        R-hat = sqrt( ((n - 1) / n W + B) / W ),

    with the mean W of the variances within the halves, of n draws each, and the variance B of their means
    (Gelman and others, Bayesian Data Analysis, section 11.4).

    Parameters
    ----------
    traces : array, shape (chains, draws, quantities)

    Returns
    -------
    array, shape (quantities,)
        NaN with fewer than four draws of a chain, 1 for a quantity that never changes.

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal(size=(4, 500, 1))
    >>> bool(split_r_hats(draws)[0] < 1.02), bool(split_r_hats(draws + [[[0]], [[0]], [[0]], [[3]]])[0] > 1.5)
    (True, True)
    """
    halves = _halves(traces)
    n = halves.shape[1]
    if n < 2:
        return np.full(traces.shape[2], np.nan)
    within, between = _variances(halves)
    return np.sqrt(_ratio((n - 1) / n * within + between, within))


def effective_sizes(traces: Array) -> Array:
    """Return how many independent draws tell as much of the mean of each quantity as all draws do.

        S = halves n / (1 + 2 sum_t rho_t),

    with autocorrelations rho_t over all halves of chains, summed in pairs as long as these are positive and
    decreasing (Geyer 1992; Vehtari and others 2021, section 3.2).

    Parameters
    ----------
    traces : array, shape (chains, draws, quantities)

    Returns
    -------
    array, shape (quantities,)
        NaN with fewer than four draws of a chain.

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal(size=(4, 500, 1))
    >>> bool(1600 < effective_sizes(draws)[0] <= 2000)
    True
    """
    halves = _halves(traces)
    chains, n, quantities = halves.shape
    if n < 2:
        return np.full(quantities, np.nan)
    within, between = _variances(halves)
    total = (n - 1) / n * within + between
    centred = halves - halves.mean(axis=1, keepdims=True)
    rho = np.empty((n, quantities))
    for lag in range(n):
        products = centred[:, : n - lag] * centred[:, lag:]
        rho[lag] = 1 - _ratio(within - products.sum(axis=1).mean(axis=0) / (n - 1), total)
    pairs = rho[0 : n - n % 2 : 2] + rho[1::2]
    # A pair that is not positive ends the sum, and none is larger than the one before it.
    pairs = np.where(np.logical_and.accumulate(pairs > 0, axis=0), pairs, 0)
    pairs = np.minimum.accumulate(pairs, axis=0)
    time = np.maximum(2 * pairs.sum(axis=0) - 1, 1 / np.log10(max(10, chains * n)))
    return np.minimum(chains * n / time, float(chains * n))


def _halves(traces: Array) -> Array:
    """Return the first and the last half of each chain as chains of their own."""
    n = traces.shape[1] // 2
    return np.concatenate([traces[:, :n], traces[:, traces.shape[1] - n :]]).astype(np.float64)


def _variances(halves: Array) -> tuple[Array, Array]:
    """Return the mean variance within chains and the variance of their means."""
    return halves.var(axis=1, ddof=1).mean(axis=0), halves.mean(axis=1).var(axis=0, ddof=1)


def _ratio(above: Array, below: Array) -> Array:
    """Return a ratio, 1 where both are 0."""
    return np.divide(above, below, out=np.where(above > 0, np.inf, 1.0), where=below > 0)
