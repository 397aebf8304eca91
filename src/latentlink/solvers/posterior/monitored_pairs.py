"""The pairs whose scores tell whether chains have mixed: unknown ones, which will be predicted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network

__all__ = ["monitored_pairs"]

Integers = NDArray[np.integer[Any]]
Pairs = tuple[Integers, Integers]

_CANDIDATES = 16  # for each pair that is wanted
_MOST_CELLS = 1 << 20  # of a matrix whose unknown entries are listed


def monitored_pairs(network: Network, most: int) -> Pairs:
    """Return ``most`` pairs of a row and a column of known entries, unknown pairs if there are any.

    Rows and columns are drawn in proportion to their known entries. Where that finds too few unknown pairs
    they are drawn from all of them, and repeated if they are fewer than ``most``.
    """
    rng = np.random.default_rng(0)  # the same pairs for all chains
    entries = network.rows[network.known], network.cols[network.known]
    drawn = tuple(side[rng.integers(len(side), size=most * _CANDIDATES)] for side in entries)
    rows, cols = drawn
    i, j = (network.rows[~network.known], network.cols[~network.known]) if network.background else drawn
    found = _unknown(network, entries, (i, j))
    if len(found[0]) < most and not network.background and _cells(network) <= _MOST_CELLS:
        found = _unknown(network, entries, _all_pairs(network, entries))
    if not len(found[0]):
        return rows[:most], cols[:most]
    if len(found[0]) > most:
        kept = rng.choice(len(found[0]), most, replace=False)
        return found[0][kept], found[1][kept]
    return np.resize(found[0], most), np.resize(found[1], most)


def _cells(network: Network) -> int:
    return network.shape[0] * network.shape[1]


def _all_pairs(network: Network, entries: Pairs) -> Pairs:
    """Return all pairs of a row and a column of known entries, an undirected pair once."""
    rows, cols = (np.unique(side) for side in entries)
    if network.symmetric:
        rows = cols = np.union1d(rows, cols)
    i, j = np.repeat(rows, len(cols)), np.tile(cols, len(rows))
    kept = i <= j if network.symmetric else slice(None)
    return i[kept], j[kept]


def _unknown(network: Network, entries: Pairs, pairs: Pairs) -> Pairs:
    """Return those of some pairs that are not known; no node with itself unless such pairs are listed."""
    known = np.isin(_codes(network, pairs), _codes(network, entries))
    if network.symmetric and not network.has_self_loops:
        known |= pairs[0] == pairs[1]
    return pairs[0][~known], pairs[1][~known]


def _codes(network: Network, pairs: Pairs) -> NDArray[np.int64]:
    """Return a number for each pair, the same for both directions of an undirected one."""
    i, j = (side.astype(np.int64) for side in pairs)
    if network.symmetric:
        i, j = np.minimum(i, j), np.maximum(i, j)
    return i * network.shape[1] + j
