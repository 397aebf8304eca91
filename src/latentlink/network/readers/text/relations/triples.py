"""Files of triples (head, relation, tail): their detection, and the choice of one relation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError, warn_user
from latentlink.network.nearest_names import nearest_names
from latentlink.network.readers.listing import Listing
from latentlink.network.readers.text.header import is_number, names_values
from latentlink.network.readers.text.records import Block
from latentlink.network.readers.text.relations.triple_columns import TripleColumns, triple_columns
from latentlink.validation.wording import few, shortened

__all__ = [
    "RelationFilter",
    "missing_relation",
    "raise_if_triples",
    "relation_elsewhere",
    "seems_a_name",
    "warn_if_numbered_triples",
]

_LETTER_FIRST = re.compile(r"[^\W\d_]|[/<_:]")
_MISSING = {"", "na", "n/a", "nan", "null", "none"}
_MOST_RELATIONS = 1000
_TRIPLE = 3
_LEAST_TAILS = 20  # fewer different numbers may be ratings, or small counts


def raise_if_triples(records: Sequence[list[str]], where: str) -> None:
    """Raise InputError if a file of three columns holds triples: by its header, or few words amid words.

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
    named = triple_columns(records[0]) or TripleColumns(0, 1, 2)
    relation = Counter(record[named.relation] for record in below).most_common(1)[0][0]
    if triple_columns(records[0]) is None and not _are_words(triples):
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
        f"relation={shortened(relation, 24)}, or all of them as links of one network: "
        f"columns=({named.head}, {named.tail})."
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
        self._elsewhere: int | None = None
        self._found = False

    def selected(self, block: Block) -> list[int]:
        """Return the positions of the records of the relation."""
        relations = block.column(self.position)
        if len(self._others) < _MOST_RELATIONS:
            self._others.update(relations)
        records = [record for record, relation in enumerate(relations) if relation == self.relation]
        self._found = self._found or bool(records)
        if not self._found and self._elsewhere is None:
            rest = (at for at in range(block.width) if at != self.position)
            self._elsewhere = next((at for at in rest if self.relation in block.column(at)), None)
        return records

    def message(self, names: Sequence[str], by_name: bool) -> str:
        """Return the message that no record has the relation.

        Parameters
        ----------
        names : sequence of str
            Names of all columns, for messages.
        by_name : bool
            Whether columns are to be given by these names, or else by their positions.
        """
        if self._elsewhere is None:
            return missing_relation(self.relation, self._others)
        return relation_elsewhere(self.relation, names, (self.position, self._elsewhere), by_name)


def missing_relation(relation: str, others: Collection[str]) -> str:
    """Return the message that there is no such relation among the others."""
    found = sorted(others)
    near = nearest_names(relation, np.array(found, np.str_)) if found else []
    hint = f" Nearest: {shortened(near[0])}." if near else ""
    listed = few([shortened(name, 24) for name in found], 5)
    return f"found no triple of the relation {shortened(relation)}; the relations are {listed}.{hint}"


def relation_elsewhere(relation: str, names: Sequence[str], at: tuple[int, int], by_name: bool) -> str:
    """Return the message that a relation is in another column than that of the relations.

    Parameters
    ----------
    relation : str
    names : sequence of str
        Names of all columns, for messages.
    at : (int, int)
        The column in which it was looked for, and the one in which it is.
    by_name : bool
        Whether columns are to be given by their names, or else by their positions.
    """
    ends = [position for position in range(len(names)) if position != at[1]]
    given = ", ".join(names[end] if by_name else str(end) for end in ends)
    what = "column " if by_name else ""
    advice = f"columns=({given})" if len(names) == _TRIPLE else "columns= without that one"
    return (
        f"found no triple of the relation {shortened(relation)} in {what}{names[at[0]]}, but in "
        f"{what}{names[at[1]]}; expected the relation between head and tail. Give the columns of head and "
        f"tail: {advice}."
    )
