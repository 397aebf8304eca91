"""Detection of a column of identifiers, in a frame where a matrix of values is expected."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.readers.tables.frames import frame_of
from latentlink.validation.wording import counted, few, shortened, shown_label

__all__ = ["raise_if_id_column"]

# As pandas calls a column that was the index, and names that end in "id" as a word.
_IDENTIFIER = re.compile(r"(Unnamed: |level_)\d+|index|idx|[iI][dD]|.*([_\-. ][iI][dD]|[a-z]I[dD])")
# Of the first column: with numbers that all differ, one of these is no value.
_NODE = re.compile(
    r"user|item|movie|row|customer|product|gene|protein|sample|patient|subject|student|node|entity|userid|itemid"
)
_LEAST_LINES, _LEAST_ASCENDING = 3, 10  # ten numbers are in ascending order by chance once in 3.6 million


def raise_if_id_column(X: Any, call: str = "fit") -> None:
    """Raise InputError if a column of a frame has identifiers of the rows; warn if it looks like it.

    Whole numbers that all differ are identifiers under a label such as ``user_id`` or ``Unnamed: 0``, or if
    the first label is that of a node. So is text in the first column beside numbers. Without such a label,
    the first column gives a warning if its whole numbers ascend and those of no other column do.

    Parameters
    ----------
    X : frame, or any other object
    call : str
        The function that was called with it, for the message.

    Examples
    --------
    >>> import pandas
    >>> raise_if_id_column(pandas.DataFrame({"user": [7, 9, 4], "tea": [1.0, 2.0, 1.0]}))
    Traceback (most recent call last):
        ...
    latentlink.errors.InputError: The frame ... fit(frame.set_index('user')). If they are values: ...
    """
    try:
        frame = frame_of(X)
    except InputError:  # without narwhals nothing can be said about the columns
        return
    if frame is None or len(frame.columns) < 2 or len(frame) < _LEAST_LINES:
        return
    found = _Found(X, list(frame.columns), len(frame), call)
    first = frame[:, 0].to_numpy()
    name = first[0] if first.dtype.kind in "OU" else None
    if isinstance(name, str) and all(frame[:, at].dtype.is_numeric() for at in range(1, len(frame.columns))):
        raise InputError(found.sentence(0, f"has names, such as {shortened(name, 24)}", text=True))
    for position, label in enumerate(frame.columns):
        if _names_identifiers(label, position) and _all_differ(frame[:, position].to_numpy()):
            raise InputError(found.sentence(position, "has another whole number in each line"))
    if _ascends(first) and not any(_grows(frame[:, at].to_numpy()) for at in range(1, len(frame.columns))):
        warn_user(found.sentence(0, "has whole numbers in ascending order"))


class _Found:
    """A frame given as a matrix: its labels, number of lines and the function it was given to."""

    def __init__(self, X: Any, labels: list[Any], lines: int, call: str) -> None:
        self.X, self.labels, self.lines, self.call = X, labels, lines, call

    def sentence(self, position: int, what: str, text: bool = False) -> str:
        """Return a sentence about the column at a position, with a call for each of its two meanings."""
        label = shown_label(self.labels[position], in_list=True)
        listed = few([shown_label(each, in_list=True) for each in self.labels])
        names = "leave the column out, and give it to Network.from_dense as row_names="
        if hasattr(self.X, "set_index"):
            names = f"{self.call}(frame.set_index({label}))"
        values = "" if text else f" If they are values: {self.call}(numpy.asarray(frame))."
        return (
            f"The frame of {counted(self.lines, 'line')} with the columns {listed} may have the names of its "
            f"rows in the column {label}, which {what}; expected values in every column. If they are names: "
            f"{names}.{values}"
        )


def _names_identifiers(label: Any, position: int) -> bool:
    if not isinstance(label, str):
        return False
    first = position == 0 and (not label or _NODE.fullmatch(label.lower()) is not None)
    return first or _IDENTIFIER.fullmatch(label) is not None


def _whole(column: NDArray[Any]) -> bool:
    """Whether a column has whole numbers alone, 0 or more."""
    if column.dtype.kind not in "iuf":
        return False
    with np.errstate(invalid="ignore"):
        return bool(np.all((column >= 0) & (column == np.floor(column))))


def _all_differ(column: NDArray[Any]) -> bool:
    return _whole(column) and len(np.unique(column)) == len(column)


def _ascends(column: NDArray[Any]) -> bool:
    return len(column) >= _LEAST_ASCENDING and _whole(column) and bool(np.all(column[1:] > column[:-1]))


def _grows(column: NDArray[Any]) -> bool:
    """Whether a column never decreases, as sums over time, and is not constant."""
    if column.dtype.kind not in "iuf":
        return False
    return bool(np.all(column[1:] >= column[:-1]) and column[-1] > column[0])
