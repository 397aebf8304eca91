"""Metrics of scores, probabilities and uncertainty: functions on arrays with one number for each pair."""

from latentlink.metrics.calibration import (
    BrierParts,
    Reliability,
    brier_parts,
    brier_score,
    expected_calibration_error,
    log_loss,
    probability_metrics,
    reliability_curve,
)
from latentlink.metrics.ranking import average_precision, link_metrics, pr_auc, roc_auc
from latentlink.metrics.repeats import Difference, Interval, mean_interval, over_repeats, paired_difference
from latentlink.metrics.retrieval import (
    mean_reciprocal_rank,
    precision_at_k,
    recall_at_k,
    vertex_precision,
)
from latentlink.metrics.risk_curve import RiskCoverage, aurc, excess_aurc, risk_coverage
from latentlink.metrics.selective import (
    correlation,
    f_abstain,
    mae,
    nsmr,
    rmse,
    rmse_answered,
    selective_metrics,
    smr,
)

__all__ = [
    "BrierParts",
    "Difference",
    "Interval",
    "Reliability",
    "RiskCoverage",
    "aurc",
    "average_precision",
    "brier_parts",
    "brier_score",
    "correlation",
    "excess_aurc",
    "expected_calibration_error",
    "f_abstain",
    "link_metrics",
    "log_loss",
    "mae",
    "mean_interval",
    "mean_reciprocal_rank",
    "nsmr",
    "over_repeats",
    "paired_difference",
    "pr_auc",
    "precision_at_k",
    "probability_metrics",
    "recall_at_k",
    "reliability_curve",
    "risk_coverage",
    "rmse",
    "rmse_answered",
    "roc_auc",
    "selective_metrics",
    "smr",
    "vertex_precision",
]
