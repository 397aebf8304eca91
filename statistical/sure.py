"""What is promised of single predictions: errors among answers, intervals, discoveries; on planted data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from latentlink import BNMFk, Network, WNMFk, datasets
from latentlink.metrics import correlation, risk_coverage, rmse
from latentlink.solvers import WNMF
from latentlink.splitting import Split, holdout
from latentlink.uncertainty import RiskControl, RowColumn
from statistical.study import Promise, Study, share

__all__ = ["discoveries", "intervals", "risk", "spread"]

SEEDS = range(200)


def _pairs(network: Network) -> np.ndarray:
    return np.column_stack([network.rows, network.cols])


# ---------------------------------------------------------------- errors among answers


def _boolean(known: float, seed: int) -> Split:
    """Return planted Boolean data of which a share is known, a tenth calibrates, and the rest is asked."""
    data = datasets.planted_boolean(rows=100, columns=80, rank=4, flips=0.02, seed=seed)
    return holdout(data.network, 0.9 - known, seed, calibration=0.1)


def run_risk(known: float, seed: int) -> dict[str, Any]:
    """Answer held-out cells of planted Boolean data under RiskControl(0.05, 0.1), and by the paper's rule."""
    split = _boolean(known, seed)
    model = BNMFk((4,), random_state=seed).fit(split.train)
    test, truth = _pairs(split.test), split.test.values == 1
    found = model.calibrate(split.calibration).answers(test, RiskControl(0.05, 0.1))
    answered, wrong = found["answered"], (found["answer"] == 1) != truth
    paper = model.assess(test, by="ensemble")
    paper_risk = float(wrong[paper.answered].mean()) if paper.answered.any() else 0.0
    curve = risk_coverage(wrong, np.abs(found["score"] - 0.5))
    at_equal = curve.coverage[curve.risk <= paper_risk]
    return {
        "coverage": f"{answered.mean():.4f}",
        "risk": f"{wrong[answered].mean() if answered.any() else 0.0:.5f}",
        "paper_coverage": f"{paper.coverage:.4f}",
        "paper_risk": f"{paper_risk:.5f}",
        "coverage_at_paper_risk": f"{at_equal.max(initial=0.0):.4f}",
        "risk_of_all": f"{wrong.mean():.5f}",
    }


