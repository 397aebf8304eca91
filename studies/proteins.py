"""Link prediction and its uncertainty on two networks of tested protein interactions, ten splits each."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.stats import ttest_rel

from latentlink import BNMFk, LinkStack, LogisticHead, Network, RankedFactorizer, RNMFk, WNMFk
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.metrics import average_precision, paired_difference, roc_auc
from latentlink.solvers import LMF, SymLMF
from latentlink.splitting import holdout
from latentlink.uncertainty import Beta, Isotonic, Platt, RiskControl
from studies.abstention_comparison import COMPARISON_COLUMNS, compare_abstention
from studies.calibration_bins import BINS, bin_sums, pooled_calibration_error
from studies.findings import Finding
from studies.planted_splits import listed_pairs
from studies.study import DATA, Study

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
LEAST_AUC = {"disease_of_metabolism": 0.925, "neurodegenerative_disease": 0.952}
EARLIER_AUC = {"disease_of_metabolism": 0.935, "neurodegenerative_disease": 0.955}
CURVES = {"platt": Platt(on="logit"), "beta": Beta(), "isotonic": Isotonic()}
# For these methods uncertainty is measured as well, with a share of all pairs set aside for calibration.
CALIBRATED = ("LinkStack", "SymLMF", "LMF")
CALIBRATION = 0.2
MEASURED = (*COMPARISON_COLUMNS, "discoveries", "false_discovery_share", "power")
BIN_COLUMNS = ("bins_uncalibrated", *(f"bins_{curve}" for curve in CURVES))


@cache
def _network(name: str) -> Network:
    """Read the pairs, each once; the order of two proteins has no meaning."""
    with (DATA / f"ppi_{name}.tsv").open() as file:
        lines = list(csv.reader(file, delimiter="\t"))[1:]
    values = {tuple(sorted(line[:2])): float(line[2]) for line in reversed(lines)}
    return Network.from_edges([(*pair, value) for pair, value in values.items()], symmetric=True)


def run(network: str, method: str, seed: int) -> dict[str, Any]:
    """Fit four fifths of the pairs and predict the fifth; measure the uncertainty of some methods."""
    split = holdout(_network(network), 0.2, seed)
    scores = METHODS[method](seed).fit(split.train).predict_links(listed_pairs(split.test))
    nothing = dict.fromkeys((*MEASURED, *BIN_COLUMNS), "")
    return {
        "roc_auc": f"{roc_auc(split.test.values, scores):.5f}",
        "average_precision": f"{average_precision(split.test.values, scores):.5f}",
        **(_uncertainty(network, method, seed) if method in CALIBRATED else nothing),
    }


def _uncertainty(network: str, method: str, seed: int) -> dict[str, Any]:
    """Fit fewer pairs, calibrate on those set aside, and measure what is guaranteed for the test pairs."""
    split = holdout(_network(network), 0.2, seed, calibration=CALIBRATION)
    pairs, links = listed_pairs(split.test), split.test.values == 1
    model = METHODS[method](seed).fit(split.train)
    calibrated = model.calibrate(split.calibration)
    answers, paper = calibrated.answers(pairs, RiskControl(0.05, 0.1)), model.assess(pairs)
    wrong = (answers["answer"] == 1) != links
    selected = calibrated.discover(pairs, fdr=0.1)["selected"]
    probabilities = (
        answers["score"],
        *(calibrated.probabilities(pairs, curve)["probability"] for curve in CURVES.values()),
    )
    bins = (bin_sums(links, each) for each in probabilities)
    return {
        **compare_abstention(wrong, answers["score"], answers["spread"], answers["answered"], paper.answered),
        "discoveries": int(selected.sum()),
        "false_discovery_share": f"{(selected & ~links).sum() / max(1, selected.sum()):.5f}",
        "power": f"{(selected & links).sum() / links.sum():.5f}",
        **dict(zip(BIN_COLUMNS, bins, strict=True)),
    }


def findings(lines: Lines) -> Iterator[Finding]:
    """Yield comparisons of methods over splits, and the uncertainty of some of them."""
    for (network,), group in grouped(lines, "network"):
        of_method = {method: each for (method,), each in grouped(group, "method")}
        auc = {method: columns(each, "roc_auc")["roc_auc"] for method, each in of_method.items()}
        stack = auc["LinkStack"]
        yield Finding(
            f"{network}: ROC AUC of LinkStack, {len(stack)} splits",
            f"{stack.mean():.4f} ({stack.min():.4f} to {stack.max():.4f})",
            f"at least {LEAST_AUC[network]} (best earlier result {EARLIER_AUC[network]})",
            bool(stack.mean() >= LEAST_AUC[network]),
        )
        yield Finding(f"{network}: ROC AUC of LMF", f"{auc['LMF'].mean():.4f}")
        for method in METHODS:
            if method not in {"LinkStack", "LMF"}:
                yield _against_lmf(network, method, auc[method], auc["LMF"])
        for method in CALIBRATED:
            yield from _answers(f"{network}, {method}", method, columns(of_method[method], *MEASURED))
            yield _calibration_error(f"{network}, {method}", of_method[method])


def _against_lmf(network: str, method: str, auc: np.ndarray, lmf: np.ndarray) -> Finding:
    """Compare with LMF; the criterion uses the plain paired test, the stricter of the two that are given."""
    gain = paired_difference(auc, lmf, test_share=0.2)
    p_value = float(ttest_rel(auc, lmf, alternative="less").pvalue)
    quantity = f"{network}: ROC AUC of {method}"
    result = (
        f"{auc.mean():.4f}; {gain.mean:+.4f} against LMF (better in {int((auc > lmf).sum())} of {len(lmf)} "
        f"splits; plain paired t-test of being worse: p = {p_value:.3f}; 95 % interval, corrected for splits "
        f"that overlap, {gain.low:+.4f} to {gain.high:+.4f})"
    )
    if not method.endswith("learned"):
        return Finding(quantity, result)
    criterion = "not worse than LMF: no less on average, or p at least 0.05"
    return Finding(quantity, result, criterion, bool(gain.mean >= 0 or p_value >= 0.05))


def _answers(label: str, method: str, column: dict[str, np.ndarray]) -> Iterator[Finding]:
    """Compare coverages, as measured and at an equal error; report confidences and discoveries."""
    mean = {name: float(values.mean()) for name, values in column.items()}
    paper = f"{mean['paper_coverage']:.3f} at an error of {mean['paper_risk']:.4f}"
    unequal = ", which is above 0.05: not comparable" if mean["paper_risk"] > 0.05 else ""
    ratio = mean["coverage"] / mean["paper_coverage"]
    yield Finding(
        f"{label}: coverage of RiskControl(0.05, 0.1) over that of the paper's rule",
        f"{ratio:.2f} ({mean['coverage']:.3f} at an error of {mean['risk']:.4f}, above 0.05 in "
        f"{int((column['risk'] > 0.05).sum())} of {len(column['risk'])} splits; against {paper}{unequal})",
        *(("at least 1.3", bool(ratio >= 1.3)) if method == "LinkStack" else ()),
    )
    margin, spread = mean["margin_coverage"], mean["spread_coverage"]
    yield Finding(
        f"{label}: the same at the error of the paper's rule, largest margins first",
        f"{margin / mean['paper_coverage']:.2f} ({margin:.3f}; by the spread with the same oracle's "
        f"threshold, {spread:.3f}; against {paper}); error at the coverage of the paper's rule, largest "
        f"margins first, {mean['margin_risk']:.4f}",
    )
    yield Finding(
        f"{label}: area under the risk-coverage curve",
        ", ".join(f"by {by} {mean[f'aurc_{by}']:.4f}" for by in ("margin", "spread", "both")),
    )
    yield Finding(
        f"{label}: share of false discoveries at fdr=0.1",
        f"{mean['false_discovery_share']:.4f}; {mean['discoveries']:.0f} discoveries, "
        f"power {mean['power']:.3f}",
    )


def _calibration_error(label: str, group: Lines) -> Finding:
    errors = {name: pooled_calibration_error(line[name] for line in group) for name in BIN_COLUMNS}
    return Finding(
        f"{label}: expected calibration error, pooled over splits, {BINS} bins of equal width on [0, 1]",
        ", ".join(f"{name.removeprefix('bins_')} {error:.4f}" for name, error in errors.items()),
        "below 0.03 with Platt's curve",
        errors["bins_platt"] < 0.03,
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
    findings,
)
