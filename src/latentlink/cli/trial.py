"""What ``latentlink demo`` works out: hold out a tenth, fit the rest, compare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets import Dataset
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, RNMF, WNMF, Solver
from latentlink.splitting import Split, holdout

__all__ = ["Score", "Trial", "prepare", "run_trial"]

Predictor = Callable[[Split], NDArray[np.floating[Any]]]

_SHARE = 0.1
_MEMBERS = 8
# The ridge was chosen on entries held out of the training part, over six seeds.
_METHODS: dict[str, Solver] = {"WNMF": WNMF(ridge=0.1, max_iter=2000), "BNMF": BNMF(ridge=0.1, max_iter=2000)}
# Factors that cost this much stay at 0, and the biases are left to themselves.
_BIASES = RNMF(ridge=1e9, ridge_row_bias=1.0, ridge_col_bias=1.0)


@dataclass(frozen=True, slots=True)
class Score:
    """How well one method predicts what was held out.

    Attributes
    ----------
    method : str
    rmse : float
        Root of the mean squared error.
    wrong : int
        How many predictions are on the other side of one half than the truth.
    seconds : float
        What fitting and predicting took.
    baseline : bool
        Whether it is there to be beaten.
    """

    method: str
    rmse: float
    wrong: int
    seconds: float
    baseline: bool


@dataclass(frozen=True, slots=True)
class Trial:
    """All methods on one split of one data set.

    Attributes
    ----------
    data : Dataset
    split : Split
    members : int
        How many fits the prediction of a method is the mean of.
    scores : tuple of Score
        Baselines first.
    """

    data: Dataset
    split: Split
    members: int
    scores: tuple[Score, ...]


def prepare() -> float:
    """Compile what the trial needs, or load it if that was done before; return the seconds it took."""
    begin = perf_counter()
    tiny = Network.from_dense([[1, 0], [0, 1]])
    for solver in (_BIASES, *_METHODS.values()):
        _members_mean(solver, 1, 0)(Split(tiny, tiny))
    return perf_counter() - begin


def run_trial(data: Dataset, rank: int, seed: int) -> Trial:
    """Hold out a tenth of the entries, fit every method to the rest and score it on them."""
    split = holdout(data.network, _SHARE, seed, stratify=True)
    baselines: dict[str, Predictor] = {
        "mean of what is known": _mean,
        "row and column biases": _members_mean(_BIASES, 1, seed),
    }
    methods = {name: _members_mean(solver, rank, seed) for name, solver in _METHODS.items()}
    scores = [
        _score(name, predict, split, name in baselines) for name, predict in (baselines | methods).items()
    ]
    return Trial(data, split, _MEMBERS, tuple(scores))


def _score(method: str, predict: Predictor, split: Split, baseline: bool) -> Score:
    begin = perf_counter()
    predicted = predict(split)
    seconds = perf_counter() - begin
    truth = split.test.values
    rmse = float(np.sqrt(np.mean((predicted - truth) ** 2)))
    return Score(method, rmse, int(np.sum((predicted > 0.5) != (truth > 0.5))), seconds, baseline)


def _mean(split: Split) -> NDArray[np.floating[Any]]:
    """Predict the mean of what is known for every entry."""
    return np.full(split.test.n_listed, split.train.values[split.train.known].mean())


def _members_mean(solver: Solver, rank: int, seed: int) -> Predictor:
    """Predict the mean of the members' scores, each cut to the range of what is known."""

    def predict(split: Split) -> NDArray[np.floating[Any]]:
        known = split.train.values[split.train.known]
        members = solver.solve(
            Ensemble.of(split.train, members=_MEMBERS), rank, member_rngs(seed, rank, _MEMBERS)
        ).members
        scores = [member.score(split.test.rows, split.test.cols) for member in members]
        mean: NDArray[np.floating[Any]] = np.clip(scores, known.min(), known.max()).mean(axis=0)
        return mean

    return predict
