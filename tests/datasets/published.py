"""Small published data sets that tests make themselves, in a folder of their own."""

from __future__ import annotations

import hashlib
from pathlib import Path

from latentlink.datasets.fetched import PublishedDataset, PublishedFile, Size
from latentlink.datasets.fetched.formats import links

TEXT = "source\ttarget\na\tb\nb\tc\nc\ta\n"


def small(url=None, *, content=TEXT, size=(3, 3), **changes) -> PublishedDataset:
    """Return a data set of three links in the file small.tsv, whose hash is that of ``content``."""
    digest = hashlib.sha256(content.encode()).hexdigest()
    file = PublishedFile("small.tsv", url or "http://127.0.0.1:9/small.tsv", f"sha256:{digest}")
    fields = {
        "name": "small",
        "description": "a triangle",
        "files": (file,),
        "read": links,
        "size": Size(size[0], size[0], size[1], size[1]),
        "licence": "none",
        "source": "https://example.org/small",
        "citation": "nobody",
    }
    return PublishedDataset(**fields | changes)


def write(folder: Path, content: str = TEXT, name: str = "small.tsv") -> Path:
    """Write the file of the data set into a folder."""
    path = folder / name
    path.write_text(content)
    return path
