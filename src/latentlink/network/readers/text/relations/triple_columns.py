"""Head, relation and tail of a file of triples, by the names of its columns in any order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from latentlink.errors import InputError
from latentlink.network.readers.text.header import bare_label, names_nodes

__all__ = [
    "TripleColumns",
    "columns_beside_relation",
    "names_relation",
    "relation_position",
    "triple_columns",
]

_TRIPLE = 3
_RELATION = re.compile(
    r"rel|(relation|relationship|predicate)s?(id|type|name|label)?|property|edgetype|linktype"
)
_WHAT = "(id|node|nodeid|name|label|entity|entityid)?"
_HEAD = re.compile(f"(head|subject|subj|source|src|from|h|s){_WHAT}")
_TAIL = re.compile(f"(tail|object|obj|target|dst|dest|destination|to|t|o){_WHAT}")
_LETTERS = {"r", "p"}  # of h, r, t and of s, p, o


class TripleColumns(NamedTuple):
    """Positions of the columns of triples."""

    head: int
    relation: int
    tail: int


def triple_columns(labels: Sequence[str], asked: str | None = None) -> TripleColumns | None:
    """Return where head, relation and tail are by the names of three columns; None if these do not say so.

    Parameters
    ----------
    labels : sequence of str
        The fields of the first line.
    asked : str, optional
        The relation that is to be read. Then the file has triples, of which one name of a relation tells the
        order; the relation itself is no name.

    Examples
    --------
    >>> triple_columns(["subject", "object", "predicate"])
    TripleColumns(head=0, relation=2, tail=1)
    >>> triple_columns(["tail", "relation", "head"])
    TripleColumns(head=2, relation=1, tail=0)
    >>> triple_columns(["user", "item", "rating"]) is None
    True
    """
    if len(labels) != _TRIPLE:
        return None
    named = [at for at, label in enumerate(labels) if names_relation(label) and label != asked]
    letters = [at for at, label in enumerate(labels) if bare_label(label) in _LETTERS and label != asked]
    for relations, ends_tell in ((named, asked is None), (letters, True)):
        if len(relations) != 1:
            continue
        relation = relations[0]
        one, other = (at for at in range(_TRIPLE) if at != relation)
        if ends_tell and not _are_ends(labels, relation, exactly=relations is letters):
            continue
        swapped = _is(_TAIL, labels[one]) > _is(_TAIL, labels[other]) or (
            _is(_HEAD, labels[other]) > _is(_HEAD, labels[one])
        )
        head, tail = (other, one) if swapped else (one, other)
        return TripleColumns(head, relation, tail)
    return None


def _are_ends(labels: Sequence[str], relation: int, exactly: bool) -> bool:
    """Whether the columns beside a relation are named as head and tail, or as nodes.

    Behind a relation in the middle, the last one is enough, unless they have to be head and tail ``exactly``.
    """
    one, other = (labels[at] for at in range(_TRIPLE) if at != relation)
    if exactly:
        return (_is(_HEAD, one) and _is(_TAIL, other)) or (_is(_TAIL, one) and _is(_HEAD, other))
    least = [other] if relation == 1 else [one, other]
    return all(names_nodes(label) or _is(_HEAD, label) or _is(_TAIL, label) for label in least)


def _is(pattern: re.Pattern[str], label: str) -> bool:
    return pattern.fullmatch(bare_label(label)) is not None


def names_relation(field: str) -> bool:
    """Whether a field is a common name of a column of relations, such as predicate or edge_type."""
    return _RELATION.fullmatch(bare_label(field)) is not None


def columns_beside_relation(labels: Sequence[str], asked: str, where: str) -> tuple[int, int]:
    """Return the columns of head and tail, by their names or else the first and the last of three.

    Raises InputError unless there are three columns.
    """
    if len(labels) != _TRIPLE:
        raise InputError(
            f"{where}: found {len(labels)} columns, and relation= is given; expected three: head, relation "
            "and tail. Give columns=(head, tail) or (head, tail, value), without that of the relation."
        )
    named = triple_columns(labels, asked)
    return (0, 2) if named is None else (named.head, named.tail)


def relation_position(labels: Sequence[str], columns: Sequence[int | None], where: str) -> int:
    """Return the column of the relation: the one that is not read, or that is named so."""
    rest = [position for position in range(len(labels)) if position not in columns]
    named = [position for position in rest if names_relation(labels[position])]
    if len(rest) != 1 and len(named) != 1:
        raise InputError(
            f"{where}: relation= is given, but {len(rest)} columns are left beside those of nodes and value; "
            'expected one, or one that is named "relation". Write a file with that one column more.'
        )
    return (rest if len(rest) == 1 else named)[0]
