"""The opening of a text file: its first records, from which the layout is detected."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from latentlink.errors import InputError
from latentlink.network.readers.text.layout import detect_delimiter
from latentlink.network.readers.text.records import (
    MOST_FIELDS,
    is_comment,
    split_line,
    unclosed_quote_message,
)
from latentlink.network.readers.text.source import TextSource
from latentlink.network.readers.unpack_limit import LONGEST_FIELD, raise_if_field_too_long

__all__ = ["Opening", "opening"]

_SAMPLE_LINES = 100
_MATRIX_MARKET = "%%matrixmarket"  # looks like a comment, before lines of three numbers that are no pairs
_SAMPLE_RECORDS = 20


class Opening(NamedTuple):
    """The opening of a text file.

    Attributes
    ----------
    piece : list of str
        The first lines, from the first that is neither blank nor a comment on.
    line : int
        The number of that line.
    delimiter : str
    records : list of lists of str
        The fields of the first records, at least one.
    """

    piece: list[str]
    line: int
    delimiter: str
    records: list[list[str]]


def opening(source: TextSource, delimiter: str | None, most: int = MOST_FIELDS) -> Opening:
    """Read the first lines of a file; the delimiter is detected unless it is given.

    Splitting of a line ends after more than ``most`` fields.
    """
    piece, line = _after_comments(source)
    sample = list(islice((text for text in piece if not text.isspace()), _SAMPLE_LINES))
    separator = _checked_delimiter(delimiter) or detect_delimiter(sample)
    records = _first_records(source, piece, sample, line, (separator, most))
    return Opening(piece, line, separator, records)


def _checked_delimiter(delimiter: str | None) -> str | None:
    usable = isinstance(delimiter, str) and delimiter and not set(delimiter) & set('"\r\n')
    if delimiter is not None and not usable:
        raise InputError(
            f'delimiter is {delimiter!r}; expected text without quotes and line ends, such as "," or "\\t", '
            "or None (detect it)."
        )
    return delimiter


def _after_comments(source: TextSource) -> tuple[list[str], int]:
    """Return lines from the first that is neither blank nor a comment on, and its number."""
    while piece := source.read_piece():
        if piece[0].lower().startswith(_MATRIX_MARKET):
            packed = ".gz" if source.path.suffix.lower() == ".gz" else ""
            raise InputError(
                f"{source.path} is a Matrix Market file, by its first line, but is not named as one. Rename "
                f"it to end in .mtx{packed}."
            )
        if "".join(piece).isspace():  # a million blank lines at once
            continue
        for index, line in enumerate(piece):
            if line.strip() and not is_comment(line):
                return piece[index:], source.line - len(piece) + index
    content = "only blank lines and comments" if source.line > 1 else "nothing: the file is empty"
    raise InputError(f"{source.path}: found {content}; expected lines of row, column and value.")


def _first_records(
    source: TextSource, piece: list[str], sample: list[str], line: int, form: tuple[str, int]
) -> list[list[str]]:
    """Return the first records, from which the layout is detected; quotes may span lines.

    The sample is of the lines of the piece, whose first one has the number ``line``.
    """
    delimiter, most = form
    records: list[list[str]] = []
    lines = iter(sample)
    for text in lines:
        try:
            fields = split_line(text, delimiter, lambda: next(lines, ""), most)
        except ValueError:
            # A misplaced quote: it raises InputError with its line when the records are read.
            fields = text.split(delimiter, most)
        if fields is not None:
            if len(text) > LONGEST_FIELD:
                number = line + next(at for at, each in enumerate(piece) if each is text)
                raise_if_field_too_long(max(map(len, fields)), f"{source.path}, line {number}")
            records.append(fields)
        if len(records) == _SAMPLE_RECORDS:
            break
    if not records:
        raise InputError(unclosed_quote_message(source, sample[0], line))
    return records
