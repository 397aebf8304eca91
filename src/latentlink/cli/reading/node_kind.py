"""Whether rows and columns of a list of pairs are the same nodes, and whether its pairs have a direction."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from latentlink.network import Network
from latentlink.network.names import ONE_KIND, are_numbers, share_of_common_names
from latentlink.validation.wording import counted, percent

__all__ = ["Assumption", "direction_of", "nodes_of"]

_RARE = 0.01  # share of pairs in both directions up to which, and above 1 minus which, there is no direction
# Names of columns that say nothing about the kinds of nodes, without what counts them (1, 2, a, b).
_ENDS = re.compile(r"(source|target|from|to|src|dst|dest|destination|head|tail|start|end)(id|node|nodeid)?")
_COUNTED = re.compile(r"(.*[a-z])[_ .-]?(1|2|a|b|i|j|x|y)")
_TWO_KINDS = re.compile(r"(user|item|movie|row|col|column|customer|product|drug|disease)(s|id|name)?")


@dataclass(frozen=True)
class Assumption:
    """What was assumed about the data.

    Attributes
    ----------
    answer : str
        One of the values of the option.
    sentence : str
        What was assumed and why, with the option that changes it.
    """

    answer: str
    sentence: str


def nodes_of(network: Network, labels: tuple[str, str] | None) -> Assumption:
    """Return whether rows and columns are nodes of "one" kind or of "two".

    Parameters
    ----------
    network : Network
        A list of pairs, read as if rows and columns were two kinds of nodes.
    labels : (str, str) or None
        The names of both columns, if the file has any.
    """
    shared = share_of_common_names(network.row_names, network.col_names)
    one = "nodes are of one kind (else --bipartite)"
    two = "nodes are of two kinds (else --symmetric or --directed)"
    if labels is not None and _counted_alike(*labels):
        return Assumption("one", f"both columns have one name ({labels[0]}, {labels[1]}), so that {one}")
    if labels is not None and any(_TWO_KINDS.fullmatch(_letters(label)) for label in labels):
        return Assumption("two", f"the columns are {labels[0]} and {labels[1]}, so that {two}")
    if are_numbers(network.row_names) and are_numbers(network.col_names):
        if labels is not None and not all(_ENDS.fullmatch(_letters(label)) for label in labels):
            return Assumption(
                "two", f"nodes are numbers in columns of different names ({', '.join(labels)}), so that {two}"
            )
        if not network.is_binary:
            return Assumption("two", f"nodes are numbers and the pairs have values, so that {two}")
    if shared >= ONE_KIND:
        return Assumption("one", f"{percent(round(shared, 2))} of the names are on both sides, so that {one}")
    few = "no name is" if not shared else f"only {percent(max(round(shared, 3), 0.001))} of the names are"
    return Assumption("two", f"{few} on both sides, so that {two}")


def direction_of(network: Network, relation: bool = False) -> Assumption:
    """Return whether a network of one kind of nodes is "symmetric" or "directed".

    Parameters
    ----------
    network : Network
        Read with ``square=True``; pairs may be listed more than once.
    relation : bool
        They are triples of one relation, which goes from head to tail unless every pair goes both ways.
    """
    apart = network.subset(network.rows != network.cols)
    keys = apart.rows.astype(np.int64) * network.shape[1] + apart.cols
    back = apart.cols.astype(np.int64) * network.shape[1] + apart.rows
    order = np.argsort(keys, kind="stable")
    at = np.clip(np.searchsorted(keys[order], back), 0, max(len(keys) - 1, 0))
    both = keys[order][at] == back if len(keys) else np.zeros(0, bool)
    if both.any() and (apart.values[order][at][both] != apart.values[both]).any():
        count = int((apart.values[order][at][both] != apart.values[both]).sum()) // 2
        pairs = counted(max(count, 1), "pair has", "pairs have")
        return Assumption(
            "directed", f"{pairs} another value in the other direction, so that links have a direction"
        )
    share = float(both.mean()) if len(both) else 0.0
    if share > 1 - _RARE and share > 0:
        return Assumption(
            "symmetric",
            "every pair is listed in both directions, so that links have no direction (else --directed)",
        )
    if relation:
        return Assumption(
            "directed", "a relation goes from head to tail, so that links have a direction (else --symmetric)"
        )
    if share <= _RARE:
        none = "no pair is" if not share else f"only {percent(round(share, 4))} of the pairs are"
        return Assumption(
            "symmetric",
            f"{none} listed in both directions, so that links have no direction (else --directed)",
        )
    return Assumption(
        "directed",
        f"{percent(round(share, 2))} of the pairs are listed in both directions, so that links have a "
        "direction (else --symmetric)",
    )


def _counted_alike(one: str, other: str) -> bool:
    """Whether two labels are one name with two counters, such as protein_a and protein_b."""
    matches = [_COUNTED.fullmatch(label.partition(":")[0].strip().lower()) for label in (one, other)]
    first, second = matches
    return first is not None and second is not None and first[1] == second[1] and first[2] != second[2]


def _letters(label: str) -> str:
    """Return letters and digits alone, without the type that some files have after a colon."""
    return "".join(filter(str.isalnum, label.partition(":")[0].lower()))
