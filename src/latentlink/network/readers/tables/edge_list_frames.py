"""Detection of frames and lists that have a pair in each line, where a matrix is expected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.readers.tables.frames import frame_of
from latentlink.network.readers.tables.linked_labels import names_identifiers, names_two_ends
from latentlink.network.readers.tables.pairs_in_order import are_pairs_in_order, has_named_rows
from latentlink.network.readers.text.header import names_values, node_labels
from latentlink.network.readers.text.named_columns import names_all, suggested_columns
from latentlink.validation.wording import counted, few, shortened, shown_label, shown_path

__all__ = ["raise_if_edge_list", "raise_if_pairs_in_index", "warn_if_array_of_pairs"]

_MOST_COLUMNS = 4  # of a list of pairs: two nodes, a value, and a weight or a time
_TELLING_REPEATS = 5.0  # pairs that chance would repeat: that none does has a probability of 1 in 150
_TELLING_ELSEWHERE = 10.0  # in other columns than the first two, of which there are several pairs
_LARGEST_FLOAT = 2**53
_FEWEST_LINES = 20  # of a list without labels, two columns wide or with fractions in the third
_IN_ORDER = "may be a list of pairs: its first two columns ascend as sorted pairs do, and none repeats"
Columns = list[NDArray[Any]]
Pair = tuple[NDArray[np.int64], NDArray[np.int64]]


def raise_if_edge_list(X: Any, call: str = "fit") -> None:
    """Raise InputError if a frame or list has pairs instead of a matrix; warn if it looks like it.

    A frame of two to four columns lists pairs if its first two labels are those of nodes (user and item,
    source and target), if one of its first two columns is text, or if they are whole numbers, each pair once,
    beside a column whose label is that of a value (rating, weight): then one of them has the label of a node,
    or repeats and has that of identifiers (customer_id, sku), or chance would repeat a pair. Without such
    labels, columns whose first two are whole numbers that repeat, while no pair does, raise too if chance
    would repeat five pairs or more, and three or four of them give a warning if it would repeat at least one.
    However few they are, they give a warning under labels of what is often linked (gene, disease), if one
    column repeats and has the label of identifiers, if they ascend as sorted pairs beside small whole
    numbers, and in twenty lines or more if there is no third column, or one of fractions. Other orders of the
    columns raise by labels of nodes and of a value, or if chance would repeat ten pairs or more. A wider
    frame lists pairs if two of its labels are those of nodes, and these columns are text or whole numbers,
    each pair once. The two levels of an index are nodes if there is one column beside them, or if they have
    the names of nodes.

    A list of rows of two to four numbers has no labels and raises like a frame without; only rows of integers
    that are tuples, as pairs mostly are, give a warning. An array is a matrix in any case.

    Parameters
    ----------
    X : frame, list, or any other object
    call : str
        The function that was called with it, for the message.

    Examples
    --------
    >>> import pandas
    >>> raise_if_edge_list(pandas.DataFrame({"user": [0, 0, 1], "item": [0, 1, 1], "rating": [5, 3, 4]}))
    Traceback (most recent call last):
        ...
    latentlink.errors.InputError: The frame ... If it is a matrix: fit(numpy.asarray(frame)).
    """
    if isinstance(X, list | tuple):
        _judge_rows(X, call)
        return
    _raise_if_pairs_are_rows(X, call)
    labels = _labels(X)
    if labels is None or len(labels) < 2:
        return
    frame = _Found(X, labels, call)
    _judge_labels(frame, labels)
    columns = _columns(X, range(len(labels))) if len(labels) <= _MOST_COLUMNS else None
    if columns is not None:
        _judge_columns(frame, labels, columns)


def raise_if_pairs_in_index(frame: Any, columns: Sequence[Any] | None) -> None:
    """Raise InputError for a list of pairs whose nodes are the index of the frame, and not two columns.

    Parameters
    ----------
    frame : frame, series or any other object
    columns : sequence of labels or None
        As for `Network.from_edges`.
    """
    levels, labels = _index_levels(frame), _labels(frame) or []
    if not levels:
        return
    given = [] if columns is None else [label for label in columns if label is not None]
    named = any(label in levels and label not in labels for label in given)
    if named or (columns is None and (len(labels) < 2 or _are_node_names(levels))):
        what = "frame" if _labels(frame) is not None else "series"
        beside = f" and the columns {few([*map(_label, labels)])}" if labels else ""
        edges = (
            _after_reset(what, levels, labels) if columns is None else f"frame.reset_index(), {columns=!r}"
        )
        raise InputError(
            f"The {what} of {counted(len(frame), 'line')} has {few([*map(_label, levels)])} in its index"
            f"{beside}; expected row and column as columns. Make columns of the index: "
            f"Network.from_edges({edges})."
        )


def warn_if_array_of_pairs(array: NDArray[Any], path: str) -> None:
    """Warn if an array of integers in a file, which states a matrix, looks like a list of pairs.

    As for a frame without labels, chance would repeat a pair of its first two columns, and none repeats.

    Parameters
    ----------
    array : array
    path : str
        The file, for the message.
    """
    if array.dtype.kind not in "iu" or array.ndim != 2 or not 2 <= array.shape[1] <= _MOST_COLUMNS:
        return
    nodes = _distinct_pairs(list(array.T[:2]))
    least = 1.0 if array.shape[1] > 2 else _TELLING_REPEATS
    if nodes is not None and _expected_repeats(nodes) >= least:
        load = f"numpy.load({shown_path(path)})"
        warn_user(
            f"The array of {counted(len(array), 'row')} of {array.shape[1]} integers may be a list of pairs: "
            "in its first two columns numbers repeat, but no pair does. It is read as a matrix. If it is a "
            f"list: Network.from_edges({load}); if it is a matrix, say so: Network.from_dense({load})."
        )


def _raise_if_pairs_are_rows(X: Any, call: str) -> None:
    """Raise InputError if an index of several levels names pairs, of which a matrix would have a row each."""
    levels, labels = _index_levels(X), _labels(X)
    if not levels or not (labels is None or len(labels) == 1 or _are_node_names(levels)):
        return
    what, beside = "frame", f" and the columns {few([*map(_label, labels or [])])}"
    if labels is None:
        what, beside, labels = "series", "", [getattr(X, "name", None)]
    edges = f"Network.from_edges({_after_reset(what, levels, labels)})"
    listing = f"fit({edges})" if call == "fit" else edges
    raise InputError(
        f"The {what} of {counted(len(X), 'line')} with the index {few([*map(_label, levels)])}{beside} looks "
        "like a list of pairs: its index has two nodes for each line; expected a matrix, with a line for "
        f"each row and a column for each column. If it is a list: {listing}. If it is a matrix: "
        f"{call}(numpy.asarray({what}){'' if what == 'frame' else '[:, None]'})."
    )


def _after_reset(what: str, levels: list[Any], labels: list[Any]) -> str:
    """Return the arguments of `from_edges` for a frame whose index becomes columns."""
    every = [*levels, *labels]
    if len(every) <= 3 or None in every:
        return f"{what}.reset_index()"
    return (
        f"{what}.reset_index(), columns=({', '.join(_label(every[at]) for at in suggested_columns(every))})"
    )


def _index_levels(X: Any) -> list[Any]:
    """Return the names of the levels of an index of pandas that has several; else nothing."""
    index = getattr(X, "index", None)
    several = not callable(index) and getattr(index, "nlevels", 1) > 1
    return list(index.names) if index is not None and several else []


def _are_node_names(levels: list[Any]) -> bool:
    return all(node_labels(levels)[:2])


def _judge_labels(frame: _Found, labels: list[Any]) -> None:
    """Raise for labels of nodes, unless the columns of a wide frame, or in other places, have no nodes."""
    named = [at for at, node in enumerate(node_labels(labels)) if node][:2]
    if len(named) < 2:
        return
    few_columns = len(labels) <= _MOST_COLUMNS
    if not (few_columns and (named == [0, 1] or names_all(labels))):
        columns = _columns(frame.X, named)
        if columns is None or not _are_nodes(columns, 0.0 if named == [0, 1] else 1.0):
            return
    shown = " and ".join(_label(labels[at]) for at in named)
    raise InputError(frame.sentence(f"looks like a list of pairs: {shown} are labels of nodes"))


def _judge_columns(frame: _Found, labels: list[Any], columns: Columns) -> None:
    """Raise or warn for a frame of few columns of which two have names, or numbers, of nodes."""
    for label, side in zip(labels, columns[:2], strict=False):
        name = _first_name(side)
        if name is not None:
            why = f"its column {_label(label)} has names, such as {shortened(name, 24)}"
            raise InputError(frame.sentence(f"looks like a list of pairs: {why}", named=label))
    integers = all(side.dtype.kind in "iu" for side in columns[:2])
    nodes = _distinct_pairs(columns[:2])
    if nodes is not None:
        value = len(labels) > 2 and isinstance(labels[2], str) and names_values(labels[2])
        identified = integers and any(map(_repeats_identifiers, labels, columns[:2]))
        node = any(node_labels(labels)[:2]) or identified
        if value and ((integers and node) or _expected_repeats(nodes) >= 1):
            why = f"no pair of its first two columns repeats, and {_label(labels[2])} is the label of a value"
            raise InputError(frame.sentence(f"looks like a list of pairs: {why}"))
        several = integers and len(nodes[0]) > 1 and _expected_repeats(nodes) < _TELLING_REPEATS
        if several and (names_two_ends(labels) or identified or _is_seldom_a_matrix(columns, nodes)):
            why = "its first two columns have whole numbers, and no pair of them repeats"
            warn_user(frame.sentence(f"may be a list of pairs: {why}"))
            return
        least = 1.0 if integers and len(labels) > 2 else _TELLING_REPEATS
        if _judge_numbers(frame, nodes, least):
            return
        if are_pairs_in_order(columns, value) and not has_named_rows(frame.X):
            warn_user(frame.sentence(_IN_ORDER))
            return
    _judge_other_columns(frame, columns)


@dataclass(frozen=True)
class _Found:
    """What was given where a matrix is expected: a frame with its labels, or a list without."""

    X: Any
    labels: list[Any] | None
    call: str

    def sentence(self, what: str, named: Any = None, order: Sequence[int] | None = None) -> str:
        """Return a sentence for the user.

        Parameters
        ----------
        what : str
            What it looks like, and why.
        named : any
            The label of a column of names, if there is one.
        order : sequence of int or None
            Positions of row, column and value, if they are not the first ones.
        """
        name, edges = "X", "X"
        found = f"The list of {counted(len(self.X), 'row')}"
        if self.labels is None:
            found += f" of {len(self.X[0])} numbers"
            if order is not None:
                edges = f"[({', '.join(f'row[{at}]' for at in order)}) for row in X]"
        else:
            name, listed = "frame", few([*map(_label, self.labels)])
            found = f"The frame of {counted(len(self.X), 'line')} with the columns {listed}"
            order = order or suggested_columns(self.labels)
            in_order = len(self.labels) < 4 and tuple(order) == tuple(range(len(self.labels)))
            columns = f", columns=({', '.join(_label(self.labels[at]) for at in order)})"
            edges = name if in_order else name + columns
        matrix = f"If it is a matrix: {self.call}(numpy.asarray({name}))."
        if named is not None:  # which are no numbers of a matrix
            matrix = "If it is a matrix, leave out the column of names."
            if hasattr(self.X, "set_index"):
                matrix = f"If it is a matrix with names: {self.call}(frame.set_index({_label(named)}))."
        edges = f"Network.from_edges({edges})"
        listing = f"fit({edges})" if self.call == "fit" else edges
        return (
            f"{found} {what}; expected a matrix, with a line for each row and a column for each column. "
            f"If it is a list: {listing}. {matrix}"
        )


def _judge_rows(X: Sequence[Any], call: str) -> None:
    """Raise or warn for a list of rows of two to four numbers that lists pairs."""
    first = X[0] if len(X) else None
    if not isinstance(first, list | tuple) or not 2 <= len(first) <= _MOST_COLUMNS:
        return
    if not all(isinstance(row, list | tuple) and len(row) == len(first) for row in X):
        return
    table = np.array(X, dtype=object)
    if table.ndim != 2 or any(isinstance(each, bool | np.bool_) for each in table.flat):
        return
    found, columns = _Found(X, None, call), _as_numbers(list(table.T))
    nodes = _distinct_pairs(columns[:2])
    if nodes is not None:
        integers = all(side.dtype.kind in "iu" for side in columns[:2])
        least = 1.0 if isinstance(first, tuple) and integers else _TELLING_REPEATS
        if _judge_numbers(found, nodes, least):
            return
        if isinstance(first, tuple) and are_pairs_in_order(columns, False):
            warn_user(found.sentence(_IN_ORDER))
            return
    _judge_other_columns(found, columns)


def _judge_numbers(found: _Found, nodes: Pair, least: float) -> bool:
    """Raise or warn for first two columns of numbers that make each pair once; return whether it warned."""
    repeats = _expected_repeats(nodes)
    why = "in its first two columns numbers repeat, but no pair does"
    if repeats >= _TELLING_REPEATS:
        raise InputError(found.sentence(f"looks like a list of pairs: {why}"))
    if repeats >= least:
        warn_user(found.sentence(f"may be a list of pairs: {why}"))
    return repeats >= least


def _judge_other_columns(found: _Found, columns: Columns) -> None:
    """Raise or warn if other columns than the first two make each pair once, as behind a column of values."""
    labels = found.labels or []
    for first, second in [(0, 2), (1, 2), (1, 3), (2, 3)]:
        if second >= len(columns):
            continue
        nodes = _distinct_pairs([columns[first], columns[second]])
        repeats = 0.0 if nodes is None else _expected_repeats(nodes)
        rest = [at for at in range(len(columns)) if at not in (first, second)]
        value = [at for at in rest if labels and isinstance(labels[at], str) and names_values(labels[at])]
        telling, least = (_TELLING_REPEATS, 1.0) if value else (_TELLING_ELSEWHERE, _TELLING_ELSEWHERE)
        if repeats < least:
            continue
        order = (first, second, (value or rest)[0])
        why = f"in its columns {first} and {second} (counted from 0) numbers repeat, but no pair does"
        if repeats >= telling:
            raise InputError(found.sentence(f"looks like a list of pairs: {why}", order=order))
        warn_user(found.sentence(f"may be a list of pairs: {why}", order=order))
        return


def _is_seldom_a_matrix(columns: Columns, nodes: Pair) -> bool:
    """Whether columns have the form of a list: no third one, or one of fractions beside whole numbers."""
    lines = len(nodes[0])
    if lines < _FEWEST_LINES or lines in (len(np.unique(side)) for side in nodes):
        return False
    third = columns[2] if len(columns) > 2 else None
    return third is None or (third.dtype.kind == "f" and bool((third != np.floor(third)).any()))


def _repeats_identifiers(label: Any, side: NDArray[Any]) -> bool:
    """Whether numbers repeat under a label of identifiers; if all differ, they may be those of the rows."""
    return names_identifiers(label) and len(np.unique(side)) < len(side)


def _are_nodes(columns: Columns, least: float) -> bool:
    """Whether two columns are nodes: text, or whole numbers that make each pair once.

    Chance would repeat at least so many pairs.
    """
    if any(_first_name(side) is not None for side in columns):
        return True
    nodes = _distinct_pairs(columns)
    return nodes is not None and _expected_repeats(nodes) >= least


def _first_name(side: NDArray[Any]) -> str | None:
    """Return the first text among the first lines of a column."""
    if side.dtype.kind not in "OU":
        return None
    return next((each for each in side[:20] if isinstance(each, str)), None)


def _labels(X: Any) -> list[Any] | None:
    if isinstance(X, np.ndarray) or not hasattr(X, "columns"):
        return None
    labels = getattr(X, "column_names", X.columns)
    return None if callable(labels) else list(labels)


def _columns(X: Any, positions: Iterable[int]) -> Columns | None:
    """Return columns as arrays, of numbers if possible; None without narwhals, or for another object."""
    try:
        frame = frame_of(X)
    except InputError:
        return None
    return None if frame is None else _as_numbers([frame[:, at].to_numpy() for at in positions])


def _as_numbers(columns: Columns) -> Columns:
    """Return columns of objects that are all integers, or all numbers, as numbers."""
    converted = []
    for side in columns:
        kinds = set(map(type, side)) if side.dtype.kind == "O" else set()
        numbers = bool(kinds) and all(
            issubclass(kind, int | float | np.integer | np.floating) and kind is not bool for kind in kinds
        )
        converted.append(np.array(side.tolist()) if numbers else side)
    return converted


def _distinct_pairs(columns: Columns) -> Pair | None:
    """Return two columns of whole numbers, 0 or more, if no pair occurs twice; else None."""
    whole = []
    for side in columns:
        if side.dtype.kind not in "iuf" or not len(side):
            return None
        usable = (side >= 0) & (side < _LARGEST_FLOAT)  # NaN is neither
        if not usable.all() or (side.dtype.kind == "f" and not (side == np.floor(side)).all()):
            return None
        whole.append(side.astype(np.int64))
    pairs = np.unique(np.stack(whole), axis=1)
    return (whole[0], whole[1]) if pairs.shape[1] == len(whole[0]) else None


def _expected_repeats(nodes: Pair) -> float:
    """Return how many pairs would occur twice by chance; 0 if all numbers of a column differ."""
    lines, distinct = len(nodes[0]), [len(np.unique(side)) for side in nodes]
    if lines in distinct:
        return 0.0
    return lines * (lines - 1) / 2 / (distinct[0] * distinct[1])


def _label(label: Any) -> str:
    return shown_label(label, in_list=True)
