"""Reader of the Matrix Market format that raises for everything that is not a number.

SciPy's reader takes ``0,5`` for 0, ``1d5`` for 1 and 3.7 under ``integer`` for 3, and may read beyond the end
of a buffer after a null byte. Here each line is matched as a whole before its numbers are converted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.readers.matrices.triangles import dense_matrix, expanded
from latentlink.network.readers.text.source import TextSource
from latentlink.network.readers.unpack_limit import UnpackLimit
from latentlink.validation.columns import raise_if_rounded, raise_if_unusable
from latentlink.validation.wording import shortened

__all__ = ["matrix_market"]

_BANNER = re.compile(r"%%?MatrixMarket[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]*\r?\n?")
_FIELDS = ("real", "double", "integer", "unsigned-integer", "pattern")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric")
_REAL = r"[+-]?+(?:\d++(?:\.\d*+)?+|\.\d++|nan|inf(?:inity)?+)(?:(?<=[\d.])e[+-]?+\d++)?+"
_VALUES = {
    "real": _REAL,
    "double": _REAL,
    "integer": r"[+-]?+\d{1,19}+",
    "unsigned-integer": r"\+?+\d{1,20}+",
    "pattern": "",
}
_NUMBER_OF_VALUE = {
    "real": "a number, the value",
    "double": "a number, the value",
    "integer": "a whole number below 2^63, the value",
    "unsigned-integer": "a whole number from 0 to 2^64, the value",
    "pattern": "no value",
}
# Whole numbers outside are not of the type that the banner names.
_LIMITS = {"integer": (-(2**63), 2**63 - 1), "unsigned-integer": (0, 2**64 - 1)}


@dataclass(frozen=True, slots=True)
class _Form:
    """What the banner and the line of sizes declare."""

    coordinate: bool
    field: str
    symmetry: str
    shape: tuple[int, int]
    entries: int

    @property
    def width(self) -> int:
        """Number of numbers on each line."""
        return 2 * self.coordinate + (self.field != "pattern")

    def pattern(self) -> re.Pattern[str]:
        """Return the pattern of any number of lines, blank ones among them."""
        index = r"\d{1,18}+"
        parts = [index, index] * self.coordinate + [_VALUES[self.field]] * (self.field != "pattern")
        line = r"[ \t]++".join(parts)
        return re.compile(rf"(?:[ \t]*+(?:{line})?+[ \t]*+(?:\r\n|\n|\r|\Z))*+", re.ASCII | re.IGNORECASE)

    def expected(self) -> str:
        """Return what a line should hold, for messages."""
        value = _NUMBER_OF_VALUE[self.field]
        rows, cols = (f"{size:,}" for size in self.shape)
        return f"row (1 to {rows}), column (1 to {cols}) and {value}" if self.coordinate else value


def matrix_market(limit: UnpackLimit) -> Any:
    r"""Return a SciPy array in coordinate form, or a NumPy array for a dense file.

    Coordinate and array files of real, integer or pattern type are read; of symmetric and skew-symmetric
    ones, which store one triangle, the other one is added. Raises InputError for everything else.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from latentlink.network.readers.unpack_limit import unpack_limit
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "x.mtx")
    ...     _ = path.write_text("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n")
    ...     matrix_market(unpack_limit(path, None)).tolist()
    [[1.0, 2.0], [2.0, 3.0]]
    """
    # Comments may be in any encoding; Latin-1 has every byte.
    with TextSource(limit, "latin-1") as source:
        piece = _with_sizes(source)
        form, first = _form(piece, source)
        limit.check_shape(form.shape)
        source.check_held(form.entries * (1 if form.symmetry == "general" else 2))
        numbers = _numbers(source, piece[first:], first + 1, form)
    if not form.coordinate:
        return dense_matrix(numbers[:, 0], form.shape, form.symmetry)
    from scipy.sparse import coo_array

    pairs = numbers[:, :2].astype(np.int64) - 1
    values = numbers[:, 2] if form.width == 3 else np.ones(len(pairs))
    rows, cols, values = expanded(pairs[:, 0], pairs[:, 1], values, form.symmetry, str(source.path))
    return coo_array((values, (rows, cols)), shape=form.shape)


def _with_sizes(source: TextSource) -> list[str]:
    """Return the first lines, up to a line below the banner that is neither blank nor a comment."""
    piece = more = source.read_piece()
    while more and not any(map(_is_content, more[more is piece :])):
        more = source.read_piece()
        piece += more
    return piece


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("%")


def _form(piece: list[str], source: TextSource) -> tuple[_Form, int]:
    """Return what the first lines declare, and the number of these lines."""
    banner = _BANNER.fullmatch(piece[0]) if piece else None
    if banner is None:
        found = shortened(piece[0].rstrip("\r\n")) if piece else "an empty file"
        raise InputError(
            f"{source.path}, line 1: found {found}; expected a matrix in the Matrix Market format, "
            f"which begins "
            "with %%MatrixMarket matrix coordinate real general, or similar."
        )
    kinds = [kind.lower() for kind in banner.groups()]
    allowed = (("matrix",), ("coordinate", "array"), _FIELDS, _SYMMETRIES)
    for kind, choices in zip(kinds, allowed, strict=True):
        if kind not in choices:
            raise InputError(
                f"{source.path}, line 1: found {shortened(kind)} in the banner of the Matrix Market format; "
                f"expected {' or '.join(choices)}."
            )
    _, layout, field, symmetry = kinds
    if layout == "array" and field == "pattern":
        raise InputError(
            f"{source.path}, line 1: found array with pattern; expected array with real or integer."
        )
    for index, line in enumerate(piece[1:], start=1):
        if _is_content(line):
            where = f"{source.path}, line {index + 1}"
            return _sized(line, layout == "coordinate", field, symmetry, where), index + 1
    raise InputError(
        f"{source.path}: found no line with the size of the matrix below the banner of the Matrix "
        f"Market format; "
        "expected one in the first lines."
    )


def _sized(line: str, coordinate: bool, field: str, symmetry: str, where: str) -> _Form:
    sizes = re.fullmatch(
        r"[ \t]*(\d{1,18})[ \t]+(\d{1,18})(?:[ \t]+(\d{1,18}))?[ \t]*[\r\n]*", line, re.ASCII
    )
    if sizes is None or (sizes[3] is not None) is not coordinate:
        numbers = "rows, columns and entries" if coordinate else "rows and columns"
        raise InputError(
            f"{where}: found {shortened(line.rstrip())}; expected the numbers of {numbers}, as whole numbers."
        )
    rows, cols = int(sizes[1]), int(sizes[2])
    if rows < 1 or cols < 1:
        raise InputError(f"{where}: found {rows} rows and {cols} columns; expected at least one of each.")
    if symmetry != "general" and rows != cols:
        raise InputError(
            f"{where}: found {rows:,} rows and {cols:,} columns; expected as many of both, since the "
            f"matrix is "
            f"{symmetry}."
        )
    entries = int(sizes[3] or 0)
    if not coordinate:
        entries = {
            "general": rows * cols,
            "symmetric": rows * (rows + 1) // 2,
            "skew-symmetric": rows * (rows - 1) // 2,
        }[symmetry]
    return _Form(coordinate, field, symmetry, (rows, cols), entries)


def _numbers(source: TextSource, piece: list[str], line: int, form: _Form) -> NDArray[np.float64]:
    """Return all numbers below the sizes, shape (entries, width)."""
    pattern = form.pattern()
    parts = [np.empty((0, form.width))]
    count, last = 0, ""
    while True:
        last = piece[-1] if piece else last
        text = "".join(piece)
        if pattern.fullmatch(text) is None:
            raise InputError(_line_message(source, pattern, piece, line, form))
        # All of the text is numbers and blanks now, so that nothing can be read as another number.
        numbers = np.fromstring(text, np.float64, sep=" ") if text.strip() else np.empty(0)
        numbers = numbers.reshape(-1, form.width)
        _check_ranges(numbers, source, piece, line, form)
        count += len(numbers)
        if count > form.entries:
            break
        parts.append(numbers)
        line = source.line
        piece = source.read_piece()
        if not piece:
            break
    if count != form.entries:
        more = "or more " if count > form.entries else ""
        raise InputError(
            f"{source.path}: found {count:,} {more}entries; expected {shortened(form.entries)}, as the "
            f"sizes of "
            "the Matrix Market format declare. The file is damaged or incomplete."
        )
    if last and not last.endswith(("\n", "\r")) and not source.is_packed:
        warn_user(
            f"{source.path}: the last line, {shortened(last)}, has no line end, so that its number may be "
            "cut off; expected one, as writers of the Matrix Market format end every line. If the file is "
            "complete, add a line end."
        )
    return np.concatenate(parts)


def _check_ranges(
    numbers: NDArray[np.float64], source: TextSource, piece: list[str], line: int, form: _Form
) -> None:
    bad: NDArray[np.bool_] = np.zeros(len(numbers), bool)
    expected = ""
    if form.coordinate:
        rows, cols = numbers[:, 0], numbers[:, 1]
        bad = (rows < 1) | (rows > form.shape[0]) | (cols < 1) | (cols > form.shape[1])
        expected = f"a row from 1 to {form.shape[0]:,} and a column from 1 to {form.shape[1]:,}"
    if not bad.any() and form.field in _LIMITS:
        bad, expected = _wrong_integers(numbers[:, -1], piece, form.field)
    filled = [position for position, text in enumerate(piece) if text.strip()] if numbers.size else []
    if form.field in {"real", "double"} and not bad.any():
        _check_reals(numbers[:, -1], piece, lambda at: f"{source.path}, line {line + filled[at]}")
    if bad.any():
        position = filled[int(np.argmax(bad))]
        raise InputError(
            f"{source.path}, line {line + position}: found {shortened(piece[position].strip())}; expected "
            f"{expected}."
        )


def _words(piece: list[str]) -> list[str]:
    """Return the last number of each line."""
    return [text.split()[-1] for text in piece if text.strip()]


def _wrong_integers(
    values: NDArray[np.float64], piece: list[str], field: str
) -> tuple[NDArray[np.bool_], str]:
    """Return which values are outside of their type, or else no floats, and what is expected."""
    bad = np.zeros(len(values), bool)
    large = np.flatnonzero(np.abs(values) >= 2.0**53).tolist()  # some numbers from 2^53 on are no floats
    words = _words(piece) if large else []
    low, high = _LIMITS[field]
    bad[[at for at in large if not low <= int(words[at]) <= high]] = True
    if bad.any():
        return bad, f"a whole number from {low} to {high}"
    bad[[at for at in large if int(words[at]) != int(values[at])]] = True
    return bad, "a whole number up to 2^53, or the field real for rounded values"


def _check_reals(values: NDArray[np.float64], piece: list[str], locate: Callable[[int], str]) -> None:
    """Raise InputError for infinity, and for numbers that are no 0 and become one; NaN is judged later."""
    suspicious = np.flatnonzero(np.isinf(values) | (values == 0)).tolist()
    if not suspicious:
        return
    words = _words(piece)
    texts = [words[at] for at in suspicious]
    found = values[suspicious]
    raise_if_unusable(found, "value", lambda at: locate(suspicious[at]), texts)
    raise_if_rounded(texts, found, "value", lambda at: locate(suspicious[at]))


def _line_message(
    source: TextSource, pattern: re.Pattern[str], piece: list[str], line: int, form: _Form
) -> str:
    position = next(index for index, text in enumerate(piece) if not pattern.fullmatch(text))
    return (
        f"{source.path}, line {line + position}: found {shortened(piece[position].strip())}; expected "
        f"{form.expected()}, as the banner of the Matrix Market format declares."
    )
