"""Calibration pairs must be strangers to the fit: a promise made on pairs it has seen is worth nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.arguments import checked_network
from latentlink.network.describe import counted
from latentlink.network.pairs import PairCodes

__all__ = ["require_apart"]

Indices = NDArray[np.integer[Any]]
Marks = NDArray[np.bool_]


def require_apart(
    network: Network,
    rows: Any,
    cols: Any,
    what: str = "calibration",
    *,
    calibrated: tuple[Any, Any] | None = None,
    again: bool = False,
) -> None:
    """Refuse pairs that took part in a fit to this network, or in the choice of its rank, or come twice.

    A pair took part if it is listed with a positive weight or, where there is a background, not listed: then
    it was fitted as a zero. Hidden pairs (weight 0) did not. An unordered pair is the same either way. A node
    with itself is refused too where rows and columns are the same nodes and no self loop is listed.

    Parameters
    ----------
    network : Network
        What was fitted; its rank was chosen on the same entries.
    rows, cols : arrays of int or str, shape (pairs,)
        The pairs, by index or by name.
    what : str
        What they are for, to be named in the message.
    calibrated : (rows, cols), optional
        Pairs that were calibrated on; they are refused as well.
    again : bool
        Whether a pair may come twice.

    Examples
    --------
    >>> network = Network.from_edges([("ann", "tea", 1), ("bob", "milk", 0)])
    >>> require_apart(network, ["ann"], ["milk"])
    >>> require_apart(network, ["ann", "bob"], ["milk", "milk"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    latentlink.errors.InputError: 1 of 2 calibration pairs took part in the fit, first ('bob', 'milk'); ...
    """
    checked_network(network, "require_apart")
    first, second = network.row_indices(rows), network.col_indices(cols)
    if len(first) != len(second):
        raise InputError(
            f"There are {len(first):,} rows and {len(second):,} columns of {what} pairs; expected as many."
        )
    asked = _codes(network, first, second)
    # In ascending order a million pairs are found in a list ten times as fast as in any other.
    order = np.argsort(asked, kind="stable")
    asked, pairs = asked[order], _Pairs(network, first, second, what, order)
    if network.square and not network.has_self_loops:
        pairs.refuse(
            (first == second)[order],
            "has one node twice",
            "expected two nodes, since this network lists no self loop. List one, hidden if it is unknown, "
            "where a node can be linked with itself.",
        )
    pairs.refuse(
        _seen(network, asked),
        "took part in the fit",
        f"expected pairs that it has not seen. {_way_out(network, what)}",
    )
    if calibrated is not None:
        pairs.refuse(
            _among(asked, np.sort(_codes(network, *calibrated))),
            "took part in the calibration",
            "expected pairs that it has not seen. Leave them out, since they are known.",
        )
    if not again:
        pairs.refuse(
            np.append(False, asked[1:] == asked[:-1])[: len(asked)],
            "came before",
            "expected every pair once, since one that counts twice promises more than is known.",
        )


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Pairs as they were given, and the order in which they are looked through."""

    network: Network
    rows: Indices
    cols: Indices
    what: str
    order: Indices

    def refuse(self, which: Marks, why: str, expected: str) -> None:
        """Refuse if there are any in that order, and name the first as given."""
        if which.any():
            raise InputError(
                f"{int(which.sum()):,} of {counted(len(which), f'{self.what} pair')} {why}, first "
                f"{self._named(int(self.order[which].min()))}; {expected}"
            )

    def _named(self, place: int) -> str:
        row, col = int(self.rows[place]), int(self.cols[place])
        names = self.network.row_names, self.network.col_names
        one, other = (
            each if found is None else str(found[each]) for found, each in zip(names, (row, col), strict=True)
        )
        return f"({one!r}, {other!r})"


def _codes(network: Network, rows: Indices, cols: Indices) -> NDArray[np.int64]:
    """Return a number for each pair, those of the diagonal too, and one for both directions if unordered."""
    if network.symmetric:
        rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
    return PairCodes(network.shape, symmetric=False, square=False).of(rows, cols)


def _seen(network: Network, asked: NDArray[np.int64]) -> Marks:
    listed = _codes(network, network.rows, network.cols)  # ascending, as a network keeps its entries
    seen = _among(asked, listed[network.known])
    return seen | ~_among(asked, listed) if network.background else seen


def _among(asked: NDArray[np.int64], ascending: NDArray[np.int64]) -> Marks:
    """Return which numbers are in an ascending list."""
    place = np.searchsorted(ascending, asked)
    found = place < len(ascending)
    found[found] = ascending[place[found]] == asked[found]
    return found


def _way_out(network: Network, what: str) -> str:
    part = ", with calibration=0.1" if what == "calibration" else ""
    if network.background:
        return (
            "Unlisted pairs are fitted as zeros here: list the pairs first (sample_negatives of "
            "latentlink.network lists some non-links) and hide them before fitting (holdout of "
            f"latentlink.splitting does{part})."
        )
    leave = "Hold" if part else "Leave them out, or hold"
    return f"{leave} them out before fitting (holdout of latentlink.splitting{part})."
