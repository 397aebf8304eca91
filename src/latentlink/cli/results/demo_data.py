"""The data of ``latentlink demo``, and the comparison of its predictions with the truth."""

from __future__ import annotations

import csv
from pathlib import Path

from latentlink.cli.results.dataset_file import write_dataset
from latentlink.datasets import dog
from latentlink.saving import storage_errors

__all__ = ["compared_with_truth", "write_demo_data"]

_SHARE = 0.1


def write_demo_data(folder: Path, seed: int) -> Path:
    """Write the data with a tenth of the entries left out, and return the path."""
    path = folder / "dog.csv"
    with storage_errors(folder, ""):
        folder.mkdir(parents=True, exist_ok=True)
    write_dataset(path, dog(), _SHARE, seed)
    return path


def compared_with_truth(links: Path) -> dict[str, int]:
    """Return how many of the hidden entries are predicted and decided right.

    Parameters
    ----------
    links : Path
        ``links.csv`` of the run.

    Returns
    -------
    dict
        ``hidden`` entries, ``right`` predictions, ``baseline`` (right if all had the more frequent value),
        ``decided`` and ``wrong`` decisions.
    """
    network = dog().network
    with links.open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    rows, cols = [line["source"] for line in lines], [line["target"] for line in lines]
    values = network.values[network.positions(rows, cols)].tolist() if lines else []
    truth = [value > 0.5 for value in values]
    predicted = [float(line["score"]) > 0.5 for line in lines]
    decided = [line["decision"] in {"link", "no link"} for line in lines]
    right = [one == other for one, other in zip(predicted, truth, strict=True)]
    ones = sum(truth)
    return {
        "hidden": len(lines),
        "right": sum(right),
        "baseline": max(ones, len(lines) - ones),
        "decided": sum(decided),
        "wrong": sum(each and not fine for each, fine in zip(decided, right, strict=True)),
    }
