"""Two networks of tested protein interactions: which model predicts best, and what can be promised of it."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from latentlink import BNMFk, LinkStack, LogisticHead, Network, RankedFactorizer, RNMFk, WNMFk
from latentlink.metrics import average_precision, expected_calibration_error, paired_difference, roc_auc
from latentlink.solvers import LMF, SymLMF
from latentlink.splitting import holdout
from latentlink.uncertainty import Beta, Isotonic, Platt, RiskControl
from statistical.footing import FOOTING, compared
from statistical.splits import pairs
from statistical.study import DATA, Promise, Study, groups, numbers

__all__ = ["proteins"]

Lines = list[dict[str, str]]

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
# Of these it is also measured what can be promised of single answers, a share of all pairs calibrating.
ASSESSED = ("LinkStack", "SymLMF", "LMF")
CALIBRATION = 0.2
SURE = (*FOOTING, "found", "false", "power")


@cache
def _network(name: str) -> Network:
    """Read the pairs, each once; which of two proteins is listed first tells nothing."""
    with (DATA / f"ppi_{name}.tsv").open() as file:
        lines = list(csv.reader(file, delimiter="\t"))[1:]
    pairs = {tuple(sorted(line[:2])): float(line[2]) for line in reversed(lines)}
    return Network.from_edges([(*pair, value) for pair, value in pairs.items()], symmetric=True)


def run(network: str, method: str, seed: int) -> dict[str, Any]:
    """Fit four fifths of the pairs and predict the fifth; assess some methods."""
    split = holdout(_network(network), 0.2, seed)
    scores = METHODS[method](seed).fit(split.train).predict_links(pairs(split.test))
    sure = _sure(network, method, seed) if method in ASSESSED else dict.fromkeys(SURE, "") | {"arrays": {}}
    return {
        "roc": f"{roc_auc(split.test.values, scores):.5f}",
        "average_precision": f"{average_precision(split.test.values, scores):.5f}",
        **sure,
    }


def _sure(network: str, method: str, seed: int) -> dict[str, Any]:
    """Keep pairs to calibrate, so that fewer are fitted, and see what is promised of the test pairs."""
    split = holdout(_network(network), 0.2, seed, calibration=CALIBRATION)
    asked, truth = pairs(split.test), split.test.values == 1
    model = METHODS[method](seed).fit(split.train)
    held = model.calibrate(split.calibration)
    found, paper = held.answers(asked, RiskControl(0.05, 0.1)), model.assess(asked)
    wrong = (found["answer"] == 1) != truth
    selected = held.discover(asked, fdr=0.1)["selected"]
    said = {"as it is": found["score"]} | {
        name: held.probabilities(asked, curve) for name, curve in CURVES.items()
    }
    return {
        **compared(wrong, found["score"], found["spread"], found["answered"], paper.answered),
        "found": int(selected.sum()),
        "false": f"{(selected & ~truth).sum() / max(1, selected.sum()):.5f}",
        "power": f"{(selected & truth).sum() / truth.sum():.5f}",
        # The calibration error is that of all splits together: it needs every probability.
        "arrays": {"truth": truth} | {name: each.astype(np.float32) for name, each in said.items()},
    }


def promises(lines: Lines) -> Iterator[Promise]:
    """Compare methods over splits, and say what was promised of the best."""
    for (network,), part in groups(lines, "network"):
        of = {method: each for (method,), each in groups(part, "method")}
        roc = {method: numbers(each, "roc")["roc"] for method, each in of.items()}
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
            yield from _answers(f"{network}, {method}", method, numbers(of[method], *SURE))
            yield _calibrated(f"{network}, {method}", of[method])


def _against_lmf(network: str, method: str, found: np.ndarray, lmf: np.ndarray) -> Promise:
    """Judge by the plain paired test: the interval for splits that overlap is wider, and more lenient."""
    more = paired_difference(found, lmf, test_share=0.2)
    worse = float(ttest_rel(found, lmf, alternative="less").pvalue)
    learned = method.endswith("learned")
    return Promise(
        f"{network}: ROC AUC of {method}",
        f"{found.mean():.4f}; {more.mean:+.4f} against LMF (ahead in {int((found > lmf).sum())} of "
        f"{len(lmf)} splits; plain paired t-test of being worse: p = {worse:.3f}; 95 % interval, corrected "
        f"for splits that overlap, {more.low:+.4f} to {more.high:+.4f})",
        "not worse than LMF: no less on average, or p at least 0.05" if learned else "reported",
        bool(more.mean >= 0 or worse >= 0.05) if learned else None,
    )


def _answers(where: str, method: str, get: dict[str, np.ndarray]) -> Iterator[Promise]:
    """Compare coverages, as they are and at an equal error; report confidences and discoveries."""
    mean = {name: float(found.mean()) for name, found in get.items()}
    theirs = f"{mean['paper_coverage']:.3f} at an error of {mean['paper_risk']:.4f}"
    unequal = "; no equal footing: the paper's rule errs above 0.05" if mean["paper_risk"] > 0.05 else ""
    ratio = mean["coverage"] / mean["paper_coverage"]
    judged = method == "LinkStack"
    yield Promise(
        f"{where}: coverage of RiskControl(0.05, 0.1) over that of the paper's rule",
        f"{ratio:.2f} ({mean['coverage']:.3f} at an error of {mean['risk']:.4f}, above 0.05 in "
        f"{int((get['risk'] > 0.05).sum())} of {len(get['risk'])} splits; against {theirs}{unequal})",
        "at least 1.3" if judged else "reported",
        bool(ratio >= 1.3) if judged else None,
    )
    margin, spread = mean["margin_coverage"], mean["spread_coverage"]
    yield Promise(
        f"{where}: the same at the error of the paper's rule, ranked by the margin",
        f"{margin / mean['paper_coverage']:.2f} ({margin:.3f}; ranked by the spread, with a cut by the same "
        f"oracle, {spread:.3f}; against {theirs}); as many answers as the paper's rule gives, largest "
        f"margins first, have an error of {mean['margin_risk']:.4f}",
        "reported",
        None,
    )
    yield Promise(
        f"{where}: area under the risk-coverage curve",
        ", ".join(f"by {by} {mean[f'aurc_{by}']:.4f}" for by in ("margin", "spread", "both")),
        "reported",
        None,
    )
    yield Promise(
        f"{where}: share of false discoveries at fdr=0.1",
        f"{mean['false']:.4f}; {mean['found']:.0f} found, power {mean['power']:.3f}",
        "reported",
        None,
    )


def _calibrated(where: str, part: Lines) -> Promise:
    stored = [proteins.arrays(line) for line in part]
    together = {name: np.concatenate([each[name] for each in stored]) for name in stored[0]}
    truth = together.pop("truth")
    errors = {name: expected_calibration_error(truth, said) for name, said in together.items()}
    return Promise(
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
