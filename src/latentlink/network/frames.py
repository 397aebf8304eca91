"""Data frames in and out, through narwhals: pandas, polars, pyarrow and their kin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.arguments import checked_columns
from latentlink.network.describe import few
from latentlink.network.labels import Place
from latentlink.network.listing import checked_choice

if TYPE_CHECKING:
    from latentlink.network.network import Network

__all__ = [
    "chosen_columns",
    "frame_columns",
    "frame_from",
    "frame_of",
    "frame_row",
    "network_frame",
    "refuse_repeated",
]

_PARTS = ("row", "column", "value", "weight")
_BACKENDS = ("pandas", "polars", "pyarrow")


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
        refuse_repeated(list(getattr(edges, "column_names", edges.columns)), "The frame")
    frame = nw.from_native(edges, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise InputError("The frame is lazy, so its rows are not there yet. Collect it first.")
    return frame if isinstance(frame, nw.DataFrame) else None


def refuse_repeated(labels: Sequence[Any], where: str) -> None:
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


def network_frame(network: Network, backend: str | None) -> Any:
    """Write the listed entries into a frame with the columns row, column, value and weight."""
    rows = network.rows if network.row_names is None else network.row_names[network.rows]
    cols = network.cols if network.col_names is None else network.col_names[network.cols]
    return frame_from(dict(zip(_PARTS, (rows, cols, network.values, network.weights), strict=True)), backend)


def frame_from(columns: Mapping[str, NDArray[Any]], backend: str | None = None) -> Any:
    """Return columns as a frame of a library, by default of the first one that is installed."""
    # Lists of strings, because not every library takes NumPy's.
    plain = {
        part: each.tolist() if each.dtype.kind == "U" else np.array(each) for part, each in columns.items()
    }
    try:
        import narwhals as nw

        return nw.from_dict(plain, backend=_installed(backend)).to_native()
    except ImportError:
        raise InputError(
            f"A data frame needs narwhals and {backend or 'pandas, polars or pyarrow'}: "
            'pip install "latentlink[frames]".'
        ) from None


def _installed(backend: str | None) -> Any:
    from importlib.util import find_spec

    if backend is not None:
        checked_choice(backend, _BACKENDS, "backend")
        return backend
    for each in _BACKENDS:
        if find_spec(each) is not None:
            return each
    raise ImportError
