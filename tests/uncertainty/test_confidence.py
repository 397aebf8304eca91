"""Confidence in a predicted label, by margin, by spread and by both."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.uncertainty import CONFIDENCES, confidence_of

SCORE, SPREAD = np.array([0.1, 0.5, 0.8]), np.array([0.05, 0.0, 0.3])


def test_formulas():
    margin = np.abs(SCORE - 0.5).round(12)
    np.testing.assert_array_equal(confidence_of(SCORE, SPREAD), margin)
    np.testing.assert_array_equal(confidence_of(SCORE, SPREAD, "spread"), -SPREAD)
    np.testing.assert_array_equal(confidence_of(SCORE, SPREAD, "both"), margin - SPREAD)
    np.testing.assert_allclose(confidence_of(SCORE, SPREAD, threshold=0.1), np.abs(SCORE - 0.1))


@pytest.mark.parametrize("by", CONFIDENCES)
def test_confidence_never_falls_with_more_agreement_or_a_larger_margin(by):
    plain = confidence_of(SCORE, SPREAD, by)
    assert (confidence_of(SCORE, SPREAD / 2, by) >= plain).all()
    assert (confidence_of(0.5 + 1.5 * (SCORE - 0.5), SPREAD, by) >= plain).all()


def test_invalid_input_raises():
    with pytest.raises(InputError, match="by is 'luck'; expected one of 'margin', 'spread', 'both'"):
        confidence_of(SCORE, SPREAD, "luck")
    with pytest.raises(InputError, match=r"by is \['margin'\]; expected one of"):
        confidence_of(SCORE, SPREAD, ["margin"])
    with pytest.raises(InputError, match="threshold is nan"):
        confidence_of(SCORE, SPREAD, threshold=np.nan)
    with pytest.raises(InputError, match=r"spreads have shape \(2,\)"):
        confidence_of(SCORE, SPREAD[:2])


@pytest.mark.parametrize("voters", [3, 5, 6, 10, 15])
def test_complementary_shares_of_votes_have_equal_confidence(voters):
    shares = np.arange(voters + 1) / voters
    confidence = confidence_of(shares, np.zeros(voters + 1))
    np.testing.assert_array_equal(confidence, confidence[::-1])


def test_margins_that_differ_by_less_than_the_twelfth_decimal_are_equal():
    one, other, third = confidence_of(np.array([0.6, 0.6 + 3e-13, 0.6 + 2e-12]), np.zeros(3))
    assert one == other < third
