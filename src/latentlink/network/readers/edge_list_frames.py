"""Detection of a frame that lists pairs, one in each line, where a matrix is expected."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.readers.frames import frame_of
from latentlink.network.readers.text.header import names_nodes, names_values
from latentlink.validation.wording import counted, few, shortened, shown_repr

__all__ = ["raise_if_edge_list"]

_LONGEST_LABEL = 24
_TELLING_REPEATS = 5.0  # pairs that chance would repeat: that none does has a probability of 1 in 150


def raise_if_edge_list(X: Any) -> None:
    """Raise InputError if a frame lists pairs instead of holding a matrix; warn if it looks like it.

    A frame of two to four columns lists pairs if its first two labels are those of nodes (user and item,
    source and target), if one of its first two columns is text, or if they are whole numbers, each pair once,
    beside a column whose label is that of a value (rating, weight). Without such labels, three or four
    columns whose first two are whole numbers that repeat, while no pair does, raise too if chance would
    repeat five pairs or more, and give a warning if it would repeat at least one.

    Examples
    --------
    >>> import pandas
    >>> raise_if_edge_list(pandas.DataFrame({"user": [0, 0, 1], "item": [0, 1, 1], "rating": [5, 3, 4]}))
    Traceback (most recent call last):
        ...
    latentlink.errors.InputError: The frame ... If it is a matrix: fit(numpy.asarray(frame)).
    """
    labels = _labels(X)
    if labels is None or not 2 <= len(labels) <= 4:
        return
    nodes = _nodes(X)
    if all(isinstance(label, str) and names_nodes(label) for label in labels[:2]):
        shown = " and ".join(map(_label, labels[:2]))
        raise InputError(_message(labels, X, f"looks like a list of pairs: {shown} are labels of nodes"))
    if nodes is None:
        return
    for label, side in zip(labels, nodes, strict=False):
        name = next((each for each in side[:20] if isinstance(each, str)), None)
        if side.dtype.kind in "OU" and name is not None:
            why = f"its column {_label(label)} has names, such as {shortened(name, 24)}"
            raise InputError(_message(labels, X, f"looks like a list of pairs: {why}", named=label))
    if len(labels) > 2 and _are_distinct_pairs(nodes):
        _judge_numbers(X, labels, nodes)


def _judge_numbers(X: Any, labels: list[Any], nodes: tuple[NDArray[Any], NDArray[Any]]) -> None:
    """Raise or warn for a frame whose first two columns are numbers and make each pair once."""
    if isinstance(labels[2], str) and names_values(labels[2]):
        why = f"no pair of its first two columns repeats, and {_label(labels[2])} is the label of a value"
        raise InputError(_message(labels, X, f"looks like a list of pairs: {why}"))
    repeats = _expected_repeats(nodes)
    why = "in its first two columns numbers repeat, but no pair does"
    if repeats >= _TELLING_REPEATS:
        raise InputError(_message(labels, X, f"looks like a list of pairs: {why}"))
    if repeats >= 1:
        warn_user(_message(labels, X, f"may be a list of pairs: {why}"))


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


def _message(labels: list[Any], X: Any, what: str, named: Any = None) -> str:
    """Return a sentence for the user; ``named`` is the label of a column of names, if there is one."""
    columns = f", columns=({', '.join(map(_label, labels[:3]))})" if len(labels) > 3 else ""
    matrix = "If it is a matrix: fit(numpy.asarray(frame))."
    if named is not None:  # which are no numbers of a matrix
        matrix = "If it is a matrix, leave out the column of names."
        if hasattr(X, "set_index"):
            matrix = f"If it is a matrix with names: fit(frame.set_index({_label(named)}))."
    listed = few([*map(_label, labels)])
    return (
        f"The frame of {counted(len(X), 'line')} with the columns {listed} {what}; expected "
        "a matrix, with a line for each row and a column for each column. If it is a list: "
        f"fit(Network.from_edges(frame{columns})). {matrix}"
    )


def _label(label: Any) -> str:
    text = shown_repr(label)
    return text if len(text) <= _LONGEST_LABEL else f"{text[: _LONGEST_LABEL - 3]}..."
