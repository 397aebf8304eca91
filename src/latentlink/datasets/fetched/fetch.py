"""Published data sets by name: found in a local folder or in the cache, else downloaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from latentlink.datasets.dataset import Dataset
from latentlink.datasets.fetched.data_folders import cache_folder, data_folders, find_file
from latentlink.datasets.fetched.download import download as downloaded
from latentlink.datasets.fetched.download import missing_file
from latentlink.datasets.fetched.published_dataset import PublishedDataset
from latentlink.datasets.fetched.registry import PUBLISHED
from latentlink.errors import warn_user
from latentlink.network import Network, drop_sparse_nodes
from latentlink.validation.choices import checked_choice, checked_switch

__all__ = ["fetch", "load_published"]


def fetch(
    name: str,
    *,
    folder: str | Path | None = None,
    download: bool = True,
    min_partners: int | None = None,
) -> Dataset:
    """Return a published data set, from a local file if there is one, else by downloading it.

    A file is looked for in ``folder``, in the folder that the environment variable ``LATENTLINK_DATA`` names,
    and in the cache, in this order. If it is in none of them it is downloaded by pooch (the extra ``fetch``)
    into ``folder`` if it is given, else into the cache, which is the folder in ``LATENTLINK_CACHE`` or one of
    the operating system for the user.

    Hashes are verified wherever they are known, of local files too. The numbers of rows, columns and entries
    are compared with those published, with a `latentlink.errors.DataWarning` where they differ.

    Parameters
    ----------
    name : str
        One of the names in `latentlink.datasets.list`.
    folder : str or path, optional
        An existing folder.
    download : bool
        Download a file that is not found; else raise InputError.
    min_partners : int, optional
        Remove nodes with fewer partners, as ``drop_sparse_nodes(network, min_partners)`` of
        `latentlink.network` does. The paper removes proteins with fewer than 5; its published counts are
        those before.

    Returns
    -------
    Dataset
        The history of its network lists how it was read and cleaned. Networks of links alone have all other
        pairs unknown, and are for `LinkStack` as they are; for other methods add non-links with
        `latentlink.network.sample_negatives`, or give these pairs a weight with `with_background`.

    Raises
    ------
    InputError
        If there is no such name, if the file is neither found nor downloaded (the message has its address
        and says where to put it), or if its hash differs.

    Examples
    --------
    >>> from latentlink import datasets
    >>> data = datasets.fetch("movielens-100k")  # doctest: +SKIP
    >>> data.network  # doctest: +SKIP
    Network: 943 x 1,682, 100,000 values from 1 to 5, rest unknown
    """
    checked_choice(name, PUBLISHED, "name")
    data = load_published(PUBLISHED[name], folder, checked_switch(download, "download"))
    if min_partners is None:
        return data
    return Dataset(data.name, data.description, drop_sparse_nodes(data.network, min_partners), data.rank)


def load_published(
    published: PublishedDataset, folder: str | Path | None = None, download: bool = True
) -> Dataset:
    """Find or download the file of a data set, read it, and compare its size with the published one.

    Parameters
    ----------
    published : PublishedDataset
    folder, download
        As for `fetch`.
    """
    folders = data_folders(folder)
    path = find_file(published, folders)
    if path is None:
        target = folders[0] if folder is not None else cache_folder()
        if not download:
            raise missing_file(published, target, "It is not downloaded, because download is False")
        path = downloaded(published, target)
    contents = published.read(path)
    _compare(published, contents.network, path)
    description = f"{published.description}; {published.source}; licence: {published.licence}"
    return Dataset(published.name, description, *contents)


def _compare(published: PublishedDataset, network: Network, path: Path) -> None:
    """Warn if the size of a network differs from the published one by more than the tolerance."""
    links = int(np.count_nonzero(network.values[network.known] == 1))
    found = (*network.shape, network.n_known, links)
    names = ("rows", "columns", "known entries", "links")
    differences = [
        f"{here:,} {name} instead of {there:,}"
        for name, here, there in zip(names, found, published.size, strict=True)
        if there is not None and abs(here - there) > published.tolerance * there
    ]
    if differences:
        warn_user(
            f"The data set {published.name!r}, read from {path}, has {', '.join(differences)} that "
            f"are published. The file is probably another version or incomplete; see {published.source}."
        )
