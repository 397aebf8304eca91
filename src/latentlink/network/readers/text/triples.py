"""Files of triples (head, relation, tail): their detection, and the choice of one relation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.nearest_names import nearest_names
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.text.header import is_number, names_nodes, names_values
from latentlink.validation.wording import few, shortened

__all__ = [
    "RelationFilter",
    "columns_beside_relation",
    "names_relation",
    "raise_if_triples",
    "relation_position",
    "seems_a_name",
    "warn_if_numbered_triples",
]

_RELATION = re.compile(
    r"rel|relation|relationid|relations|relationship|relationtype|predicate|property|edgetype|linktype"
)
_TAIL = re.compile(r"object|obj|tail|t|o")
_LETTER_FIRST = re.compile(r"[^\W\d_]|[/<_:]")
_MISSING = {"", "na", "n/a", "nan", "null", "none"}
_MOST_RELATIONS = 1000
_LEAST_TAILS = 20  # fewer different numbers may be ratings, or small counts


def raise_if_triples(records: Sequence[list[str]], where: str) -> None:
    """Raise InputError if a file of three columns holds triples: words in all of them, few in the middle.

    Warn of few words between numbers, which may be a relation between numbered nodes.

    Parameters
    ----------
    records : sequence of lists of str
        The first records of a file.
    where : str
        File and line of the first record, for messages.
    """
    triples = [record for record in records if len(record) == 3]
    if len(records[0]) != 3:
        return
    below = triples[1:] or triples
    relation = Counter(record[1] for record in below).most_common(1)[0][0]
    if not (_are_words(triples) or _names_triples(records[0])):
        if not names_values(records[0][2]) and _may_be_numbered(below):
            warn_user(
                f"{where}: the file may hold triples of head, relation and tail, since its middle column has "
                f"few words, such as {shortened(relation, 24)}, between numbers that differ more. It is read "
                "as row, column and value. If these are triples, read one relation, for example "
                f"relation={shortened(relation, 24)}; if they are not, say so: columns=(0, 1, 2)."
            )
        return
    found = few([shortened(field, 24) for field in records[0]])
    raise InputError(
        f"{where}: found {found}: the file seems to hold triples of head, relation and tail; expected row, "
        "column and value. Each relation is a network of its own: read one of them, for example "
        f"relation={shortened(relation, 24)}, or all of them as links of one network: columns=(0, 2)."
    )


def _may_be_numbered(triples: Sequence[list[str]]) -> bool:
    """Whether names between two whole numbers are half as many as the last numbers, or less.

    Nodes of a list are mostly more than its values: ratings and counts repeat.
    """
    heads, middle, tails = (set(column) for column in zip(*triples, strict=True))
    numbers = all(field.isascii() and field.isdigit() for field in heads | tails)
    return numbers and all(map(seems_a_name, middle)) and 2 * len(middle) <= min(len(tails), len(heads))


def warn_if_numbered_triples(listing: Listing, where: str, ways: str) -> None:
    """Warn if integers alone may be triples: few in the middle, and last ones of the same range as the first.

    Values are numbers of nodes if at least 20 of them differ, they begin and end where the rows do, are not
    mostly small, and are four times as many as the columns, of which most rows have less than half.

    Parameters
    ----------
    listing : Listing
        The entries, read as row, column and value.
    where : str
        What was read, for the message.
    ways : str
        What to do for each of the two meanings, for the message.
    """
    tails = listing.values
    if tails is None or len(tails) < _LEAST_TAILS or not tails.max() >= _LEAST_TAILS - 1:
        return
    heads, relations = (
        _numbers(*side) for side in ((listing.rows, listing.row_names), (listing.cols, listing.col_names))
    )
    if heads is None or relations is None or not _are_numbers_of_nodes(tails, heads):
        return
    distinct = np.unique(tails)
    few_relations = 4 * len(relations) <= min(len(distinct), len(heads))
    if len(distinct) < _LEAST_TAILS or not few_relations or _is_filled(listing, len(heads) * len(relations)):
        return
    column = int(np.argmax(np.bincount(listing.cols)))
    frequent = column if listing.col_names is None else str(listing.col_names[column])
    middle = f"only {len(relations):,} different numbers (most often {shortened(frequent, 24)})"
    last = f"{len(distinct):,} from {tails.min():.0f} to {tails.max():.0f}"
    first = f"{len(heads):,} from {heads.min()} to {heads.max()}"
    warn_user(
        f"{where} may hold triples of head, relation and tail: the middle column has {middle}, and the last "
        f"has {last}, as the first has {first}. It is read as row, column and value. {ways}"
    )


def _is_filled(listing: Listing, size: int) -> bool:
    """Whether more than half of the entries of a matrix are listed, each once; a head may have many tails."""
    pairs = np.unique(np.asarray(listing.rows, np.int64) * listing.shape[1] + listing.cols)
    return 2 * len(pairs) > size and len(pairs) == len(listing.rows)


def _are_numbers_of_nodes(tails: NDArray[np.float64], heads: NDArray[np.int64]) -> bool:
    """Whether values are whole numbers that range from about the least to about the largest head."""
    low, high = tails.min(), tails.max()
    begins = max(low, heads.min()) <= 1 + 0.05 * high
    ends = 0.8 <= (high + 1) / (heads.max() + 1) <= 1.25
    return bool(low >= 0 and begins and ends and tails.mean() >= 0.15 * high and np.all(tails % 1 == 0))


def _numbers(indices: NDArray[Any], names: Sequence[str] | NDArray[Any] | None) -> NDArray[np.int64] | None:
    """Return the different nodes of a column as numbers, None if they are no numbers of at most 15 digits."""
    used = np.flatnonzero(np.bincount(indices))
    if names is None:
        return used
    labels = [str(names[index]) for index in used.tolist()]
    whole = all(label.isascii() and label.isdigit() and len(label) <= 15 for label in labels)
    return np.array(labels, dtype=np.int64) if whole else None


def _are_words(triples: Sequence[list[str]]) -> bool:
    """Whether the third column has names where values should be, and the second fewer, which repeat.

    Words for values, such as yes and no, are fewer than the nodes before them.
    """
    last = [record[2] for record in triples[1:] or triples]
    if any(is_number(field) or field.strip().lower() in _MISSING for field in last):
        return False
    if not all(map(seems_a_name, last)):
        return False
    middle = {record[1] for record in triples[1:]}
    return 0 < len(middle) < len(set(last))


def seems_a_name(field: str) -> bool:
    """Whether a field begins as the name of a node does: with a letter, or as a path or identifier.

    Examples
    --------
    >>> [seems_a_name(field) for field in ("ann", "/m/01", "<http://x>", "3.5", "-")]
    [True, True, True, False, False]
    """
    return _LETTER_FIRST.match(field) is not None


def _names_triples(first: list[str]) -> bool:
    """Whether a header names a relation and then a node: head, relation, tail."""
    return names_relation(first[1]) and (names_nodes(first[2]) or bool(_TAIL.fullmatch(first[2].lower())))


def names_relation(field: str) -> bool:
    """Whether a field is a common name of a column of relations, such as predicate or edge_type."""
    return _RELATION.fullmatch("".join(filter(str.isalnum, field.partition(":")[0].lower()))) is not None


def columns_beside_relation(first: list[str], where: str) -> tuple[int, int]:
    """Return the columns of head and tail; raise InputError unless there are three columns."""
    if len(first) != 3:
        raise InputError(
            f"{where}: found {len(first)} columns, and relation= is given; expected three: head, relation "
            "and tail. Give columns=(head, tail) or (head, tail, value), without that of the relation."
        )
    return 0, 2


def relation_position(first: list[str], columns: Sequence[int | None], where: str) -> int:
    """Return the column of the relation: the one that is not read, or that is named so."""
    rest = [position for position in range(len(first)) if position not in columns]
    named = [position for position in rest if names_relation(first[position])]
    if len(rest) != 1 and len(named) != 1:
        raise InputError(
            f"{where}: relation= is given, but {len(rest)} columns are left beside those of nodes and value; "
            'expected one, or one that is named "relation". Write a file with that one column more.'
        )
    return (rest if len(rest) == 1 else named)[0]


class RelationFilter:
    """Selection of the records of one relation, and a message if there are none.

    Parameters
    ----------
    position : int
        The column of the relation.
    relation : str
    """

    def __init__(self, position: int, relation: str) -> None:
        self.position = position
        self.relation = relation
        self._others: set[str] = set()

    def selected(self, relations: list[str]) -> list[int]:
        """Return the positions of the records of the relation."""
        if len(self._others) < _MOST_RELATIONS:
            self._others.update(relations)
        return [record for record, relation in enumerate(relations) if relation == self.relation]

    def message(self) -> str:
        """Return the message that no record has the relation."""
        found = sorted(self._others)
        near = nearest_names(self.relation, np.array(found, np.str_)) if found else []
        hint = f" Nearest: {shortened(near[0])}." if near else ""
        listed = few([shortened(name, 24) for name in found], 5)
        return (
            f"found no triple of the relation {shortened(self.relation)}; the relations are {listed}.{hint}"
        )
