"""The table of all data sets, generated and published."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from latentlink.datasets.fetched.registry import PUBLISHED
from latentlink.tables import Table

__all__ = ["list_datasets"]


class _Generated(NamedTuple):
    """A generated data set: its name, and the size with default arguments."""

    name: str
    rows: int
    columns: int
    known: int


_GENERATED = (
    _Generated("dog", 400, 16, 6_400),
    _Generated("swimmer", 1_024, 256, 262_144),
    _Generated("gaussian", 50, 100, 5_000),
    _Generated("bumps", 50, 100, 5_000),
    _Generated("planted_boolean", 200, 100, 20_000),
    _Generated("planted_blocks", 200, 200, 19_900),
    _Generated("heavy_tailed", 10_000, 10_000, 100_000),
)


def list_datasets() -> Table:
    """Return a table of all data sets with their sizes, licences and sources; nothing is read.

    Returns
    -------
    Table
        The columns are ``name``, ``kind`` ("generated" by the function of that name, or "fetched" by
        ``fetch(name)``), ``rows``, ``columns`` and ``known`` (numbers of rows, columns and known entries; of
        generated data with default arguments), ``licence``, ``source`` and ``citation``.

    Examples
    --------
    >>> from latentlink import datasets
    >>> table = datasets.list()
    >>> table["name"][table["kind"] == "generated"][:3].tolist()
    ['dog', 'swimmer', 'gaussian']
    >>> int(table["known"][table["name"] == "usair"][0])
    2126
    """
    lines = [(name, "generated", *size, "BSD-3-Clause", "latentlink", "") for name, *size in _GENERATED]
    lines += [
        (each.name, "fetched", *each.size[:3], each.licence, each.source, each.citation)
        for each in PUBLISHED.values()
    ]
    names = ("name", "kind", "rows", "columns", "known", "licence", "source", "citation")
    return Table(dict(zip(names, map(np.array, zip(*lines, strict=True)), strict=True)))
