"""Row, column and value of a list of pairs by the names of its columns, where their order says otherwise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from latentlink.errors import InputError
from latentlink.network.readers.tables.linked_labels import names_linked
from latentlink.network.readers.text.header import bare_label, label_words, names_values, node_labels
from latentlink.network.readers.text.relations.triple_columns import names_relation
from latentlink.validation.wording import few, shown_label

__all__ = ["columns_among_many", "columns_by_name", "names_all", "names_any", "suggested_columns"]

# Common words alone: many other names of values, such as class or number, are names of nodes elsewhere.
_CERTAIN_VALUES = re.compile(r"ratings?|values?|val|weights?|scores?|stars|counts?|probability")
# Time alone may be what was measured: the time of an athlete, or one that was spent.
_TIMES = re.compile(
    r"(unix|event|review|rating|created)?(timestamps?|datetime)|(unix|event|unixreview|review)(time|date)|ts"
)
_SOURCES = re.compile(r"source|src|from|head|start|(node|entity|protein|uniprot|gene|id)(1|a)")
# Of the lines, which are no values.
_NUMBERS = re.compile(r"|unnamed\d*|(index)?level\d+|index|idx|id")
_DATES = re.compile(r"when|date|day|month|year|time")  # may be measured, but are not what is suggested
_PARTS = ("row", "column", "value")


def columns_by_name(labels: Sequence[Any], found: str) -> tuple[int, ...] | None:
    """Return the positions of row, column and value by the names of columns, None if their order is right.

    Two columns of nodes and one of values are used as they are named. Raises InputError if the first or the
    second column has the name of a value, the third one that of a time or relation, or only the last two are
    named as nodes, and the names do not tell the other columns.

    Parameters
    ----------
    labels : sequence
        Names of two or three columns; those that are no text say nothing.
    found : str
        What the columns were found in, up to the verb, for the message: "The frame has".

    Examples
    --------
    >>> columns_by_name(["rating", "user", "item"], "The frame has")
    (1, 2, 0)
    >>> columns_by_name(["user", "item", "rating"], "The frame has") is None
    True
    """
    kinds = _kinds(labels)
    nodes = tuple(position for position, kind in enumerate(kinds) if kind == "node")
    values = [position for position, kind in enumerate(kinds) if kind == "value"]
    if len(labels) == 3 and len(nodes) == 2 and values and (*nodes, values[0]) != (0, 1, 2):
        return *nodes, values[0]
    doubt = _doubt(kinds, labels)
    if doubt is None:
        return None
    given = _listed(labels, range(len(labels)))
    shown = [shown_label(label, in_list=True) for label in labels]
    order = few([f"{label} is the {part}" for label, part in zip(shown, _PARTS, strict=False)])
    message = (
        f"{found} the columns {given}; in this order {order}, but {shown[doubt]} is the name of a "
        f"{kinds[doubt]}."
    )
    if len(labels) == 2:
        raise InputError(f"{message} If both are nodes, say so: columns=({given}).")
    if len(nodes) == 2 and "relation" in kinds:
        raise InputError(
            f"{message} Each relation is a network of its own: select the lines of one of them, and give the "
            f"nodes alone, columns=({_listed(labels, nodes)}); if this order is meant, columns=({given})."
        )
    example = nodes if len(nodes) == 2 and not values else suggested_columns(labels)
    others = _listed(labels, example if example != (0, 1, 2) else (0, 1))
    raise InputError(
        f"{message} Give the columns of row, column and value, or of row and column alone, for example "
        f"columns=({others}); if this order is meant, columns=({given})."
    )


def _doubt(kinds: list[str], labels: Sequence[Any]) -> int | None:
    """Return the first column whose name contradicts its position."""
    if len(labels) == 3 and kinds[2] in {"time", "relation"}:
        return 2
    value = isinstance(labels[-1], str) and names_values(labels[-1])  # "target" may be a value or a node
    if len(labels) == 3 and value and not (kinds[2] == "node" and any(map(_names_sources, labels[:2]))):
        return None
    if "value" in kinds[:2]:
        return kinds.index("value")
    return 2 if len(labels) == 3 and kinds.count("node") == 2 and kinds[2] == "node" else None


def _names_sources(label: Any) -> bool:
    return _matches(_SOURCES, label)


def _matches(pattern: re.Pattern[str], label: Any) -> bool:
    return isinstance(label, str) and pattern.fullmatch(bare_label(label)) is not None


def names_all(labels: Sequence[Any]) -> bool:
    """Whether labels are the names of two columns of nodes, and of values and times beside them."""
    kinds = _kinds(labels)
    return len(labels) > 2 and kinds.count("node") >= 2 and set(kinds) <= {"node", "value", "time"}


def names_any(labels: Sequence[Any]) -> bool:
    """Whether a label is the name of a column of nodes, values, times or relations."""
    return any(_kinds(labels)) or any(isinstance(label, str) and names_values(label) for label in labels)


def columns_among_many(labels: Sequence[Any]) -> tuple[int, ...] | None:
    """Return the positions of row, column and value among any number of columns; None if names do not tell.

    Two columns have to be named as nodes.

    Parameters
    ----------
    labels : sequence
        Names of the columns; those that are no text say nothing.

    Examples
    --------
    >>> columns_among_many(["date", "user", "item", "rating"])
    (1, 2, 3)
    >>> columns_among_many(["date", "who", "what", "rating"]) is None
    True
    """
    if len(set(labels)) < len(labels) or sum(node_labels(labels)) < 2:
        return None
    return suggested_columns(labels)


def suggested_columns(labels: Sequence[Any]) -> tuple[int, ...]:
    """Return the positions of the columns that are row, column and value by their names, else by their order.

    Examples
    --------
    >>> suggested_columns(["timestamp", "score", "who", "what"])
    (2, 3, 1)
    >>> suggested_columns(["when", "drug", "target", "bound"])
    (1, 2, 3)
    """
    kinds = _kinds(labels)
    nodes = [position for position, kind in enumerate(kinds) if kind == "node"]
    unnamed = [position for position, kind in enumerate(kinds) if not kind]
    numbers = [position for position in unnamed if _matches(_NUMBERS, labels[position])]
    dates = [position for position in unnamed if _matches(_DATES, labels[position])]
    words = [position for position in unnamed if position not in (*numbers, *dates)]
    linked = [position for position in words if names_linked(labels[position])]
    certain = nodes + linked if len(nodes + linked) > 1 else nodes
    ends = sorted([*certain, *(at for at in unnamed if at not in certain)][:2])
    if len(ends) < 2:
        return tuple(range(min(len(labels), 3)))
    texts = [position for position in words if isinstance(labels[position], str)]
    likely = [position for position in texts if names_values(labels[position])]
    value = [position for position, kind in enumerate(kinds) if kind == "value"]
    rest = [position for position in (*value, *likely, *words, *dates) if position not in ends]
    return *ends, *rest[:1]


def _kinds(labels: Sequence[Any]) -> list[str]:
    """Return what each label is the name of: node, value, time or relation; nothing for others."""
    nodes = node_labels(labels)
    return [
        "node" if node else _kind(label) if isinstance(label, str) else ""
        for label, node in zip(labels, nodes, strict=True)
    ]


def _kind(label: str) -> str:
    """Return what a label that is none of a node is the name of."""
    if _TIMES.fullmatch(bare_label(label)):
        return "time"
    if names_relation(label):
        return "relation"
    certain = any(map(_CERTAIN_VALUES.fullmatch, label_words(label)))
    return "value" if certain and names_values(label) else ""


def _listed(labels: Sequence[Any], positions: Sequence[int]) -> str:
    return ", ".join(shown_label(labels[position], in_list=True) for position in positions)
