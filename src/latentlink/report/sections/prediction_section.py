"""How well the model predicts: held-out metrics beside those of baselines, and a verdict."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.evaluation import Evaluation
from latentlink.metrics import average_precision, mae, rmse, roc_auc
from latentlink.report.report_data import Section
from latentlink.report.sections.baselines_beside import baseline_scores
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.report.sections.paired_difference import clear_sign
from latentlink.tables import Table
from latentlink.validation.wording import counted

__all__ = ["METRIC_NAMES", "prediction_section"]

Array = NDArray[Any]

METRIC_NAMES = {"roc_auc": "ROC AUC", "average_precision": "Average precision", "rmse": "RMSE", "mae": "MAE"}
_KIND_NAMES = {
    "listed": "held-out pairs as listed",
    "uniform": "against non-links drawn uniformly",
    "degree": "against non-links drawn in proportion to degree",
    "hard": "against hard non-links (near the links)",
    "all": "against all unlisted pairs of some nodes",
}
_ERRORS = ("rmse", "mae")  # lower is better


def prediction_section(name: str, evaluation: Evaluation | None, held_out: HeldOutPairs | None) -> Section:
    """Return metrics and verdicts by an evaluation, or else by the held-out pairs of the calibration."""
    if evaluation is not None:
        return _by_evaluation(evaluation)
    if held_out is not None and (held_out.has_both_labels or not held_out.binary):
        return _by_held_out(name, held_out)
    return {}, {}


def _verb(verdict: str) -> str:
    """Return what joins a model and its verdict, which is a sentence where there is one repeat."""
    return " is" if verdict.startswith(("better", "not better")) else ":"


def _by_evaluation(evaluation: Evaluation) -> Section:
    metrics = ("rmse", "mae") if evaluation.kind == "values" else ("roc_auc", "average_precision")
    found = evaluation.summary
    keep = np.isin(found["metric"], metrics) & (found["pairs"] == "all")
    columns = {name: found[name][keep] for name in ("model", "negatives", "metric", "mean", "low", "high")}
    columns["baseline"] = np.isin(columns["model"], evaluation.baselines).astype(np.int64)
    verdicts = [
        {
            "better": text.startswith("better"),
            "headline": _headline(text.startswith("better"), model, evaluation.best_baseline(negatives=kind)),
            "text": f"{_KIND_NAMES.get(kind, kind).capitalize()}: {model}{_verb(text)} {text}.",
        }
        for model, kinds in evaluation.verdicts.items()
        for kind, text in kinds.items()
    ]
    repeats = counted(int(found["repeats"].max()), "repeat")
    facts = {
        "source": f"Measured on held-out pairs in {repeats} with different splits; a bar is the "
        f"{100 * evaluation.level:g} % interval of the mean.",
        "verdicts": verdicts,
        "metrics": [[metric, METRIC_NAMES[metric], metric in _ERRORS] for metric in metrics],
        "kinds": [[kind, _KIND_NAMES.get(kind, kind)] for kind in evaluation.negatives],
    }
    return {"prediction": facts}, {"metrics": Table(columns)}


def _by_held_out(name: str, held_out: HeldOutPairs) -> Section:
    calibrated = held_out.calibrated
    scores = {name: calibrated.score}
    if calibrated.network.background == 0:
        scores |= baseline_scores(held_out)
    measures: Any = (
        {"roc_auc": roc_auc, "average_precision": average_precision}
        if held_out.binary
        else {"rmse": rmse, "mae": mae}
    )
    rows = [
        (who, "listed", metric, float(measure(calibrated.values, score)), int(who != name))
        for who, score in scores.items()
        for metric, measure in measures.items()
    ]
    who, kind, metric, mean, baseline = (np.array(column) for column in zip(*rows, strict=True))
    nothing = np.full(len(mean), np.nan)
    table = Table(
        {"model": who, "negatives": kind, "metric": metric, "mean": mean, "low": nothing, "high": nothing,
         "baseline": baseline}
    )  # fmt: skip
    main = next(iter(measures))
    facts = {
        "source": _source(held_out),
        "verdicts": [_verdict(name, main, table, held_out, scores)] if len(scores) > 1 else [],
        "metrics": [[metric, METRIC_NAMES[metric], metric in _ERRORS] for metric in measures],
        "kinds": [["listed", _KIND_NAMES["listed"] if held_out.binary else "held-out entries"]],
    }
    return {"prediction": facts}, {"metrics": table}


def _source(held_out: HeldOutPairs) -> str:
    noun = ("pair",) if held_out.binary else ("entry", "entries")
    pairs = counted(len(held_out.calibrated), *noun)
    drawn = len(held_out.calibrated.drawn.nulls)
    how = (
        f"Measured on {pairs}, each predicted by a model that had not seen it (cross-fitting)."
        if held_out.by_folds
        else f"Measured on {pairs} that were kept back from the fit."
    )
    unlisted = f" {counted(drawn, 'unlisted pair')} drawn at random stand for non-links." if drawn else ""
    return (
        f"{how}{unlisted} This is one split; the command latentlink evaluate repeats it, with more baselines."
    )


def _verdict(
    name: str, metric: str, table: Table, held_out: HeldOutPairs, scores: dict[str, Array]
) -> dict[str, Any]:
    of_metric = table["metric"] == metric
    means = dict(zip(table["model"][of_metric].tolist(), table["mean"][of_metric].tolist(), strict=True))
    own = means.pop(name)
    sign = -1 if metric in _ERRORS else 1
    best = max(means, key=lambda who: sign * means[who])
    values = np.asarray(held_out.calibrated.values)
    clear = clear_sign(values, np.asarray(scores[name]), np.asarray(scores[best]), held_out.binary)
    label = METRIC_NAMES[metric]
    text = f"{name} has {label} {own:.3f}, and the best of these baselines, {best}, has {means[best]:.3f}."
    if clear == 0:
        these = "pairs" if held_out.binary else "entries"
        text += f" The 95 % interval of their difference on these {these} includes 0."
        return {"better": False, "headline": f"{name} is not clearly different from {best}", "text": text}
    return {"better": clear > 0, "headline": _headline(clear > 0, name, best), "text": text}


def _headline(better: bool, name: str, best: str) -> str:
    return f"{name} is {'better than the baselines' if better else f'not better than {best}'}"
