"""Errors, abstention and uncertainty of a fitted model at every rank that its search visited."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.estimators import RankedFactorizer
from latentlink.metrics import correlation, f_abstain, rmse, rmse_answered, smr
from latentlink.network import Network
from latentlink.rank import RankRecord
from latentlink.scoring.pair_model import Members
from latentlink.scoring.scorer import Scorer
from latentlink.splitting.split import Split
from latentlink.uncertainty import spread_threshold

__all__ = ["MEASURES", "at_rank", "measured_by_rank", "numbers"]

Array = NDArray[np.float64]
Measure = Callable[[Network, Array, Array, NDArray[np.bool_]], float]

# Functions of the test entries, their scores and spreads, and where the model abstains.
MEASURES: dict[str, Measure] = {
    "rmse": lambda test, score, spread, abstained: rmse(test.values, score),
    "rmse_answered": lambda test, score, spread, abstained: rmse_answered(test.values, score, abstained),
    "abstained": lambda test, score, spread, abstained: f_abstain(abstained),
    "correlation": lambda test, score, spread, abstained: correlation(spread, test.values - score),
    "relative_correlation": lambda test, score, spread, abstained: correlation(
        spread[test.values != 0],
        ((test.values - score) / np.where(test.values, test.values, 1))[test.values != 0],
    ),
    "smr": lambda test, score, spread, abstained: smr(spread),
}


def measured_by_rank(
    model: RankedFactorizer, split: Split, names: Sequence[str], *, by_ensemble: bool
) -> dict[str, str]:
    """Return measures at every rank visited, each as numbers separated by blanks.

    Parameters
    ----------
    model : RankedFactorizer
        Fitted to the training part.
    split : Split
    names : sequence of str
        Of `MEASURES`.
    by_ensemble : bool
        Whether the ensemble's mean is the prediction, else the central model.

    Returns
    -------
    dict of str
        The measures, and ``ranks``, ``stability`` (the least silhouette of W) and ``held_out`` (the held-out
        error, nan in the paper's mode).
    """
    records = [_measured(record, split, names, by_ensemble) for record in model.path_]
    return {
        "ranks": " ".join(str(rank) for rank in model.path_.ranks),
        "stability": _text(record.stability for record in model.path_),
        "held_out": _text(record.held_out_error for record in model.path_),
        **{name: _text(record[name] for record in records) for name in names},
    }


def _measured(record: RankRecord, split: Split, names: Sequence[str], by_ensemble: bool) -> dict[str, float]:
    scorer = Scorer(record.model, Members(record.members), by_ensemble)
    test = split.test
    score, spread = scorer.score_and_spread(test.rows, test.cols)
    abstained = spread > spread_threshold(scorer.training_spread(split.train))
    return {name: MEASURES[name](test, score, spread, abstained) for name in names}


def _text(values: Any) -> str:
    return " ".join(f"{value:.4g}" for value in values)


def numbers(line: dict[str, str], name: str) -> Array:
    """Return the numbers of a line's column, one for each rank."""
    return np.array(line[name].split(), np.float64)


def at_rank(line: dict[str, str], name: str, rank: int) -> float:
    """Return the number of a line's column at a rank; NaN if it was not visited."""
    ranks = line["ranks"].split()
    return float(numbers(line, name)[ranks.index(str(rank))]) if str(rank) in ranks else float("nan")
