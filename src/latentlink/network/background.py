"""Unlisted pairs, listed: where they do not count as the background says, or cannot be summed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network.ensemble import Ensemble
from latentlink.network.network import Network
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes

__all__ = ["with_listed_background", "with_meant_diagonal"]

Integers = NDArray[np.integer[Any]]


def with_meant_diagonal(ensemble: Ensemble) -> Ensemble:
    """List the diagonal of a symmetric network with a background, so that it counts as it should.

    Without self loops the diagonal is hidden: weight 0. With some, the others are known zeros, each a pair
    counted once, while the background of both directions would count it half.
    """
    network = ensemble.network
    if not network.symmetric or network.background == 0:
        return ensemble
    loops = network.rows[network.rows == network.cols]
    missing = np.setdiff1d(np.arange(network.shape[0]), loops)
    weight = network.background if len(loops) else 0.0
    return ensemble.with_listed(missing, missing, np.full(len(missing), weight), network.background)


def with_listed_background(ensemble: Ensemble, most: int, seed: int) -> Ensemble:
    """List all unlisted pairs with the background's weight, or a sample of ``most`` that stands for them.

    The sample is drawn uniformly and weighs as much in all as the pairs that it stands for, so its loss has
    the right mean. It is the same for all members: a batch must equal its members alone.
    """
    network = ensemble.network
    if network.background == 0:
        return ensemble
    rows, cols, share = _unlisted(network, most, np.random.default_rng(seed))
    weights = np.full(len(rows), network.background / share)
    if network.symmetric and network.has_self_loops:
        # Self loops are pairs like others then, and few enough to be listed all.
        loops = np.setdiff1d(np.arange(network.shape[0]), network.rows[network.rows == network.cols])
        rows, cols = np.concatenate([rows, loops]), np.concatenate([cols, loops])
        weights = np.concatenate([weights, np.full(len(loops), network.background)])
    return ensemble.with_listed(rows, cols, weights, background=0.0)


def _unlisted(network: Network, most: int, rng: np.random.Generator) -> tuple[Integers, Integers, float]:
    """Return unlisted pairs, off the diagonal of a symmetric network, and what share of all they are."""
    codes = PairCodes(network.shape, network.symmetric, square=network.symmetric)
    listed = codes.of_listed(network.rows, network.cols)
    free = codes.total - len(listed)
    if free <= most:
        return *codes.pairs(unlisted_codes(np.arange(free), listed)), 1.0
    drawn = unlisted_codes(distinct_numbers(free, most, rng), listed)
    return *codes.pairs(drawn), most / free
