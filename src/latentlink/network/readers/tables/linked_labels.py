"""Labels of columns that name what networks often link, such as gene and disease."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from latentlink.network.readers.text.header import bare_label, label_words, node_labels

__all__ = ["names_identifiers", "names_linked", "names_two_ends"]

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
    "artikel", "benutzer", "buch", "kunde", "nutzer", "produkt", "lied",
    "produit", "utilisateur", "producto", "usuario", "utente", "prodotto",
}  # fmt: skip
# Numbers under such a label are no values, whatever else is in the table.
_CODES = {"asin", "barcode", "doi", "ean", "guid", "gtin", "isbn", "isin", "pmid", "sku", "upc", "uuid"}
_IDENTIFIER = re.compile(r"[iI][dD]s?|.*([_\-. ][iI][dD]s?|[a-z]I[dD]s?)")


def names_two_ends(labels: Sequence[Any]) -> bool:
    """Return whether the first two labels are of nodes, or have a word for what networks often link.

    Examples
    --------
    >>> names_two_ends(["miRNA", "target", "n"]), names_two_ends(["height", "gene"])
    (True, False)
    """
    nodes = node_labels(labels)[:2]
    return all(node or names_linked(label) for node, label in zip(nodes, labels, strict=False))


def names_identifiers(label: Any) -> bool:
    """Return whether a label is that of identifiers: it ends in id, or is a usual code such as sku.

    Examples
    --------
    >>> [names_identifiers(label) for label in ("customer_id", "songId", "bookid", "SKU", "paid", 3)]
    [True, True, True, True, False, False]
    """
    if not isinstance(label, str):
        return False
    bare = bare_label(label)
    return (
        _IDENTIFIER.fullmatch(label.strip()) is not None
        or not _CODES.isdisjoint({bare, bare.removesuffix("s"), *label_words(label)})
        or (bare.endswith("id") and bare.removesuffix("id") in _LINKED)
    )


def names_linked(label: Any) -> bool:
    """Whether a label has a word for what networks often link, also with an s, or for identifiers."""
    if not isinstance(label, str):
        return False
    if names_identifiers(label):
        return True
    words = label_words(label) | {label.strip("_0123456789").lower()}  # miRNA is one word
    return any(word in _LINKED or word.removesuffix("s") in _LINKED for word in words)
