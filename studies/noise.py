"""False discoveries in pure noise, labels that are coin flips, by every route to a list of links."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BNMFk, Network, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import InputError
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.scoring import Calibrated
from latentlink.solvers import LMF, WNMF
from latentlink.splitting import Split, holdout
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
    "RNMFk": lambda seed: RNMFk((1,), n_perturbs=4, random_state=seed),
}
ROUTES = (
    "all", "test", "random", "best", "best_five", "best_one", "best_of_nodes", "best_among_others",
    "best_of_one_node", "best_20_of_one_node", "best_and_19_others", "best_two_and_38_others",
    "best_five_and_95_others", "best_20_of_the_best_node", "all_of_the_best_node", "all_of_one_node",
    "all_of_five_nodes", "all_of_the_best_column", "all_of_the_column_with_most_links",
    "next_best_and_20_others", "next_three_and_18_others", "next_six_and_15_low_ones",
)  # fmt: skip
# Why candidates raise, beside being chosen by score, and words of that message.
REASONS = {"too few": "cannot be told from", "few": "which makes up for any such choice"}
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
        pairs = candidates(calibrated, route, split, seed)
        try:
            table = calibrated.discover(pairs, fdr=0.1, chosen_without_scores=route == BY_FALSE_WORD)
        except InputError as error:
            reason = next((why for why, words in REASONS.items() if words in str(error)), "by score")
            results[route], results[f"{route}_false"] = f"raised: {reason}", 0
            continue
        selected = table["selected"]
        false = truth[table["row"][selected], table["column"][selected]] == 0
        results[route], results[f"{route}_false"] = (
            int(selected.sum()),
            f"{false.sum() / max(1, len(false)):.4f}",
        )
    return results


def candidates(calibrated: Calibrated, route: str, split: Split, seed: int) -> Any:
    """Return the candidates of a route; None for all untested pairs."""
    if route == "all":
        return None
    if route == "test":
        return listed_pairs(split.test)
    if "best" in route and "of_one_node" in route:  # the table as it is, of one node in each run
        return calibrated.recommend(seed % 80, 20 if "20" in route else 10)
    every = calibrated.top_links(10**6)
    untested = np.column_stack([every["row"], every["column"]])  # best first
    others = np.random.default_rng([seed, 2]).permutation(untested[50:])
    per_node = calibrated.top_links(1, per_node=True)
    best_node = untested[untested[:, 0] == untested[0, 0]]
    scores = np.bincount(every["column"], every["score"]) / np.bincount(every["column"])
    links = np.bincount(split.train.cols, split.train.known * split.train.values)
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
        "next_best_and_20_others": np.concatenate([untested[8:9], others[:20]]),  # the best 8 are known
        "next_three_and_18_others": np.concatenate([untested[8:11], others[:18]]),
        "next_six_and_15_low_ones": np.concatenate([untested[8:14], untested[-15:]]),
        "best_20_of_the_best_node": best_node[:20],
        "all_of_the_best_node": best_node,
        "all_of_one_node": untested[untested[:, 0] == some[0]],
        "all_of_five_nodes": untested[np.isin(untested[:, 0], some)],
        "all_of_the_best_column": untested[untested[:, 1] == np.argmax(scores)],
        "all_of_the_column_with_most_links": untested[untested[:, 1] == np.argmax(links)],
    }[route]


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield how often anything was found by each route."""
    for (model,), group in grouped(lines, "model"):
        for route in (*ROUTES, BY_FALSE_WORD):
            raised = {
                why: count
                for why in ("by score", *REASONS)
                if (count := sum(line[route] == f"raised: {why}" for line in group))
            }
            refused = sum(raised.values())
            found = sum(line[route] != "0" for line in group) - refused
            false = columns(group, f"{route}_false")[f"{route}_false"]
            quantity = f"{model}, candidates: {route.replace('_', ' ')}; runs with any discovery at fdr 0.1"
            why = f" ({', '.join(f'{count} times as {each}' for each, count in raised.items())})"
            result = (
                f"{rate(found, len(group))}; raised in {refused}{why if refused else ''}; "
                f"mean share of non-links {false.mean():.4f}"
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
