"""Records of delimited text: lines split into fields, with quotes, blank lines and line numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network.readers.text.even_lines import LONG_LINE, split_at_once, without_quotes
from latentlink.network.readers.text.source import TextSource
from latentlink.network.readers.unpack_limit import raise_if_field_too_long
from latentlink.validation.wording import counted, few, shortened

__all__ = [
    "LONGEST_RECORD",
    "MOST_COLUMNS",
    "MOST_FIELDS",
    "WHITESPACE",
    "Block",
    "blocks",
    "is_comment",
    "split_line",
    "unclosed_quote_message",
]

WHITESPACE = " "
_COMMENTS = ("#", "%")
_COMMENT = re.compile(r"(?:^|\r)[ \t]*[#%]", re.MULTILINE)
_OPENING = re.compile(r' *+"')
_WITHIN_QUOTES = re.compile(r'[^"]*+(?:""[^"]*+)*+')
_BLANKS = re.compile(" *+")
# A quote that was not meant as one would otherwise make the rest of the file one name.
LONGEST_RECORD = 2**24
MOST_FIELDS = 10_000  # of a list of pairs
MOST_COLUMNS = 1_000_000  # of a matrix


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

    def only(self, records: list[int]) -> Block:
        """Return the block of some of its records."""
        begins = (each * self.width for each in records)
        fields = [field for begin in begins for field in self.fields[begin : begin + self.width]]
        return replace(self, fields=fields, lines=self.lines[records])


def is_comment(line: str) -> bool:
    """Whether a line begins with ``#`` or ``%``."""
    return line.lstrip().startswith(_COMMENTS)


@lru_cache(maxsize=8)
def _separator(delimiter: str) -> re.Pattern[str]:
    if delimiter == WHITESPACE:
        return re.compile(r"\s++")
    return re.compile(f" {{{len(delimiter)},}}+" if not delimiter.strip(" ") else " *" + re.escape(delimiter))


@lru_cache(maxsize=8)
def _quoted_field(delimiter: str) -> re.Pattern[str]:
    return re.compile(rf' *+"({_WITHIN_QUOTES.pattern})"{_separator(delimiter).pattern}')


def split_line(
    line: str, delimiter: str, more: Callable[[], str] = str, most: int = MOST_FIELDS
) -> list[str] | None:
    """Split a record into fields, in time proportional to its length; return None if a quote stays open.

    Raises ValueError if text follows a closing quote. The csv module does not report which fields were
    quoted, so that it cannot both strip blanks and keep those within quotes, and takes no long delimiter.

    Parameters
    ----------
    line : str
        The line on which the record begins.
    delimiter : str
    more : callable
        Returns the next line, for a quote that is open at the end of a line; "" if there is none.
    most : int
        Splitting ends after more fields than that; the last one is then what is left of the line.

    Examples
    --------
    >>> split_line('  Smith, "a ""b"", c ",1', ",")
    ['Smith', 'a "b", c ', '1']
    """
    is_blanks = not delimiter.strip(" ")
    if '"' not in line and (delimiter == WHITESPACE or not is_blanks):
        return line.split(None, most) if is_blanks else list(map(str.strip, line.split(delimiter, most)))
    scanner = _Scanner(line, delimiter)
    fields: list[str] = []
    while True:
        fields += scanner.quoted_fields(most)
        if len(fields) > most:
            return fields
        quoted = scanner.at_quote()
        field = scanner.quoted(more) if quoted else scanner.plain()
        if field is None:
            return None
        fields.append(field)
        if scanner.at_end(quoted):
            return fields
        scanner.skip_delimiter()


