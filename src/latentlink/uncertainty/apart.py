"""Calibration pairs must be strangers to the fit: a promise made on pairs it has seen is worth nothing."""

from __future__ import annotations

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


def require_apart(network: Network, rows: Any, cols: Any, what: str = "calibration") -> None:
    """Refuse pairs that took part in a fit to this network, or in the choice of its rank, or come twice.

    A pair took part if it is listed with a positive weight or, where there is a background, not listed: then
    it was fitted as a zero. Hidden pairs (weight 0) did not. An unordered pair is the same either way.

    Parameters
    ----------
    network : Network
        What was fitted; its rank was chosen on the same entries.
    rows, cols : arrays of int or str, shape (pairs,)
        The pairs, by index or by name.
    what : str
        What they are for, to be named in the message.

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
    seen = _seen(network, asked)
    if network.background and network.symmetric and not network.has_self_loops:
        seen &= first != second  # that diagonal is hidden
    if seen.any():
        raise InputError(
            f"{int(seen.sum()):,} of {counted(len(asked), f'{what} pair')} took part in the fit, first "
            f"{_named(network, first, second, int(np.argmax(seen)))}; expected pairs that it has not seen. "
            f"{_way_out(network)}"
        )
    distinct, places = np.unique(asked, return_index=True)
    if len(distinct) < len(asked):
        again = np.ones(len(asked), bool)
        again[places] = False
        raise InputError(
            f"{int(again.sum()):,} of {counted(len(asked), f'{what} pair')} came before, first "
            f"{_named(network, first, second, int(np.argmax(again)))}; expected every pair once, since one "
            "that counts twice promises more than is known."
        )


def _codes(network: Network, rows: Indices, cols: Indices) -> NDArray[np.int64]:
    """Return a number for each pair, those of the diagonal too, and one for both directions if unordered."""
    if network.symmetric:
        rows, cols = np.minimum(rows, cols), np.maximum(rows, cols)
    return PairCodes(network.shape, symmetric=False, square=False).of(rows, cols)


def _seen(network: Network, asked: NDArray[np.int64]) -> NDArray[np.bool_]:
    listed = _codes(network, network.rows, network.cols)
    seen = np.isin(asked, listed[network.known])
    return seen | ~np.isin(asked, listed) if network.background else seen


def _named(network: Network, rows: Indices, cols: Indices, place: int) -> str:
    row, col = int(rows[place]), int(cols[place])
    one = row if network.row_names is None else str(network.row_names[row])
    other = col if network.col_names is None else str(network.col_names[col])
    return f"({one!r}, {other!r})"


def _way_out(network: Network) -> str:
    if network.background:
        return (
            "Unlisted pairs are fitted as zeros here: hide the pairs before fitting (holdout of "
            "latentlink.splitting does, with calibration=0.1)."
        )
    return "Hold them out before fitting (holdout of latentlink.splitting, with calibration=0.1)."
