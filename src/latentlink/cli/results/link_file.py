"""CSV files of pairs and of ranks: names exactly as they are, written atomically."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.saving import write_atomically
from latentlink.validation.wording import shown_path

__all__ = ["COMPONENTS", "csv_text", "formula_names", "raise_if_input", "write_csv"]

COMPONENTS = "components: "
"""What the name of the factorization beside a stack begins with, in ``ranks.csv``."""

_DIGITS = 7
_PIECE = 10_000
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")


def write_csv(path: Path, columns: Mapping[str, NDArray[Any]]) -> None:
    """Write columns as CSV; text of pairs is always quoted, numbers have seven digits, NaN is empty.

    Quotes keep blanks, delimiters and line ends within a name: it is read back as it is. They do not keep
    spreadsheet programs from reading a name that begins with ``=`` as a formula, see `formula_names`.
    """
    write_atomically(path, lambda file: file.writelines(piece.encode() for piece in csv_text(columns)))


def raise_if_input(out: str | None, file: str) -> None:
    """Raise InputError if the file to write is the one that is read, under whatever name."""
    if out is not None and Path(out).exists() and Path(file).exists() and Path(out).samefile(file):
        raise InputError(
            f"--out is {shown_path(out)}, the file of pairs itself; expected another name, since "
            "that file would be lost. Name another one."
        )


def csv_text(columns: Mapping[str, NDArray[Any]]) -> Iterator[str]:
    """Yield the text of a CSV file in pieces.

    Examples
    --------
    >>> print("".join(csv_text({"source": np.array(["a, b"]), "score": np.array([0.5])})).strip())
    source,score
    "a, b",0.5
    """
    yield ",".join(columns) + "\n"
    arrays = list(columns.values())
    for begin in range(0, len(arrays[0]) if arrays else 0, _PIECE):
        cells = [list(map(_cell, each[begin : begin + _PIECE].tolist())) for each in arrays]
        yield "".join(",".join(line) + "\n" for line in zip(*cells, strict=True))


def formula_names(names: Iterable[str]) -> int:
    """Return how many names a spreadsheet program may read as formulas.

    Examples
    --------
    >>> formula_names(["=1+1", "ann", "-5 degrees"])
    2
    """
    return sum(str(name).startswith(_FORMULAS) for name in names)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"'
    if isinstance(value, float):
        return "" if np.isnan(value) else f"{value:.{_DIGITS}g}"
    return str(value).lower() if isinstance(value, bool) else str(value)
