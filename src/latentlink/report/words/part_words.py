"""The parts of a score by kind, in words of a reader who does not know their technical names."""

from __future__ import annotations

import re
from typing import NamedTuple

from latentlink.scoring.explain import AVERAGING

__all__ = ["AVERAGE_PAIR", "PartKind", "kind_of_part", "meanings_of"]


class PartKind(NamedTuple):
    """A kind of parts.

    Attributes
    ----------
    label : str
        Beside its bar.
    meaning : str
        A sentence for the glossary.
    """

    label: str
    meaning: str


AVERAGE_PAIR = "an average pair"
_FACTORIZATIONS = PartKind(
    "groups found by factorization",
    "What factorizations predict: they describe every node by a few hidden groups that it takes part in.",
)
_KINDS = (
    (
        r"^non-links: ",
        PartKind("known non-links", "Known non-links near this pair: they speak against it."),
    ),
    (
        r"common neighbours|Jaccard|Adamic-Adar|resource allocation|shared (targets|sources)|paths of three",
        PartKind(
            "shared neighbours",
            "Nodes to which both ends are linked, and paths of three links between them; neighbours with few "
            "links of their own count more in some of these measures.",
        ),
    ),
    (
        r"walks of|PageRank|Katz|distance",
        PartKind(
            "longer connections",
            "How easily one end is reached from the other along known links: by walks of several steps, by "
            "random walks (PageRank), and by the shortest path.",
        ),
    ),
    (
        r"spectrum",
        PartKind(
            "overall pattern of links",
            "Whether the link fits the main patterns of the whole network, which a few dimensions (a "
            "truncated spectrum) describe.",
        ),
    ),
    (
        r"degree|core number|clustering|size of the smaller component|same component",
        PartKind(
            "how connected each end is",
            "How many links each end has, how many those around it have, and how dense the network is there.",
        ),
    ),
    (r"reverse link", PartKind("a link the other way", "Whether the opposite direction is a known link.")),
    (r"^\d+: ", _FACTORIZATIONS),
    (
        r"numbers of known entries",
        PartKind(
            "how much is known of both",
            "How many entries of the row and of the column are known: the others count accordingly.",
        ),
    ),
    (r"similar rows", PartKind("similar rows", "What rows with similar values have in this column.")),
    (r"similar columns", PartKind("similar columns", "What this row has in columns with similar values.")),
    (
        r"regression on other columns",
        PartKind("the row's other values", "A regression of this column on the other columns."),
    ),
    (
        r"constant$|offset$",
        PartKind(AVERAGE_PAIR, "What every pair has: the other bars say how this one differs from it."),
    ),
    (
        re.escape(AVERAGING),
        PartKind(AVERAGING, "What the mean over several models adds to the parts of each."),
    ),
    (r"row bias", PartKind("row bias", "How high all scores of this row are.")),
    (r"column bias", PartKind("column bias", "How high all scores of this column are.")),
)  # fmt: skip


def kind_of_part(part: str) -> str:
    """Return the kind of a part of a score in words; that of a component is its own name.

    Examples
    --------
    >>> kind_of_part("cosine of the scaled spectrum, rank 64"), kind_of_part("component 3")
    ('overall pattern of links', 'component 3')
    """
    found = _known_kind(part)
    return part if found is None else found.label


def meanings_of(parts: list[str]) -> list[list[str]]:
    """Return the labels and meanings of the kinds of some parts, each once; of those that have a meaning."""
    kinds = dict.fromkeys(filter(None, map(_known_kind, parts)))
    return [list(kind) for kind in kinds]


def _known_kind(part: str) -> PartKind | None:
    return next((kind for pattern, kind in _KINDS if re.search(pattern, part)), None)
