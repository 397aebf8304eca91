"""Readers of published files: ratings, labelled pairs, links, and the paper's two Boolean matrices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets.fetched.published_dataset import Contents
from latentlink.datasets.fetched.zip_members import open_member, unpacked
from latentlink.datasets.swimmer import binarized_by_otsu
from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.network import (
    Network,
    Step,
    binarize,
    drop_duplicates,
    drop_self_loops,
    resolve_conflicts,
)
from latentlink.network.readers.matrices.array_file import read_array

__all__ = [
    "dog_archive",
    "labelled_pairs",
    "links",
    "pairs_as_listed",
    "ratings",
    "swimmer_binary",
    "swimmer_counts",
]

_PROTEINS = ("Uniprot_A", "Uniprot_B", "Interaction")
# Members of the archives of GroupLens, of which one archive has one.
_RATINGS = {"ml-100k.zip": "ml-100k/u.data", "ml-latest-small.zip": "ml-latest-small/ratings.csv"}


def ratings(path: Path) -> Contents:
    """Read ratings: user, item and rating in the first three columns, with or without a header."""
    if path.suffix == ".zip":
        member = _RATINGS[path.name]
        with unpacked(path, member) as text:
            network = ratings(text).network
        return Contents(_with_origin(network, str(text), f"{path}, {member}"))
    delimiter = "," if path.suffix == ".csv" else "\t"
    header = path.suffix in {".csv", ".inter"}
    return Contents(Network.from_file(path, columns=(0, 1, 2), header=header, delimiter=delimiter))


def labelled_pairs(path: Path) -> Contents:
    """Read a protein network and clean it as the paper does.

    Interactions above 0 are links, 0 is a non-link. Pairs are unordered; repeated ones are listed once, and
    those with both labels are removed. Pairs of a protein with itself stay.
    """
    return _cleaned_pairs(path, symmetric=True)


def pairs_as_listed(path: Path) -> Contents:
    """Read a protein network with the order of the two proteins of a pair, as if it had a meaning.

    In these files the order depends on the label, so that a model that tells rows from columns can read off
    what it should predict: only to show the effect.
    """
    return _cleaned_pairs(path, symmetric=False)


def _cleaned_pairs(path: Path, *, symmetric: bool) -> Contents:
    pairs = Network.from_file(
        path,
        columns=_PROTEINS,
        header=True,
        delimiter="\t",
        duplicates="keep",
        symmetric=symmetric,
        square=not symmetric,
    )
    return Contents(resolve_conflicts(drop_duplicates(binarize(pairs, at=0)), "drop"))


def links(path: Path) -> Contents:
    """Read an undirected network from a list of links; direction, weights, repeats and self loops go."""
    header, delimiter = (True, "\t") if path.suffix == ".tsv" else (False, " ")
    listed = Network.from_file(
        path, columns=(0, 1), header=header, delimiter=delimiter, symmetric=True, duplicates="keep"
    )
    return Contents(drop_self_loops(drop_duplicates(listed)))


def dog_archive(path: Path) -> Contents:
    """Read the Boolean matrix X of an ``.npz`` file, and its factors W and H."""
    X, W, H = (_array(path, name) for name in ("X", "W", "H"))
    truth = Factors(W, H, boolean=True)
    return Contents(Network.from_dense(X), truth.rank, truth)


def _array(path: Path, name: str) -> NDArray[np.float64]:
    with open_member(path, f"{name}.npy") as (stream, size):
        array = read_array(stream, size, f"{path}, {name}")
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise InputError(
            f"{path}, {name}: found an array of shape {array.shape} and type {array.dtype}; expected a "
            "matrix of numbers."
        )
    return array.astype(np.float64)


def swimmer_counts(path: Path) -> Contents:
    """Read the counts V of a MATLAB file, whose hash was verified: SciPy trusts such files."""
    from scipy.io import loadmat

    counts: Any = loadmat(path, variable_names=["V"])["V"]
    return Contents(Network.from_dense(counts.astype(np.float64)), 16)


def swimmer_binary(path: Path) -> Contents:
    """Read the counts of a MATLAB file and binarize them by Otsu's threshold, as the paper does."""
    counts = swimmer_counts(path)
    return Contents(binarized_by_otsu(counts.network), counts.rank)


def _with_origin(network: Network, temporary: str, origin: str) -> Network:
    """Return a network whose history names where it was read, instead of a temporary file."""
    first, *others = network.history
    step = Step(first.name, first.touched, first.sentence.replace(temporary, origin))
    return network.relisted(*network.entries, history=(step, *others))
