"""Reader of data frames, through narwhals: pandas, polars, pyarrow and others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.network.readers.listing import checked_columns
from latentlink.network.readers.node_labels import Place
from latentlink.validation.wording import few

__all__ = [
    "chosen_columns",
    "frame_columns",
    "frame_names",
    "frame_of",
    "frame_row",
    "raise_if_labels_differ",
    "raise_if_labels_repeat",
]

_PARTS = ("row", "column", "value", "weight")


def frame_row(position: int) -> str:
    """Say where an entry stands in a frame, for a message."""
    return f"frame row {position} (counted from 0)"


def frame_of(edges: Any) -> Any | None:
    """Wrap a data frame with narwhals; None for anything else."""
    if isinstance(edges, np.ndarray | list | tuple) or not hasattr(type(edges), "columns"):
        return None
    try:
        import narwhals as nw
    except ImportError:
        raise InputError(
            f'Reading a data frame ({type(edges).__name__}) needs narwhals: pip install "latentlink[frames]".'
        ) from None
    # A lazy frame has no labels twice, and would have to work to tell.
    if not hasattr(edges, "collect"):
        raise_if_labels_repeat(list(getattr(edges, "column_names", edges.columns)), "The frame")
    frame = nw.from_native(edges, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise InputError("The frame is lazy, so its rows are not there yet. Collect it first.")
    return frame if isinstance(frame, nw.DataFrame) else None


def raise_if_labels_repeat(labels: Sequence[Any], where: str) -> None:
    """Refuse two columns of one label."""
    for place, label in enumerate(labels):
        if label in labels[:place]:
            raise InputError(
                f"{where} has the label {label!r} in columns {labels.index(label)} and {place} (counted "
                "from 0); expected different ones. Rename one of them, or drop it."
            )


def chosen_columns(found: Sequence[Any], columns: Sequence[Any] | None, where: str) -> list[Any]:
    """Labels of the row, column, value and weight columns; the first two or three if that is all."""
    listed = few(list(map(repr, found))) or "nothing"
    if columns is None:
        if len(found) < 2:
            raise InputError(f"{where} has no two columns, only {listed}; expected row and column at least.")
        if len(found) > 3:
            example = ", ".join(map(repr, found[:3]))
            raise InputError(
                f"{where} has {len(found)} columns: {listed}. Say which are row, column and value, for "
                f"example columns=({example})."
            )
        return list(found)
    chosen = checked_columns(columns, "two to four labels")
    for name in chosen:
        if name not in found:
            raise InputError(f"{where} has no column {name!r}; it has {listed}.")
    return list(chosen)


def frame_columns(frame: Any, columns: Sequence[Any] | None, place: Place = frame_row) -> list[Any]:
    """Row, column, value and weight of a frame, as arrays or lists; refuses nulls."""
    chosen = chosen_columns(frame.columns, columns, "The frame")
    # By place: a label that is an integer would choose a row.
    labels = list(frame.columns)
    found = [
        _column(frame[:, labels.index(name)], name, part, place)
        for name, part in zip(chosen, _PARTS, strict=False)
    ]
    return [*found, None, None][:4]


def _column(series: Any, name: Any, part: str, place: Place) -> Any:
    missing = series.is_null().to_numpy()
    if series.dtype.is_float():
        missing = missing | series.is_nan().fill_null(True).to_numpy()
    if missing.any():
        position = int(np.argmax(missing))
        raise InputError(
            f"Column {name!r} (the {part}) has no value in {place(position)}; expected one in every row. "
            "Leave unknown pairs out of the frame."
        )
    if series.dtype.is_numeric() and not series.dtype.is_decimal():
        return series.to_numpy()
    # Categories are strings too; other kinds keep their Python values, which are judged one by one.
    return [str(label) for label in series.to_list()] if _is_words(series) else series.to_list()


def _is_words(series: Any) -> bool:
    import narwhals as nw

    return isinstance(series.dtype, nw.String | nw.Enum) or (
        series.dtype == nw.Categorical and all(isinstance(word, str) for word in series.unique().to_list())
    )


def frame_names(X: Any) -> tuple[list[str] | None, list[str] | None]:
    """Return the names that a frame's index and columns give to rows and columns of a matrix.

    One rule for every reader: labels 0, 1, 2, ... are positions and no names; all other labels are names, as
    text. Row labels that repeat, or are empty, do not tell rows apart and are left out; column labels that
    repeat are refused by `raise_if_labels_repeat`.

    Examples
    --------
    >>> import pandas
    >>> frame_names(pandas.DataFrame([[1], [2]], index=[7, 9], columns=["tea"]))
    (['7', '9'], ['tea'])
    """
    return _names(_labels(X, "index")), _names(_labels(X, "columns"))


def raise_if_labels_differ(X: Any, mask: Any) -> None:
    """Raise if the labels of a mask are not those of the data: it would hide other entries than intended."""
    for side in ("index", "columns"):
        of_data, of_mask = _labels(X, side), _labels(mask, side)
        if of_data is not None and of_mask is not None and of_data != of_mask:
            raise InputError(
                f"The {side} of the data and of the mask differ; expected the same labels in the same order. "
                "Align the mask first: mask.reindex_like(X)."
            )


def _labels(X: Any, side: str) -> list[Any] | None:
    """Return the labels of a frame; lists and arrays have other attributes by the same names."""
    if not hasattr(X, "columns"):
        return None
    labels = getattr(X, side, None)
    if side == "columns":
        labels = getattr(X, "column_names", labels)
    return None if labels is None or callable(labels) else list(labels)


def _names(labels: list[Any] | None) -> list[str] | None:
    if labels is None or labels == list(range(len(labels))):
        return None
    words = [str(label) for label in labels]
    return words if len(set(words)) == len(words) and all(words) else None
