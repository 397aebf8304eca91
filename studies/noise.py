"""False discoveries in pure noise, labels that are coin flips, by every route to a list of links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BNMFk, Network, RankedFactorizer, WNMFk
from latentlink.errors import InputError
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.scoring import Calibrated
from latentlink.solvers import LMF, WNMF
from latentlink.splitting import holdout
from studies.findings import Finding, rate, rate_within
from studies.planted_splits import listed_pairs
from studies.study import Study

__all__ = ["noise"]

MODELS = {
    "BNMFk": lambda seed: BNMFk((3,), n_perturbs=8, random_state=seed),
    "WNMFk": lambda seed: WNMFk((3,), solver=WNMF(ridge=0.1), n_perturbs=4, random_state=seed),
    "LMF": lambda seed: RankedFactorizer(
        (3,), solver=LMF(ridge=1.0, max_iter=50, tol=1e-4), n_perturbs=4, random_state=seed
    ),
}
ROUTES = (
    "all", "test", "random", "best", "best_five", "best_one", "best_of_nodes", "best_among_others",
    "best_of_one_node", "best_20_of_one_node", "best_and_19_others", "best_two_and_38_others",
    "best_five_and_95_others", "best_20_of_the_best_node", "all_of_the_best_node", "all_of_one_node",
    "all_of_five_nodes",
)  # fmt: skip
# What is refused without the word chosen_without_scores=True, given falsely: nothing is guaranteed then.
BY_FALSE_WORD = "best_of_one_node_by_false_word"


def run(model: str, seed: int) -> dict[str, Any]:
    """Discover links at a false discovery rate of 0.1 where there is nothing to discover, by each route."""
    truth = np.random.default_rng(seed).integers(0, 2, (80, 60)).astype(float)
    rows, cols = np.nonzero(np.random.default_rng([seed, 1]).random(truth.shape) < 0.5)
    network = Network.from_edges(rows, cols, truth[rows, cols], shape=truth.shape)
    split = holdout(network, 0.15, seed, calibration=0.2)
    calibrated = MODELS[model](seed).fit(split.train).calibrate(split.calibration)
    results: dict[str, Any] = {}
    for route in (*ROUTES, BY_FALSE_WORD):
        pairs = candidates(calibrated, route, listed_pairs(split.test), seed)
        try:
            table = calibrated.discover(pairs, fdr=0.1, chosen_without_scores=route == BY_FALSE_WORD)
        except InputError as error:
            few = "cannot be told from" in str(error)
            results[route], results[f"{route}_false"] = "raised: too few" if few else "raised: by score", 0
            continue
        selected = table["selected"]
        false = truth[table["row"][selected], table["column"][selected]] == 0
        results[route], results[f"{route}_false"] = (
            int(selected.sum()),
            f"{false.sum() / max(1, len(false)):.4f}",
        )
    return results


def candidates(calibrated: Calibrated, route: str, test: np.ndarray, seed: int) -> Any:
    """Return the candidates of a route; None for all untested pairs."""
    if route == "all":
        return None
    if route == "test":
        return test
    if "best" in route and "of_one_node" in route:  # the table as it is, of one node in each run
        return calibrated.recommend(seed % 80, 20 if "20" in route else 10)
    every = calibrated.top_links(10**6)
    untested = np.column_stack([every["row"], every["column"]])  # best first
    others = np.random.default_rng([seed, 2]).permutation(untested[50:])
    per_node = calibrated.top_links(1, per_node=True)
    best_node = untested[untested[:, 0] == untested[0, 0]]
    some = np.random.default_rng([seed, 3]).choice(80, 5, replace=False)
    return {
        "random": others[:200],
        "best": untested[:50],
        "best_five": untested[:5],
        "best_one": untested[:1],
        "best_of_nodes": np.column_stack([per_node["row"], per_node["column"]]),
        "best_among_others": np.concatenate([untested[:20], others[:80]]),
        "best_and_19_others": np.concatenate([untested[:1], others[:19]]),
        "best_two_and_38_others": np.concatenate([untested[:2], others[:38]]),
        "best_five_and_95_others": np.concatenate([untested[:5], others[:95]]),
        "best_20_of_the_best_node": best_node[:20],
        "all_of_the_best_node": best_node,
        "all_of_one_node": untested[untested[:, 0] == some[0]],
        "all_of_five_nodes": untested[np.isin(untested[:, 0], some)],
    }[route]


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield how often anything was found by each route."""
    for (model,), group in grouped(lines, "model"):
        for route in (*ROUTES, BY_FALSE_WORD):
            by_score, few = (
                sum(line[route] == f"raised: {why}" for line in group) for why in ("by score", "too few")
            )
            found = sum(line[route] != "0" for line in group) - by_score - few
            false = columns(group, f"{route}_false")[f"{route}_false"]
            quantity = f"{model}, candidates: {route.replace('_', ' ')}; runs with any discovery at fdr 0.1"
            why = f" ({by_score} times as chosen by score, {few} times as too few)" if by_score + few else ""
            result = (
                f"{rate(found, len(group))}; raised in {by_score + few}{why}; mean share of non-links "
                f"{false.mean():.4f}"
            )
            if route == BY_FALSE_WORD:
                yield Finding(quantity, result, "none: a false word, by which nothing is guaranteed")
                continue
            yield Finding(
                quantity,
                result,
                "at most 0.1, judged by the lower end of the interval; share of non-links at most 0.1",
                rate_within(found, len(group), 0.1) and bool(false.mean() <= 0.1),
            )


noise = Study(
    "noise", [{"model": model, "seed": seed} for model in MODELS for seed in range(100)], run, findings
)
