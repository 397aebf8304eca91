"""Detection of a header: whether the first record of a text file names the columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from latentlink.validation.columns import to_float

__all__ = [
    "bare_label",
    "detect_header",
    "has_decimal_comma",
    "is_missing",
    "is_number",
    "label_words",
    "names_nodes",
    "names_values",
    "node_labels",
]

_MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "?", "."}
# Matched with letters and digits only: "Node_1" and "node 1" are node1.
_NODES = re.compile(
    r"(source|target|user|item|movie|from|to|row|col|head|tail)(id|node|nodeid)?|column|src|dst|dest|destination"
    r"|start|end|(node|entity|protein|uniprot|gene|id)(1|2|a|b)"
)
_COUNTED = re.compile(r"(node|entity|protein|uniprot|gene|id)(\d+|[a-z])")
_TWO_ENDS = {"1", "2", "a", "b"}
# A value field with one of these words, such as "Book-Rating" or "combinedScore", is a column name.
_VALUES = re.compile(
    r"affinity|amount|class|clicks|cnt|conf|confidence|corr|correlation|count|counts|"
    r"distance|edge|evidence|expression|freq|frequency|grade|grades|interaction|interactions|"
    r"label|labels|level|likelihood|link|links|listens|number|outcome|playcount|plays|"
    r"points|preference|prob|probability|purchases|quantity|rate|rating|ratings|ratio|"
    r"response|result|score|scores|sign|signal|similarity|stars|strength|target|trust|val|"
    r"value|values|views|weight|weights"
)
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBER = re.compile(r"[+-]?(\d++(\.\d*+)?|\.\d++)([eE][+-]?\d++)?")
_LABEL = re.compile(r"[^\W\d_]\w*")  # one word that begins with a letter
_DECIMAL_COMMA = re.compile(r"[+-]?\d++,\d++([eE][+-]?\d++)?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+")
# Above numbers, such a word may be a value that was written as a word.
_SPELLED = {"yes", "no", "true", "false", "zero", "one", "unknown", "missing", "inf", "infinity"}
_NEGATED = {"no", "non", "not"}


def detect_header(records: Sequence[list[str]], columns: Sequence[int] | None) -> bool | None:
    """Return whether the first record is a header, judged by all of ``records``; None if it is ambiguous.

    Parameters
    ----------
    records : sequence of lists of str
        The first records of a file, at least one.
    columns : sequence of int or None
        Positions of row, column, value and weight; None means the first three.

    Examples
    --------
    >>> detect_header([["ann", "tea", "rating"], ["bob", "tea", "5"]], None)
    True
    >>> detect_header([["ann", "tea", "1_000"], ["bob", "tea", "5"]], None)
    False
    """
    first, *others = records
    below = [record for record in others if len(record) == len(first)]
    ends, value = _positions(columns, len(first))
    nodes = [first[position] for position in ends]
    if any(map(_NUMBER.fullmatch, nodes)) or (value is not None and _is_value(first[value])):
        return False
    if all(map(names_nodes, nodes)) or (value is not None and names_values(first[value])):
        return True
    above_integers = [_all_integers(below, position) for position in ends]
    if all(above_integers) or _names_numbers(first, below, ends):
        return True
    if value is None:
        # Words above one column of integers are ambiguous; words above words are data.
        return None if any(above_integers) else False
    return None if any(_is_number_or_comma(record[value]) for record in below) else False


def _positions(columns: Sequence[int] | None, width: int) -> tuple[list[int], int | None]:
    """Return the positions of the two nodes and of the value, or of another column if none is selected."""
    selected = [position for position in columns or (0, 1, 2) if 0 <= position < width]
    ends = selected[:2]
    rest = selected[2:3] or [position for position in range(width) if position not in selected]
    return ends, rest[0] if rest else None


def _is_value(field: str) -> bool:
    """Whether a field is a value, valid or not: ``0,5``, ``$5`` and ``NA`` are, ``IC50`` is not."""
    if is_number(field) or is_missing(field):
        return True
    return any(map(str.isdigit, field)) and _LABEL.fullmatch(field) is None


def _is_number_or_comma(field: str) -> bool:
    return is_number(field) or has_decimal_comma(field)


def has_decimal_comma(field: str) -> bool:
    """Whether a field is a number but for a comma in place of the point."""
    return _DECIMAL_COMMA.fullmatch(field.strip()) is not None


def is_missing(field: str) -> bool:
    """Whether a field is empty or a common sign of a missing value."""
    return field.strip().lower() in _MISSING


def names_nodes(field: str) -> bool:
    """Whether a field is a common name of a column of nodes, such as source or user_id."""
    return _NODES.fullmatch(bare_label(field)) is not None


def node_labels(labels: Sequence[Any]) -> list[bool]:
    """Return for each label whether it is a common name of a column of nodes, among all labels of a file.

    The two ends of a link are counted to two. Where the count goes on, as in gene1, gene2 and gene3, the
    labels are the variables of a table, or more than two nodes in each line.

    Parameters
    ----------
    labels : sequence
        Those that are no text are no names of nodes.

    Examples
    --------
    >>> node_labels(["gene1", "gene2", "score"])
    [True, True, False]
    >>> node_labels(["gene1", "gene2", "gene3"])
    [False, False, False]
    """
    texts = [bare_label(label) if isinstance(label, str) else "" for label in labels]
    counted = [_COUNTED.fullmatch(text) for text in texts]
    # The letter after b alone goes on: "genes" is gene in the plural.
    longer = {
        match[1]
        for match in counted
        if match and match[2] not in _TWO_ENDS and (match[2].isdigit() or match[2] == "c")
    }
    return [
        _NODES.fullmatch(text) is not None and not (match and match[1] in longer)
        for text, match in zip(texts, counted, strict=True)
    ]


def bare_label(label: str) -> str:
    """Return letters and digits alone, without the type that RecBole writes after a colon: user_id:token."""
    return "".join(filter(str.isalnum, label.partition(":")[0].lower()))


def names_values(field: str) -> bool:
    """Whether a field is a common name of a column of values, such as rating or combined_score."""
    words = label_words(field)
    # "Non-link" and "no interaction" are values, not column names.
    return any(map(_VALUES.fullmatch, words)) and words.isdisjoint(_NEGATED)


def label_words(field: str) -> set[str]:
    """Return the words of a column name in lower case.

    Examples
    --------
    >>> sorted(label_words("combinedScore_2"))
    ['combined', 'score']
    """
    return {word.lower() for word in _WORD.findall(field)}


def _all_integers(records: Sequence[list[str]], position: int) -> bool:
    return bool(records) and all(_INTEGER.fullmatch(record[position]) for record in records)


def _names_numbers(first: list[str], below: Sequence[list[str]], ends: list[int]) -> bool:
    """Whether a column beside the nodes has a word above numbers alone, where none has a number above them.

    Such a word is no value, unless it is a spelling of one. Two of them name columns in any case.
    """
    above = [
        field
        for position, field in enumerate(first)
        if position not in ends and _are_numbers([record[position] for record in below])
    ]
    words = [field for field in above if not _is_value(field)]
    alone = len(words) == 1 and not _spells_a_value(words[0]) and not any(map(is_number, above))
    return alone or len(words) > 1


def _are_numbers(fields: Sequence[str]) -> bool:
    """Whether fields are numbers, but for missing ones; a point may be written as a comma."""
    numbers = sum(map(_is_number_or_comma, fields))
    return numbers > 0 and all(_is_number_or_comma(field) or is_missing(field) for field in fields)


def _spells_a_value(word: str) -> bool:
    """Whether a word says a value, such as yes, one or non-link."""
    return word.strip().lower() in _SPELLED or not label_words(word).isdisjoint(_NEGATED)


def is_number(field: str) -> bool:
    """Whether a field can be read as a number."""
    try:
        to_float(field)
    except ValueError:
        return False
    return True