def promise_risk(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Count the runs in which the error among answers is above 5 %: at most 10 % of them."""
    for known in dict.fromkeys(line["known"] for line in lines):
        part = [line for line in lines if line["known"] == known]
        get = {name: np.array([float(line[name]) for line in part]) for name in part[0] if name != "code"}
        broken = int((get["risk"] > 0.05).sum())
        where = f"planted Boolean data, {known} known"
        yield Promise(
            f"{where}: RiskControl(0.05, 0.1) broken",
            share(broken, len(part)),
            "at most 0.1",
            broken / len(part) <= 0.1,
        )
        yield Promise(
            f"{where}: coverage and error among the answered",
            f"{get['coverage'].mean():.3f}, {get['risk'].mean():.4f}; the paper's rule "
            f"{get['paper_coverage'].mean():.3f}, {get['paper_risk'].mean():.4f}; all answered: error "
            f"{get['risk_of_all'].mean():.4f}",
            "reported",
            None,
        )
        more, theirs = get["coverage_at_paper_risk"].mean(), get["paper_coverage"].mean()
        yield Promise(
            f"{where}: coverage at the error of the paper's rule, ranked by the margin",
            f"{more:.3f} against {theirs:.3f}",
            "greater",
            bool(more > theirs),
        )


# ---------------------------------------------------------------- intervals


def run_intervals(missing: str, seed: int) -> dict[str, Any]:
    """Predict missing entries of planted data with noise, with intervals that shall hold nine of ten."""
    data = datasets.gaussian(100, 3, seed, noise=0.2)
    whole = data.network
    rng = np.random.default_rng([seed, 7])
    if missing == "by row and column":
        row, col = rng.normal(0, 1, whole.shape[0]), rng.normal(0, 1, whole.shape[1])
        chance = 1 / (1 + np.exp(-(row[whole.rows] + col[whole.cols])))
    else:
        chance = np.full(whole.n_listed, 0.5)
    seen = rng.random(whole.n_listed) < chance
    split = holdout(whole.subset(np.flatnonzero(seen)), 0.2, seed)
    model = WNMFk((3,), solver=WNMF(precision="float32", max_iter=100, tol=1e-4), random_state=seed)
    held = model.fit(split.train).calibrate(split.test)
    asked, truth = _pairs(whole)[~seen], whole.values[~seen]
    found = held.intervals(asked, propensity=RowColumn() if missing == "by row and column" else None)
    inside = (found["low"] <= truth) & (truth <= found["high"])
    bounded = np.isfinite(found["high"])
    return {
        "coverage": f"{inside.mean():.5f}",
        "unbounded": f"{1 - bounded.mean():.5f}",
        "width": f"{np.median((found['high'] - found['low'])[bounded]):.4f}",
        "spread_of_values": f"{truth.std():.4f}",
    }


def promise_intervals(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Expect nine of ten missing entries inside, on average over the runs."""
    for missing in dict.fromkeys(line["missing"] for line in lines):
        part = [line for line in lines if line["missing"] == missing]
        covered = np.array([float(line["coverage"]) for line in part])
        width, sd = (np.mean([float(line[name]) for line in part]) for name in ("width", "spread_of_values"))
        unbounded = np.mean([float(line["unbounded"]) for line in part])
        error = covered.std(ddof=1) / np.sqrt(len(part))
        uniform = missing == "uniform"
        kept = 0.885 <= covered.mean() <= 0.915 if uniform else covered.mean() >= 0.88
        yield Promise(
            f"missing {missing}: share of missing entries inside 90 % intervals",
            f"{covered.mean():.4f} +- {error:.4f} over {len(part)} runs ({covered.min():.3f} to "
            f"{covered.max():.3f}); median width {width:.2f}, values vary by {sd:.2f}, unbounded "
            f"{unbounded:.2%}",
            "0.885 to 0.915" if uniform else "at least 0.88",
            bool(kept),
        )


# ---------------------------------------------------------------- discoveries


def run_discoveries(known: float, seed: int) -> dict[str, Any]:
    """Look for links among held-out cells, with a false discovery rate of 0.1."""
    split = _boolean(known, seed)
    model = BNMFk((4,), random_state=seed).fit(split.train)
    found = model.calibrate(split.calibration).discover(_pairs(split.test), fdr=0.1)
    links, selected = split.test.values == 1, found["selected"]
    return {
        "selected": int(selected.sum()),
        "false": f"{(selected & ~links).sum() / max(1, selected.sum()):.5f}",
        "power": f"{(selected & links).sum() / links.sum():.5f}",
    }


def promise_discoveries(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Expect at most a tenth of non-links among the selected, on average."""
    for known in dict.fromkeys(line["known"] for line in lines):
        part = [line for line in lines if line["known"] == known]
        false, power = (np.array([float(line[name]) for line in part]) for name in ("false", "power"))
        error = false.std(ddof=1) / np.sqrt(len(part))
        yield Promise(
            f"planted Boolean data, {known} known: share of false discoveries",
            f"{false.mean():.4f} +- {error:.4f} over {len(part)} runs; power {power.mean():.3f}",
            "at most 0.1, plus its standard error",
            bool(false.mean() <= 0.1 + error),
        )


# ---------------------------------------------------------------- spread and error


def run_spread(noise: float, hidden: float, seed: int) -> dict[str, Any]:
    """Compare the spread of the members with the error, entry by entry."""
    data = datasets.gaussian(100, 2 + seed % 5, seed, noise=noise)
    split = holdout(data.network, hidden, seed)
    model = WNMFk((2 + seed % 5,), random_state=seed).fit(split.train)
    found = model.assess(_pairs(split.test))
    errors = np.abs(found.score - split.test.values)
    return {
        "correlation": f"{correlation(found.spread, errors):.4f}",
        "rmse": f"{rmse(split.test.values, found.score):.5f}",
        "rmse_answered": f"{rmse(split.test.values[found.answered], found.score[found.answered]):.5f}",
        "coverage": f"{found.coverage:.4f}",
    }


def promise_spread(lines: list[dict[str, str]]) -> Iterator[Promise]:
    """Report them as they are."""
    for noise, hidden in dict.fromkeys((line["noise"], line["hidden"]) for line in lines):
        part = [line for line in lines if (line["noise"], line["hidden"]) == (noise, hidden)]
        get = {name: np.array([float(line[name]) for line in part]) for name in part[0] if name != "code"}
        yield Promise(
            f"gaussian, noise {noise}, {hidden} hidden: correlation of spread and error",
            "median {:.3f} (quartiles {:.3f} to {:.3f})".format(
                *np.quantile(get["correlation"], (0.5, 0.25, 0.75))
            )
            + f"; RMSE {np.median(get['rmse']):.4f}, among the {np.median(get['coverage']):.2f} answered "
            f"{np.median(get['rmse_answered']):.4f} (medians)",
            "reported",
            None,
        )


risk = Study(
    "risk",
    [{"known": known, "seed": seed} for known in (0.2, 0.15) for seed in SEEDS],
    run_risk,
    promise_risk,
)
intervals = Study(
    "intervals",
    [{"missing": how, "seed": seed} for how in ("uniform", "by row and column") for seed in SEEDS],
    run_intervals,
    promise_intervals,
)
discoveries = Study(
    "discoveries",
    [{"known": known, "seed": seed} for known in (0.2, 0.15) for seed in SEEDS],
    run_discoveries,
    promise_discoveries,
)
spread = Study(
    "spread",
    [
        {"noise": noise, "hidden": hidden, "seed": seed}
        for noise, hidden in ((0.0, 0.1), (0.0, 0.5), (0.2, 0.1), (0.2, 0.5))
        for seed in range(50)
    ],
    run_spread,
    promise_spread,
)
