"""Reader of data frames of any library that narwhals supports: pandas, polars, pyarrow and others."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from latentlink.errors import InputError, warn_user
from latentlink.network.readers.listing import checked_columns, column_notes
from latentlink.network.readers.node_labels import Locator
from latentlink.network.readers.text.named_columns import columns_by_name, suggested_columns
from latentlink.validation.columns import to_float
from latentlink.validation.wording import few, shown_label

__all__ = [
    "first_without_numbers",
    "frame_columns",
    "frame_names",
    "frame_notes",
    "frame_of",
    "frame_row",
    "raise_if_labels_differ",
    "raise_if_labels_repeat",
    "raise_if_lazy",
    "selected_columns",
    "warn_if_unnamed",
]

_PARTS = ("row", "column", "value", "weight")


def frame_row(position: int) -> str:
    """Describe for a message where an entry is in a frame."""
    return f"frame row {position} (counted from 0)"


def frame_of(edges: Any) -> Any | None:
    """Return a data frame wrapped by narwhals, or None for any other object."""
    if isinstance(edges, np.ndarray | list | tuple) or not hasattr(type(edges), "columns"):
        return None
    try:
        import narwhals as nw
    except ImportError:
        raise InputError(
            f'Reading a data frame ({type(edges).__name__}) needs narwhals: pip install "latentlink[frames]".'
        ) from None
    raise_if_lazy(edges)
    raise_if_labels_repeat(list(getattr(edges, "column_names", edges.columns)), "The frame")
    frame = nw.from_native(edges, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


def raise_if_lazy(X: Any) -> None:
    """Raise InputError for a frame whose rows are not computed yet; even its labels may take long to read."""
    if hasattr(X, "collect") and hasattr(type(X), "columns"):
        raise InputError(
            "The frame is lazy, so that its rows are not computed yet; expected an eager frame. Collect it "
            "first: frame.collect()."
        )


def first_without_numbers(X: Any) -> str | None:
    """Return a sentence about the first column of a frame that has something else than numbers, or None.

    Examples
    --------
    >>> import pandas
    >>> first_without_numbers(pandas.DataFrame({"a": [1, 2], "b": ["3", "x"]}))
    "Column 'b' of the frame has 'x' in row 1 (counted from 0), which is no number."
    """
    frame: Any = None
    with suppress(InputError):  # without narwhals nothing can be said about the columns
        frame = frame_of(X)
    for index, label in enumerate(() if frame is None else frame.columns):
        series = frame[:, index]
        if series.dtype.is_numeric() and not series.dtype.is_decimal():
            continue
        for position, value in enumerate(series.to_list()):
            if not _is_number(value):
                return (
                    f"Column {shown_label(label)} of the frame has {shown_label(value)} in row {position} "
                    "(counted from 0), which is no number."
                )
    return None


def _is_number(value: Any) -> bool:
    try:
        to_float(value)
    except (TypeError, ValueError, OverflowError):
        return value is None  # unknown
    return True


def raise_if_labels_repeat(labels: Sequence[Any], where: str) -> None:
    """Raise InputError if two columns have the same label; ``where`` names the frame or file."""
    first: dict[Any, int] = {}
    for index, label in enumerate(labels):
        if first.setdefault(label, index) != index:
            raise InputError(
                f"{where} has the label {shown_label(label)} in columns {first[label]} and {index} (counted "
                "from 0); expected different labels. Rename one of them, or drop it."
            )


def selected_columns(labels: Sequence[Any], columns: Sequence[Any] | None, where: str) -> list[Any]:
    """Return the labels of the row, column, value and weight columns; without ``columns``, all two or three.

    They are used in their order unless their names are those of two nodes and a value in another order.

    Parameters
    ----------
    labels : sequence
        Labels of the frame or file.
    columns : sequence of two to four labels, or None
        None in place of the value, before a weight, stays there.
    where : str
        Names the frame or file in messages.
    """
    listed = few([shown_label(label, in_list=True) for label in labels]) or "nothing"
    if columns is None:
        if len(labels) < 2:
            raise InputError(f"{where} has no two columns, only {listed}; expected row and column at least.")
        if len(labels) > 3:
            example = ", ".join(shown_label(labels[position]) for position in suggested_columns(labels))
            raise InputError(
                f"{where} has {len(labels)} columns: {listed}; expected two or three. Give the labels of "
                f"row, column and value, for example columns=({example})."
            )
        named = columns_by_name(labels, f"{where} has")
        return list(labels) if named is None else [labels[position] for position in named]
    selected = checked_columns(columns, "two to four labels")
    for label in selected:
        if label is not None and label not in labels:
            raise InputError(f"{where} has no column {shown_label(label)}; expected one of {listed}.")
    return list(selected)


def frame_notes(labels: Sequence[Any], selected: Sequence[Any], relation: Any = None) -> list[str]:
    """Return sentences about the columns of a frame or Parquet file that are read, for the history."""
    positions = [None if label is None else labels.index(label) for label in selected]
    beside = None if relation is None else labels.index(relation)
    return column_notes([*map(shown_label, labels)], positions, beside)


def frame_columns(frame: Any, columns: Sequence[Any] | None, locate: Locator = frame_row) -> list[Any]:
    """Return row, column, value and weight of a frame as arrays or lists, None for those that it lacks.

    Raises InputError for missing values.
    """
    selected = selected_columns(frame.columns, columns, "The frame")
    # By position, because narwhals would take an integer label for a row.
    labels = list(frame.columns)
    parts = [
        None if label is None else _column(frame[:, labels.index(label)], label, part, locate)
        for label, part in zip(selected, _PARTS, strict=False)
    ]
    return [*parts, None, None][:4]


def _column(series: Any, label: Any, part: str, locate: Locator) -> Any:
    missing = series.is_null().to_numpy()
    if series.dtype.is_float():
        missing = missing | series.is_nan().fill_null(True).to_numpy()
    if missing.any():
        position = int(np.argmax(missing))
        raise InputError(
            f"Column {shown_label(label)} (the {part}) has no value in {locate(position)}; expected one in "
            "every row. Leave unknown pairs out of the frame."
        )
    if series.dtype.is_numeric() and not series.dtype.is_decimal():
        return series.to_numpy()
    return _texts(series.to_native()) or series.to_list()  # others are checked one by one later


def _texts(column: Any) -> list[Any] | None:
    """Return a column of pyarrow that is encoded by dictionaries as a list; None for all others.

    A list of a million entries made by pyarrow itself takes seconds.
    """
    if not hasattr(column, "chunks") or not hasattr(column.type, "value_type"):
        return None
    listed: list[Any] = []
    for chunk in column.chunks:
        if not hasattr(chunk, "dictionary"):
            return None
        entries = chunk.dictionary.to_numpy(zero_copy_only=False).astype(object)
        listed += entries[chunk.indices.to_numpy()].tolist()
    return listed


def frame_names(X: Any) -> tuple[list[str] | None, list[str] | None]:
    """Return the row and column names of a matrix given as a frame, from its index and column labels.

    Labels 0, 1, 2, ... are positions, not names; all other labels are names, as text. Without names, None is
    returned: for an object that is no frame, and for labels of which two are the same text or one is empty,
    of which `warn_if_unnamed` warns.
    Column labels that repeat raise InputError in `raise_if_labels_repeat`, which the readers call first.

    Examples
    --------
    >>> import pandas
    >>> frame_names(pandas.DataFrame([[1], [2]], index=[7, 9], columns=["tea"]))
    (['7', '9'], ['tea'])
    """
    return _names(_labels(X, "index")), _names(_labels(X, "columns"))


def warn_if_unnamed(X: Any) -> None:
    """Warn if labels of a frame are no names, because two of them are the same text or one is empty.

    Positions that begin again, 0, 1, 2, 0, 1, are those of frames that were put together, and no names.
    """
    for side, attribute in (("row", "index"), ("column", "columns")):
        labels = _labels(X, attribute)
        if labels is None or _names(labels) is not None or _are_positions(labels):
            continue
        names = [str(label) for label in labels]
        first: dict[str, int] = {}
        repeated = next((at for at, name in enumerate(names) if first.setdefault(name, at) != at), None)
        if repeated is None:
            found = f"The label of {side} {names.index('')} (counted from 0) of the frame is empty"
        else:
            places = f"{side}s {first[names[repeated]]} and {repeated} (counted from 0)"
            found = f"The label {shown_label(labels[repeated])} of the frame is that of {places}"
        warn_user(
            f"{found}, so that its {side}s have no names; expected different labels. If they are names, make "
            f"them different, or merge the {side}s that are the same; if they are not, say so: "
            f"{'frame.reset_index(drop=True)' if side == 'row' else 'numpy.asarray(frame)'}."
        )


def _are_positions(labels: list[Any]) -> bool:
    """Whether labels count 0, 1, 2, ..., once or several times."""
    whole = all(isinstance(label, int | np.integer) and not isinstance(label, bool) for label in labels)
    return whole and all(
        label in {0, before + 1} for before, label in zip([-1, *labels], labels, strict=False)
    )


def raise_if_labels_differ(X: Any, mask: Any) -> None:
    """Raise InputError if the labels of a mask differ from those of the data."""
    for side in ("index", "columns"):
        of_data, of_mask = _labels(X, side), _labels(mask, side)
        if of_data is not None and of_mask is not None and of_data != of_mask:
            raise InputError(
                f"The {side} of the data and of the mask differ; expected the same labels in the same order. "
                "Align the mask first: mask.reindex_like(X)."
            )


def _labels(X: Any, side: str) -> list[Any] | None:
    """Return the labels of a frame, None for other objects, whose attributes of these names differ."""
    if not hasattr(X, "columns"):
        return None
    labels = getattr(X, side, None)
    if side == "columns":
        labels = getattr(X, "column_names", labels)
    return None if labels is None or callable(labels) else list(labels)


def _names(labels: list[Any] | None) -> list[str] | None:
    if labels is None or labels == list(range(len(labels))):
        return None
    names = [str(label) for label in labels]
    return names if len(set(names)) == len(names) and all(names) else None
