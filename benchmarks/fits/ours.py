"""Fits of this library: single models by a solver, ensembles with their rank search, and stacks."""

from __future__ import annotations

from typing import Any

import numpy as np

import latentlink
from benchmarks.fits.contender import Predictor, Run
from latentlink import solvers
from latentlink.network import Network

__all__ = ["ensemble", "model", "single"]


def single(train: Network, rank: int, solver: str, **settings: Any) -> Run:
    """Return the fit of one model by a solver, by default with those settings of ensemble members."""
    chosen = getattr(solvers, solver).for_members().set_params(**settings)

    def run() -> Predictor:
        return chosen.solve(train, rank, 0).score

    return run


def ensemble(
    train: Network,
    rank: int,
    estimator: str = "RankedFactorizer",
    ranks: tuple[int, ...] | None = None,
    solver: str | None = None,
    settings: dict[str, Any] | None = None,
    **options: Any,
) -> Run:
    """Return the fit of an estimator with its choice of ridge and rank; at one rank unless there are ranks.

    ``settings`` are those of the solver, which is the default of the estimator if none is named.
    """
    chosen = getattr(latentlink, estimator)(ranks or (rank,), random_state=0, **options)
    if solver is not None or settings:
        used = chosen.used_solver() if solver is None else getattr(solvers, solver).for_members()
        chosen.set_params(solver=used.set_params(**(settings or {})))
    return _run_of(chosen, train)


def model(train: Network, rank: int, estimator: str, **options: Any) -> Run:
    """Return the fit of an estimator with its default ranks."""
    del rank
    return _run_of(getattr(latentlink, estimator)(random_state=0, **options), train)


def _run_of(estimator: Any, train: Network) -> Run:
    def run() -> Predictor:
        fitted = estimator.fit(train)
        return lambda rows, cols: fitted.predict_links(np.column_stack([rows, cols]))

    return run
