"""Non-links that keep the number of links of every node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.lookup import positions_among
from latentlink.network.network import Network
from latentlink.network.pair_codes import PairCodes
from latentlink.validation.wording import counted

__all__ = ["matched_codes"]

Integers = NDArray[np.int64]

_ROUNDS = 60
_LAST_ROUNDS = 10
_LARGEST_LIST = 20_000_000


def matched_codes(
    network: Network, links: NDArray[Any], count: int, codes: PairCodes, rng: np.random.Generator
) -> tuple[Integers, int]:
    """Numbers of ``count`` unlisted pairs whose ends are those of links, and how many are so only nearly."""
    if not len(links):
        raise InputError("No link is known, so there are no numbers of links to match. Use how='uniform'.")
    ends = network.rows[links].astype(np.int64), network.cols[links].astype(np.int64)
    listed = codes.of_listed(network.rows, network.cols)
    # Every link lends its ends as often as needed; of the last, incomplete time, a random choice.
    times, rest = divmod(count, len(links))
    chosen = np.concatenate([np.tile(np.arange(len(links)), times), rng.permutation(len(links))[:rest]])
    drawn, missing = _rewired(ends[0][chosen], ends[1][chosen], listed, codes, rng)
    if missing:
        extra = _proportional(ends, missing, np.sort(np.concatenate([listed, drawn])), codes, rng)
        drawn = np.concatenate([drawn, extra])
    if len(drawn) < count:
        raise InputError(
            f"{counted(count, 'non-link')} are asked for, but only {counted(len(drawn), 'pair')} of nodes "
            "with links were found that are not listed. Ask for fewer, or use how='uniform'."
        )
    return drawn, missing


def _rewired(
    one: Integers, other: Integers, listed: Integers, codes: PairCodes, rng: np.random.Generator
) -> tuple[Integers, int]:
    """Join ends at random until all are joined to pairs that are free, or the rounds are over."""
    drawn = np.zeros(0, np.int64)
    for left in reversed(range(_ROUNDS)):
        # Hubs are left over among themselves: as many pairs are undone, for partners to be found there.
        undone = rng.permutation(len(drawn))[: len(one) if left > _LAST_ROUNDS else 0]
        again = codes.pairs(drawn[undone])
        drawn = np.delete(drawn, undone)
        one, other = np.concatenate([one, again[0]]), np.concatenate([other, again[1]])
        one, other = _shuffled(one, other, codes.symmetric, rng)
        found, fresh = _fresh(one, other, (listed, drawn), codes)
        drawn = np.insert(drawn, np.searchsorted(drawn, found), found)
        one, other = one[~fresh], other[~fresh]
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


def _fresh(
    one: Integers, other: Integers, taken: tuple[Integers, ...], codes: PairCodes
) -> tuple[Integers, NDArray[np.bool_]]:
    """Ascending numbers of the pairs that are free, each once, and where they stand."""
    if codes.symmetric:
        one, other = np.minimum(one, other), np.maximum(one, other)
    allowed = np.flatnonzero(one != other) if codes.square else np.arange(len(one))
    found, first = np.unique(codes.of(one[allowed], other[allowed]), return_index=True)
    free = np.ones(len(found), bool)
    for each in taken:
        free &= positions_among(each, found) < 0
    fresh = np.zeros(len(one), bool)
    fresh[allowed[first[free]]] = True
    return found[free], fresh


def _proportional(
    ends: tuple[Integers, Integers],
    count: int,
    taken: Integers,
    codes: PairCodes,
    rng: np.random.Generator,
) -> Integers:
    """Draw free pairs with odds of the product of their nodes' numbers of links; fewer if there are fewer."""
    sides = (np.concatenate(ends),) * 2 if codes.symmetric else ends
    (rows, row_links), (cols, col_links) = (np.unique(side, return_counts=True) for side in sides)
    if len(rows) * len(cols) > _LARGEST_LIST:
        return _by_rejection(sides, count, taken, codes, rng)
    one, other = np.repeat(rows, len(cols)), np.tile(cols, len(rows))
    odds = np.outer(row_links, col_links).ravel()
    allowed = one < other if codes.symmetric else one != other if codes.square else np.ones(len(one), bool)
    numbers, odds = codes.of(one[allowed], other[allowed]), odds[allowed]
    free = positions_among(taken, numbers) < 0
    numbers, odds = numbers[free], odds[free]
    if len(numbers) <= count:
        return numbers
    # A race in which each pair's time has its odds as rate: the first to arrive are a draw without return.
    times = rng.exponential(size=len(numbers)) / odds
    return numbers[np.argpartition(times, count - 1)[:count]]


def _by_rejection(
    sides: tuple[Integers, ...], count: int, taken: Integers, codes: PairCodes, rng: np.random.Generator
) -> Integers:
    drawn = np.zeros(0, np.int64)
    for _ in range(_ROUNDS):
        one, other = (rng.choice(side, 4 * count + 100) for side in sides)
        found, _ = _fresh(one, other, (taken, drawn), codes)
        drawn = np.sort(np.concatenate([drawn, rng.permutation(found)[: count - len(drawn)]]))
        if len(drawn) == count:
            break
    return drawn
