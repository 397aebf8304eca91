"""Sampling of non-links in proportion to the links of every node (configuration model)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.lookup import positions_among
from latentlink.network.network import Network
from latentlink.network.pair_codes import PairCodes
from latentlink.validation.wording import counted

__all__ = ["MAX_LISTED_PAIRS", "matched_codes"]

Integers = NDArray[np.int64]

_ROUNDS = 60
_LAST_ROUNDS = 10
MAX_LISTED_PAIRS = 20_000_000  # above it, pairs are drawn by rejection instead of from a list of all


def matched_codes(
    network: Network, links: NDArray[Any], count: int, codes: PairCodes, rng: np.random.Generator
) -> tuple[Integers, int]:
    """Draw unlisted pairs whose nodes have the degrees that they have among the links.

    Parameters
    ----------
    network : Network
    links : array of int
        Positions of the links among the listed entries.
    count : int
        Number of pairs.
    codes : PairCodes
        Numbering of the network's pairs.
    rng : Generator

    Returns
    -------
    drawn : array of int, shape (count,)
        Numbers of the pairs.
    unmatched : int
        Number of pairs that were drawn in proportion to the degrees, because no exact match was left.
    """
    if not len(links):
        raise InputError(
            "No link is known, so there are no degrees to match; expected at least one link. Use "
            "how='uniform'."
        )
    ends = network.rows[links].astype(np.int64), network.cols[links].astype(np.int64)
    listed = codes.of_listed(network.rows, network.cols)
    # Every link is used equally often; a remainder is used once more, chosen at random.
    times, rest = divmod(count, len(links))
    used = np.concatenate([np.tile(np.arange(len(links)), times), rng.permutation(len(links))[:rest]])
    drawn, unmatched = _rewired(ends[0][used], ends[1][used], listed, codes, rng)
    if unmatched:
        extra = _proportional(ends, unmatched, np.sort(np.concatenate([listed, drawn])), codes, rng)
        drawn = np.concatenate([drawn, extra])
    if len(drawn) < count:
        raise InputError(
            f"The requested number of non-links is {count:,}; found only "
            f"{counted(len(drawn), 'unlisted pair')} of nodes with links. Set a smaller count or ratio, or "
            "use how='uniform'."
        )
    return drawn, unmatched


def _rewired(
    one: Integers, other: Integers, listed: Integers, codes: PairCodes, rng: np.random.Generator
) -> tuple[Integers, int]:
    """Join ends at random until all form free pairs; return the pairs and the number still missing."""
    drawn = np.zeros(0, np.int64)
    for left in reversed(range(_ROUNDS)):
        # The ends left over are mostly of hubs, which are linked with each other already. Splitting as many
        # drawn pairs gives them partners.
        split = rng.permutation(len(drawn))[: len(one) if left > _LAST_ROUNDS else 0]
        split_ends = codes.pairs(drawn[split])
        drawn = np.delete(drawn, split)
        one, other = np.concatenate([one, split_ends[0]]), np.concatenate([other, split_ends[1]])
        one, other = _shuffled(one, other, codes.symmetric, rng)
        numbers, is_free = _free_pairs(one, other, (listed, drawn), codes)
        drawn = np.insert(drawn, np.searchsorted(drawn, numbers), numbers)
        one, other = one[~is_free], other[~is_free]
        if not len(one):
            break
    return drawn, len(one)


def _shuffled(
    one: Integers, other: Integers, symmetric: bool, rng: np.random.Generator
) -> tuple[Integers, Integers]:
    if not symmetric:
        return one, rng.permutation(other)
    mixed = rng.permutation(np.concatenate([one, other]))
    return mixed[: len(one)], mixed[len(one) :]


def _free_pairs(
    one: Integers, other: Integers, taken: tuple[Integers, ...], codes: PairCodes
) -> tuple[Integers, NDArray[np.bool_]]:
    """Return the ascending numbers of the distinct pairs that are not taken, and a mask of where they are."""
    if codes.symmetric:
        one, other = np.minimum(one, other), np.maximum(one, other)
    allowed = np.flatnonzero(one != other) if codes.square else np.arange(len(one))
    numbers, first = np.unique(codes.of(one[allowed], other[allowed]), return_index=True)
    free = np.ones(len(numbers), bool)
    for ascending in taken:
        free &= positions_among(ascending, numbers) < 0
    is_free = np.zeros(len(one), bool)
    is_free[allowed[first[free]]] = True
    return numbers[free], is_free


def _proportional(
    ends: tuple[Integers, Integers],
    count: int,
    taken: Integers,
    codes: PairCodes,
    rng: np.random.Generator,
) -> Integers:
    """Draw free pairs with probability proportional to the product of their degrees, ``count`` at most."""
    sides = (np.concatenate(ends),) * 2 if codes.symmetric else ends
    (rows, row_degrees), (cols, col_degrees) = (np.unique(side, return_counts=True) for side in sides)
    if len(rows) * len(cols) > MAX_LISTED_PAIRS:
        return _by_rejection(sides, count, taken, codes, rng)
    one, other = np.repeat(rows, len(cols)), np.tile(cols, len(rows))
    rates = np.outer(row_degrees, col_degrees).ravel()
    allowed = one < other if codes.symmetric else one != other if codes.square else np.ones(len(one), bool)
    numbers, rates = codes.of(one[allowed], other[allowed]), rates[allowed]
    free = positions_among(taken, numbers) < 0
    numbers, rates = numbers[free], rates[free]
    if len(numbers) <= count:
        return numbers
    # The smallest of exponential times with these rates are a weighted draw without replacement.
    times = rng.exponential(size=len(numbers)) / rates
    return numbers[np.argpartition(times, count - 1)[:count]]


def _by_rejection(
    sides: tuple[Integers, ...], count: int, taken: Integers, codes: PairCodes, rng: np.random.Generator
) -> Integers:
    drawn = np.zeros(0, np.int64)
    for _ in range(_ROUNDS):
        one, other = (rng.choice(side, 4 * count + 100) for side in sides)
        numbers, _ = _free_pairs(one, other, (taken, drawn), codes)
        drawn = np.sort(np.concatenate([drawn, rng.permutation(numbers)[: count - len(drawn)]]))
        if len(drawn) == count:
            break
    return drawn
