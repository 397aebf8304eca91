"""What ``latentlink demo`` works out: hold out a tenth, search the rank on the rest, compare."""

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
# The ridge was chosen on entries held out of the training part, over six seeds.
_SUM = WNMF(ridge=0.1, max_iter=2000)
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
class Link:
    """A pair that was not known, what was said of it, and what is true.

    Attributes
    ----------
    row, column : str
    score, spread : float
        The score, and how far the members of the ensemble differ about it.
    truth : float
    """

    row: str
    column: str
    score: float
    spread: float
    truth: float


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """The search and the methods beside it, on one split of one data set.

    Attributes
    ----------
    data : Dataset
    split : Split
    model : BNMFk
        Fitted to the training part, its rank found.
    scores : tuple of Score
        Baselines first, the search last.
    links : tuple of Link
        The best-scored pairs that were held out.
    """

    data: Dataset
    split: Split
    model: BNMFk
    scores: tuple[Score, ...]
    links: tuple[Link, ...]


def prepare() -> float:
    """Compile what the trial needs, or load it if that was done before; return the seconds it took."""
    begin = perf_counter()
    tiny = Network.from_dense(np.kron(np.eye(2), np.ones((3, 3))))
    for solver in (_BIASES, _SUM):
        _members_mean(solver, 1, 0, Split(tiny, tiny))
    BNMFk((2,), random_state=0).fit(tiny)
    return perf_counter() - begin


def run_trial(data: Dataset, ranks: Iterable[int], seed: int, callback: Callback | None = None) -> Trial:
    """Hold out a tenth of the entries, search the rank on the rest, and score all methods on that tenth.

    Parameters
    ----------
    data : Dataset
    ranks : iterable of int
        Those to visit.
    seed : int
        Of the holdout and of all starts.
    callback : callable, optional
        Is told of the progress of the search.
    """
    split = holdout(data.network, _SHARE, seed, stratify=True)
    model = BNMFk(tuple(ranks), random_state=seed)
    pairs = np.column_stack([split.test.rows, split.test.cols])
    found = _score(
        "BNMFk", lambda: model.fit(split.train, callback=callback).predict_links(pairs), split, False
    )
    rank = model.rank_
    scores = (
        _score("mean of what is known", lambda: _mean(split), split, True),
        _score("row and column biases", lambda: _members_mean(_BIASES, 1, seed, split), split, True),
        _score(f"WNMF at rank {rank}", lambda: _members_mean(_SUM, rank, seed, split), split, False),
        found,
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
    """Predict the mean of what is known for every entry."""
    return np.full(split.test.n_listed, split.train.values[split.train.known].mean())


def _members_mean(solver: Solver, rank: int, seed: int, split: Split) -> Scores:
    """Predict the mean of the members' scores, each cut to the range of what is known."""
    known = split.train.values[split.train.known]
    members = solver.solve(
        Ensemble.of(split.train, members=_MEMBERS), rank, member_rngs(seed, rank, _MEMBERS)
    ).members
    scores = [member.score(split.test.rows, split.test.cols) for member in members]
    mean: Scores = np.clip(scores, known.min(), known.max()).mean(axis=0)
    return mean


def _best_links(network: Network, model: BNMFk) -> tuple[Link, ...]:
    """Return the best pairs that the model did not know, beside what the whole network says of them."""
    best = model.top_links(_LINKS, by="ensemble")
    rows, cols = (list(map(str, best[side])) for side in ("row", "column"))
    truth = network.values[network.positions(rows, cols)]
    return tuple(
        Link(row, col, float(score), float(spread), float(value))
        for row, col, score, spread, value in zip(
            rows, cols, best["score"], best["spread"], truth, strict=True
        )
    )
