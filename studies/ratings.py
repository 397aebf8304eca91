"""RMSE on MovieLens-100k in five folds; rank and ridge are chosen inside each training part."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from latentlink import Network, RNMFk
from latentlink.splitting import kfold
from studies.findings import Finding, Lines, columns
from studies.study import DATA, Study

__all__ = ["RATINGS", "ratings"]

# A table with a header, then user, item, rating on each line, tab-separated; it does not come with the data.
RATINGS = Path(os.environ.get("LATENTLINK_RATINGS", DATA / "ml-100k.inter"))


@cache
def _folds() -> list[Any]:
    with RATINGS.open() as file:
        next(file)
        triples = [(row[0], row[1], float(row[2])) for row in csv.reader(file, delimiter="\t")]
    return list(kfold(Network.from_edges(triples), 5, 0))


def run(fold: int) -> dict[str, Any]:
    """Fit four fifths of the ratings, predict the fifth."""
    split = _folds()[fold]
    test = split.test
    model = RNMFk((5, 10, 20, 30, 40), random_state=fold).fit(split.train)
    pairs = np.column_stack([test.rows, test.cols])
    mean = float(np.mean(split.train.values[split.train.known]))
    predictions = {
        "rmse": model.predict_links(pairs),
        "rmse_central_model": model.predict_links(pairs, by="model"),
        "rmse_mean_rating": np.full(len(pairs), mean),
    }
    errors = {name: f"{np.sqrt(np.mean((y - test.values) ** 2)):.5f}" for name, y in predictions.items()}
    return {"chosen_rank": model.rank_, "ridge": f"{model.solver_.ridge:.4g}", **errors}


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the mean RMSE over folds."""
    errors = columns(lines, "rmse", "rmse_central_model", "rmse_mean_rating")
    rmse, central, baseline = (column.mean() for column in errors.values())
    yield Finding(
        "MovieLens-100k, RNMFk, 5 folds: RMSE",
        f"{rmse:.4f} (the central model alone {central:.4f}, the mean rating {baseline:.4f}; published for "
        "Surprise: biases .944, SVD .934, SVD++ .919, NMF .963)",
        "at most 0.915",
        bool(rmse <= 0.915),
    )


ratings = Study("ratings", [{"fold": fold} for fold in range(5)], run, findings)
