"""Two networks of tested protein interactions: which model predicts best, and what can be promised of it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from latentlink import BNMFk, LinkStack, LogisticHead, Network, RankedFactorizer, RNMFk, WNMFk
from latentlink.metrics import (
    average_precision,
    expected_calibration_error,
    paired_difference,
    risk_coverage,
    roc_auc,
)
from latentlink.solvers import LMF, SymLMF
from latentlink.splitting import holdout
from latentlink.uncertainty import Beta, Isotonic, Platt, RiskControl
from statistical.study import DATA, RESULTS, Promise, Study

__all__ = ["proteins"]

NETWORKS = ("disease_of_metabolism", "neurodegenerative_disease")
RANKS = (5, 10, 20)
QUICK = {"max_iter": 100, "tol": 1e-4, "precision": "float32"}
METHODS = {
    "LinkStack": lambda seed: LinkStack(RANKS, random_state=seed),
    "LMF": lambda seed: RankedFactorizer(RANKS, solver=LMF(**QUICK), random_state=seed),
    "SymLMF": lambda seed: RankedFactorizer(RANKS, solver=SymLMF(**QUICK), random_state=seed),
    **{
        f"{base.__name__} with LMF, {form}": lambda seed, base=base, form=form: LogisticHead(
            base(RANKS, random_state=seed), form=form
        )
        for base in (WNMFk, BNMFk, RNMFk)
        for form in ("learned", "paper")
    },
}
LEAST = {"disease_of_metabolism": 0.925, "neurodegenerative_disease": 0.952}
SEEN = {"disease_of_metabolism": 0.935, "neurodegenerative_disease": 0.955}
CURVES = {"Platt": Platt(on="logit"), "beta": Beta(), "isotonic": Isotonic()}
# Of these it is also measured what can be promised of single answers.
ASSESSED = ("LinkStack", "SymLMF", "LMF")
SURE = (
    *("coverage", "risk", "paper_coverage", "paper_risk", "coverage_at_paper_risk"),
    *("found", "false", "power"),
)


@cache
def _network(name: str) -> Network:
    """Read the pairs, each once; which of two proteins is listed first tells nothing."""
    with (DATA / f"ppi_{name}.tsv").open() as file:
        lines = list(csv.reader(file, delimiter="\t"))[1:]
    pairs = {tuple(sorted(line[:2])): float(line[2]) for line in reversed(lines)}
    return Network.from_edges([(*pair, value) for pair, value in pairs.items()], symmetric=True)


def run(network: str, method: str, seed: int) -> dict[str, Any]:
    """Fit four fifths of the pairs, predict the fifth; of some methods also keep a tenth to calibrate."""
    split = holdout(_network(network), 0.2, seed)
    test, truth = np.column_stack([split.test.rows, split.test.cols]), split.test.values
    scores = METHODS[method](seed).fit(split.train).predict_links(test)
    return {
        "roc": f"{roc_auc(truth, scores):.5f}",
        "average_precision": f"{average_precision(truth, scores):.5f}",
        **(_sure(network, method, seed) if method in ASSESSED else dict.fromkeys(SURE, "")),
    }


def _sure(network: str, method: str, seed: int) -> dict[str, Any]:
    """Keep a tenth of the pairs to calibrate, and see what is promised of the test pairs."""
    split = holdout(_network(network), 0.2, seed, calibration=0.1)
    test, truth = np.column_stack([split.test.rows, split.test.cols]), split.test.values == 1
    model = METHODS[method](seed).fit(split.train)
    held = model.calibrate(split.calibration)
    answers, paper = held.answers(test, RiskControl(0.05, 0.1)), model.assess(test)
    wrong, answered = (answers["answer"] == 1) != truth, answers["answered"]
    selected = held.discover(test, fdr=0.1)["selected"]
    said = {"as it is": answers["score"]} | {
        name: held.probabilities(test, curve) for name, curve in CURVES.items()
    }
    # The calibration error is that of all splits together, so that the probabilities are kept.
    path = _kept(network, method, seed)
    path.parent.mkdir(exist_ok=True)
    np.savez_compressed(path, truth=truth, **{name: p.astype(np.float32) for name, p in said.items()})
    paper_risk = float(wrong[paper.answered].mean())
    curve = risk_coverage(wrong, np.abs(answers["score"] - 0.5))
    return {
        "coverage": f"{answered.mean():.4f}",
        "risk": f"{wrong[answered].mean() if answered.any() else 0.0:.5f}",
        "paper_coverage": f"{paper.coverage:.4f}",
        "paper_risk": f"{paper_risk:.5f}",
        "coverage_at_paper_risk": f"{curve.coverage[curve.risk <= paper_risk].max(initial=0.0):.4f}",
        "found": int(selected.sum()),
        "false": f"{(selected & ~truth).sum() / max(1, selected.sum()):.5f}",
        "power": f"{(selected & truth).sum() / truth.sum():.5f}",
    }


def _kept(network: str, method: str, seed: int) -> Path:
    return RESULTS / "proteins" / f"{network}-{method}-{seed}.npz"


def promises(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Compare methods over splits, and say what was promised of the best."""
    for network in NETWORKS:
        part = [line for line in lines if line["network"] == network]
        roc = {
            method: np.array([float(line["roc"]) for line in part if line["method"] == method])
            for method in METHODS
        }
        stack = roc["LinkStack"]
        yield Promise(
            f"{network}: ROC AUC of LinkStack, {len(stack)} splits",
            f"{stack.mean():.4f} ({stack.min():.4f} to {stack.max():.4f})",
            f"at least {LEAST[network]}; best seen before {SEEN[network]}",
            bool(stack.mean() >= LEAST[network]),
        )
        yield Promise(f"{network}: ROC AUC of LMF", f"{roc['LMF'].mean():.4f}", "reported", None)
        for method in METHODS:
            if method not in {"LinkStack", "LMF"}:
                yield _against_lmf(network, method, roc[method], roc["LMF"])
        for method in ASSESSED:
            yield from _sure_promises(network, method, [line for line in part if line["method"] == method])


