"""Records of delimited text: lines split into fields, with quotes, blank lines and line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.text.source import TextSource
from latentlink.validation.wording import counted, few

__all__ = [
    "WHITESPACE",
    "Block",
    "LineNumbers",
    "blocks",
    "is_comment",
    "split_line",
    "unclosed_quote_message",
]

WHITESPACE = " "
_COMMENTS = ("#", "%")
_COMMENT = re.compile(r"(?:^|\r)[ \t]*[#%]", re.MULTILINE)
_OPENING = re.compile(r' *"')
_QUOTED = re.compile(r' *"([^"]*(?:""[^"]*)*)"')


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive records of a file, as one flat list of fields.

    Attributes
    ----------
    fields : list of str
        Fields of all records, record by record: a list for each record would cost more time in the garbage
        collector than the parsing.
    width : int
        Number of fields of each record.
    lines : array of int, shape (records,)
        Number of the line on which each record begins.
    blank : int
        Number of blank lines skipped.
    exact : bool
        Whether blanks around a field belong to it; else they are stripped.
    """

    fields: list[str]
    width: int
    lines: NDArray[np.int64]
    blank: int
    exact: bool

    def column(self, position: int) -> list[str]:
        """Return the field at a position of every record."""
        column = self.fields[position :: self.width]
        return column if self.exact else list(map(str.strip, column))

    def without_first(self) -> Block:
        """Return the block without its first record."""
        return replace(self, fields=self.fields[self.width :], lines=self.lines[1:])


class LineNumbers:
    """Line numbers of all records, stored as the few positions at which they skip lines."""

    def __init__(self) -> None:
        self._count = 0
        self._starts: list[int] = []
        self._shifts: list[int] = []

    def add(self, lines: NDArray[np.int64]) -> None:
        """Append the lines of the next records."""
        shifts = lines - np.arange(self._count, self._count + len(lines))
        last = self._shifts[-1:] or [-1]
        for index in np.flatnonzero(np.diff(shifts, prepend=last)).tolist():
            self._starts.append(self._count + index)
            self._shifts.append(int(shifts[index]))
        self._count += len(lines)

    def __call__(self, position: int) -> str:
        """Describe for a message on which line the record of a position begins."""
        segment = int(np.searchsorted(self._starts, position, side="right")) - 1
        return f"line {position + self._shifts[segment]}"


def is_comment(line: str) -> bool:
    """Whether a line begins with ``#`` or ``%``."""
    return line.lstrip().startswith(_COMMENTS)


@lru_cache(maxsize=8)
def _separator(delimiter: str) -> re.Pattern[str]:
    return re.compile(r"\s+" if delimiter == WHITESPACE else " *" + re.escape(delimiter))


def split_line(line: str, delimiter: str) -> list[str] | None:
    """Split a record into fields; return None if a quote is still open.

    Raises ValueError if text follows a closing quote. The csv module is three times faster, but does not
    report which fields were quoted, so that it cannot both strip blanks and keep those within quotes; nor
    does it take a delimiter of two characters.

    Examples
    --------
    >>> split_line('  Smith, "a ""b"", c ",1', ",")
    ['Smith', 'a "b", c ', '1']
    """
    separator = _separator(delimiter)
    line = line.strip() if delimiter == WHITESPACE else line.rstrip("\r\n")
    fields: list[str] = []
    start = 0
    while True:
        if _OPENING.match(line, start):
            quoted = _QUOTED.match(line, start)
            if quoted is None:
                return None
            fields.append(quoted[1].replace('""', '"'))
            start = quoted.end()
            if not line[start:].strip(" "):
                return fields
        else:
            end = separator.search(line, start)
            fields.append(line[start : end.start() if end else None].strip())
            if end is None:
                return fields
            start = end.start()
        following = separator.match(line, start)
        if following is None:
            raise ValueError(line[start : start + 20])
        start = following.end()


def blocks(source: TextSource, piece: list[str], line: int, form: tuple[str, int]) -> Iterator[Block]:
    """Split the lines of a file into records, block by block.

    Parameters
    ----------
    source : TextSource
        The file, of which ``piece`` is read already.
    piece : list of str
        The first lines.
    line : int
        Number of the first of them.
    form : (str, int)
        Delimiter, and the number of fields that every record must have.
    """
    while piece:
        text = "".join(piece)
        # The pattern takes a tenth of the whole time, a search for single characters almost none.
        block = None
        if not (("#" in text or "%" in text) and _COMMENT.search(text)):
            block = (_quoted if '"' in text else _plain)(piece, text, line, *form)
        yield block or _parsed_line_by_line(source, piece, line, *form)
        line = source.line
        piece = source.read_piece()


