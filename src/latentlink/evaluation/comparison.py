"""Paired comparison of two models over the same splits."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import wilcoxon

from latentlink.metrics import Difference, paired_difference

__all__ = ["Comparison", "compare_paired", "is_better"]

_LOWER_IS_BETTER = ("rmse", "mae")


@dataclass(frozen=True)
class Comparison:
    """A paired comparison of two models: their difference in one metric over the same splits.

    Attributes
    ----------
    ours, theirs : str
        Names of the models.
    metric : str
    difference : Difference
        Mean of ours minus theirs, with its interval and the p-value of the corrected resampled t test
        (Nadeau and Bengio 2003): splits of the same data overlap, so that the plain t test is too optimistic.
    wilcoxon : float
        Two-sided p-value of Wilcoxon's signed-rank test, exact where there are no ties. It does not correct
        for overlap, and with 5 splits it cannot be below 0.0625.
    """

    ours: str
    theirs: str
    metric: str
    difference: Difference
    wilcoxon: float

    @property
    def better(self) -> bool:
        """Whether the interval of the difference is on the side of ours."""
        return self.difference.high < 0 if self.metric in _LOWER_IS_BETTER else self.difference.low > 0

    def __str__(self) -> str:
        return (
            f"{self.metric} of {self.ours} minus {self.theirs}: {self.difference}, "
            f"p = {self.difference.p_value:.3g} (corrected t), {self.wilcoxon:.3g} (Wilcoxon)"
        )


def compare_paired(
    names: tuple[str, str],
    values: tuple[ArrayLike, ArrayLike],
    metric: str,
    test_share: float,
    level: float = 0.95,
) -> Comparison:
    """Compare two models by their values of a metric in the same splits.

    Parameters
    ----------
    names : (str, str)
        Ours and theirs.
    values : (array, array), shape (splits,)
        The same splits in the same order.
    metric : str
        Errors ("rmse", "mae") are better if lower, all other metrics if higher.
    test_share : float
        Share of the data in the test part.
    level : float
        Confidence level of the interval.

    Examples
    --------
    >>> ours, theirs = [0.95, 0.96, 0.94, 0.95], [0.90, 0.92, 0.90, 0.91]
    >>> print(compare_paired(("a", "b"), (ours, theirs), "roc_auc", 0.2))
    roc_auc of a minus b: 0.0425 [0.03125, 0.05375], p = 0.00124 (corrected t), 0.125 (Wilcoxon)
    """
    difference = paired_difference(*values, level=level, test_share=test_share)
    gaps = np.asarray(values[0], np.float64) - np.asarray(values[1], np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # of a normal approximation where gaps tie, and of gaps that are all 0
        p_value = float(wilcoxon(gaps).pvalue) if gaps.any() else 1.0
    return Comparison(*names, metric, difference, p_value)


def is_better(one: float, other: float, metric: str) -> bool:
    """Return whether one value of a metric is better than another."""
    return one < other if metric in _LOWER_IS_BETTER else one > other
