"""Time to a given RMSE on MovieLens-100k: every method with growing budgets, each fitted from the start.

A budget is a number of epochs, sweeps or members. The targets are the least RMSE that methods of
scikit-surprise reach in this run with any of their budgets: ``NMF`` and ``SVD`` at their default settings,
``SVD`` at a stronger penalty and larger steps, which suit these data better, and ``SVDpp``. The RMSE is that
of the first of the five folds of the study of ratings; one thread each, medians over rounds in which the
methods alternate. implicit is not among them: it takes links, not ratings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from benchmarks.fits.contender import Contender
from benchmarks.fits.data_sets import ABSENT, split_of
from benchmarks.fits.one_fit import fit_once, warm_up
from benchmarks.fits.ours import ensemble, model, single
from benchmarks.fits.rivals import surprise_model
from benchmarks.measuring.rounds import interleaved
from latentlink.rank import BestPrediction

__all__ = ["TARGETS", "measure", "time_to", "with_targets"]

DATA = "MovieLens-100k"

TARGETS = {
    "surprise NMF or SVD": ("surprise NMF", "surprise SVD"),
    "surprise SVD, reg_all=.1, lr_all=.01": ("surprise SVD, reg_all=.1, lr_all=.01",),
    "surprise SVD++": ("surprise SVD++",),
}
"""The methods whose least RMSE is a target, by the name of the target."""


class Budgeted(NamedTuple):
    """A method with one of its budgets, as a contender; ``method`` is the same for all budgets."""

    method: str
    budget: str
    contender: Contender


def measure(quick: bool = False, methods: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Return a row for each method (all, if none is named) and budget, with the targets that it reaches."""
    split = split_of(DATA, quick)
    if split is None:
        return [{"data": DATA, "note": ABSENT}]
    entrants = [each for each in _entrants(quick) if not methods or each.method in methods]
    for each in {entrant.method: entrant for entrant in reversed(entrants)}.values():
        warm_up(each.contender, split.train, 8)
    jobs = {
        f"{each.method}, {each.budget}": lambda each=each: fit_once(each.contender, split, 8)
        for each in entrants
    }
    found = interleaved(jobs, 1 if quick else 3, long=5.0)
    rows = [
        {"data": DATA, "method": each.method, "ours": each.contender.is_ours, "budget": each.budget, **record}
        for each, record in zip(entrants, found.values(), strict=True)
    ]
    return with_targets(rows)


def with_targets(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with the names of the targets that each reaches."""
    least = {name: _least(rows, methods) for name, methods in TARGETS.items()}
    return [
        {
            **row,
            "reaches": " and ".join(
                f"{name} ({target:.4f})"
                for name, target in least.items()
                if target is not None and row.get("rmse", float("inf")) <= target
            ),
        }
        for row in rows
    ]


def time_to(rows: Sequence[Mapping[str, Any]], target: str) -> dict[str, Any]:
    """Return the RMSE of a target and, for each method, the row of least CPU time that reaches it, or None.

    Examples
    --------
    >>> rows = [
    ...     {"method": "surprise SVD++", "rmse": 0.92, "cpu_s": 9.0},
    ...     {"method": "RNMF", "rmse": 0.93, "cpu_s": 0.1},
    ...     {"method": "RNMF", "rmse": 0.91, "cpu_s": 0.5},
    ... ]
    >>> found = time_to(rows, "surprise SVD++")
    >>> found["rmse"], found["first"]["RNMF"]["cpu_s"]
    (0.92, 0.5)
    """
    least = _least(rows, TARGETS[target])
    first: dict[str, Any] = {}
    for row in sorted((row for row in rows if "rmse" in row), key=lambda row: row["cpu_s"]):
        first.setdefault(row["method"], None)
        if first[row["method"]] is None and least is not None and row["rmse"] <= least:
            first[row["method"]] = row
    return {"rmse": least, "first": first}


def _least(rows: Iterable[Mapping[str, Any]], methods: Sequence[str]) -> float | None:
    return min((row["rmse"] for row in rows if row.get("method") in methods and "rmse" in row), default=None)


def _entrants(quick: bool) -> Iterator[Budgeted]:
    """Yield all methods with their budgets; quick, with the smallest of each."""
    for method, named in _methods().items():
        for budget, contender in list(named.items())[: 1 if quick else None]:
            yield Budgeted(method, budget, contender)


def _methods() -> dict[str, dict[str, Contender]]:
    tuned = {"reg_all": 0.1, "lr_all": 0.01}
    rnmfk = {"estimator": "RNMFk", "selection": BestPrediction()}
    return {
        "surprise NMF": _surprise("NMF", (10, 25, 50, 100), n_factors=15),
        "surprise SVD": _surprise("SVD", (5, 10, 20, 40), n_factors=100),
        "surprise SVD, reg_all=.1, lr_all=.01": _surprise("SVD", (20, 40, 80), n_factors=100, **tuned),
        "surprise SVD++": _surprise("SVDpp", (5, 10, 20), n_factors=20),
        "RNMF, rank 8": {
            f"{sweeps} sweeps": Contender(
                "RNMF", single, {"solver": "RNMF", "ridge": 4.0, "tol": 0.0, "max_iter": sweeps}
            )
            for sweeps in (5, 10, 20, 50)
        },
        "RNMFk, rank 8": {
            f"{members} members": Contender("RNMFk", ensemble, {**rnmfk, "n_perturbs": members})
            for members in (4, 8, 16)
        },
        "RNMFk, ranks 4, 8, 12, 16": {
            "16 members": Contender("RNMFk search", ensemble, {**rnmfk, "ranks": (4, 8, 12, 16)})
        },
        "BayesianFactorizer": {
            f"{chains} chains, {sweeps} sweeps": Contender(
                "BayesianFactorizer",
                ensemble,
                {
                    "estimator": "BayesianFactorizer",
                    "n_perturbs": chains,
                    "settings": {"max_iter": sweeps, "burn_in": sweeps * 50 // 160},
                },
            )
            for chains, sweeps in ((4, 40), (8, 40), (8, 160))
        },
        "ValueStack": {"as it is": Contender("ValueStack", model, {"estimator": "ValueStack"})},
    }


def _surprise(model: str, epochs: Sequence[int], **settings: Any) -> dict[str, Contender]:
    return {
        f"{count} epochs": Contender(
            f"surprise {model}", surprise_model, {"model": model, "n_epochs": count, **settings}, "surprise"
        )
        for count in epochs
    }
