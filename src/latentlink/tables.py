"""Tables of named columns of one length, with text and HTML representations and conversion to data frames."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.validation.choices import checked_choice
from latentlink.validation.wording import counted, few

__all__ = ["GuaranteedTable", "ProbabilityTable", "Table", "frame_from"]

_BACKENDS = ("pandas", "polars", "pyarrow")
_SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A table of named columns of one length.

    ``table[name]`` is a column, ``len(table)`` the number of rows, and iteration is over the names of the
    columns. A table needs no data frame library and is the same whichever is installed.

    Attributes
    ----------
    columns : dict of str to array
        The columns in order.

    Examples
    --------
    >>> table = Table({"row": np.array(["ann", "bob"]), "score": np.array([0.5, 0.25])})
    >>> table
    row  score
    ann  0.5
    bob  0.25
    >>> table["score"].max(), len(table)
    (np.float64(0.5), 2)
    """

    columns: Mapping[str, NDArray[Any]]

    def __post_init__(self) -> None:
        columns = {name: np.asarray(column) for name, column in self.columns.items()}
        if not columns:
            raise InputError("A table has no columns; expected at least one.")
        shapes = {column.shape for column in columns.values()}
        if len(shapes) != 1 or len(shapes.pop()) != 1:
            listed = [f"{name} {column.shape}" for name, column in columns.items()]
            raise InputError(
                f"The columns of a table have the shapes {few(listed)}; expected one dimension and the same "
                "length for all of them."
            )
        object.__setattr__(self, "columns", columns)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise KeyError(f"There is no column {name!r}; the columns are {', '.join(self.columns)}.")
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a new dict of arrays."""
        return {name: column.copy() for name, column in self.columns.items()}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the columns as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            The library of the data frame; by default the first of them that is installed.
        """
        return frame_from(self.columns, backend)

    def __repr__(self) -> str:
        return "\n".join([*_text_lines(self.columns), *self._notes()])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        lines = zip(*_first_cells(self.columns), strict=True)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines
        )
        notes = "".join(f"<p>{escape(line)}</p>" for line in self._notes())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"

    def _notes(self) -> list[str]:
        """Return the lines below the first rows."""
        rest = len(self) - _SHOWN
        return [f"... and {counted(rest, 'row')} more"] if rest > 0 else []


@dataclass(frozen=True, eq=False, repr=False)
class GuaranteedTable(Table):
    """A table of pairs whose answers carry a statistical guarantee.

    Attributes
    ----------
    columns : dict of str to array
        The columns in order, with one value for each pair.
    limits : str
        Sentences on what is guaranteed and what is not.
    rule : object
        The fitted rule with its thresholds, quantiles and counts.
    exchangeability : object or None
        The comparison of the pairs with the calibration pairs, see
        `latentlink.uncertainty.Exchangeability`.

    Examples
    --------
    >>> table = GuaranteedTable({"score": np.array([0.9, 0.2])}, "At most 5 % are wrong.", None)
    >>> table
    score
    0.9
    0.2
    At most 5 % are wrong.
    """

    limits: str
    rule: Any
    exchangeability: Any = None

    def _notes(self) -> list[str]:
        return [*super()._notes(), self.limits]


@dataclass(frozen=True, eq=False, repr=False)
class ProbabilityTable(GuaranteedTable):
    """A table of pairs with calibrated probabilities; ``np.asarray`` of it is their column.

    Examples
    --------
    >>> np.asarray(ProbabilityTable({"probability": np.array([0.9, 0.2])}, "As good as its pairs.", None))
    array([0.9, 0.2])
    """

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self["probability"], dtype=dtype)


def frame_from(columns: Mapping[str, NDArray[Any]], backend: str | None = None) -> Any:
    """Return columns as a data frame of a library, by default of the first one that is installed.

    Parameters
    ----------
    columns : mapping of str to array
        They are copied.
    backend : {"pandas", "polars", "pyarrow"}, optional
        The library of the data frame.
    """
    if backend is not None:
        checked_choice(backend, _BACKENDS, "backend")
    text = [name for name, column in columns.items() if column.dtype.kind in "UO"]
    # Text as lists, because not every library reads NumPy's strings.
    plain = {name: column.tolist() if name in text else np.array(column) for name, column in columns.items()}
    try:
        import narwhals as nw

        frame = nw.from_dict(plain, backend=_installed(backend))
        if text and not len(frame):  # the type of an empty list is unknown
            frame = frame.with_columns(nw.col(*text).cast(nw.String))
        return frame.to_native()
    except ImportError:
        raise InputError(
            f"A data frame needs narwhals and {backend or 'pandas, polars or pyarrow'}: "
            f"pip install narwhals {backend or 'pandas'}."
        ) from None


def _installed(backend: str | None) -> Any:
    """Return a backend that is installed: the given one, or the first of all."""
    candidates = _BACKENDS if backend is None else (backend,)
    for candidate in candidates:
        if find_spec(candidate) is not None:
            return candidate
    raise ImportError(f"none of {few(candidates)} is installed")


def _first_cells(columns: Mapping[str, NDArray[Any]]) -> list[list[str]]:
    """Return the text of the first rows, column by column."""
    return [[_cell(value) for value in column[:_SHOWN].tolist()] for column in columns.values()]


def _cell(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _text_lines(columns: Mapping[str, NDArray[Any]]) -> list[str]:
    """Return the head and the first rows, padded to columns."""
    cells = [[name, *column] for name, column in zip(columns, _first_cells(columns), strict=True)]
    padded = [[cell.ljust(max(map(len, column))) for cell in column] for column in cells]
    return ["  ".join(line).rstrip() for line in zip(*padded, strict=True)]
