"""Calibration by folds beside that on held-out pairs: coverage, error and width at the same known pairs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import RankedFactorizer, WNMFk, datasets
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.scoring import Calibrated
from latentlink.solvers import LMF, WNMF
from latentlink.splitting import Split, holdout
from latentlink.uncertainty import ConformalIntervals, ConformalSets, RiskControl
from studies.findings import Finding, rate, rate_within
from studies.planted_splits import listed_pairs
from studies.study import Study

__all__ = ["cross_links", "cross_values"]

FORMS = ("split", "cross")
NO_POWER = 0.01  # share of the links, below which a form is reported to find nothing


def calibrated_forms(model: Any, split: Split, seed: int) -> Iterator[tuple[str, Calibrated]]:
    """Yield both forms: a fifth of the known pairs held out to calibrate, and five folds."""
    inner = holdout(split.train, 0.2, seed)
    yield "split", model.fit(inner.train).calibrate(inner.test)
    yield "cross", model.fit(split.train).cross_calibrate(5)


def run_links(flips: float, seed: int) -> dict[str, Any]:
    """Answer and discover unknown cells of planted Boolean data, of which 30 % are known."""
    network = datasets.planted_boolean(rows=100, columns=80, rank=3, flips=flips, seed=seed).network
    split = holdout(network, 0.7, seed)
    pairs, links = listed_pairs(split.test), split.test.values == 1
    solver = LMF(ridge=1.0, max_iter=50, tol=1e-4)
    model = RankedFactorizer((2, 3, 4), solver=solver, n_perturbs=4, random_state=seed)
    results: dict[str, Any] = {}
    for form, calibrated in calibrated_forms(model, split, seed):
        answers = calibrated.answers(pairs, RiskControl(0.1, 0.1))
        answered, wrong = answers["answered"], (answers["answer"] == 1) != links
        sets = calibrated.sets(pairs, ConformalSets(0.9))
        covered = np.where(links, sets["may_be_link"], sets["may_be_nonlink"])
        single = sets["may_be_link"] != sets["may_be_nonlink"]
        selected = calibrated.discover(pairs, fdr=0.1)["selected"]
        measured = {
            "coverage": answered.mean(),
            "risk": wrong[answered].mean() if answered.any() else 0.0,
            "all_risk": wrong.mean(),
            "link_covered": covered[links].mean(),
            "nonlink_covered": covered[~links].mean(),
            "single": single.mean(),
            "false": (selected & ~links).sum() / max(1, selected.sum()),
            "power": (selected & links).sum() / links.sum(),
        }
        results |= {f"{form}_{name}": f"{value:.5f}" for name, value in measured.items()}
    return results


def run_values(seed: int) -> dict[str, Any]:
    """Predict unknown entries of a noisy product by intervals; 40 % are known."""
    network = datasets.gaussian(80, 3, seed, noise=0.1).network
    split = holdout(network, 0.6, seed)
    pairs, values = listed_pairs(split.test), split.test.values
    model = WNMFk((2, 3, 4), solver=WNMF(ridge=0.1), n_perturbs=4, random_state=seed)
    results: dict[str, Any] = {}
    for form, calibrated in calibrated_forms(model, split, seed):
        table = calibrated.intervals(pairs, ConformalIntervals(0.9))
        low, high = table["low"], table["high"]
        results[f"{form}_covered"] = f"{np.mean((low <= values) & (values <= high)):.5f}"
        results[f"{form}_width"] = f"{np.median(high - low):.5f}"
        results[f"{form}_rmse"] = f"{np.sqrt(np.mean((table['score'] - values) ** 2)):.5f}"
    return results


def links_findings(lines: Lines) -> Iterator[Finding]:
    """Yield risk, coverage of sets and false discoveries of both forms in each design."""
    for (flips,), group in grouped(lines, "flips"):
        for form in FORMS:
            yield from _of_form(f"{100 * float(flips):g} % flipped, {form}", form, group)


def _of_form(label: str, form: str, lines: Lines) -> Iterator[Finding]:
    names = ("coverage", "risk", "all_risk", "link_covered", "nonlink_covered", "single", "false")
    column = {name: columns(lines, f"{form}_{name}")[f"{form}_{name}"] for name in (*names, "power")}
    mean = {name: float(values.mean()) for name, values in column.items()}
    violated = int((column["risk"] > 0.1).sum())
    yield Finding(
        f"{label}: violation rate of RiskControl(0.1, 0.1), an error above 0.1 among answered pairs",
        f"{rate(violated, len(lines))}; answered {mean['coverage']:.3f}, error {mean['risk']:.4f}; error "
        f"of all {mean['all_risk']:.4f}",
        "at most 0.1, judged by the lower end of the interval",
        rate_within(violated, len(lines), 0.1),
    )
    least = 0.9 if form == "split" else 0.8
    covered = min(mean["link_covered"], mean["nonlink_covered"])
    yield Finding(
        f"{label}: coverage of ConformalSets(0.9) among links and among non-links",
        f"{mean['link_covered']:.4f}, {mean['nonlink_covered']:.4f}; one label {mean['single']:.3f}",
        f"at least {least}, less 0.005",
        covered >= least - 0.005,
    )
    error = column["false"].std(ddof=1) / np.sqrt(len(lines))
    empty = int((column["power"] == 0).sum())
    nothing = f", no link found in {empty} of {len(lines)} runs" if empty else ""
    yield Finding(
        f"{label}: share of false discoveries at fdr 0.1",
        f"{mean['false']:.4f} +- {error:.4f}; power {mean['power']:.3f}{nothing}",
        "at most 0.1, plus its standard error",
        bool(mean["false"] <= 0.1 + error),
    )


def links_remarks(lines: Lines) -> Iterator[str]:
    """Yield where a form discovers next to nothing, so that its share of false discoveries says nothing."""
    for (flips,), group in grouped(lines, "flips"):
        power = {form: float(columns(group, f"{form}_power")[f"{form}_power"].mean()) for form in FORMS}
        for form, other in (FORMS, FORMS[::-1]):
            if power[form] < NO_POWER:
                yield _without_power(f"{100 * float(flips):g} %", form, other, power)


def _without_power(flips: str, form: str, other: str, power: dict[str, float]) -> str:
    return (
        f"**At {flips} flips the {form} form of `discover` has no power**: it finds {power[form]:.3f} of the "
        f"links, where the {other} form finds {power[other]:.3f}. Its share of false discoveries is 0 "
        "because next to nothing is selected, and is no evidence for its guarantee. To discover links in "
        "such data, hold pairs out and call `calibrate`."
    )


def values_findings(lines: Lines) -> Iterator[Finding]:
    """Yield coverage and width of the intervals of both forms."""
    for form in FORMS:
        column = columns(lines, *(f"{form}_{name}" for name in ("covered", "width", "rmse")))
        covered, width, rmse = (values.mean() for values in column.values())
        least = 0.9 if form == "split" else 0.8
        yield Finding(
            f"{form}: coverage of ConformalIntervals(0.9)",
            f"{covered:.4f}; mean of the median widths {width:.4f}; RMSE of the scores {rmse:.4f}",
            f"at least {least}, less 0.005",
            bool(covered >= least - 0.005),
        )


cross_links = Study(
    "cross_links",
    [{"flips": flips, "seed": seed} for flips in (0.02, 0.05) for seed in range(200)],
    run_links,
    links_findings,
    links_remarks,
)
cross_values = Study("cross_values", [{"seed": seed} for seed in range(200)], run_values, values_findings)
