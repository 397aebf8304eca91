"""One fit that is measured: its costs in a fork of this process, and its errors on the test part."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from benchmarks.fits.contender import Contender
from benchmarks.measuring.costs import costs_of
from benchmarks.measuring.forks import LIMIT, in_fork
from latentlink.metrics import rmse, roc_auc
from latentlink.network import Network
from latentlink.splitting import Split

__all__ = ["errors_of", "fit_once", "warm_up"]

_SMALL = 20_000  # entries of a warm-up


def warm_up(contender: Contender, train: Network, rank: int) -> None:
    """Compile what a fit of ours needs, in this process, so that its forks have it."""
    if not contender.is_ours or contender.obstacle:
        return
    drawn = np.random.default_rng(0).permutation(train.n_listed) < _SMALL
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        contender.run_for(train if drawn.all() else train.subset(drawn), rank)()


def fit_once(contender: Contender, split: Split, rank: int, limit: float = LIMIT) -> dict[str, Any]:
    """Return costs and errors of a contender, or the note why there are none."""
    if contender.obstacle:
        return {"note": contender.obstacle}

    def job() -> dict[str, Any]:
        costs, predict = costs_of(contender.run_for(split.train, rank))
        return {**costs, **errors_of(predict(split.test.rows, split.test.cols), split)}

    return in_fork(job, limit)


def errors_of(scores: Any, split: Split) -> dict[str, float]:
    """Return the RMSE of scores clipped to the range of the training values, and the AUC of links."""
    test, values = split.test.values, split.train.values[split.train.known]
    errors = {"rmse": float(rmse(test, np.clip(scores, values.min(), values.max())))}
    if split.test.is_binary:
        errors["auc"] = float(roc_auc(test, np.asarray(scores)))
    return errors
