"""Data sets as CSV files that ``fit`` reads: a matrix where it is small and mostly known, else a list."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np

from latentlink import datasets
from latentlink.cli.results.link_file import write_csv
from latentlink.datasets import Dataset
from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.saving import storage_errors
from latentlink.splitting import holdout
from latentlink.validation.choices import checked_choice
from latentlink.validation.numbers import checked_number
from latentlink.validation.wording import shown_path

__all__ = ["check_output", "generated", "published", "write_dataset"]

_FILLED = 0.1  # share of known entries from which a matrix is written
_MOST_CELLS = 2_000_000


def check_output(path: Path, hidden: float, force: bool) -> None:
    """Raise InputError, before any work, for a share that is none, and for a file that is there already."""
    checked_number(hidden, "--hidden", 0, 1, below=True)
    if path.exists() and not path.is_dir() and not force:
        raise InputError(
            f"{shown_path(path)} is there already; expected the name of a new file. Name another one with "
            "--out, or replace it with --force."
        )


def generated(name: str, seed: int) -> Dataset:
    """Return a generated data set by its name."""
    _check_kind(name, "generated", "published", "Fetch it instead: latentlink datasets fetch.")
    make = getattr(datasets, name)
    data: Dataset = make(seed=seed) if "seed" in inspect.signature(make).parameters else make()
    return data


def published(name: str, folder: str | None) -> Dataset:
    """Return a published data set by its name, from a folder, which is created, or else from the cache."""
    _check_kind(name, "fetched", "generated", "Make it instead: latentlink datasets make.")
    if folder is not None:
        with storage_errors(Path(folder), ""):
            Path(folder).mkdir(parents=True, exist_ok=True)
    return datasets.fetch(name, folder=folder)


def _check_kind(name: str, kind: str, other: str, instead: str) -> None:
    """Raise InputError unless there is a data set of this name and kind."""
    table = datasets.list()
    names = table["name"][table["kind"] == kind].tolist()
    if name in table["name"].tolist() and name not in names:
        expected = "generated" if kind == "generated" else "published"
        raise InputError(f"{name} is a {other} data set; expected a {expected} one. {instead}")
    checked_choice(name, names, "name")


def write_dataset(path: Path, data: Dataset, hidden: float, seed: int) -> Network:
    """Write a data set as CSV, a share of it left out, and return the network that is written."""
    network = data.network
    if hidden:
        split = holdout(network, hidden, seed)
        network = split.train.subset(split.train.known)
    dense = network.n_known >= _FILLED * network.n_pairs or bool(network.background)
    if dense and not network.square and np.prod(network.shape) <= _MOST_CELLS:
        _write_matrix(path, network)
    else:
        known = network.subset(network.known)
        source, target = known.node_names(known.rows, known.cols)
        columns = {"source": source, "target": target}
        links_alone = bool((known.values == 1).all())
        write_csv(path, columns if links_alone else {**columns, "value": known.values})
    return network


def _write_matrix(path: Path, network: Network) -> None:
    """Write a matrix with names above and in front, empty where a value is unknown."""
    values = network.to_dense(limit=_MOST_CELLS)
    rows, cols = (
        [f"{side}{index}" for index in range(size)] if names is None else [str(name) for name in names]
        for names, size, side in (
            (network.row_names, network.shape[0], "row"),
            (network.col_names, network.shape[1], "column"),
        )
    )
    write_csv(path, {"": np.array(rows), **{name: values[:, index] for index, name in enumerate(cols)}})
