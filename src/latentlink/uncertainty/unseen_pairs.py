"""Check that pairs were not used in fitting or calibration: a guarantee holds for unseen pairs alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.lookup import positions_among
from latentlink.network.network import require_network
from latentlink.validation.wording import counted

__all__ = ["require_unseen"]

Marks = NDArray[np.bool_]


def require_unseen(
    network: Network,
    rows: Any,
    cols: Any,
    what: str = "calibration",
    *,
    calibrated: tuple[Any, Any] | None = None,
    repeats: bool = False,
) -> None:
    """Raise if pairs were used to fit this network or to choose its rank, or occur twice.

    A pair was used if it is listed with a positive weight or, where there is a background, not listed: then
    it was fitted as a zero. Hidden pairs (weight 0) were not. An unordered pair is the same either way. A
    node with itself is refused too where rows and columns are the same nodes and no self loop is listed.

    Parameters
    ----------
    network : Network
        The fitted network; its rank was chosen on the same entries.
    rows, cols : arrays of int or str, shape (pairs,)
        The pairs, by index or by name.
    what : str
        What the pairs are for, named in the message.
    calibrated : (rows, cols), optional
        Pairs that were used in calibration; they are refused as well.
    repeats : bool
        Whether a pair may occur twice.

    Examples
    --------
    >>> network = Network.from_edges([("ann", "tea", 1), ("bob", "milk", 0)])
    >>> require_unseen(network, ["ann"], ["milk"])
    >>> require_unseen(network, ["ann", "bob"], ["milk", "milk"])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    latentlink.errors.InputError: 1 of 2 calibration pairs was used in fitting, first ('bob', 'milk'); ...
    """
    require_network(network, "require_unseen")
    rows, cols = network.row_indices(rows), network.col_indices(cols)
    if len(rows) != len(cols):
        raise InputError(
            f"There are {len(rows):,} rows and {len(cols):,} columns of {what} pairs; expected as many."
        )
    pairs = (network, rows, cols, what)
    if network.square and not network.has_self_loops:
        _raise_if_any(
            rows == cols,
            pairs,
            "joins a node with itself",
            "expected two nodes, since this network lists no self loop. List one, hidden if it is unknown, "
            "where a node can be linked with itself.",
        )
    _raise_if_any(
        _fitted(network, rows, cols),
        pairs,
        "was used in fitting",
        f"expected unseen pairs. {_remedy(network, what)}",
    )
    if calibrated is not None:
        _raise_if_any(
            _among(network.pair_keys(rows, cols), network.pair_keys(*calibrated)),
            pairs,
            "was used in calibration",
            "expected unseen pairs. Leave them out, since they are known.",
        )
    if not repeats:
        _raise_if_any(
            _repeated(network.pair_keys(rows, cols)),
            pairs,
            "occurs a second time",
            "expected every pair once, since a pair that counts twice makes a guarantee look stronger.",
        )


def _fitted(network: Network, rows: Any, cols: Any) -> Marks:
    """Mark pairs that had a positive weight in the fit."""
    positions = network.positions(rows, cols)
    fitted: Marks = (positions >= 0) & np.append(network.known, False)[positions]
    return fitted | (positions < 0) if network.background else fitted


def _among(keys: NDArray[np.int64], others: NDArray[np.int64]) -> Marks:
    return positions_among(np.sort(others), keys) >= 0


def _repeated(keys: NDArray[np.int64]) -> Marks:
    """Mark every occurrence of a key but the first."""
    repeated = np.ones(len(keys), bool)
    repeated[np.unique(keys, return_index=True)[1]] = False
    return repeated


def _raise_if_any(which: Marks, pairs: tuple[Network, Any, Any, str], why: str, expected: str) -> None:
    """Raise if any pair is marked, with the number of them and the first."""
    if not which.any():
        return
    network, rows, cols, what = pairs
    first, number = int(np.argmax(which)), int(which.sum())
    row, col = network.node_names(rows[first : first + 1], cols[first : first + 1])
    if number > 1:
        why = why.replace("was ", "were ").replace("joins", "join").replace("occurs", "occur")
    raise InputError(
        f"{number:,} of {counted(len(which), f'{what} pair')} {why}, first "
        f"({row.item()!r}, {col.item()!r}); {expected}"
    )


def _remedy(network: Network, what: str) -> str:
    part = ", with calibration=0.1" if what == "calibration" else ""
    if network.background:
        return (
            "Unlisted pairs are fitted as zeros here: list the pairs first (sample_negatives of "
            "latentlink.network lists some non-links) and hide them before fitting (holdout of "
            f"latentlink.splitting does{part})."
        )
    leave = "Hold" if part else "Leave them out, or hold"
    return f"{leave} them out before fitting (holdout of latentlink.splitting{part})."
