"""RMSE on MovieLens-100k in five folds; rank and ridge are chosen inside each training part."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from latentlink import Network, RNMFk
from latentlink.experiments.case_lines import Lines, columns
from latentlink.rank import Agreement, BestPrediction, RankRecord
from latentlink.splitting import kfold
from studies.findings import Finding
from studies.study import DATA, Study

__all__ = ["RATINGS", "rated_folds", "ratings"]

# A table with a header, then user, item, rating on each line, tab-separated; it does not come with the data.
# The variable LATENTLINK_RATINGS names it.
RATINGS = Path(os.environ.get("LATENTLINK_RATINGS", DATA / "ml-100k.inter"))


@cache
def rated_folds() -> list[Any]:
    """Return five folds of the ratings."""
    with RATINGS.open() as file:
        next(file)
        triples = [(row[0], row[1], float(row[2])) for row in csv.reader(file, delimiter="\t")]
    return list(kfold(Network.from_edges(triples), 5, 0))


def _ensemble_scores(record: RankRecord, test: Network) -> Any:
    return np.mean([member.score(test.rows, test.cols) for member in record.members], axis=0)


def _largest(record: RankRecord, shape: tuple[int, int]) -> float:
    """Return the largest score of a member for any pair, before it is clipped."""
    free = [replace(member, bounds=None) for member in record.members]
    return max(float(member.block(0, shape[0]).max()) for member in free)


def run(fold: int) -> dict[str, Any]:
    """Fit four fifths of the ratings by the rule for prediction, predict the fifth."""
    split = rated_folds()[fold]
    test = split.test
    model = RNMFk(selection=BestPrediction(), random_state=fold).fit(split.train)
    components = Agreement().choose(model.path_).rank
    predictions = {
        "rmse": model.predict_links(np.column_stack([test.rows, test.cols])),
        "rmse_components_rank": _ensemble_scores(model.path_[components], test),
        "rmse_central_model": model.factors_.score(test.rows, test.cols),
        "rmse_mean_rating": np.full(test.n_listed, np.mean(split.train.values[split.train.known])),
    }
    errors = {name: f"{np.sqrt(np.mean((y - test.values) ** 2)):.5f}" for name, y in predictions.items()}
    return {
        "chosen_rank": model.rank_,
        "components_rank": components,
        "ridge": f"{model.solver_.ridge:.4g}",
        "largest_member_score": f"{_largest(model.record_, test.shape):.2f}",
        **errors,
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield the mean RMSE over folds, and how far single members go beyond the scale."""
    names = ("rmse", "rmse_components_rank", "rmse_central_model", "rmse_mean_rating")
    rmse, components, central, baseline = (column.mean() for column in columns(lines, *names).values())
    ranks = columns(lines, "chosen_rank", "components_rank")
    chosen, for_components = (", ".join(f"{rank:.0f}" for rank in column) for column in ranks.values())
    yield Finding(
        "MovieLens-100k, RNMFk with BestPrediction and ranks=None, 5 folds: RMSE",
        f"{rmse:.4f} at ranks {chosen} (the central model alone {central:.4f}, the mean rating "
        f"{baseline:.4f}; published for Surprise: biases .944, SVD .934, SVD++ .919, NMF .963)",
        "at most 0.904",
        bool(rmse <= 0.904),
    )
    yield Finding("The same at the ranks for components", f"{components:.4f} at ranks {for_components}")
    largest = columns(lines, "largest_member_score")["largest_member_score"]
    yield Finding("Largest score of a member for any pair, before it is clipped to 5", f"{largest.max():.2f}")


ratings = Study("ratings", [{"fold": fold} for fold in range(5)], run, findings)
