"""What rules refuse before anything is computed, and in which words."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.uncertainty import ConformalIntervals, Platt, RiskControl, spread_threshold
from latentlink.validation.columns import binary_column, number_column, spread_column
from latentlink.uncertainty.rounding import least_whole, most_whole

MASKED = np.ma.masked_array(np.linspace(0, 1, 60), np.arange(60) == 7)


def test_no_numbers_are_none():
    assert len(number_column([], "score")) == 0
    assert len(spread_column([])) == 0


def test_what_is_masked_is_no_number():
    links = np.arange(60) % 2
    with pytest.raises(InputError, match="score of pair 7 is masked"):
        Platt().fit(MASKED, links)
    with pytest.raises(InputError, match="label of pair 7 is masked"):
        Platt().fit(np.linspace(0, 1, 60), np.ma.masked_array(links, MASKED.mask))
    with pytest.raises(InputError, match="confidence of pair 7 is masked"):
        RiskControl().calibrate(MASKED, links)
    with pytest.raises(InputError, match="value of pair 7 is masked"):
        ConformalIntervals().calibrate(np.zeros(60), MASKED)
    with pytest.raises(InputError, match="spread of pair 7 is masked"):
        spread_threshold(MASKED)


def test_refusals():
    with pytest.raises(InputError, match=r"mark of pair 1 is 0\.5; expected 0 or 1"):
        binary_column([1, 0.5], "mark", np.zeros(2))
    with pytest.raises(InputError, match="spread of pair 0 is -1; expected a standard deviation"):
        spread_column([-1.0, 2.0])


def test_a_rounding_error_makes_no_whole_number_more_or_less():
    assert 0.9 / (1 - 0.9) > 9
    assert least_whole(0.9 / (1 - 0.9)) == 9
    assert (1 - 0.9) * 10 < 1
    assert most_whole((1 - 0.9) * 10) == 1
    assert (least_whole(9.01), most_whole(9.99)) == (10, 9)
