"""Detection of what is above and in front of a matrix of text: names of columns, and names of rows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from latentlink.network.readers.text.header import is_missing, is_number, label_words, names_nodes

__all__ = ["Margins", "detect_margins", "is_cell"]

_LEAST_COUNTED = 4  # fewer numbers 0, 1, 2 may be values
_MOST_COMPARED = 1_000  # columns
_INTEGER = re.compile(r"[+-]?\d{1,15}")
# What is written above a column of names.
_CORNERS = frozenset([
    "area", "cell", "cells", "city", "code", "country", "customer", "district", "feature", "features",
    "gene", "genes", "id", "ids", "index", "item", "items", "key", "label", "labels", "movie", "movies",
    "name", "names", "node", "nodes", "patient", "patients", "person", "product", "products", "protein",
    "proteins", "region", "row", "rows", "sample", "samples", "site", "species", "state", "station",
    "student", "students", "subject", "subjects", "symbol", "team", "title", "user", "users", "year",
    "years",
])  # fmt: skip


@dataclass(frozen=True)
class Margins:
    """Whether names of columns are above a matrix, and names of rows in front of it.

    Attributes
    ----------
    header : bool or None
        None if it cannot be told.
    names : bool
    """

    header: bool | None
    names: bool


def detect_margins(records: Sequence[list[str]], header: bool | None = None) -> Margins:
    """Return what is above and in front of the values, judged by the first records.

    Examples
    --------
    >>> detect_margins([["name", "2001", "2002"], ["a", "0.5", "3"]])
    Margins(header=True, names=True)
    >>> detect_margins([["a", "1", "2"], ["b", "4", "5"]])
    Margins(header=None, names=True)
    """
    above = _has_header(records) if header is None else bool(header)
    first, below = records[0], records[1:] if above else records
    if any(each and not is_cell(each[0]) for each in below):
        return Margins(above, True)
    front = [each[0] for each in below if each]
    labelled = is_missing(first[0]) or _labels_names(first[0])
    distinct = len(set(front)) == len(front) and all(map(_INTEGER.fullmatch, front))
    cornered = is_missing(first[0]) or (labelled and distinct)
    return Margins(above, bool(above and cornered and len(first) > 1))


def is_cell(field: str) -> bool:
    """Whether a field is a number, or a sign of a missing value."""
    return is_number(field) or is_missing(field)


def _has_header(records: Sequence[list[str]]) -> bool | None:
    first, *others = records
    if any(not is_cell(field) for field in first[1:]):
        return True
    # Libraries write the numbers of unnamed columns above them; as values they would be a strange row.
    corner = is_missing(first[0]) and len(first) > 1
    if first == _numbers(0, len(first)) and len(first) >= _LEAST_COUNTED:
        return True
    if corner and first[1:] == _numbers(0, len(first) - 1) and len(first) > 2:
        return True
    below = [record for record in others if len(record) == len(first)]
    in_front = any(not is_cell(record[0]) for record in below)
    if is_missing(first[0]):
        return True if in_front else _numbers_above(first, below)
    if is_cell(first[0]) or not below:
        return False
    if not in_front:  # a word above a column of numbers
        return True
    return True if _labels_names(first[0]) and _may_be_names(first) else _numbers_above(first, below)


def _numbers(start: int, count: int) -> list[str]:
    return [str(number) for number in range(start, start + count)]


def _labels_names(corner: str) -> bool:
    return names_nodes(corner) or not _CORNERS.isdisjoint(label_words(corner))


def _may_be_names(first: list[str]) -> bool:
    """Whether numbers may be names of columns: whole and distinct."""
    return all(map(_INTEGER.fullmatch, first[1:])) and len(set(first[1:])) == len(first) - 1


def _numbers_above(first: list[str], below: list[list[str]]) -> bool | None:
    """Return whether numbers are names of the columns below; None if it cannot be told.

    Names are distinct whole numbers. They are values if most are within the range of the values below, and
    names if they go up in equal steps, as years do, and nothing below does or is near.
    """
    if len(first) < 2 or not below or not _may_be_names(first):
        return False
    numbers = [float(field) for field in first[1 : 1 + _MOST_COMPARED]]
    columns = [
        [float(record[position]) for record in below if is_number(record[position])]
        for position in range(1, 1 + len(numbers))
    ]
    inside = sum(
        bool(column) and min(column) <= number <= max(column)
        for number, column in zip(numbers, columns, strict=True)
    )
    steps = _in_steps(first)
    if 2 * inside >= len(numbers) and not steps:
        return False
    if steps and not inside and len(numbers) > 2 and not any(map(_in_steps, below)):
        return True
    return None


def _in_steps(record: list[str]) -> bool:
    """Whether the fields behind the first are whole numbers in equal steps."""
    if not all(map(_INTEGER.fullmatch, record[1:])):
        return False
    numbers = [int(field) for field in record[1:]]
    return len({after - before for before, after in pairwise(numbers)} - {0}) == 1
