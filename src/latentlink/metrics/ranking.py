"""How well scores tell links from non-links."""

from __future__ import annotations

from numpy.typing import ArrayLike
from sklearn.metrics import auc, average_precision_score, precision_recall_curve, roc_auc_score

from latentlink.metrics.inputs import label_input, number_input, weight_input
from latentlink.validation.columns import Floats

__all__ = ["average_precision", "link_metrics", "pr_auc", "roc_auc"]


def roc_auc(labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the chance that a link is scored above a non-link: 0.5 is guessing, 1 is perfect.

    ROC AUC = integral of TPR over FPR, from 0 to 1.

    Parameters
    ----------
    labels : array of 0 and 1, shape (pairs,)
    scores : array, shape (pairs,)
    weights : array, shape (pairs,), optional
        What each pair counts; those of `latentlink.uncertainty.uq_weights` make it the paper's UQ-ROC AUC.

    Examples
    --------
    >>> roc_auc([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9])
    0.75
    """
    truth, said, counts = _checked(labels, scores, weights)
    return float(roc_auc_score(truth, said, sample_weight=counts))


def pr_auc(labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the area under precision against recall, by trapezoids as in the paper.

    PR AUC = integral of precision over recall, from 0 to 1. Guessing has the share of links. Straight lines
    between points flatter where scores tie, by 0.09 as measured; `average_precision` draws none.

    Parameters
    ----------
    labels, scores, weights
        As for `roc_auc`.

    Examples
    --------
    >>> round(pr_auc([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9]), 4)
    0.7917
    """
    truth, said, counts = _checked(labels, scores, weights)
    precision, recall, _ = precision_recall_curve(truth, said, sample_weight=counts)
    return float(auc(recall, precision))


def average_precision(labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return the precision at each link found, averaged over links: guessing has the share of links.

    AP = sum over thresholds t of (recall_t - recall_(t-1)) * precision_t.

    Parameters
    ----------
    labels, scores, weights
        As for `roc_auc`.

    Examples
    --------
    >>> round(average_precision([0, 0, 1, 1], [0.1, 0.6, 0.5, 0.9]), 4)
    0.8333
    """
    truth, said, counts = _checked(labels, scores, weights)
    return float(average_precision_score(truth, said, sample_weight=counts))


def link_metrics(
    labels: ArrayLike, scores: ArrayLike, uq_weights: ArrayLike | None = None
) -> dict[str, float]:
    """Return all of the above by name, plain and, if weights are given, weighted by certainty.

    Parameters
    ----------
    labels : array of 0 and 1, shape (pairs,)
    scores : array, shape (pairs,)
    uq_weights : array, shape (pairs,), optional
        As `latentlink.uncertainty.uq_weights` makes them of the spread.

    Returns
    -------
    dict
        ``roc_auc``, ``pr_auc``, ``average_precision``, ``share_of_links`` (what guessing has of the last
        two), and with weights ``uq_roc_auc``, ``uq_pr_auc``, ``uq_average_precision``.

    Examples
    --------
    >>> link_metrics([0, 1], [0.1, 0.6])
    {'roc_auc': 1.0, 'pr_auc': 1.0, 'average_precision': 1.0, 'share_of_links': 0.5}
    """
    each = {"roc_auc": roc_auc, "pr_auc": pr_auc, "average_precision": average_precision}
    found = {name: metric(labels, scores) for name, metric in each.items()}
    found["share_of_links"] = float(label_input(labels).mean())
    if uq_weights is not None:
        found |= {f"uq_{name}": metric(labels, scores, uq_weights) for name, metric in each.items()}
    return found


def _checked(
    labels: ArrayLike, scores: ArrayLike, weights: ArrayLike | None
) -> tuple[Floats, Floats, Floats | None]:
    truth = label_input(labels)
    return truth, number_input(scores, "score", truth), weight_input(weights, truth)
