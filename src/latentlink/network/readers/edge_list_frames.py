"""Detection of frames and lists that have a pair in each line, where a matrix is expected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.readers.frames import frame_of
from latentlink.network.readers.text.header import names_nodes, names_values
from latentlink.validation.wording import counted, few, shortened, shown_repr

__all__ = ["raise_if_edge_list"]

_LONGEST_LABEL = 24
_MOST_COLUMNS = 4  # of a list of pairs: two nodes, a value, and a weight or a time
_TELLING_REPEATS = 5.0  # pairs that chance would repeat: that none does has a probability of 1 in 150


def raise_if_edge_list(X: Any, call: str = "fit") -> None:
    """Raise InputError if a frame or list has pairs instead of a matrix; warn if it looks like it.

    A frame of two to four columns lists pairs if its first two labels are those of nodes (user and item,
    source and target), if one of its first two columns is text, or if they are whole numbers, each pair once,
    beside a column whose label is that of a value (rating, weight). Without such labels, three or four
    columns whose first two are whole numbers that repeat, while no pair does, raise too if chance would
    repeat five pairs or more, and give a warning if it would repeat at least one. A wider frame lists pairs
    if its first two labels are those of nodes, and these columns are text or whole numbers, each pair once.

    A list of rows of three or four numbers has no labels and raises like a frame without; only rows that are
    tuples, as pairs mostly are, give a warning. An array is a matrix in any case.

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
    labels = _labels(X)
    if labels is None or len(labels) < 2:
        return
    frame = _Found(X, labels, call)
    wide = len(labels) > _MOST_COLUMNS
    if all(isinstance(label, str) and names_nodes(label) for label in labels[:2]):
        nodes = _nodes(X) if wide else None
        if not wide or (nodes is not None and _are_nodes(nodes)):
            shown = " and ".join(map(_label, labels[:2]))
            raise InputError(frame.sentence(f"looks like a list of pairs: {shown} are labels of nodes"))
    if not wide:
        _judge_columns(frame, labels)


def _judge_columns(frame: _Found, labels: list[Any]) -> None:
    """Raise or warn for a frame of few columns whose first two have names, or numbers, of nodes."""
    nodes = _nodes(frame.X)
    if nodes is None:
        return
    for label, side in zip(labels, nodes, strict=False):
        name = _first_name(side)
        if name is not None:
            why = f"its column {_label(label)} has names, such as {shortened(name, 24)}"
            raise InputError(frame.sentence(f"looks like a list of pairs: {why}", named=label))
    if len(labels) > 2 and _are_distinct_pairs(nodes):
        if isinstance(labels[2], str) and names_values(labels[2]):
            why = f"no pair of its first two columns repeats, and {_label(labels[2])} is the label of a value"
            raise InputError(frame.sentence(f"looks like a list of pairs: {why}"))
        _judge_numbers(frame, nodes, least=1.0)


@dataclass(frozen=True)
class _Found:
    """What was given where a matrix is expected: a frame with its labels, or a list without."""

    X: Any
    labels: list[Any] | None
    call: str

    def sentence(self, what: str, named: Any = None) -> str:
        """Return a sentence for the user; ``named`` is the label of a column of names, if there is one."""
        name, columns = "X", ""
        found = f"The list of {counted(len(self.X), 'row')}"
        if self.labels is None:
            found += f" of {len(self.X[0])} numbers"
        else:
            name, listed = "frame", few([*map(_label, self.labels)])
            found = f"The frame of {counted(len(self.X), 'line')} with the columns {listed}"
            columns = f", columns=({', '.join(map(_label, self.labels[:3]))})" if len(self.labels) > 3 else ""
        edges = f"Network.from_edges({name}{columns})"
        matrix = f"If it is a matrix: {self.call}(numpy.asarray({name}))."
        if named is not None:  # which are no numbers of a matrix
            matrix = "If it is a matrix, leave out the column of names."
            if hasattr(self.X, "set_index"):
                matrix = f"If it is a matrix with names: {self.call}(frame.set_index({_label(named)}))."
        listing = f"fit({edges})" if self.call == "fit" else edges
        return (
            f"{found} {what}; expected a matrix, with a line for each row and a column for each column. "
            f"If it is a list: {listing}. {matrix}"
        )


def _judge_rows(X: Sequence[Any], call: str) -> None:
    """Raise or warn for a list of rows of three or four numbers that lists pairs."""
    first = X[0] if len(X) else None
    if not isinstance(first, list | tuple) or not 3 <= len(first) <= _MOST_COLUMNS:
        return
    if not all(isinstance(row, list | tuple) and len(row) == len(first) for row in X):
        return
    sides = np.array([row[:2] for row in X], dtype=object)
    if not all(type(node) is int or isinstance(node, np.integer) for node in sides.flat):
        return
    try:
        numbers = sides.astype(np.int64)
    except OverflowError:
        return
    nodes = numbers[:, 0], numbers[:, 1]
    if _are_distinct_pairs(nodes):
        least = 1.0 if isinstance(first, tuple) else _TELLING_REPEATS
        _judge_numbers(_Found(X, None, call), nodes, least)


def _judge_numbers(found: _Found, nodes: tuple[NDArray[Any], NDArray[Any]], least: float) -> None:
    """Raise or warn for first two columns of numbers that make each pair once."""
    repeats = _expected_repeats(nodes)
    why = "in its first two columns numbers repeat, but no pair does"
    if repeats >= _TELLING_REPEATS:
        raise InputError(found.sentence(f"looks like a list of pairs: {why}"))
    if repeats >= least:
        warn_user(found.sentence(f"may be a list of pairs: {why}"))


def _are_nodes(nodes: tuple[NDArray[Any], NDArray[Any]]) -> bool:
    """Whether two columns are nodes: text, or whole numbers that make each pair once."""
    return any(_first_name(side) is not None for side in nodes) or _are_distinct_pairs(nodes)


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


def _nodes(X: Any) -> tuple[NDArray[Any], NDArray[Any]] | None:
    """Return the first two columns as arrays; None without narwhals, or for another object."""
    try:
        frame = frame_of(X)
    except InputError:
        return None
    return None if frame is None else (frame[:, 0].to_numpy(), frame[:, 1].to_numpy())


def _are_distinct_pairs(nodes: tuple[NDArray[Any], NDArray[Any]]) -> bool:
    """Whether both columns are whole numbers, 0 or more, and no pair occurs twice."""
    if any(side.dtype.kind not in "iu" or not len(side) or side.min() < 0 for side in nodes):
        return False
    pairs = np.unique(np.stack([side.astype(np.int64) for side in nodes]), axis=1)
    return pairs.shape[1] == len(nodes[0])


def _expected_repeats(nodes: tuple[NDArray[Any], NDArray[Any]]) -> float:
    """Return how many pairs would occur twice by chance; 0 if all numbers of a column differ."""
    lines, distinct = len(nodes[0]), [len(np.unique(side)) for side in nodes]
    if lines in distinct:
        return 0.0
    return lines * (lines - 1) / 2 / (distinct[0] * distinct[1])


def _label(label: Any) -> str:
    text = shown_repr(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 3]}..."
