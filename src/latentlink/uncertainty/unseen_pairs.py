"""Checks that pairs were not used in fitting or calibration: a guarantee holds for unseen pairs alone."""

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
    """Raise InputError if pairs were used in fitting or in choosing the rank, or occur twice.

    A pair was used if it is listed with a positive weight or, where there is a background, not listed: then
    it was fitted as a zero. Hidden pairs (weight 0) were not used. In a symmetric network (i, j) and (j, i)
    are one pair. A pair of a node with itself raises too where rows and columns are the same nodes and no
    self loop is listed.

    Parameters
    ----------
    network : Network
        The training network; the rank was chosen on the same entries.
    rows, cols : arrays of int or str, shape (pairs,)
        The pairs, by index or by name.
    what : str
        What the pairs are for, named in the message.
    calibrated : (rows, cols), optional
        Pairs that were used in calibration; these raise as well.
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
    pairs, keys = (network, rows, cols, what), network.pair_keys(rows, cols)
    if network.square and not network.has_self_loops:
        _raise_if_any(
            rows == cols,
            pairs,
            ("joins a node with itself", "join a node with itself"),
            "expected two nodes, since this network lists no self loop. List one, hidden if it is unknown, "
            "where a node can be linked with itself.",
        )
    _raise_if_any(
        _fitted(network, keys),
        pairs,
        ("was used in fitting", "were used in fitting"),
        f"expected unseen pairs. {_remedy(network, what)}",
    )
    if calibrated is not None:
        _raise_if_any(
            positions_among(np.sort(network.pair_keys(*calibrated)), keys) >= 0,
            pairs,
            ("was used in calibration", "were used in calibration"),
            "expected unseen pairs. Leave them out, since they are known.",
        )
    if not repeats:
        _raise_if_any(
            _repeated(keys),
            pairs,
            ("occurs a second time", "occur a second time"),
            "expected every pair once, since a pair that counts twice makes a guarantee look stronger than "
            "it is.",
        )


def _fitted(network: Network, keys: NDArray[np.int64]) -> Marks:
    """Mark pairs that had a positive weight in the fit, in any of their entries if listed more than once."""
    listed = network.pair_keys(network.rows, network.cols)  # ascending
    fitted = positions_among(listed[network.known], keys) >= 0
    return fitted | (positions_among(listed, keys) < 0) if network.background else fitted


def _repeated(keys: NDArray[np.int64]) -> Marks:
    """Mark every occurrence of a key but the first."""
    repeated = np.ones(len(keys), bool)
    repeated[np.unique(keys, return_index=True)[1]] = False
    return repeated


def _raise_if_any(
    marked: Marks, pairs: tuple[Network, Any, Any, str], problem: tuple[str, str], expected: str
) -> None:
    """Raise InputError if any pair is marked; the problem is worded for one pair and for several."""
    if not marked.any():
        return
    network, rows, cols, what = pairs
    first, number = int(np.argmax(marked)), int(marked.sum())
    row, col = network.node_names(rows[first : first + 1], cols[first : first + 1])
    one, several = problem
    raise InputError(
        f"{number:,} of {counted(len(marked), f'{what} pair')} {one if number == 1 else several}, first "
        f"({row.item()!r}, {col.item()!r}); {expected}"
    )


def _remedy(network: Network, what: str) -> str:
    """Write how such pairs can be held out."""
    part = ", with calibration=0.1" if what == "calibration" else ""
    if network.background:
        return (
            "Unlisted pairs are fitted as zeros here: list the pairs first (sample_negatives of "
            "latentlink.network lists some non-links) and hide them before fitting (holdout of "
            f"latentlink.splitting does{part})."
        )
    hold = "Hold" if part else "Leave them out, or hold"
    return f"{hold} them out before fitting (holdout of latentlink.splitting{part})."
