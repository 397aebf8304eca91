"""Holdout splits: a random share of the known entries is held out for testing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.network import require_network
from latentlink.random import rng_for
from latentlink.splitting.split import Split, split_at
from latentlink.splitting.strata import allocated, value_classes
from latentlink.validation.numbers import checked_count, checked_share, is_number
from latentlink.validation.seeds import checked_rng
from latentlink.validation.wording import shown

__all__ = ["Seed", "holdout", "repeated_holdouts", "require_known"]

Seed = int | np.random.Generator | None
Positions = NDArray[np.integer[Any]]


def holdout(
    network: Network,
    share: float,
    rng: Seed = None,
    *,
    stratify: bool = True,
    calibration: float = 0.0,
    keep_nodes: bool = False,
) -> Split:
    """Split the known entries into training and test parts at random, and optionally a calibration part.

    A pair of an undirected network is one entry, so both of its directions are in the same part.

    Parameters
    ----------
    network : Network
        Every pair listed once. Hidden entries stay hidden and are in no part.
    share : float
        Share of the known entries in the test part, above 0 and below 1.
    rng : int, Generator or None
        Seed or generator of the random choice.
    stratify : bool
        Keep the proportions of the values in every part: of each value if there are at most 20 different
        ones, else of deciles. Counts are exact, by largest remainder.
    calibration : float
        Share of the known entries in the calibration part, which is held out as well; 0 makes none.
    keep_nodes : bool
        Leave at least one known entry of every row and column in the training part, if there was one. One
        entry of each, drawn at random, is then never held out, so that nodes of high degree are tested
        somewhat more often.

    Returns
    -------
    Split

    Examples
    --------
    >>> from latentlink.network import Network
    >>> network = Network.from_dense([[1, 0, 1, 0], [0, 1, 0, 1]])
    >>> split = holdout(network, 0.25, rng=0)
    >>> split
    Split: 6 to train, 2 to test
    >>> split.test
    Network: 2 x 4, 1 link, 1 non-link, rest unknown
    """
    counts = _checked_counts(network, share, calibration)
    generator = checked_rng(rng)
    known = generator.permutation(np.flatnonzero(network.known))
    excluded = _first_of_nodes(network, known) if keep_nodes else np.zeros(len(known), bool)
    classes = value_classes(network.values[known]) if stratify else np.zeros(len(known), np.int64)
    parts = _held_out(known, classes, excluded, counts)
    note = f"; {int(excluded.sum()):,} were excluded, so that every node keeps one" if keep_nodes else ""
    return split_at(network, "holdout", parts[0], parts[1] if calibration else None, note)


def repeated_holdouts(
    network: Network, share: float, repeats: int, rng: Seed = None, **options: Any
) -> Iterator[Split]:
    """Return independent holdout splits; the i-th does not depend on the number of repeats.

    Parameters
    ----------
    network, share, **options
        As for `holdout`.
    repeats : int
        Number of splits.
    rng : int, Generator or None
        Seed from which the seed of each split is derived.

    Returns
    -------
    iterator of Split

    Examples
    --------
    >>> from latentlink.network import Network
    >>> network = Network.from_dense([[1, 0, 1, 0], [0, 1, 0, 1]])
    >>> [split.test.n_listed for split in repeated_holdouts(network, 0.25, 3, rng=0)]
    [2, 2, 2]
    """
    repeats = checked_count(repeats, "repeats")
    _checked_counts(network, share, options.get("calibration", 0.0))
    generator = checked_rng(rng)
    seed = int(rng) if isinstance(rng, int | np.integer) else int(generator.integers(2**63))
    split = partial(holdout, network, share, **options)
    return (split(rng=rng_for(seed, repeat)) for repeat in range(repeats))


def require_known(network: Network, what: str) -> None:
    """Raise InputError or IncompatibleError for a network that cannot be split."""
    require_network(network, what)
    network.require_clean(what)
    if not network.n_known:
        raise InputError(
            f"{what} needs known entries, but all {network.n_listed:,} listed entries are hidden or none is "
            "listed. Give some of them a positive weight."
        )


def _checked_counts(network: Network, share: float, calibration: float) -> tuple[int, int]:
    """Return the numbers of known entries in the test and in the calibration part, or raise InputError."""
    require_known(network, "holdout")
    checked_share(share, "share")
    if not is_number(calibration, 0) or share + calibration >= 1:
        raise InputError(
            f"calibration is {shown(calibration)} and share is {share}; expected a calibration >= 0 and a "
            "sum below 1."
        )
    counts = round(share * network.n_known), round(calibration * network.n_known)
    empty = counts[0] == 0 or (calibration > 0 and counts[1] == 0) or sum(counts) >= network.n_known
    if empty:
        raise InputError(
            f"Of {network.n_known:,} known entries, share={share} and calibration={calibration} leave a part "
            f"empty: {counts[0]} to test, {counts[1]} to calibrate, {network.n_known - sum(counts)} to "
            "train. Change the shares."
        )
    return counts


def _first_of_nodes(network: Network, known: Positions) -> NDArray[np.bool_]:
    """Return which of the known entries, in this order, are the first of their row or column."""
    excluded = np.zeros(len(known), bool)
    first = np.full((2, max(network.shape)), -1)
    positions = np.arange(len(known))[::-1]
    for side, ends in enumerate((network.rows[known], network.cols[known])):
        # The last assignment to a node wins: in reverse order, that is its first entry.
        first[side, ends[::-1]] = positions
    if network.symmetric:
        first = np.where((first >= 0).all(axis=0), first.min(axis=0), first.max(axis=0))
    excluded[first[first >= 0]] = True
    return excluded


def _held_out(
    known: Positions, classes: Positions, excluded: NDArray[np.bool_], counts: tuple[int, int]
) -> list[Positions]:
    """Return the positions of the test and of the calibration part; ``known`` is in random order."""
    sizes = np.bincount(classes)
    room = np.bincount(classes[~excluded], minlength=len(sizes))
    if sum(counts) > room.sum():
        raise InputError(
            f"keep_nodes=True excludes {int(excluded.sum()):,} of {len(known):,} known entries, which leaves "
            f"{int(room.sum()):,} to hold out; expected at least {sum(counts):,}. Choose a smaller share."
        )
    free = np.flatnonzero(~excluded)
    by_class = free[np.argsort(classes[free], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(room)[:-1]])
    parts = []
    for count in counts:
        drawn = allocated(sizes, count, room)
        parts.append(known[by_class[_ranges(starts, drawn)]])
        starts, room = starts + drawn, room - drawn
    return parts


def _ranges(starts: Positions, lengths: Positions) -> Positions:
    """Return the concatenated ranges ``start, start + 1, ...`` of given lengths."""
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(lengths.sum())
