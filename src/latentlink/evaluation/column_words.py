"""What the columns of a table of metrics mean, in a line each."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["BOUNDED_BY_ONE", "explained_columns"]

BOUNDED_BY_ONE = ("auc", "precision", "recall", "mrr")
"""Parts of the names of metrics between 0 and 1."""

_MEANINGS = {
    "ROC AUC": "the chance that a link is ranked above a non-link; 0.5 is guessing, 1 perfect",
    "AP": "average precision, the mean share of links down to each link of the ranking",
    "PR AUC": "area under the curve of precision over recall",
    "MRR": "mean of 1 / (rank of the first link) of each list",
    "precision@": "share of links (of relevant values) among the best so many, or in the best of each list",
    "recall@": "share of all links (of relevant values) that are among them",
    "vertex precision@": "the mean precision of the lists of single nodes",
    "RMSE": "root of the mean squared error, in the unit of the values; smaller is better",
    "MAE": "mean absolute error, in the unit of the values; smaller is better",
    "UQ-": "the same where pairs of small spread count more",
    "unscored": "pairs without a score, ranked last",
}


def explained_columns(head: Sequence[str]) -> list[str]:
    """Return a line for each kind of column in a head, in its order.

    Examples
    --------
    >>> print(*explained_columns(["method", "MAE", "recall@5", "recall@9"]), sep=chr(10))
    MAE: mean absolute error, in the unit of the values; smaller is better.
    recall@: share of all links (of relevant values) that are among them.
    """
    names = [
        next((key for key in _MEANINGS if name == key or (key[-1] in "@-" and name.startswith(key))), "")
        for name in head
    ]
    return [f"{name}: {_MEANINGS[name]}." for name in dict.fromkeys(names) if name]