class _Scanner:
    """Position within the lines of one record; no character is visited more than a few times."""

    def __init__(self, line: str, delimiter: str) -> None:
        self.delimiter = delimiter
        self.separator = _separator(delimiter)
        self.position = len(line) - len(line.lstrip()) if delimiter == WHITESPACE else 0
        self._set_line(line)

    def _set_line(self, line: str) -> None:
        self.line = line
        # Within quotes the line end belongs to the field, elsewhere it ends the record.
        self.end = len(line.rstrip() if self.delimiter == WHITESPACE else line.rstrip("\r\n"))

    def quoted_fields(self, most: int) -> list[str]:
        """Return the next fields, as long as they are quoted and a delimiter follows on the same line."""
        fields: list[str] = []
        match = _quoted_field(self.delimiter).match
        while len(fields) <= most and (found := match(self.line, self.position, self.end)):
            fields.append(found[1].replace('""', '"'))
            self.position = found.end()
        return fields

    def at_quote(self) -> bool:
        """Whether a quoted field begins; if so, go behind its opening quote."""
        opening = _OPENING.match(self.line, self.position, self.end)
        if opening is None:
            return False
        self.position = opening.end()
        return True

    def quoted(self, more: Callable[[], str]) -> str | None:
        """Return the field up to its closing quote, None if it is never closed."""
        parts: list[str] = []
        while True:
            part = _WITHIN_QUOTES.match(self.line, self.position)
            assert part is not None  # the pattern matches the empty string
            parts.append(part[0])
            self.position = part.end() + 1
            if part.end() < len(self.line):
                return "".join(parts).replace('""', '"')
            line = more()
            if not line:
                return None
            self._set_line(line)
            self.position = 0

    def plain(self) -> str:
        """Return the field up to the next delimiter."""
        start = self.position
        if not self.delimiter.strip(" "):
            found = self.separator.search(self.line, start, self.end)
            self.position = found.start() if found else self.end
        else:
            # Not a search for blanks and the delimiter: within a run of blanks that takes quadratic time.
            position = self.line.find(self.delimiter, start, self.end)
            self.position = self.end if position < 0 else position
        return self.line[start : self.position].strip()

    def at_end(self, quoted: bool) -> bool:
        """Whether the record ends here; blanks may follow a quoted field."""
        position = self.position
        if quoted:
            blanks = _BLANKS.match(self.line, position, self.end)
            position = blanks.end() if blanks else position
        return position >= self.end

    def skip_delimiter(self) -> None:
        """Go behind the delimiter; raise ValueError if there is none."""
        following = self.separator.match(self.line, self.position, self.end)
        if following is None:
            raise ValueError(self.line[self.position : min(self.end, self.position + 20)])
        self.position = following.end()


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
        if text.isspace():
            yield Block([], form[1], np.empty(0, np.int64), len(piece), exact=True)
            line, piece = source.line, source.read_piece()
            continue
        # The pattern takes a tenth of the whole time, a search for single characters almost none.
        block = None
        blank = form[0] == "\t" and any(map(str.isspace, piece))  # its tabs would be empty fields
        if not blank and not (("#" in text or "%" in text) and _COMMENT.search(text)):
            block = _plain(piece, text, line, *form)
            if block is None and '"' in text:
                block = _quoted(source, piece, line, *form)
        yield block or _line_by_line(source, piece, line, *form)
        line, piece = source.line, source.read_piece()


def _plain(piece: list[str], text: str, line: int, delimiter: str, width: int) -> Block | None:
    """Split lines of ``width`` fields each, with quotes around whole columns or none; None for others."""
    fields = split_at_once(piece, text, None if delimiter == WHITESPACE else delimiter, width)
    quoted = '"' in text
    if fields is not None and quoted:
        fields = without_quotes(fields, width)
    if fields is None:
        return None
    return Block(fields, width, np.arange(line, line + len(piece)), 0, exact=quoted)


