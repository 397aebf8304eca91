"""Costs of whole fits and whole searches beside other packages, with held-out errors, on the same split.

A fifth of the known entries is held out by one seed. Every contender gets the same training entries, one
thread and, unless it is a search, the same rank. Each fit runs in a fork of one process, in three rounds over
all contenders; the numbers are medians. A fit of more than 5 s is run once. ``error`` is what the data are
judged by: 1 - AUC for networks of links and non-links, the RMSE for matrices; less is better for both. A low
cost says nothing without its error.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from benchmarks.fits.contender import Contender
from benchmarks.fits.data_sets import ABSENT, split_of
from benchmarks.fits.one_fit import fit_once, warm_up
from benchmarks.fits.ours import ensemble, model, single
from benchmarks.fits.rivals import dense_numpy, implicit_als, sklearn_nmf, surprise_model
from benchmarks.measuring.rounds import interleaved
from latentlink.splitting import Split

__all__ = ["CASES", "Case", "measure", "rows_of"]

_HUBS = "Not run: each rating costs it a pass over the row's ratings, and the hubs here have thousands."
_TOO_DENSE = "Not run: three dense matrices of 11,167 x 11,167 take 3 GB; see the study sweep."


class Case(NamedTuple):
    """A data set, the rank of single fits, and the contenders."""

    data: str
    rank: int
    contenders: Sequence[Contender]


def _rivals(**left_out: str) -> list[Contender]:
    """Return the other packages, some left out with a reason."""
    models = {"surprise NMF": "NMF", "surprise SVD": "SVD", "surprise SVD++": "SVDpp"}
    return [
        Contender("dense NumPy", dense_numpy, left_out=left_out.get("dense", "")),
        Contender("scikit-learn NMF", sklearn_nmf, package="sklearn"),
        *(
            Contender(name, surprise_model, {"model": cls}, "surprise", left_out.get(cls, ""))
            for name, cls in models.items()
        ),
        Contender("implicit ALS", implicit_als, {}, "implicit", left_out.get("implicit", "")),
    ]


def _search(estimator: str, ranks: Sequence[int], **options: Any) -> Contender:
    """Return a search over ranks, named by them."""
    named = f"{options['solver']} search" if "solver" in options else estimator
    members = options.get("n_perturbs", 16)
    shown = ", ".join(map(str, ranks)) if len(ranks) < 5 else f"{ranks[0]} to {ranks[-1]}"
    settings = {"estimator": estimator, "ranks": tuple(ranks), **options}
    return Contender(f"{named}, ranks {shown}, {members} members", ensemble, settings)


def _protein_contenders() -> list[Contender]:
    settings = {"ridge": 1.0}
    return [
        Contender("WNMF", single, {"solver": "WNMF", **settings}),
        Contender("LMF", single, {"solver": "LMF", **settings}),
        Contender("SymLMF", single, {"solver": "SymLMF", **settings}),
        _search("WNMFk", (5, 10, 20)),
        _search("RankedFactorizer", (5, 10, 20), solver="LMF"),
        _search("RankedFactorizer", (5, 10, 20), solver="SymLMF"),
        Contender("LinkStack", model, {"estimator": "LinkStack"}),
        *_rivals(),
    ]


_NO_LINKS = "Not applicable: it takes links, and these are values."
CASES = (
    Case("Dog", 4, [
        Contender("WNMF", single, {"solver": "WNMF", "ridge": 0.0}),
        Contender("BNMF", single, {"solver": "BNMF"}),
        _search("WNMFk", range(1, 9)),
        _search("BNMFk", range(1, 9)),
        *_rivals(),
    ]),
    Case("Gaussian", 4, [
        Contender("WNMF", single, {"solver": "WNMF", "ridge": 0.0}),
        _search("WNMFk", range(1, 9)),
        *_rivals(implicit=_NO_LINKS),
    ]),
    Case("Swimmer", 16, [
        Contender("WNMF", single, {"solver": "WNMF", "ridge": 0.0}),
        Contender("BNMF", single, {"solver": "BNMF"}),
        _search("WNMFk", (8, 16, 24), n_perturbs=8),
        _search("BNMFk", (8, 16, 24), n_perturbs=8),
        *_rivals(),
    ]),
    Case("proteins, metabolism", 10, _protein_contenders()),
    Case("proteins, neurodegenerative", 10, _protein_contenders()),
    Case("simulated", 10, [
        Contender("WNMF", single, {"solver": "WNMF", "ridge": 1.0}),
        Contender("LMF", single, {"solver": "LMF", "ridge": 1.0}),
        Contender("SymLMF", single, {"solver": "SymLMF", "ridge": 1.0}),
        _search("WNMFk", (2, 4, 8, 16), n_perturbs=8),
        _search("RankedFactorizer", (2, 4, 8, 16), solver="SymLMF", n_perturbs=8),
        *_rivals(SVDpp=_HUBS, dense=_TOO_DENSE),
    ]),
)  # fmt: skip


def measure(quick: bool = False) -> list[dict[str, Any]]:
    """Return a row for each data set and contender; quick, of tiny data and one round."""
    rows: list[dict[str, Any]] = []
    for case in CASES:
        split = split_of(case.data, quick)
        rows += [{"data": case.data, "note": ABSENT}] if split is None else rows_of(case, split, quick)
    return rows


def rows_of(case: Case, split: Split, quick: bool = False) -> list[dict[str, Any]]:
    """Return the rows of one data set."""
    size = " x ".join(f"{length:,}" for length in split.train.shape)
    of_data = {"data": case.data, "size": size, "known": split.train.n_known}
    for contender in case.contenders:
        warm_up(contender, split.train, case.rank)
    jobs = {each.name: lambda each=each: fit_once(each, split, case.rank) for each in case.contenders}
    found = interleaved(jobs, 1 if quick else 3, long=5.0)
    return [
        {**of_data, "method": each.name, "ours": each.is_ours, **_judged(found[each.name], split)}
        for each in case.contenders
    ]


def _judged(record: dict[str, Any], split: Split) -> dict[str, Any]:
    if "rmse" not in record:
        return record
    return {**record, "error": 1 - record["auc"] if split.train.symmetric else record["rmse"]}
