"""The paper's study of protein networks: its methods, their logistic ensembles and rivals, ten splits."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from latentlink import LinkStack, LogisticHead, Network, RankedFactorizer, datasets, paper
from latentlink.datasets.fetched import PUBLISHED, load_published
from latentlink.datasets.fetched.formats import pairs_as_listed
from latentlink.errors import InputError
from latentlink.evaluation.baselines import standard_baselines
from latentlink.experiments.case_lines import Lines
from latentlink.experiments.case_runner import Case
from latentlink.experiments.methods import factorizer
from latentlink.experiments.ppi_table import ppi_table
from latentlink.metrics import average_precision, pr_auc, roc_auc
from latentlink.solvers import LMF, SymLMF
from latentlink.splitting import holdout
from latentlink.uncertainty import uq_weights

__all__ = ["FACTORIZATIONS", "cases", "run", "tables"]

NETWORKS = tuple(name for name in PUBLISHED if name.startswith("proteins-"))
SMALL = ("proteins-disease-of-metabolism", "proteins-neurodegenerative-disease")
STAND_IN = "generated"  # where no protein network is at hand
FACTORIZATIONS = ("BNMFk", "RNMFk", "WNMFk", "BNMFk lmf", "RNMFk lmf", "WNMFk lmf", "LMF", "SymLMF")
RANKS = (2, 3, 4, 5, 6, 8, 10, 15, 20)
QUICK_RANKS = (3, 10)
SEEDS = 10
BASELINES = tuple(standard_baselines("labelled"))

# "held out" is the honest protocol. "as listed" keeps the order of the two proteins of a pair, in which the
# label can be read off; "seen" leaves the test pairs in the training part, so that nothing is predicted.
PROTOCOLS = ("held out", "as listed", "seen")


def cases(quick: bool) -> Sequence[Case]:
    """Return all runs: 8 methods in both modes, LinkStack, baselines; 10 splits of every network at hand."""
    shared = {"quick": quick}
    every = []
    for network in networks_at_hand():
        for seed in range(1 if quick else SEEDS):
            place = {"network": network, "seed": seed, **shared}
            for mode in ("paper", "default"):
                every += [
                    {**place, "protocol": "held out", "mode": mode, "method": method}
                    for method in FACTORIZATIONS
                ]
            every.append({**place, "protocol": "held out", "mode": "default", "method": "LinkStack"})
            every += [
                {**place, "protocol": "held out", "mode": "baseline", "method": name} for name in BASELINES
            ]
            for protocol in PROTOCOLS[1:] if network != STAND_IN else ():
                every += [
                    {**place, "protocol": protocol, "mode": "paper", "method": method}
                    for method in FACTORIZATIONS[:-1]
                ]
    return every


def networks_at_hand() -> list[str]:
    """Return the protein networks whose files are there; without any, the name of a generated network."""
    found = []
    for name in NETWORKS:
        try:
            _network(name, listed=False)
        except InputError:
            continue
        found.append(name)
    return found or [STAND_IN]


@cache
def _network(name: str, listed: bool) -> Network:
    if name == STAND_IN:
        return datasets.heavy_tailed(400, 2500, 0, non_links="uniform").network
    published = PUBLISHED[name]
    if listed:
        published = replace(published, read=pairs_as_listed, tolerance=0.1)
    return load_published(published, download=False).network


def run(network: str, seed: int, quick: bool, protocol: str, mode: str, method: str) -> dict[str, Any]:
    """Predict a fifth of the pairs from the others; in the protocol "seen" from all of them."""
    data = _network(network, protocol == "as listed")
    split = holdout(data, 0.2, seed)
    train = data if protocol == "seen" else split.train
    begin = time.process_time()
    test = np.column_stack([split.test.rows, split.test.cols])
    labels = split.test.values
    weights, rank = None, 0
    if mode == "baseline":
        score = standard_baselines("labelled")[method].fit(train).predict_links(test)
    else:
        model = _model(mode, method, seed, QUICK_RANKS if quick else RANKS, train).fit(train)
        score, spread = model.predict_links(_named(train, test), return_std=True)
        weights, rank = uq_weights(spread, model.training_spread()), getattr(model, "rank_", 0)
    line = {
        "rank": rank,
        "seconds": f"{time.process_time() - begin:.2f}",
        "roc_auc": f"{roc_auc(labels, score):.5f}",
        "pr_auc": f"{pr_auc(labels, score):.5f}",
        "average_precision": f"{average_precision(labels, score):.5f}",
        "uq_roc_auc": "nan",
        "uq_pr_auc": "nan",
    }
    if weights is not None:
        line["uq_roc_auc"] = f"{roc_auc(labels, score, weights):.5f}"
        line["uq_pr_auc"] = f"{pr_auc(labels, score, weights):.5f}"
    return line


def _named(network: Network, pairs: np.ndarray) -> np.ndarray:
    """Return pairs by name, as a fitted model takes them."""
    if network.row_names is None or network.col_names is None:
        return pairs
    return np.column_stack([network.row_names[pairs[:, 0]], network.col_names[pairs[:, 1]]])


def _model(mode: str, method: str, seed: int, ranks: tuple[int, ...], train: Network) -> Any:
    """Return an estimator by name."""
    base, _, head = method.partition(" ")
    if method == "LinkStack":
        return LinkStack(ranks[-3:], random_state=seed)
    if method in {"LMF", "SymLMF"}:
        return _logistic(mode, method, seed, ranks, train)
    name = "BNMFk kmeans" if base == "BNMFk" else base
    estimator = factorizer(name, mode, ranks, random_state=seed)
    if not head:
        return estimator
    return paper.logistic(estimator) if mode == "paper" else LogisticHead(estimator)


def _logistic(mode: str, method: str, seed: int, ranks: tuple[int, ...], train: Network) -> RankedFactorizer:
    """Return LMF or SymLMF; in the paper's mode at the rank that WNMFk chooses."""
    if mode == "paper":
        rank = factorizer("WNMFk", mode, ranks, random_state=seed).fit(train).rank_
        preset: Callable[..., RankedFactorizer] = getattr(paper, method)
        return preset(rank, random_state=seed)
    solver = {"LMF": LMF, "SymLMF": SymLMF}[method].for_members()
    return RankedFactorizer(ranks, solver=solver, random_state=seed)


def tables(lines: Lines) -> str:
    """Return the table of the paper for every network, ours beside what the paper prints."""
    stand_in = any(line["network"] == STAND_IN for line in lines)
    note = "No protein network is at hand; a generated one stands in, and nothing of it is in the paper.\n\n"
    return (note if stand_in else "") + ppi_table(lines)
