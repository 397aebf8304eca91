"""Lines of one record each, without delimiters inside of fields, split at once."""

from __future__ import annotations

from itertools import repeat

__all__ = ["LONG_LINE", "split_at_once", "without_quotes"]

LONG_LINE = 2**16  # a line of delimiters would become a list a hundred times its size


def split_at_once(piece: list[str], text: str, delimiter: str | None, width: int) -> list[str] | None:
    r"""Return the fields of lines that are split by every delimiter; None unless all have ``width`` fields.

    Parameters
    ----------
    piece : list of str
        Lines.
    text : str
        The same as one text.
    delimiter : str or None
        None splits by whitespace.
    width : int
        Number of fields of a line.

    Examples
    --------
    >>> split_at_once(["a,b\n", "c, d\n"], "a,b\nc, d\n", ",", 2)
    ['a', 'b\n', 'c', ' d\n']
    """
    if max(map(len, piece)) > LONG_LINE:
        return None
    if delimiter is None:
        widths = set(map(len, map(str.split, piece)))
    else:
        widths = {count + 1 for count in set(map(str.count, piece, repeat(delimiter)))}
    if widths != {width}:
        return None
    return text.split() if delimiter is None else delimiter.join(piece).split(delimiter)


def without_quotes(fields: list[str], width: int) -> list[str] | None:
    r"""Return fields without quotes around them and without blanks around others, column by column.

    None unless each column is quoted throughout or nowhere, and no quote is inside of a field: then every
    line is a record, and no delimiter was inside of quotes. The csv module takes three times as long.

    Examples
    --------
    >>> without_quotes(['"a"', ' 1\n', '"b "', '2\n'], 2)
    ['a', '1', 'b ', '2']
    >>> without_quotes(['"a', 'b"', '"c"', 'd'], 2) is None
    True
    """
    found = [""] * len(fields)
    for position in range(width):
        column = fields[position::width]
        if position == width - 1:
            column = list(map(str.rstrip, column, repeat("\r\n")))
        text = "\n".join(column)
        if '"' not in text:
            found[position::width] = map(str.strip, column)
            continue
        inner = text[1:-1].split('"\n"')
        # So many quotes are those at both ends of all fields, and there are no others.
        if len(inner) != len(column) or text.count('"') != 2 * len(column) or text[0] + text[-1] != '""':
            return None
        found[position::width] = inner
    return found
