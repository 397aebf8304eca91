"""Unlisted and unknown pairs turned into listed or known ones."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network.ensemble import Ensemble
from latentlink.network.network import Network
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes

__all__ = ["with_listed_background", "with_listed_diagonal", "with_zeros_for_unknown"]

Integers = NDArray[np.integer[Any]]


def with_listed_diagonal(ensemble: Ensemble) -> Ensemble:
    """List the diagonal of a symmetric network that has a background weight.

    Without self loops the diagonal is hidden and gets weight 0. With self loops, the unlisted rest of the
    diagonal consists of known zeros, each counted once with the background weight; as a part of the
    background, which is summed over both directions of a pair, it would count half.
    """
    network = ensemble.network
    if not network.symmetric or network.background == 0:
        return ensemble
    loops = network.rows[network.rows == network.cols]
    missing = np.setdiff1d(np.arange(network.shape[0]), loops)
    weight = network.background if len(loops) else 0.0
    return ensemble.with_listed(missing, missing, np.full(len(missing), weight), network.background)


def with_listed_background(ensemble: Ensemble, max_pairs: int, seed: int) -> Ensemble:
    """List all unlisted pairs with the background weight, or a uniform sample of ``max_pairs`` of them.

    The sample has the same total weight as all unlisted pairs, so that its loss is an unbiased estimate of
    theirs. It is the same for all members, so that a member fitted in a batch equals the member fitted
    alone.
    """
    network = ensemble.network
    if network.background == 0:
        return ensemble
    rows, cols, share = _unlisted(network, max_pairs, np.random.default_rng(seed))
    weights = np.full(len(rows), network.background / share)
    if network.symmetric and network.has_self_loops:
        # With self loops the diagonal is known, and small enough to be listed without sampling.
        loops = np.setdiff1d(np.arange(network.shape[0]), network.rows[network.rows == network.cols])
        rows, cols = np.concatenate([rows, loops]), np.concatenate([cols, loops])
        weights = np.concatenate([weights, np.full(len(loops), network.background)])
    return ensemble.with_listed(rows, cols, weights, background=0.0)


def with_zeros_for_unknown(ensemble: Ensemble) -> Ensemble:
    """Make all unknown entries known zeros of weight 1, whether hidden, left out of a member or unlisted.

    Known entries keep their values, and get weight 1 too.
    """
    known = ~np.isnan(ensemble.values) & (ensemble.weights.reshape(ensemble.network.n_listed, -1) > 0)
    network = ensemble.network.with_weights(np.ones(ensemble.network.n_listed)).with_background(1.0)
    return Ensemble(network, np.where(known, ensemble.values, 0.0), network.weights)


def _unlisted(network: Network, max_pairs: int, rng: np.random.Generator) -> tuple[Integers, Integers, float]:
    """Return unlisted pairs, off the diagonal of a symmetric network, and their share of all of them."""
    codes = PairCodes(network.shape, network.symmetric, square=network.symmetric)
    listed = codes.of_listed(network.rows, network.cols)
    free = codes.total - len(listed)
    if free <= max_pairs:
        return *codes.pairs(unlisted_codes(np.arange(free), listed)), 1.0
    drawn = unlisted_codes(distinct_numbers(free, max_pairs, rng), listed)
    return *codes.pairs(drawn), max_pairs / free
