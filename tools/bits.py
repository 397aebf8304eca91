"""Twenty varied fits as hashes: a change of structure must leave every one of them as it was.

    python -m tools.bits > after.json                     # with the code as it is
    PYTHONPATH=<other checkout>/src python -m tools.bits > before.json
    python -m tools.bits --compare before.json after.json

Only public names are used, so that the same script runs on both sides as long as they stay.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from latentlink import (
    BNMFk,
    LinkPredictor,
    LinkStack,
    LogisticHead,
    Network,
    NMFk,
    RankedFactorizer,
    RNMFk,
    WNMFk,
    datasets,
    load,
)
from latentlink.network import binarize, drop_sparse_nodes, sample_negatives
from latentlink.rank import Bisect, LStatistic, SilhouetteCutoff
from latentlink.regime import Bootstrap, KMeans, Otsu, Poisson, Search, boolean, real
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from latentlink.splitting import holdout, kfold
from latentlink.uncertainty import Beta, ConformalIntervals, Isotonic, LowRank, RiskControl, RowColumn

__all__ = ["FITS"]

FITS: dict[str, Callable[[], list[Any]]] = {}


def fit(function: Callable[[], list[Any]]) -> Callable[[], list[Any]]:
    """Register one of the fits; it returns whatever must stay the same."""
    FITS[function.__name__] = function
    return function


def _digest(part: Any) -> str:
    """Return the SHA-256 of an array, of the columns of a table, of factors, or of plain values."""
    if hasattr(part, "W"):
        part = [part.W, part.H, part.row_bias, part.col_bias, part.offset, part.logistic, part.boolean]
    if isinstance(part, list | tuple):
        return hashlib.sha256(" ".join(map(_digest, part)).encode()).hexdigest()
    array = np.asarray(part)
    if array.dtype.kind in "OU":
        return hashlib.sha256(repr(array.tolist()).encode()).hexdigest()
    return hashlib.sha256(f"{array.dtype}{array.shape}".encode() + array.tobytes()).hexdigest()


def _columns(table: Any, *names: str) -> list[Any]:
    return [np.asarray(table[name]) for name in names]


def _ratings(seed: int = 0, shape: tuple[int, int] = (30, 20), rank: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    X = rng.gamma(0.5, size=(shape[0], rank)) @ rng.gamma(0.5, size=(rank, shape[1]))
    X = X * rng.normal(1, 0.05, shape).clip(0)
    X[rng.random(shape) < 0.3] = np.nan
    return X


def _friends(seed: int = 0, size: int = 40) -> Network:
    rng = np.random.default_rng(seed)
    group = np.arange(size) % 2
    links = rng.random((size, size)) < np.where(group[:, None] == group, 0.7, 0.2)
    pairs = [
        (f"n{i}", f"n{j}", int(links[i, j]))
        for i in range(size)
        for j in range(i + 1, size)
        if rng.random() < 0.6
    ]
    return Network.from_edges(pairs, symmetric=True)


def _pairs(network: Network) -> np.ndarray:
    return np.column_stack([network.rows, network.cols])


def _answers(model: Any, pairs: Any) -> list[Any]:
    """Return what every factorizer can be asked."""
    best = model.top_links(15, by="ensemble")
    why = model.explain(pairs[0])
    return [
        model.rank_,
        model.choice_.status,
        model.factors_,
        list(model.members_),
        *model.predict_links(pairs, return_std=True),
        model.predict_links(pairs, by="ensemble"),
        model.assess(pairs).abstained,
        *_columns(best, "row", "column", "score", "spread"),
        *_columns(why, "contribution", "spread"),
        [record.held_out for record in model.path_],
        [record.stability_rows for record in model.path_],
        [record.relative_error for record in model.path_],
    ]


@fit
def weighted_with_holes() -> list[Any]:
    """WNMFk with automatic ridge, new rows and a score."""
    X = _ratings()
    model = WNMFk(range(1, 5), n_perturbs=6, random_state=0).fit(X)
    return [*_answers(model, [(0, 1), (2, 3), (5, 5)]), model.transform(X[:4]), model.score(X), model.score()]


@fit
def weighted_two_threads() -> list[Any]:
    """Return the same whatever the number of threads."""
    model = WNMFk((2, 3), n_perturbs=18, n_jobs=2, random_state=1).fit(_ratings(1))
    return _answers(model, [(0, 1), (2, 3)])


@fit
def plain_nmf_sparse() -> list[Any]:
    """NMFk on a sparse matrix, everything known."""
    X = sparse.csr_array(np.nan_to_num(_ratings(2)))
    model = NMFk((2, 3), n_perturbs=4, random_state=0).fit(X)
    return [*_answers(model, [(0, 1), (4, 3)]), model.transform(X)]


@fit
def recommender() -> list[Any]:
    """RNMFk with biases, fold-in with spread."""
    X = _ratings(3) - 1
    model = RNMFk((1, 2), n_perturbs=5, random_state=2).fit(X)
    rows = model.fold_in(X[:5])
    return [
        *_answers(model, [(0, 1), (4, 3)]),
        *rows.predict_links([(0, 1), (2, 2)], return_std=True),
        model.inverse_transform(model.transform(X[:3])),
    ]


@fit
def recommender_paper_steps() -> list[Any]:
    """Fit RNMF by the paper's own steps."""
    X = _ratings(4)
    model = RankedFactorizer(
        (2,), solver=RNMF(updates="paper", ridge=0.1, max_iter=60), n_perturbs=3, random_state=0
    )
    return _answers(model.fit(X), [(0, 1), (4, 3)])


