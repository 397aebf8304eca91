"""Whether the first line of a text file names the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from latentlink.validation.columns import to_float

__all__ = ["judged_header"]

_MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?", "."}
# Letters and digits only: "Node_1" and "node 1" are node1.
_NODES = re.compile(
    r"(source|target|user|item|movie|from|to|row|col)(id|node|nodeid)?|column|src|dst|dest|destination|head|tail"
    r"|start|end|(node|entity|protein|uniprot|gene|id)(1|2|a|b)"
)
# One of these among the words of a value field, such as "Book-Rating" or "combinedScore", names a column.
_VALUES = re.compile(
    r"affinity|amount|class|clicks|cnt|conf|confidence|corr|correlation|count|counts|"
    r"distance|edge|evidence|expression|freq|frequency|grade|grades|interaction|interactions|"
    r"label|labels|level|likelihood|link|links|listens|number|outcome|playcount|plays|"
    r"points|preference|prob|probability|purchases|quantity|rate|rating|ratings|ratio|"
    r"response|result|score|scores|sign|signal|similarity|stars|strength|target|trust|val|"
    r"value|values|views|weight|weights"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_INTEGER = re.compile(r"[+-]?\d+")


def judged_header(records: Sequence[list[str]], columns: Sequence[int] | None) -> bool | None:
    """Judge by the first records whether the first of them is a header; None if that is in doubt.

    Examples
    --------
    >>> judged_header([["ann", "tea", "rating"], ["bob", "tea", "5"]], None)
    True
    >>> judged_header([["ann", "tea", "1_000"], ["bob", "tea", "5"]], None)
    False
    """
    first, *others = records
    below = [record for record in others if len(record) == len(first)]
    ends, value = _places(columns, len(first))
    nodes = [first[place] for place in ends]
    if any(map(_NUMBER.fullmatch, nodes)) or (value is not None and _is_value(first[value])):
        return False
    if all(map(_names_nodes, nodes)) or (value is not None and _names_values(first[value])):
        return True
    over_integers = [_all_integers(below, place) for place in ends]
    if all(over_integers) or _words_over_numbers(first, below, ends) > 1:
        return True
    if value is None:
        # Words over one column of integers may be either; words over words are data like them.
        return None if any(over_integers) else False
    return None if any(_is_number(record[value]) for record in below) else False


def _places(columns: Sequence[int] | None, width: int) -> tuple[list[int], int | None]:
    """Where the two nodes and the value stand; a third column that is not asked for tells as much."""
    asked = [place for place in columns or (0, 1, 2) if 0 <= place < width]
    ends, rest = asked[:2], asked[2:3] or [place for place in range(width) if place not in asked]
    return ends, rest[0] if rest else None


def _is_value(field: str) -> bool:
    """Whether a field is a value, right or wrong: ``0,5``, ``$5`` and ``NA`` are."""
    return _is_number(field) or field.strip().lower() in _MISSING or any(map(str.isdigit, field))


def _names_nodes(field: str) -> bool:
    # RecBole writes the type after a colon: "user_id:token".
    return _NODES.fullmatch("".join(filter(str.isalnum, field.partition(":")[0].lower()))) is not None


def _names_values(field: str) -> bool:
    words = {word.lower() for word in _WORD.findall(field)}
    # "Non-link" and "no interaction" are values of an unusual kind.
    return any(map(_VALUES.fullmatch, words)) and words.isdisjoint({"no", "non", "not"})


def _all_integers(records: Sequence[list[str]], place: int) -> bool:
    return bool(records) and all(_INTEGER.fullmatch(record[place]) for record in records)


def _words_over_numbers(first: list[str], below: Sequence[list[str]], ends: list[int]) -> int:
    """Count the columns of numbers that begin with a word: one may be a slip, two are none."""
    rest = [place for place in range(len(first)) if place not in ends and not _is_value(first[place])]
    return sum(bool(below) and all(_is_number(record[place]) for record in below) for place in rest)


def _is_number(field: str) -> bool:
    try:
        to_float(field)
    except ValueError:
        return False
    return True
