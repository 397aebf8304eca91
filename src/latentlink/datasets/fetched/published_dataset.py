"""Records of published data sets: files with hashes, sizes, licences and sources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from latentlink.factors import Factors
from latentlink.network import Network

__all__ = ["Contents", "PublishedDataset", "PublishedFile", "Size"]


class PublishedFile(NamedTuple):
    """A file that holds a data set.

    Attributes
    ----------
    name : str
        Its path within a data folder.
    url : str or None
        Address from which it is downloaded; None for a file that is only read where it is.
    hash : str or None
        ``"sha256:..."`` or ``"md5:..."``; None if it is not known, or changes with time.
    """

    name: str
    url: str | None = None
    hash: str | None = None


class Size(NamedTuple):
    """Numbers of rows, columns and known entries, and of links among these where they are 0 and 1."""

    rows: int
    columns: int
    known: int
    links: int | None = None


class Contents(NamedTuple):
    """What a file holds: a network, and its true rank and factors if they are known."""

    network: Network
    rank: int | None = None
    truth: Factors | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedDataset:
    """A published data set.

    Attributes
    ----------
    name : str
    description : str
        Description in one sentence.
    files : tuple of PublishedFile
        Any one of them suffices; the first that is found is read.
    read : function
        Reads a file by its path.
    size : Size
        What `read` is expected to return.
    tolerance : float
        Relative difference of the size that is no reason for a warning, for data that change with time.
    licence, source, citation : str
        As far as they are stated; ``source`` is the address of a page.
    """

    name: str
    description: str
    files: tuple[PublishedFile, ...]
    read: Callable[[Path], Contents]
    size: Size
    tolerance: float = 0.0
    licence: str
    source: str
    citation: str

    @property
    def download(self) -> PublishedFile:
        """The first file with an address."""
        return next(file for file in self.files if file.url is not None)