def _plain(piece: list[str], text: str, line: int, delimiter: str, width: int) -> Block | None:
    """Split lines without quotes and blank lines that all have ``width`` fields; return None for others."""
    if delimiter == WHITESPACE:
        widths = set(map(len, map(str.split, piece)))
        fields = text.split()
    else:
        widths = {count + 1 for count in set(map(str.count, piece, repeat(delimiter)))}
        fields = delimiter.join(piece).split(delimiter)
    if widths != {width}:
        return None
    return Block(fields, width, np.arange(line, line + len(piece)), 0, exact=False)


def _quoted(piece: list[str], text: str, line: int, delimiter: str, width: int) -> Block | None:
    """Split lines with quotes by csv; return None for blanks around fields and records of several lines."""
    if len(delimiter) > 1 or delimiter == WHITESPACE or _blanks_around(delimiter).search(text):
        return None
    import csv

    fields: list[str] = []
    reader = csv.reader(piece, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            if len(row) != width:
                return None
            fields += row
    except csv.Error:
        return None
    if len(fields) != width * len(piece):
        return None
    return Block(fields, width, np.arange(line, line + len(piece)), 0, exact=True)


@lru_cache(maxsize=8)
def _blanks_around(delimiter: str) -> re.Pattern[str]:
    edge = f'["{re.escape(delimiter)}\\r\\n]'
    return re.compile(
        rf"(?:^|{edge})[^\S{re.escape(delimiter)}\r\n]|[^\S{re.escape(delimiter)}\r\n](?:{edge}|$)"
    )


def _parsed_line_by_line(
    source: TextSource, piece: list[str], line: int, delimiter: str, width: int
) -> Block:
    """Split any lines, and raise InputError for the first record that is malformed."""
    fields: list[str] = []
    lines: list[int] = []
    remaining = iter(piece)
    blank = 0
    for text in remaining:
        if not text.strip():
            blank, line = blank + 1, line + 1
            continue
        record, count = _record(source, text, line, delimiter, remaining)
        if len(record) != width:
            raise InputError(
                f"{source.path}, line {line}: found {counted(len(record), 'field')}, "
                f"[{few(list(map(repr, record)))}]; expected {width}, as in the first record."
            )
        fields += record
        lines.append(line)
        line += count
    return Block(fields, width, np.array(lines, np.int64), blank, exact=True)


def _record(
    source: TextSource, text: str, line: int, delimiter: str, remaining: Iterator[str]
) -> tuple[list[str], int]:
    """Return the fields of the record that begins with the line ``text``, and its number of lines."""
    if is_comment(text):
        raise InputError(_late_comment_message(source, text, line))
    fields, count = _split(source, text, line, delimiter), 1
    while fields is None:
        more = next(remaining, "") or source.read_line()
        if not more:
            raise InputError(unclosed_quote_message(source, text, line))
        text, count = text + more, count + 1
        # Only a line with a quote can close the open one.
        fields = _split(source, text, line, delimiter) if '"' in more else None
    return fields, count


def _split(source: TextSource, text: str, line: int, delimiter: str) -> list[str] | None:
    try:
        return split_line(text, delimiter)
    except ValueError as error:
        raise InputError(
            f"{source.path}, line {line}: {str(error)!r} follows a closing quote; expected the delimiter "
            f"{delimiter!r}. Write a quote within quotes twice."
        ) from None


def _late_comment_message(source: TextSource, text: str, line: int) -> str:
    return (
        f"{source.path}, line {line}: {text.strip()[:40]!r} looks like a comment, but is below data; "
        "expected comments only at the top. Remove it; put a name that begins with # or % in quotes."
    )


def unclosed_quote_message(source: TextSource, text: str, line: int) -> str:
    """Return the message about a quote that is never closed."""
    return (
        f"{source.path}, line {line}: a quote is opened and never closed: {text[:40]!r}. Close it, or write "
        "a quote that belongs to a name as two within quotes."
    )
