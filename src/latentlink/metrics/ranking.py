"""Ranking metrics: how well scores separate links from non-links."""

from __future__ import annotations

from numpy.typing import ArrayLike
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

from latentlink.metrics.inputs import label_input, number_input, weight_input
from latentlink.validation.columns import Floats

__all__ = ["average_precision", "link_metrics", "pr_auc", "roc_auc"]


def roc_auc(labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the area under the ROC curve, the probability that a link is scored above a non-link.

    ROC AUC = integral of TPR over FPR, from 0 to 1. Random scores have 0.5, perfect ones 1; ties count half.

    Parameters
    ----------
    labels : array of 0 and 1, shape (pairs,)
    scores : array, shape (pairs,)
    weights : array, shape (pairs,), optional
        Weight of each pair; those of `latentlink.uncertainty.uq_weights` make it the paper's UQ-ROC AUC.

    Examples
    --------
    >>> roc_auc([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9])
    0.75
    """
    truth, numbers, checked_weights = _checked(labels, scores, weights)
    return float(roc_auc_score(truth, numbers, sample_weight=checked_weights))


def pr_auc(labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the area under the precision-recall curve by the trapezoidal rule, as in the paper.

    PR AUC = integral of precision over recall, from 0 to 1. Random scores have the share of links. Linear
    interpolation is too optimistic where scores tie, by 0.09 as measured; `average_precision` has none.

    Parameters
    ----------
    labels, scores, weights
        As for `roc_auc`.

    Examples
    --------
    >>> round(pr_auc([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9]), 4)
    0.7917
    """
    truth, numbers, checked_weights = _checked(labels, scores, weights)
    precision, recall, _ = precision_recall_curve(truth, numbers, sample_weight=checked_weights)
    return float(auc(recall, precision))


def average_precision(labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the average precision, the mean over links of the precision at the score of each link.

    AP = sum over thresholds t of (recall_t - recall_(t-1)) * precision_t. Random scores have the share of
    links.

    Parameters
    ----------
    labels, scores, weights
        As for `roc_auc`.

    Examples
    --------
    >>> round(average_precision([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9]), 4)
    0.8333
    """
    truth, numbers, checked_weights = _checked(labels, scores, weights)
    return float(average_precision_score(truth, numbers, sample_weight=checked_weights))


def link_metrics(
    labels: ArrayLike, scores: ArrayLike, uq_weights: ArrayLike | None = None
) -> dict[str, float]:
    """Return all ranking metrics of this module by name, and also weighted if weights are given.

    Parameters
    ----------
    labels : array of 0 and 1, shape (pairs,)
    scores : array, shape (pairs,)
    uq_weights : array, shape (pairs,), optional
        As `latentlink.uncertainty.uq_weights` returns them.

    Returns
    -------
    dict
        ``roc_auc``, ``pr_auc``, ``average_precision``, ``share_of_links`` (the value of the last two for
        random scores), and with weights ``uq_roc_auc``, ``uq_pr_auc``, ``uq_average_precision``.

    Examples
    --------
    >>> link_metrics([0, 1], [0.1, 0.6])
    {'roc_auc': 1.0, 'pr_auc': 1.0, 'average_precision': 1.0, 'share_of_links': 0.5}
    """
    metrics = {"roc_auc": roc_auc, "pr_auc": pr_auc, "average_precision": average_precision}
    result = {name: metric(labels, scores) for name, metric in metrics.items()}
    result["share_of_links"] = float(label_input(labels).mean())
    if uq_weights is not None:
        result |= {f"uq_{name}": metric(labels, scores, uq_weights) for name, metric in metrics.items()}
    return result


def _checked(
    labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, Floats | None]:
    truth = label_input(labels)
    return truth, number_input(scores, "score", truth), weight_input(weights, truth)