@fit
def boolean_kmeans() -> list[Any]:
    """BNMFk as it comes, with Boolean new rows."""
    network = datasets.planted_boolean(rows=40, columns=30, rank=3, flips=0.02).network
    split = holdout(network, 0.3, rng=0)
    model = BNMFk(range(2, 5), n_perturbs=6, random_state=0).fit(split.train)
    X = network.to_dense()
    return [*_answers(model, _pairs(split.test)), model.transform(X[:6]), model.score(X[:10])]


@fit
def boolean_thresholds() -> list[Any]:
    """Otsu and Search, with and without flips, and the plain product."""
    network = datasets.planted_boolean(rows=30, columns=20, rank=2, flips=0.05).network
    results: list[Any] = []
    for regime in (boolean(Otsu()), boolean(Search(), polish=False), boolean(KMeans(), product="sum")):
        model = WNMFk((1, 2), regime=regime, n_perturbs=4, random_state=0).fit(network)
        results += _answers(model, [(0, 0), (1, 2)])
    return results


@fit
def boolean_background() -> list[Any]:
    """Boolean factors of a sparse network whose unlisted pairs are zeros."""
    rng = np.random.default_rng(5)
    X = ((rng.random((30, 2)) < 0.3) @ (rng.random((2, 25)) < 0.3) > 0).astype(float)
    network = Network.from_sparse(sparse.csr_array(X), unstored="zero")
    model = BNMFk((1, 2), n_perturbs=4, random_state=0).fit(network)
    return _answers(model, [(0, 0), (1, 2)])


@fit
def bnmf_real_regime() -> list[Any]:
    """BNMF with real factors and multiplicative steps."""
    network = datasets.planted_boolean(rows=30, columns=20, rank=2, flips=0.05).network
    model = BNMFk((2,), solver=BNMF(updates="multiplicative"), regime=real(), n_perturbs=3, random_state=0)
    return _answers(model.fit(network), [(0, 0), (1, 2)])


@fit
def logistic() -> list[Any]:
    """LMF over ranks, with new rows."""
    network = datasets.planted_boolean(rows=40, columns=25, rank=2, flips=0.1).network
    split = holdout(network, 0.2, rng=3)
    model = RankedFactorizer((1, 3), solver=LMF(max_iter=60), n_perturbs=4, random_state=0).fit(split.train)
    return [*_answers(model, _pairs(split.test)), model.transform(network.to_dense()[:5])]


