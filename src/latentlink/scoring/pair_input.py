"""Pairs given as arrays, tuples, tables or frames, by index or by name, turned into indices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network import Network
from latentlink.network.names import warn_if_ids
from latentlink.network.readers.tables.frames import frame_columns, frame_of
from latentlink.tables import Table
from latentlink.uncertainty import Prediction
from latentlink.validation.columns import raise_if_masked
from latentlink.validation.wording import counted, few, shown_repr

__all__ = [
    "excluded_keys",
    "given_nodes",
    "known_pairs",
    "one_pair",
    "one_row",
    "pair_columns",
    "pair_indices",
]

Indices = NDArray[np.integer[Any]]
Values = NDArray[np.float64]

_EXPECTED = (
    "expected pairs: an array of shape (pairs, 2), a list of (row, column), a table such as that of "
    "top_links, a frame with the columns row and column, or a Network, whose known entries are meant"
)
_SIDES = ("row", "column")


def pair_indices(network: Network, pairs: Any) -> tuple[Indices, Indices]:
    """Return row and column indices of pairs; integers are indices, strings are names.

    Examples
    --------
    >>> network = Network.from_edges([("ann", "tea", 1), ("bob", "milk", 0)])
    >>> rows, cols = pair_indices(network, [("ann", "milk"), (1, 1)])
    >>> rows.tolist(), cols.tolist()
    ([0, 1], [0, 1])
    """
    return network.pair_indices(*given_nodes(network, pairs))


def given_nodes(network: Network, pairs: Any) -> tuple[Any, Any]:
    """Return rows and columns of pairs as they are given; warn if indices may be meant as names.

    Parameters
    ----------
    network : Network
        The fitted network, whose rows and columns the pairs refer to.
    pairs : as for `pair_columns`, or a Network
        For a Network its known entries, matched by name if both have names.
    """
    if isinstance(pairs, Network):
        _raise_if_unnamed(network, pairs, "The given network")
        return _entries(network, pairs)
    given = pair_columns(pairs)
    sides = zip(given, (network.row_names, network.col_names), _SIDES, strict=True)
    any(warn_if_ids(nodes, names, side) for nodes, names, side in sides)  # one warning is enough
    return given


def known_pairs(network: Network, known: Any, values: Any = None) -> tuple[Indices, Indices, Values]:
    """Return rows, columns and values of pairs whose values are known beside the network.

    Parameters
    ----------
    network : Network
        The fitted network, whose rows and columns the pairs refer to.
    known : Network, or pairs
        For a Network its known entries, matched by name if both have names.
    values : array, shape (pairs,), or None
        Known values of pairs; a Network has them itself.

    Examples
    --------
    >>> network = Network.from_edges([("ann", "tea", 1), ("bob", "milk", 0)])
    >>> rows, cols, values = known_pairs(network, [("ann", "milk")], [1.0])
    >>> rows.tolist(), cols.tolist(), values.tolist()
    ([0], [0], [1.0])
    """
    if not isinstance(known, Network):
        rows, cols = pair_indices(network, known)
        return rows, cols, _values(values, len(rows))
    if values is not None:
        raise InputError("A Network has the values itself; expected values=None beside it.")
    return *pair_indices(network, known), known.values[known.known]


def excluded_keys(network: Network, exclude: Any, *more: tuple[Indices, Indices]) -> NDArray[np.int64]:
    """Return ascending keys ``row * columns + column`` of pairs to leave out, of undirected ones both keys.

    Pairs with a node that the network does not have are no candidates anyway, and are ignored, with a
    warning: they may be misspelt.

    Parameters
    ----------
    network : Network
        The fitted network, whose rows and columns the pairs refer to.
    exclude : Network, pairs or None
        For a Network its known entries, matched by name if both have names.
    *more : (rows, cols)
        Further pairs, by index.

    Examples
    --------
    >>> network = Network.from_edges([("ann", "tea", 1), ("bob", "milk", 0)])
    >>> excluded_keys(network, [("bob", "tea"), ("ann", "milk")])
    array([0, 3])
    """
    parts = list(more)
    if exclude is not None:
        parts.append(_excluded_indices(network, exclude))
    if network.symmetric:
        parts += [(cols, rows) for rows, cols in parts]
    width = network.shape[1]
    keys = [np.asarray(rows, np.int64) * width + cols for rows, cols in parts]
    return np.unique(np.concatenate([np.zeros(0, np.int64), *keys]))


def _excluded_indices(network: Network, exclude: Any) -> tuple[Indices, Indices]:
    """Return the indices of the excluded pairs whose nodes are both known; warn of all others."""
    try:
        given = _entries(network, exclude) if isinstance(exclude, Network) else given_nodes(network, exclude)
        sentence = _raise_if_unnamed(network, exclude, "The excluded network")
        if sentence:
            warn_user(sentence)
        rows, cols = network.pair_indices(*given, missing=True)
        known = (rows >= 0) & (cols >= 0)
        if len(known) and not known.any():
            if min(*(each.min() for each in network.pair_indices(*given[::-1], missing=True))) >= 0:
                network.pair_indices(*given)  # raises, since rows and columns are swapped
            warn_user(
                f"exclude has {counted(len(known), 'pair')}, but none of two nodes that the model has, so "
                f"that nothing is left out (first: {_shown_pair(given, 0)}). If that is not "
                "intended, compare the names, or the indices, with those of the model."
            )
        elif not known.all():
            _warn_of_unknown_nodes(network, given, known)
    except InputError as error:
        raise InputError(f"exclude cannot be used. {error}") from None
    return rows[known], cols[known]


def _warn_of_unknown_nodes(network: Network, given: tuple[Any, Any], known: NDArray[np.bool_]) -> None:
    """Warn of excluded pairs with a node that the model does not have, as misspelt ones have."""
    try:
        network.pair_indices(*given)
        sentence = ""
    except InputError as error:
        sentence = str(error)
    have, are = ("has", "is") if np.count_nonzero(~known) == 1 else ("have", "are")
    warn_user(
        f"Of {counted(len(known), 'pair')} in exclude, {np.count_nonzero(~known):,} {have} a node that the "
        f"model does not have and {are} ignored. {sentence}"
    )


def _shown_pair(given: tuple[Any, Any], position: int) -> str:
    """Return the nodes of a pair for a message, those of NumPy as those of Python."""
    return ", ".join(shown_repr(_plain(side[position])) for side in given)


def _plain(given: Any) -> Any:
    """Return what was given with objects of Python in place of those of NumPy, to be shown."""
    if isinstance(given, np.generic | np.ndarray):
        return given.tolist()
    return type(given)(map(_plain, given)) if type(given) in {list, tuple} else given


def _raise_if_unnamed(network: Network, other: Any, what: str) -> str:
    """Raise InputError if nodes would be matched by index, but one network alone has names, or more nodes.

    Without names in either, a smaller network may be a list of indices: then a sentence is returned that says
    so, else nothing.
    """
    if not isinstance(other, Network):
        return ""
    sides = (("row", network.row_names, other.row_names), ("column", network.col_names, other.col_names))
    here, there = (" x ".join(f"{size:,}" for size in each.shape) for each in (network, other))
    ways = (
        f"If these are indices of the model, give its shape: shape={network.shape}; if they are not, give "
        "names to both networks."
    )
    sentence = ""
    for (side, ours, theirs), size, given in zip(sides, network.shape, other.shape, strict=True):
        if size == given or (ours is not None and theirs is not None):
            continue
        whose = "neither has" if ours is theirs else f"only {'it' if ours is None else 'the model'} has"
        found = f"{what} is {there}, the model {here}, and {whose} names of {side}s"
        if ours is not theirs or given > size:
            raise InputError(f"{found}; expected names in both, or as many {side}s. {ways}")
        sentence = sentence or f"{found}, so that indices are taken for those of the model. {ways}"
    return sentence


def _entries(network: Network, other: Network) -> tuple[Any, Any]:
    """Return the known entries of another network, by name if both have names."""
    rows: Any = other.rows[other.known]
    cols: Any = other.cols[other.known]
    if other.row_names is not None and network.row_names is not None:
        rows = other.row_names[rows]
    if other.col_names is not None and network.col_names is not None:
        cols = other.col_names[cols]
    return rows, cols


def _values(values: Any, count: int) -> Values:
    if values is None and not count:
        raise InputError("No pairs are given; expected at least one, with its known value.")
    if values is None:
        raise InputError(
            f"Values are missing for {counted(count, 'pair')}; expected the known value of each."
        )
    raise_if_masked(values, "value")
    numbers = np.asarray(values)
    if numbers.shape != (count,) or numbers.dtype.kind not in "biuf" or not np.isfinite(numbers).all():
        raise InputError(
            f"The values are an array of shape {numbers.shape} and type {numbers.dtype}; expected a finite "
            f"number for each of {count:,} pairs."
        )
    return numbers.astype(np.float64)


def one_pair(network: Network, pair: Any) -> tuple[int, int]:
    """Return the row and column index of a single pair, given as (row, column) or as a table of one line."""
    if _own_columns(pair) is not None or frame_of(pair) is not None:
        several = pair_columns(pair)
        if len(several[0]) != 1:
            raise InputError(f"{len(several[0]):,} pairs are given; expected one, such as (row, column).")
        pair = [side[0] for side in several]
    if isinstance(pair, str | bytes | Mapping) or not hasattr(pair, "__len__") or len(pair) != 2:
        raise InputError(f"The pair is {_plain(pair)!r}; expected (row, column), by index or by name.")
    rows, cols = pair_indices(network, [pair])
    return int(rows[0]), int(cols[0])


def one_row(network: Network, row: int | str) -> int:
    """Return the index of a row, given by index or by name; warn if an index may be meant as a name."""
    warn_if_ids(np.array([row], dtype=object), network.row_names, "row")
    return network.row_index(row)


def pair_columns(pairs: Any) -> tuple[Any, Any]:
    """Split pairs into rows and columns, as arrays of integers or of objects.

    Of tables and frames with the columns ``row`` and ``column``, these are meant, whatever else there is.
    """
    own = _own_columns(pairs)
    if own is not None:
        return _from_named(own)
    frame = frame_of(pairs)
    if frame is not None:
        return tuple(map(_nodes, frame_columns(frame, _pair_labels(frame))[:2]))  # type: ignore[return-value]
    if isinstance(pairs, np.ndarray):
        if pairs.ndim != 2 or pairs.shape[1] != 2:
            raise InputError(f"The pairs are an array of shape {pairs.shape}; {_EXPECTED}.")
        return _nodes(pairs[:, 0]), _nodes(pairs[:, 1])
    return _from_tuples(pairs)


def _own_columns(pairs: Any) -> Mapping[str, Any] | None:
    """Return the columns of a table or prediction of this library, or of a dict of both; else None."""
    if isinstance(pairs, Table):
        return pairs.columns
    if isinstance(pairs, Prediction):
        return pairs.to_dict()
    return pairs if isinstance(pairs, Mapping) and all(side in pairs for side in _SIDES) else None


def _from_named(columns: Mapping[str, Any]) -> tuple[Any, Any]:
    """Return the columns named row and column."""
    if not all(side in columns for side in _SIDES):
        listed = few([repr(name) for name in columns])
        raise InputError(f"The table of pairs has the columns {listed}; expected row and column among them.")
    for side in _SIDES:
        if isinstance(columns[side], str) or not hasattr(columns[side], "__len__"):
            kind = type(columns[side]).__name__
            raise InputError(f"{side!r} of the pairs is of type {kind}; expected a list or an array.")
    rows, cols = (_nodes(columns[side]) for side in _SIDES)
    if len(rows) != len(cols):
        raise InputError(f"The pairs have {len(rows):,} rows and {len(cols):,} columns; expected as many.")
    return rows, cols


def _pair_labels(frame: Any) -> list[Any]:
    """Return the labels of the two columns of a frame that are meant by the pairs."""
    labels = list(frame.columns)
    if all(side in labels for side in _SIDES):
        return list(_SIDES)
    if len(labels) != 2:
        listed = few([shown_repr(label) for label in labels])
        raise InputError(
            f"The frame of pairs has the columns {listed}; expected two columns, or row and column "
            "among them. Choose them first: frame[[row, column]]."
        )
    return labels


def _from_tuples(pairs: Any) -> tuple[Any, Any]:
    if isinstance(pairs, str | bytes | Mapping) or not isinstance(pairs, Iterable):
        raise InputError(f"The pairs are of type {type(pairs).__name__}; {_EXPECTED}.")
    listed = list(pairs)
    for position, pair in enumerate(listed):
        if isinstance(pair, str | bytes) or not hasattr(pair, "__len__") or len(pair) != 2:
            alone = len(listed) == 2 and not any(isinstance(each, list | tuple) for each in listed)
            hint = f" A single pair goes into a list: [{_plain(tuple(listed))!r}]." if alone else ""
            raise InputError(f"Pair {position} is {_plain(pair)!r}; {_EXPECTED}.{hint}")
    rows, cols = zip(*listed, strict=True) if listed else ((), ())
    return _nodes(list(rows)), _nodes(list(cols))


def _nodes(column: Any) -> NDArray[Any]:
    """Return one side of the pairs; floats that are whole numbers are converted to integers."""
    nodes = column if isinstance(column, np.ndarray) else np.array(column, dtype=object)
    if nodes.dtype.kind == "f":
        whole = np.isfinite(nodes) & (nodes == np.floor(nodes))
        if not whole.all():
            position = int(np.argmin(whole))
            raise InputError(
                f"Pair {position} has {nodes[position]} for a node; expected an index (an integer) or a name "
                "(a string)."
            )
        return nodes.astype(np.int64)
    return nodes if nodes.size else np.zeros(0, np.int64)
