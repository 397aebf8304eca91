"""Confidence intervals over repeats: against SciPy, and their coverage."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from latentlink.errors import InputError
from latentlink.metrics import mean_interval, over_repeats, paired_difference

VALUES, OTHERS = np.array([0.91, 0.93, 0.90, 0.95, 0.92]), np.array([0.90, 0.93, 0.88, 0.93, 0.92])


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_the_t_interval(level):
    interval = mean_interval(VALUES, level)
    low, high = stats.t.interval(level, 4, VALUES.mean(), stats.sem(VALUES))
    assert (interval.mean, interval.low, interval.high) == pytest.approx((VALUES.mean(), low, high))
    assert (interval.n, interval.level, interval.std) == (5, level, pytest.approx(VALUES.std(ddof=1)))


def test_repeats_that_share_data_have_wider_intervals():
    plain, shared = mean_interval(VALUES), mean_interval(VALUES, test_share=0.2)
    factor = np.sqrt((1 / 5 + 0.25) / (1 / 5))
    assert shared.high - shared.mean == pytest.approx(factor * (plain.high - plain.mean))


def test_paired_differences():
    difference = paired_difference(VALUES, OTHERS)
    expected = stats.ttest_rel(VALUES, OTHERS)
    interval = expected.confidence_interval(0.95)
    assert difference.p_value == pytest.approx(expected.pvalue)
    assert (difference.low, difference.high) == pytest.approx((interval.low, interval.high))
    wider = paired_difference(VALUES, OTHERS, test_share=0.2)
    assert wider.p_value > difference.p_value


def test_a_constant_difference():
    same = paired_difference([1, 2, 3], [1, 2, 3])
    assert (same.mean, same.p_value) == (0, 1)
    assert paired_difference([2, 3, 4], [1, 2, 3]).p_value == 0


def test_intervals_of_all_metrics():
    intervals = over_repeats([{"a": 1.0, "b": 2.0}, {"a": 2.0, "b": 2.0}], 0.9)
    assert intervals["a"] == mean_interval([1.0, 2.0], 0.9)
    assert str(intervals["b"]) == "2 [2, 2]"


def test_a_metric_that_is_nan_in_one_repeat_has_a_nan_mean():
    intervals = over_repeats([{"a": 1.0, "b": np.nan}, {"a": 2.0, "b": 2.0}])
    assert intervals["a"].mean == 1.5
    missing = intervals["b"]
    assert np.isnan([missing.mean, missing.low, missing.high, missing.std]).all()
    assert missing.n == 2


def test_swapping_the_methods_changes_the_sign():
    one, other = paired_difference(VALUES, OTHERS), paired_difference(OTHERS, VALUES)
    assert (one.mean, one.low, one.high) == pytest.approx((-other.mean, -other.high, -other.low))
    assert one.p_value == pytest.approx(other.p_value)


def test_the_coverage_is_the_level():
    rng = np.random.default_rng(0)
    covered = [
        interval.low <= 0 <= interval.high
        for interval in (mean_interval(rng.normal(size=6), 0.9) for _ in range(400))
    ]
    assert 0.86 < np.mean(covered) < 0.94  # a normal interval would cover 0.84


def test_invalid_input_raises():
    with pytest.raises(InputError, match="Found 1 repeat; expected at least 2"):
        mean_interval([1.0])
    with pytest.raises(InputError, match="Found 0 repeats"):
        paired_difference([], [])
    with pytest.raises(InputError, match="Found 1 repeat"):
        over_repeats([{"a": 1.0}])
    with pytest.raises(InputError, match="level is 95"):
        mean_interval(VALUES, 95)
    with pytest.raises(InputError, match="test_share is 1"):
        mean_interval(VALUES, test_share=1)
    with pytest.raises(
        InputError, match=r"value of repeat 1 is nan; expected a number\. Leave that repeat out"
    ):
        mean_interval([1.0, np.nan])
    with pytest.raises(InputError, match="There are no repeats"):
        over_repeats([])
    with pytest.raises(InputError, match="Repeat 1 has the metrics b, but repeat 0 has a"):
        over_repeats([{"a": 1.0}, {"b": 1.0}])
    with pytest.raises(InputError, match=r"other values have shape \(1,\)"):
        paired_difference([1, 2], [1])
    with pytest.raises(InputError, match="other value of repeat 0 is nan"):
        paired_difference([1, 2], [np.nan, 1])
    with pytest.raises(InputError, match="value of repeat 0 is inf"):
        mean_interval([np.inf, 1])
