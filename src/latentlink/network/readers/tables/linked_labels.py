"""Labels of columns that name what networks often link, such as gene and disease."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from latentlink.network.readers.text.header import label_words, node_labels

__all__ = ["names_linked", "names_two_ends"]

# Too common in tables to refuse a frame, enough to warn.
_LINKED = {
    "article", "artist", "author", "book", "cell", "chemical", "circrna", "city", "client", "compound",
    "contact", "country", "course", "customer", "destination", "disease", "document", "drug", "entity",
    "enzyme", "event", "film", "friend", "game", "gene", "herb", "host", "id", "ident", "idx", "index",
    "job", "joke", "kinase", "lncrna", "member", "metabolite", "microbe", "mirna", "node", "object",
    "origin", "page", "paper", "partner", "pathway", "patient", "person", "phenotype", "place", "player",
    "post", "product", "protein", "query", "reaction", "reader", "receiver", "sample", "seller", "sender",
    "session", "site", "song", "species", "student", "subject", "substrate", "symptom", "tag", "term",
    "tissue", "token", "track", "url", "user", "video", "virus", "visitor", "word",
}  # fmt: skip


def names_two_ends(labels: Sequence[Any]) -> bool:
    """Return whether the first two labels are of nodes, or have a word for what networks often link.

    Examples
    --------
    >>> names_two_ends(["miRNA", "target", "n"]), names_two_ends(["height", "gene"])
    (True, False)
    """
    nodes = node_labels(labels)[:2]
    return all(node or names_linked(label) for node, label in zip(nodes, labels, strict=False))


def names_linked(label: Any) -> bool:
    """Whether a label has a word for what networks often link, in the singular or with an s."""
    if not isinstance(label, str):
        return False
    words = label_words(label) | {label.strip("_0123456789").lower()}  # miRNA is one word
    return any(word in _LINKED or word.removesuffix("s") in _LINKED for word in words)
