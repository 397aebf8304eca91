"""Means of metrics over repeats and paired differences, with confidence intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t

from latentlink.errors import InputError
from latentlink.metrics.inputs import series_input
from latentlink.validation.columns import Floats
from latentlink.validation.numbers import checked_share
from latentlink.validation.wording import counted

__all__ = ["Difference", "Interval", "mean_interval", "over_repeats", "paired_difference"]


@dataclass(frozen=True)
class Interval:
    """A mean over repeats with its confidence interval.

    Attributes
    ----------
    mean, low, high : float
    std : float
        Standard deviation over repeats.
    n : int
        Number of repeats.
    level : float
        Confidence level.
    """

    mean: float
    low: float
    high: float
    std: float
    n: int
    level: float

    def __str__(self) -> str:
        return f"{self.mean:.4g} [{self.low:.4g}, {self.high:.4g}]"


@dataclass(frozen=True)
class Difference(Interval):
    """A mean difference of two methods over the same repeats, with its confidence interval.

    Attributes
    ----------
    p_value : float
        Two-sided, of the hypothesis of no difference.
    """

    p_value: float


def mean_interval(values: ArrayLike, level: float = 0.95, test_share: float | None = None) -> Interval:
    """Return the mean over repeats with its confidence interval by the t distribution.

        mean  +-  t(level, n - 1) * std * sqrt(1 / n + test_share / (1 - test_share))

    The last term is there only if ``test_share`` is given.

    Parameters
    ----------
    values : array, shape (repeats,)
    level : float
        Confidence level.
    test_share : float, optional
        Share held out in each repeat, if all repeats split the same data. Their training parts overlap, so
        that they differ less than new data would, and the plain interval is far too short; this is the
        correction of Nadeau and Bengio (2003), an approximation. None if every repeat has its own data.

    Examples
    --------
    >>> print(mean_interval([0.91, 0.93, 0.92, 0.94]))
    0.925 [0.9045, 0.9455]
    >>> print(mean_interval([0.91, 0.93, 0.92, 0.94], test_share=0.2))
    0.925 [0.8959, 0.9541]
    """
    return _interval(_repeats(values, "value"), level, test_share)


def paired_difference(
    ours: ArrayLike, theirs: ArrayLike, level: float = 0.95, test_share: float | None = None
) -> Difference:
    """Return the mean of ours minus theirs over the same repeats, with its confidence interval and p-value.

    Pairing removes the variation between repeats that both methods share, so that small differences show.

    Parameters
    ----------
    ours, theirs : arrays, shape (repeats,)
        The same repeats in the same order.
    level, test_share
        As for `mean_interval`.

    Examples
    --------
    >>> difference = paired_difference([0.91, 0.93, 0.92], [0.90, 0.91, 0.90])
    >>> round(difference.mean, 4), round(difference.p_value, 3)
    (0.0167, 0.038)
    """
    first = _repeats(ours, "value")
    differences = first - _repeats(theirs, "other value", first)
    n = len(differences)
    mean, low, high, std = _bounds(differences, level, test_share)
    # The half width is t(level) standard errors.
    error = (high - mean) / float(t.ppf((1 + level) / 2, n - 1))
    p_value = 2 * float(t.sf(abs(mean) / error, n - 1)) if error else float(mean == 0)
    return Difference(mean, low, high, std, n, float(level), p_value)


def over_repeats(
    repeats: Sequence[Mapping[str, float]], level: float = 0.95, test_share: float | None = None
) -> dict[str, Interval]:
    """Return the mean and confidence interval of every metric, given one dict of metrics for each repeat.

    Parameters
    ----------
    repeats : sequence of dict
        All with the same names, as `link_metrics` returns them. A metric that is NaN in one repeat (such as
        the error of the pairs answered where none is) has a NaN mean, since a mean over the other repeats
        would describe these alone.
    level, test_share
        As for `mean_interval`.

    Examples
    --------
    >>> print(over_repeats([{"roc_auc": 0.91}, {"roc_auc": 0.93}, {"roc_auc": 0.92}])["roc_auc"])
    0.92 [0.8952, 0.9448]
    """
    if not repeats:
        raise InputError("There are no repeats; expected at least 2 dicts of metrics.")
    for index, metrics in enumerate(repeats):
        if metrics.keys() != repeats[0].keys():
            raise InputError(
                f"Repeat {index} has the metrics {', '.join(metrics)}, but repeat 0 has "
                f"{', '.join(repeats[0])}; expected the same names in all repeats."
            )
    columns = {
        name: series_input([metrics[name] for metrics in repeats], name, "repeat") for name in repeats[0]
    }
    return {name: _interval(values, level, test_share) for name, values in columns.items()}


def _interval(values: Floats, level: float, test_share: float | None) -> Interval:
    return Interval(*_bounds(values, level, test_share), len(values), float(level))


def _repeats(values: ArrayLike, what: str, like: Floats | None = None) -> Floats:
    """Return one number for each repeat; raise InputError for NaN."""
    numbers = series_input(values, what, "repeat", like)
    missing = np.isnan(numbers)
    if missing.any():
        raise InputError(
            f"The {what} of repeat {int(np.argmax(missing))} is nan; expected a number. Leave that repeat "
            "out, and report that it is left out."
        )
    return numbers


def _bounds(values: Floats, level: float, test_share: float | None) -> tuple[float, float, float, float]:
    """Return mean, low, high and standard deviation."""
    n = len(values)
    if n < 2:
        raise InputError(
            f"Found {counted(n, 'repeat')}; expected at least 2, since a single one has no standard "
            "deviation. Repeat the experiment with another seed."
        )
    for name, share in (("level", level), ("test_share", test_share)):
        if share is not None:
            checked_share(share, name)
    mean, std = float(values.mean()), float(values.std(ddof=1))
    overlap = 0.0 if test_share is None else test_share / (1 - test_share)
    half_width = float(t.ppf((1 + level) / 2, n - 1)) * std * float(np.sqrt(1 / n + overlap))
    return mean, mean - half_width, mean + half_width, std
