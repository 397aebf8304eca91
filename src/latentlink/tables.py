"""Tables: named columns of one length, shown in a terminal or notebook, or turned into a data frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.validation.choices import checked_choice
from latentlink.validation.wording import counted, few

__all__ = ["GuaranteedTable", "Table", "frame_from"]

_BACKENDS = ("pandas", "polars", "pyarrow")
_SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Named columns of one length.

    A table is the same whichever data frame library is installed, and with none.

    Attributes
    ----------
    columns : mapping of str to array
        Columns in their order.

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
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) != 1:
            raise InputError(
                f"The columns of a table have the lengths {lengths}; expected one length for all."
            )

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.columns:
            raise KeyError(f"There is no column {name!r}; the columns are {', '.join(self.columns)}.")
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values())))

    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Return the columns as a dict of arrays."""
        return dict(self.columns)

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the columns as a data frame.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            By default the first of them that is installed.
        """
        return frame_from(self.columns, backend)

    def __repr__(self) -> str:
        return "\n".join([*_text_lines(self.columns), *self._more()])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        lines = zip(*_first_cells(self.columns), strict=True)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>" for line in lines
        )
        note = "".join(f"<p>{escape(line)}</p>" for line in self._more())
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"

    def _more(self) -> list[str]:
        """Return the lines below the first rows."""
        rest = len(self) - _SHOWN
        return [f"... and {counted(rest, 'row')} more"] if rest > 0 else []


@dataclass(frozen=True, eq=False, repr=False)
class GuaranteedTable(Table):
    """A table of pairs whose answers carry a statistical guarantee.

    Attributes
    ----------
    columns : mapping of str to array
        One value for each pair in each.
    limits : str
        What is guaranteed and what is not, in sentences.
    rule : object
        The fitted rule: thresholds, quantiles, counts.

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

    def _more(self) -> list[str]:
        return [*super()._more(), self.limits]


def frame_from(columns: Mapping[str, NDArray[Any]], backend: str | None = None) -> Any:
    """Return columns as a data frame of a library, by default of the first one that is installed."""
    # Lists of strings, because not every library takes NumPy's.
    plain = {
        name: column.tolist() if column.dtype.kind == "U" else np.array(column)
        for name, column in columns.items()
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
    if backend is not None:
        return checked_choice(backend, _BACKENDS, "backend")
    for each in _BACKENDS:
        if find_spec(each) is not None:
            return each
    raise ImportError(f"none of {few(_BACKENDS)} is installed")


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