def _quoted(source: TextSource, piece: list[str], line: int, delimiter: str, width: int) -> Block | None:
    """Split lines with quotes by csv; return None for blanks around fields, blank lines and malformed ones.

    The last record may go on in lines that are not read yet; they are appended to ``piece``.
    """
    blanks = None if len(delimiter) > 1 or delimiter == WHITESPACE else _blanks_around(delimiter)
    if max(map(len, piece)) > LONG_LINE:  # csv would make a list of all its fields
        return None
    if blanks is None or blanks.search("".join(piece)):
        return None
    import csv

    count = len(piece)
    reader = csv.reader(_continued(source, piece), delimiter=delimiter, strict=True)
    fields: list[str] = []
    starts = [0]
    try:
        for row in reader:
            if len(row) != width:
                return None
            fields += row
            starts.append(reader.line_num)
            if reader.line_num >= count:
                break
    except csv.Error:
        return None
    if blanks.search("".join(piece[count:])):
        return None
    return Block(fields, width, line + np.array(starts[:-1], np.int64), 0, exact=True)


def _continued(source: TextSource, piece: list[str]) -> Iterator[str]:
    """Yield the lines of a piece, and then further lines of the file, which are appended to the piece."""
    yield from tuple(piece)
    while line := source.read_line():
        piece.append(line)
        yield line


@lru_cache(maxsize=8)
def _blanks_around(delimiter: str) -> re.Pattern[str]:
    edge = f'["{re.escape(delimiter)}\\r\\n]'
    return re.compile(
        rf"(?:^|{edge})[^\S{re.escape(delimiter)}\r\n]|[^\S{re.escape(delimiter)}\r\n](?:{edge}|$)"
    )


def _line_by_line(source: TextSource, piece: list[str], line: int, delimiter: str, width: int) -> Block:
    """Split any lines, and raise InputError for the first record that is malformed."""
    fields: list[str] = []
    lines: list[int] = []
    remaining = iter(piece)
    blank = 0
    for text in remaining:
        if not text.strip():
            blank, line = blank + 1, line + 1
            continue
        record, count = _record(source, text, line, (delimiter, width), remaining)
        raise_if_field_too_long(max(map(len, record), default=0), f"{source.path}, line {line}")
        if len(record) != width:
            least = "at least " if len(record) > max(MOST_FIELDS, width) else ""
            raise InputError(
                f"{source.path}, line {line}: found {least}{counted(len(record), 'field')}, "
                f"[{few([shortened(field, 24) for field in record])}]; expected {width}, as in the "
                f"first record."
            )
        fields += record
        lines.append(line)
        line += count
    return Block(fields, width, np.array(lines, np.int64), blank, exact=True)


def _record(
    source: TextSource, text: str, line: int, form: tuple[str, int], remaining: Iterator[str]
) -> tuple[list[str], int]:
    """Return the fields of the record that begins with the line ``text``, and its number of lines."""
    if is_comment(text):
        raise InputError(_late_comment_message(source, text, line))
    delimiter, width = form
    count, length = 1, len(text)

    def more() -> str:
        nonlocal count, length
        following = next(remaining, "") or source.read_line()
        count, length = count + 1, length + len(following)
        if length > LONGEST_RECORD:
            raise InputError(unclosed_quote_message(source, text, line, f"in {length:,} characters"))
        return following

    try:
        fields = split_line(text, delimiter, more, max(MOST_FIELDS, width))
    except InputError:
        raise
    except ValueError as error:
        raise InputError(
            f"{source.path}, line {line + count - 1}: {str(error)!r} follows a closing quote; expected the "
            f"delimiter {shortened(delimiter)}. Write a quote within quotes twice."
        ) from None
    if fields is None:
        raise InputError(unclosed_quote_message(source, text, line))
    return fields, count


def _late_comment_message(source: TextSource, text: str, line: int) -> str:
    return (
        f"{source.path}, line {line}: {text.strip()[:40]!r} looks like a comment, but is below data; "
        "expected comments only at the top. Remove it; put a name that begins with # or % in quotes."
    )


def unclosed_quote_message(source: TextSource, text: str, line: int, how: str = "") -> str:
    """Return the message about a quote that is never closed, or not in the part of the file named ``how``."""
    closed = f"not closed {how}" if how else "never closed"
    return (
        f"{source.path}, line {line}: a quote is opened and {closed}: {text[:40]!r}. Close it, or write "
        "a quote that belongs to a name as two within quotes."
    )
