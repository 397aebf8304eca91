"""Small fitted models of every kind of estimator, and all questions to a model."""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from latentlink import (
    BayesianFactorizer,
    BNMFk,
    LinkPredictor,
    LinkStack,
    LogisticHead,
    Network,
    NMFk,
    RankedFactorizer,
    RNMFk,
    ValueStack,
    WNMFk,
)
from latentlink.solvers import BPMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF

__all__ = ["digest_of_answers", "fitted_models", "save_models"]

_FEW: dict[str, Any] = {"n_perturbs": 3, "random_state": 0}


def fitted_models() -> dict[str, Any]:
    """Return a fitted model of each kind, by name."""
    rng = np.random.default_rng(0)
    X = rng.random((9, 2)) @ rng.random((2, 7)) + 0.01 * rng.random((9, 7))
    holes = np.where(rng.random(X.shape) < 0.15, np.nan, X)
    links = np.where(np.isnan(holes), np.nan, (X - np.median(X) > 0))
    friends, named = _friends(rng), _named(X)
    pairs = np.argwhere(~np.isnan(holes))
    ridge = {"solver": WNMF(ridge=0.05)}
    lmf = RankedFactorizer((1,), solver=LMF(ridge=1.0, max_iter=30), **_FEW)
    base = WNMFk((1,), **ridge, **_FEW)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {
            "weighted": WNMFk(range(1, 3), **_FEW).fit(holes),
            "plain": NMFk((2,), solver=NMF(max_iter=50), **_FEW).fit(X),
            "biased": RNMFk([2], solver=RNMF(ridge=0.1), **_FEW).fit(holes - 0.5),
            "boolean": BNMFk((2,), **_FEW).fit(links),
            "logistic": RankedFactorizer((2,), solver=LMF(ridge=0.5), **_FEW).fit(links),
            "undirected": RankedFactorizer((2,), solver=SymLMF(ridge=0.5), **_FEW).fit(friends),
            "weights": WNMFk((2,), **ridge, **_FEW).fit(X, mask=np.where(np.isnan(holes), 0, 0.5 + X)),
            "background": WNMFk((2,), **ridge, **_FEW).fit(_followed(rng, background=0.2)),
            "directed": LinkStack(models=[lmf], random_state=0).fit(_followed(rng)),
            "named": WNMFk((1,), **ridge, **_FEW).fit(named),
            "predictor": LinkPredictor(base, shape=(9, 7)).fit(pairs, X[*pairs.T]),
            "head": LogisticHead(base, lmf=lmf).fit(friends),
            "paper_head": LogisticHead(base, form="paper", lmf=lmf).fit(friends),
            "stack": LinkStack(models=[base, lmf], random_state=0).fit(friends),
            "links": LinkStack(models=[lmf], random_state=0).fit(friends.subset(friends.values == 1)),
            "counts": NMFk((2,), solver=KLNMF(max_iter=50), **_FEW).fit(np.round(9 * X)),
            "posterior": BayesianFactorizer((1, 2), solver=BPMF(max_iter=14, burn_in=8, draws=3), **_FEW).fit(
                holes
            ),
            "values": _stack_of_values().fit(_curved_table(rng)),
        }


def _stack_of_values() -> ValueStack:
    """Return a stack whose only model is sampled for a moment."""
    solver = BPMF(max_iter=14, burn_in=8, draws=3)
    return ValueStack(models=[BayesianFactorizer((1,), solver=solver, n_perturbs=2)], random_state=0)


def _curved_table(rng: np.random.Generator) -> Any:
    """Return a table with holes of as many rows as regressions of its columns need."""
    X = np.cos(rng.uniform(0, 6, (36, 1)) + np.arange(3))
    return np.where(rng.random(X.shape) < 0.2, np.nan, X)


def _friends(rng: np.random.Generator) -> Network:
    """Return an undirected network of two groups."""
    group = np.arange(16) % 2
    links = rng.random((16, 16)) < np.where(group[:, None] == group, 0.8, 0.2)
    pairs = [(i, j, int(links[i, j])) for i in range(16) for j in range(i + 1, 16)]
    return Network.from_edges(pairs, shape=(16, 16), symmetric=True)


def _followed(rng: np.random.Generator, background: float = 0.0) -> Network:
    """Return links of a directed network of two groups, with weights."""
    links = np.argwhere(
        rng.random((14, 14)) < np.where(np.arange(14)[:, None] % 2 == np.arange(14) % 2, 0.6, 0.1)
    )
    listed = [(i, j, 1, 1 + i % 3) for i, j in links if i != j]
    return Network.from_edges(listed, shape=(14, 14), square=True, background=background)


def _named(X: Any) -> Network:
    """Return a network with names."""
    rows, cols = np.indices(X.shape).reshape(2, -1)
    names = [f"row {i}" for i in range(X.shape[0])], [f"column {j}" for j in range(X.shape[1])]
    return Network.from_edges([(names[0][i], names[1][j], X[i, j]) for i, j in zip(rows, cols, strict=True)])


def save_models(folder: Path) -> None:
    """Save a model of each kind as a folder of its name."""
    for name, model in fitted_models().items():
        model.save(folder / name)


def digest_of_answers(model: Any) -> str:
    """Put all questions to a model and return a hash of the answers, which is equal for equal bits."""
    digest = hashlib.sha256()
    shape = model.network_.shape
    pairs = np.stack(np.indices(shape), axis=-1).reshape(-1, 2)
    for by in ("model", "ensemble", None):
        for answer in model.predict_links(pairs, return_std=True, by=by):
            digest.update(np.asarray(answer, np.float64).tobytes())
    assessed = model.assess(pairs)
    tables = [
        {"score": assessed.score, "spread": assessed.spread, "abstained": assessed.abstained},
        model.top_links(5, known=True).to_dict(),
        model.top_links(2, per_node=True, by="ensemble").to_dict(),
        *(model.explain((0, 1), by=by).to_dict() for by in ("model", "ensemble")),
    ]
    for table in tables:
        for name, column in table.items():
            digest.update(f"{name} {np.asarray(column).tolist()}".encode())
    if hasattr(model, "transform"):
        digest.update(model.transform(model.network_).tobytes())
        digest.update(f"{model.score()}".encode())
        digest.update(f"{model.path_.to_dict()} {model.choice_}".encode())
    elif hasattr(model, "fold_in"):
        for answer in model.fold_in(model.network_).predict_links(pairs, return_std=True):
            digest.update(np.asarray(answer, np.float64).tobytes())
    model._repr_html_()  # of joined models it has numbers that count the displays of a process
    digest.update(repr(model).encode())
    return digest.hexdigest()
