"""New rows given as names and values: dicts, lists of pairs, and several of them with or without names."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set
from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.names import warn_if_ids
from latentlink.validation.columns import to_float
from latentlink.validation.wording import counted, shortened, shown_repr

__all__ = ["as_whole_rows", "named_rows"]


def named_rows(fitted: Network, X: Any) -> Network | None:
    """Return new rows that are given by names and values as a network, None for any other data.

    ==================================================  ====================================
    ``{"tea": 1.0, "milk": 0.0}``                       one row
    ``[("tea", 1.0), ("milk", 0.0)]``                   one row
    a Series of pandas                                  one row
    ``{"ann": {"tea": 1.0}, "bob": [("milk", 0.0)]}``   rows with names, each in either form
    ``{"ann": [1.0, nan], "bob": {"tea": 1.0}}``        whole rows with names, alone or among others
    ``[{"tea": 1.0}, {"milk": 0.0}]``                   rows without names, in either form
    ==================================================  ====================================

    Columns are names, or indices: pairs of an index and a value are such only if they are tuples, and if the
    model has not two columns, where they would be a matrix. Entries that are not given count as unlisted ones
    did in the fit: as unknown, or as zeros with the weight of the background. NaN is unknown.

    Parameters
    ----------
    fitted : Network
        The training network, whose columns are meant.
    X : object

    Examples
    --------
    >>> fitted = Network.from_edges([("ann", "tea", 1), ("bob", "milk", 0)])
    >>> rows = named_rows(fitted, {"eve": {"tea": 1.0}})
    >>> rows, rows.row_names.tolist()
    (Network: 1 x 2, 1 link, 0 non-links, rest unknown, ['eve'])
    """
    rows, names = _rows(X, fitted.shape[1])
    if rows is None:
        _raise_if_names(X, fitted.shape[1])
        return None
    cols, values, numbers = [], [], []
    for number, row in enumerate(rows):
        where = f"new row {number if names is None else shortened(names[number])}"
        for column, value in _entries(row, where, fitted.shape[1]):
            cols.append(column)
            values.append(_value(value, column, where))
            numbers.append(number)
    given_cols = np.array(cols, dtype=object)
    warn_if_ids(given_cols, fitted.col_names, "column")
    indices = fitted.col_indices(given_cols) if cols else np.zeros(0, np.int64)
    _raise_if_repeated(np.array(numbers, np.int64), indices, cols)
    given = np.array(values, np.float64)
    known = ~np.isnan(given)
    listed = known | bool(fitted.background)  # with a background, what is not listed counts as a zero
    return Network(
        np.array(numbers, np.int64)[listed],
        indices[listed],
        np.where(known, given, 0.0)[listed],
        np.where(known, 1.0, 0.0)[listed],
        shape=(len(rows), fitted.shape[1]),
        background=fitted.background,
        row_names=names,
        col_names=fitted.col_names,
    )


def _rows(X: Any, columns: int) -> tuple[list[Any] | None, list[str] | None]:
    """Return the rows and their names; None for data in another form."""
    if getattr(X, "ndim", None) == 1 and hasattr(X, "items"):  # a pandas Series
        return [dict(X.items())], None
    if isinstance(X, Mapping):
        inner = [_is_row(value, columns) or _is_whole(value) for value in X.values()]
        if inner and all(inner):
            names = list(X)
            return list(X.values()), [str(name) for name in names]
        return [X], None
    if _is_row(X, columns):
        return [X], None
    if isinstance(X, list | tuple) and X and all(_is_row(each, columns) for each in X):
        return list(X), None
    return None, None


def as_whole_rows(X: Any, columns: int) -> Any:
    """Return one whole row of numbers, or of a mask, as a matrix of one row; other data as they are.

    Examples
    --------
    >>> as_whole_rows([1.0, 0.0, None], 3)
    array([[ 1.,  0., nan]])
    """
    if not _is_whole(X) or hasattr(X, "items"):  # a Series names its columns
        return X
    return np.array([_whole_row(X, "new row", columns)])


def _is_whole(row: Any) -> bool:
    """Whether an object is a sequence of numbers, or of None where a value is unknown."""
    if isinstance(row, list | tuple):
        return bool(row) and all(map(_is_plain, row))
    if isinstance(row, np.ma.MaskedArray) or not isinstance(row, np.ndarray) or row.ndim != 1:
        return False
    return row.dtype.kind in "biuf" or (row.dtype.kind == "O" and all(map(_is_plain, row)))


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, int | float | np.number | np.bool_)


def _whole_row(row: Any, where: str, columns: int) -> list[float]:
    if len(row) != columns:
        raise InputError(
            f"The {where} has {counted(len(row), 'number')}; expected {columns:,}, one for each column of "
            "the fit. Of a row of which little is known: {name: value} or [(name, value), ...]."
        )
    return [math.nan if value is None else _value(value, column, where) for column, value in enumerate(row)]


def _raise_if_names(X: Any, columns: int) -> None:
    """Raise InputError for names without values, and for names and values in no form that is known.

    A name alone may mean a link, a value of 1 or that something is known at all: it is not guessed.
    """
    listed = [each for each in X if not _is_pair(each, columns)] if isinstance(X, list | tuple) else X
    name = next(_texts(listed, 2), None)
    if name is not None:
        raise InputError(
            f"The new rows are of type {type(X).__name__} with {shortened(name)}, which is neither a number "
            "nor in a pair (name, value); expected {name: value} or [(name, value), ...] for a row, several "
            f"of them in a list or a dict, or whole rows of {columns:,} numbers. If the names are links: "
            "dict.fromkeys(names, 1.0)."
        )


def _texts(X: Any, depth: int) -> Iterator[str]:
    """Yield the texts that are no numbers, in a collection and in the collections in it."""
    if isinstance(X, str) and not _is_number(X):
        yield str(X)
    array = hasattr(X, "dtype") and np.ndim(X) > 0 and not hasattr(X, "columns")
    if depth and (isinstance(X, list | tuple | Set) or (array and np.asarray(X).dtype.kind in "OU")):
        for each in X:
            yield from _texts(each, depth - 1)


def _is_number(text: str) -> bool:
    try:
        to_float(text)
    except ValueError:
        return False
    return True


def _is_row(row: Any, columns: int) -> bool:
    """Whether an object is a row: a dict, or a list of pairs of a column and a value."""
    if isinstance(row, Mapping):
        return True
    if not isinstance(row, list | tuple) or not row:
        return False
    return all(_is_pair(each, columns) for each in row)


def _is_pair(pair: Any, columns: int) -> bool:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        return False
    return isinstance(pair[0], str) or (
        isinstance(pair, tuple) and columns != 2 and isinstance(pair[0], int | np.integer)
    )


def _entries(row: Any, where: str, columns: int) -> list[tuple[Any, Any]]:
    if _is_whole(row):
        return list(enumerate(_whole_row(row, where, columns)))
    entries = list(row.items()) if isinstance(row, Mapping) else [tuple(pair) for pair in row]
    if not entries:
        raise InputError(f"The {where} is empty; expected the names and values of its known entries.")
    return entries


def _value(value: Any, column: Any, where: str) -> float:
    try:
        number = to_float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.inf
    if math.isinf(number):
        raise InputError(
            f"The {where} has {shortened(value)} for column {shown_repr(column)}; expected a finite number, "
            "or NaN where the value is unknown."
        )
    return number


def _raise_if_repeated(rows: Any, indices: Any, cols: list[Any]) -> None:
    keys = np.stack([rows, indices])
    order = np.lexsort(keys)
    repeated = np.flatnonzero((np.diff(keys[:, order]) == 0).all(axis=0))
    if len(repeated):
        column = cols[int(order[repeated[0]])]
        raise InputError(
            f"The column {shortened(column)} occurs more than once in a new row; expected one value for each."
        )