@fit
def logistic_background() -> list[Any]:
    """LMF with a sampled background and bootstrap weights."""
    rng = np.random.default_rng(6)
    edges = {(int(i), int(j)) for i, j in rng.integers(30, size=(90, 2)) if i != j}
    network = Network.from_edges(sorted(edges), shape=(30, 30), background=0.2, square=True)
    regime = real().set_params(perturb=Bootstrap())
    solver = LMF(ridge=1.0, background_sample=200, max_iter=40)
    model = RankedFactorizer((2,), solver=solver, regime=regime, n_perturbs=3, random_state=0).fit(network)
    return [*_answers(model, [(0, 1), (3, 7)]), model.transform(network.to_dense()[:4])]


@fit
def symmetric_logistic() -> list[Any]:
    """SymLMF, with a new node."""
    network = _friends()
    model = RankedFactorizer((1, 2), solver=SymLMF(max_iter=60), n_perturbs=4, random_state=0).fit(network)
    newcomer = np.full((1, 40), np.nan)
    newcomer[0, :6] = [1, 0, 1, 0, 1, 1]
    rows = model.fold_in(newcomer)
    return [
        *_answers(model, [("n0", "n1"), ("n2", "n9")]),
        *rows.predict_links([(0, 7), (0, 8)], return_std=True),
    ]


@fit
def symmetric_weighted_background() -> list[Any]:
    """WNMFk on an undirected network with a background, rank by silhouettes."""
    rng = np.random.default_rng(7)
    edges = sorted(
        {tuple(sorted(map(int, pair))) for pair in rng.integers(25, size=(80, 2)) if pair[0] != pair[1]}
    )
    network = Network.from_edges(edges, symmetric=True, shape=(25, 25), background=0.3)
    model = WNMFk((1, 2, 3), selection=SilhouetteCutoff(0.7), n_perturbs=4, random_state=0).fit(network)
    return _answers(model, [(0, 1), (3, 7)])


@fit
def nmf_multiplicative_lstatistic() -> list[Any]:
    """Multiplicative NMF from singular vectors, rank by L-statistics."""
    X = np.nan_to_num(_ratings(8))
    model = NMFk(
        (1, 2, 3),
        solver=NMF(updates="multiplicative", max_iter=80),
        selection=LStatistic(),
        n_perturbs=3,
        random_state=0,
    ).fit(X)
    start = RankedFactorizer((2,), solver=WNMF(init="nndsvd", ridge=0.1), n_perturbs=3, random_state=0).fit(X)
    return [*_answers(model, [(0, 1)]), *_answers(start, [(0, 1)])]


@fit
def searches() -> list[Any]:
    """Bisect, and the climb by itself."""
    X = _ratings(9, (25, 18), 2)
    results: list[Any] = []
    for ranks in (Bisect(1, 8), None):
        model = WNMFk(ranks, n_perturbs=4, random_state=0).fit(X)
        results += [list(model.path_.ranks), *_answers(model, [(0, 1)])]
    return results


@fit
def counts_with_poisson() -> list[Any]:
    """Fit counts, perturbed by Poisson draws, as a regressor of pairs."""
    rng = np.random.default_rng(10)
    X = rng.poisson(rng.gamma(1, 1, (20, 2)) @ rng.gamma(1, 2, (2, 15))).astype(float)
    pairs = np.array([(i, j) for i in range(20) for j in range(15) if rng.random() < 0.8])
    base = WNMFk((1, 2), regime=real().set_params(perturb=Poisson()), n_perturbs=4, random_state=0)
    model = LinkPredictor(base, shape=X.shape).fit(pairs, X[pairs[:, 0], pairs[:, 1]])
    return [*model.predict([(0, 0), (3, 4)], return_std=True), *_answers(model.estimator_, [(0, 0)])]


@fit
def heads() -> list[Any]:
    """LogisticHead, learned and as in the paper."""
    network = datasets.planted_boolean(rows=30, columns=20, rank=2, flips=0.05).network
    split = holdout(network, 0.2, rng=0, calibration=0.2)
    results: list[Any] = []
    for form in ("learned", "paper"):
        model = LogisticHead(WNMFk((1, 2), n_perturbs=4, random_state=0), form=form).fit(split.train)
        best = model.top_links(10)
        results += [
            model.weights_,
            model.factors_,
            *model.predict_links(_pairs(split.test), return_std=True),
            *_columns(best, "row", "column", "score"),
            *_columns(model.explain((0, 0)), "contribution"),
        ]
    return results


