"""The computation of ``latentlink demo``: holdout, rank search, and comparison with baselines."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.datasets import Dataset
from latentlink.estimators import BNMFk
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.rank import Progress
from latentlink.solvers import RNMF, WNMF, Solver
from latentlink.splitting import Split, holdout

__all__ = ["RANKS", "Link", "Score", "Trial", "prepare", "run_trial"]

Scores = NDArray[np.floating[Any]]
Callback = Callable[[Progress], object]

RANKS = range(1, 9)
_SHARE = 0.1
_MEMBERS = 8
_LINKS = 5
# The ridge was selected on entries held out of the training part, over six seeds.
_WNMF = WNMF(ridge=0.1, max_iter=2000)
# With this ridge the factors are 0, which leaves a model of biases only.
_BIASES = RNMF(ridge=1e9, ridge_row_bias=1.0, ridge_col_bias=1.0)


@dataclass(frozen=True, slots=True)
class Score:
    """The error of one method on the test entries.

    Attributes
    ----------
    method : str
    rmse : float
        Root mean squared error.
    wrong : int
        Number of predictions on the other side of 0.5 than the true value.
    seconds : float
        Time of fitting and predicting.
    baseline : bool
        Whether the method is a baseline.
    """

    method: str
    rmse: float
    wrong: int
    seconds: float
    baseline: bool


@dataclass(frozen=True, slots=True)
class Link:
    """An unknown pair with its score, its spread and its true value.

    Attributes
    ----------
    row, column : str
    score, spread : float
        Mean and standard deviation over the ensemble members.
    truth : float
        The true value.
    """

    row: str
    column: str
    score: float
    spread: float
    truth: float


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The results of the demo: a rank search and other methods on one split of one data set.

    Attributes
    ----------
    data : Dataset
    split : Split
    model : BNMFk
        The rank search, fitted to the training part.
    scores : tuple of Score
        Baselines first, the rank search last.
    links : tuple of Link
        The unknown pairs with the highest scores.
    """

    data: Dataset
    split: Split
    model: BNMFk
    scores: tuple[Score, ...]
    links: tuple[Link, ...]


def prepare() -> float:
    """Compile the kernels of the trial, or load them from the cache, and return the seconds it took."""
    begin = perf_counter()
    tiny = Network.from_dense(np.kron(np.eye(2), np.ones((3, 3))))
    for solver in (_BIASES, _WNMF):
        _members_mean(solver, 1, 0, Split(tiny, tiny))
    BNMFk((2,), random_state=0).fit(tiny)
    return perf_counter() - begin


def run_trial(data: Dataset, ranks: Iterable[int], seed: int, callback: Callback | None = None) -> Trial:
    """Hold out a tenth of the entries, run the rank search on the rest, and score all methods on that tenth.

    Parameters
    ----------
    data : Dataset
    ranks : iterable of int
        The ranks to visit.
    seed : int
        Seed of the holdout and of the fits.
    callback : callable, optional
        Receives the progress of the search.
    """
    split = holdout(data.network, _SHARE, seed, stratify=True)
    model = BNMFk(tuple(ranks), random_state=seed)
    pairs = np.column_stack([split.test.rows, split.test.cols])
    search = _score(
        "BNMFk", lambda: model.fit(split.train, callback=callback).predict_links(pairs), split, False
    )
    rank = model.rank_
    scores = (
        _score("mean of known entries", lambda: _mean(split), split, True),
        _score("row and column biases", lambda: _members_mean(_BIASES, 1, seed, split), split, True),
        _score(f"WNMF at rank {rank}", lambda: _members_mean(_WNMF, rank, seed, split), split, False),
        search,
    )
    return Trial(data, split, model, scores, _best_links(data.network, model))


def _score(method: str, predict: Callable[[], Scores], split: Split, baseline: bool) -> Score:
    begin = perf_counter()
    predicted = predict()
    seconds = perf_counter() - begin
    truth = split.test.values
    rmse = float(np.sqrt(np.mean((predicted - truth) ** 2)))
    return Score(method, rmse, int(np.sum((predicted > 0.5) != (truth > 0.5))), seconds, baseline)


def _mean(split: Split) -> Scores:
    """Predict the mean of the known entries for every entry."""
    return np.full(split.test.n_listed, split.train.values[split.train.known].mean())


def _members_mean(solver: Solver, rank: int, seed: int, split: Split) -> Scores:
    """Predict the mean of the members' scores, each clipped to the range of the known values."""
    known = split.train.values[split.train.known]
    members = solver.solve(
        Ensemble.of(split.train, members=_MEMBERS), rank, member_rngs(seed, rank, _MEMBERS)
    ).members
    scores = [member.score(split.test.rows, split.test.cols) for member in members]
    mean: Scores = np.clip(scores, known.min(), known.max()).mean(axis=0)
    return mean


def _best_links(network: Network, model: BNMFk) -> tuple[Link, ...]:
    """Return the unknown pairs with the highest scores, and their true values in the whole network."""
    best = model.top_links(_LINKS, by="ensemble")
    rows, cols = (list(map(str, best[side])) for side in ("row", "column"))
    truth = network.values[network.positions(rows, cols)]
    return tuple(
        Link(row, col, float(score), float(spread), float(value))
        for row, col, score, spread, value in zip(
            rows, cols, best["score"], best["spread"], truth, strict=True
        )
    )
