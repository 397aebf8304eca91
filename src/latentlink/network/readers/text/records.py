"""Lines split into fields: quotes, blank lines, and line numbers that stay right."""

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

__all__ = ["WHITESPACE", "Block", "LineNumbers", "blocks", "is_comment", "open_quote", "split_line"]

WHITESPACE = " "
_COMMENTS = ("#", "%")
_COMMENT = re.compile(r"(?:^|\r)[ \t]*[#%]", re.MULTILINE)
_OPENING = re.compile(r' *"')
_QUOTED = re.compile(r' *"([^"]*(?:""[^"]*)*)"')


@dataclass(frozen=True, slots=True)
class Block:
    """Some records of ``width`` fields, one after another, and the line on which each begins.

    ``blank`` counts the blank lines passed over; in an ``exact`` block blanks around a field belong to it.
    A list for each record would keep the garbage collector busy for most of the time.
    """

    fields: list[str]
    width: int
    lines: NDArray[np.int64]
    blank: int
    exact: bool

    def column(self, place: int) -> list[str]:
        """Return one field of every record."""
        found = self.fields[place :: self.width]
        return found if self.exact else list(map(str.strip, found))

    def without_first(self) -> Block:
        """Leave the first record out."""
        return replace(self, fields=self.fields[self.width :], lines=self.lines[1:])


class LineNumbers:
    """The line of every record, kept as the few places where the count jumps."""

    def __init__(self) -> None:
        self._count = 0
        self._starts: list[int] = []
        self._shifts: list[int] = []

    def add(self, lines: NDArray[np.int64]) -> None:
        """Append the lines of the next records."""
        shifts = lines - np.arange(self._count, self._count + len(lines))
        last = self._shifts[-1:] or [-1]
        for place in np.flatnonzero(np.diff(shifts, prepend=last)).tolist():
            self._starts.append(self._count + place)
            self._shifts.append(int(shifts[place]))
        self._count += len(lines)

    def __call__(self, position: int) -> str:
        """Say where the record of a position stands."""
        found = int(np.searchsorted(self._starts, position, side="right")) - 1
        return f"line {position + self._shifts[found]}"


def is_comment(line: str) -> bool:
    """Whether a line begins with a comment sign."""
    return line.lstrip().startswith(_COMMENTS)


@lru_cache(maxsize=8)
def _separator(delimiter: str) -> re.Pattern[str]:
    return re.compile(r"\s+" if delimiter == WHITESPACE else " *" + re.escape(delimiter))


def split_line(line: str, delimiter: str) -> list[str] | None:
    """Split a record into fields; None if a quote is still open, ValueError if text follows a closed one.

    The csv module, three times faster, does not say which fields were quoted, so it can either strip blanks
    or keep those within quotes; and it knows no delimiter of two characters.

    Examples
    --------
    >>> split_line('  Smith, "a ""b"", c ",1', ",")
    ['Smith', 'a "b", c ', '1']
    """
    separator = _separator(delimiter)
    line = line.strip() if delimiter == WHITESPACE else line.rstrip("\r\n")
    fields: list[str] = []
    at = 0
    while True:
        if _OPENING.match(line, at):
            quoted = _QUOTED.match(line, at)
            if quoted is None:
                return None
            fields.append(quoted[1].replace('""', '"'))
            at = quoted.end()
            if not line[at:].strip(" "):
                return fields
        else:
            end = separator.search(line, at)
            fields.append(line[at : end.start() if end else None].strip())
            if end is None:
                return fields
            at = end.start()
        following = separator.match(line, at)
        if following is None:
            raise ValueError(line[at : at + 20])
        at = following.end()


def blocks(source: TextSource, piece: list[str], line: int, form: tuple[str, int]) -> Iterator[Block]:
    """Split the lines read already, the first of which has the number ``line``, and all others.

    ``form`` is the delimiter and the number of fields that every record must have.
    """
    while piece:
        text = "".join(piece)
        # A look for one character is cheap; the pattern takes a tenth of the whole time.
        block = None
        if not (("#" in text or "%" in text) and _COMMENT.search(text)):
            block = (_quoted if '"' in text else _plain)(piece, text, line, *form)
        yield block or _careful(source, piece, line, *form)
        line = source.line
        piece = source.piece()


def _plain(piece: list[str], text: str, line: int, delimiter: str, width: int) -> Block | None:
    """Split lines without quotes, blank lines and odd numbers of fields; None for others."""
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
    """Split lines with quotes, if blanks around fields leave no doubt and a record is a line; else None."""
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


def _careful(source: TextSource, piece: list[str], line: int, delimiter: str, width: int) -> Block:
    fields: list[str] = []
    lines: list[int] = []
    waiting = iter(piece)
    blank = 0
    for text in waiting:
        if not text.strip():
            blank, line = blank + 1, line + 1
            continue
        found, count = _record(source, text, line, delimiter, waiting)
        if len(found) != width:
            raise InputError(
                f"{source.path}, line {line}: found {counted(len(found), 'field')}, "
                f"[{few(list(map(repr, found)))}]; expected {width}, as in the first record."
            )
        fields += found
        lines.append(line)
        line += count
    return Block(fields, width, np.array(lines, np.int64), blank, exact=True)


def _record(
    source: TextSource, text: str, line: int, delimiter: str, waiting: Iterator[str]
) -> tuple[list[str], int]:
    """Fields of the record that begins with this line, and the number of lines that it has."""
    if is_comment(text):
        raise InputError(_late_comment(source, text, line))
    fields, count = _split(source, text, line, delimiter), 1
    while fields is None:
        more = next(waiting, "") or source.one_more()
        if not more:
            raise InputError(open_quote(source, text, line))
        text, count = text + more, count + 1
        # Only a line with a quote can close one: the others are not worth another look.
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


def _late_comment(source: TextSource, text: str, line: int) -> str:
    return (
        f"{source.path}, line {line}: {text.strip()[:40]!r} looks like a comment, but data stand before it. "
        "Comments belong at the top; a name that begins with # or % needs quotes."
    )


def open_quote(source: TextSource, text: str, line: int) -> str:
    """Say that a quote is never closed."""
    return (
        f"{source.path}, line {line}: a quote is opened and never closed: {text[:40]!r}. Close it, or write "
        "a quote that belongs to a name as two within quotes."
    )