def _against_lmf(network: str, method: str, found: Any, lmf: Any) -> Promise:
    more = paired_difference(found, lmf, test_share=0.2)
    learned = method.endswith("learned")
    return Promise(
        f"{network}: ROC AUC of {method}",
        f"{found.mean():.4f}; {more.mean:+.4f} against LMF (95 % interval {more.low:+.4f} to "
        f"{more.high:+.4f}; ahead in {int((found > lmf).sum())} of {len(lmf)} splits)",
        "not worse than LMF" if learned else "reported",
        bool(more.high >= 0) if learned else None,
    )


def _sure_promises(network: str, method: str, part: list[dict[str, str]]) -> Iterator[Promise]:
    get = {name: np.array([float(line[name]) for line in part]) for name in SURE}
    mean = {name: float(found.mean()) for name, found in get.items()}
    ratio = mean["coverage"] / mean["paper_coverage"]
    where = f"{network}, {method}"
    yield Promise(
        f"{where}: coverage of RiskControl(0.05, 0.1) over that of the paper's rule",
        f"{ratio:.2f} ({mean['coverage']:.3f} at an error of {mean['risk']:.4f}, against "
        f"{mean['paper_coverage']:.3f} at {mean['paper_risk']:.4f}; above 0.05 in "
        f"{int((get['risk'] > 0.05).sum())} of {len(part)} splits)",
        "at least 1.3",
        bool(ratio >= 1.3),
    )
    equal = mean["coverage_at_paper_risk"] / mean["paper_coverage"]
    yield Promise(
        f"{where}: the same at the error of the paper's rule, ranked by the margin",
        f"{equal:.2f} ({mean['coverage_at_paper_risk']:.3f} against {mean['paper_coverage']:.3f}, at an "
        f"error of {mean['paper_risk']:.4f})",
        "reported",
        None,
    )
    yield Promise(
        f"{where}: share of false discoveries at fdr=0.1",
        f"{mean['false']:.4f}; {mean['found']:.0f} found, power {mean['power']:.3f}",
        "reported",
        None,
    )
    stored = [np.load(_kept(network, method, int(line["seed"]))) for line in part]
    truth = np.concatenate([each["truth"] for each in stored])
    errors = {
        name: expected_calibration_error(truth, np.concatenate([each[name] for each in stored]))
        for name in ("as it is", *CURVES)
    }
    yield Promise(
        f"{where}: calibration error of all splits together, 10 bins of equal mass",
        ", ".join(f"{name} {error:.4f}" for name, error in errors.items()),
        "below 0.03 with Platt's curve",
        bool(errors["Platt"] < 0.03),
    )


proteins = Study(
    "proteins",
    [
        {"network": network, "method": method, "seed": seed}
        for network in NETWORKS
        for method in METHODS
        for seed in range(10)
    ],
    run,
    promises,
)