@fit
def stack_and_guarantees() -> list[Any]:
    """LinkStack on an undirected network: every guarantee, explanations, saving."""
    split = holdout(_friends(11, 50), 0.25, rng=0, calibration=0.25)
    model = LinkStack((1, 2), n_perturbs=4, random_state=0).fit(split.train)
    asked = _pairs(split.test)
    held = model.calibrate(split.calibration)
    with tempfile.TemporaryDirectory() as folder:
        model.save(f"{folder}/model")
        again = load(f"{folder}/model")
    return [
        *model.predict_links(asked, return_std=True),
        again.predict_links(asked),
        model.assess(asked).abstained,
        *_columns(model.top_links(20), "row", "column", "score", "spread"),
        *_columns(model.top_links(2, per_node=True), "row", "column", "score"),
        *_columns(model.explain(("n0", "n1")), "contribution", "spread"),
        *_columns(held.answers(asked, RiskControl(0.3, 0.2)), "answer", "answered"),
        *_columns(held.sets(asked), "may_be_link", "may_be_nonlink"),
        *_columns(held.discover(asked, fdr=0.3), "p_value", "selected"),
        *(held.probabilities(asked, curve)["probability"] for curve in (None, Beta(), Isotonic())),
    ]


@fit
def intervals() -> list[Any]:
    """Conformal intervals, plain and weighted by fitted propensities."""
    network = Network.from_dense(_ratings(12, (40, 30)))
    split = holdout(network, 0.2, rng=0)
    model = WNMFk((3,), n_perturbs=5, random_state=0).fit(split.train)
    held = model.calibrate(split.test)
    unknown = np.argwhere(np.isnan(network.to_dense()))[:50]
    return [
        column
        for propensity in (None, RowColumn(), LowRank(rank=1))
        for column in _columns(held.intervals(unknown, ConformalIntervals(0.8), propensity), "low", "high")
    ]


@fit
def folders_and_data() -> list[Any]:
    """Cancel and resume a search; clean, sample and split networks."""
    network = _friends(13)
    with tempfile.TemporaryDirectory() as folder:
        model = WNMFk((1, 2), n_perturbs=4, random_state=0)
        model.fit(network, folder=f"{folder}/run", callback=lambda progress: progress.rank is None)
        begun = model.complete_
        model.fit(network, folder=f"{folder}/run")
    links = network.subset(network.values == 1)
    matched = sample_negatives(links, ratio=1.0, how="degree-matched", rng=0)
    return [
        begun,
        *_answers(model, [(0, 1)]),
        *(part.rows for part in (matched, sample_negatives(links, rng=1))),
        *(part.cols for part in (matched, sample_negatives(links, rng=1))),
        [split.test.rows for split in kfold(network, 4, rng=0)],
        binarize(network, at=0.5).values,
        drop_sparse_nodes(links, 3).rows,
    ]


def run() -> dict[str, str]:
    """Return the hash of every fit by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: _digest(function()) for name, function in FITS.items()}


def compare(before: Path, after: Path) -> int:
    """Print which fits differ between two files; return 1 if any does."""
    old, new = (json.loads(path.read_text()) for path in (before, after))
    differ = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    print(f"{len(new) - len(differ)} of {len(old)} fits are the same to the last bit.")
    for name in differ:
        print(f"differs: {name}")
    return int(bool(differ))


def main() -> int:
    """Print the hashes, or compare two files of them."""
    parser = argparse.ArgumentParser(prog="python -m tools.bits", description="Hashes of twenty varied fits.")
    parser.add_argument("--compare", nargs=2, type=Path, metavar=("BEFORE", "AFTER"))
    given = parser.parse_args()
    if given.compare:
        return compare(*given.compare)
    print(json.dumps(run(), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
