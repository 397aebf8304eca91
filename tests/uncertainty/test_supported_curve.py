"""Probabilities within what the calibration pairs support."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.uncertainty import SigmoidCurve, SupportedCurve

STEEP = SigmoidCurve(50.0, -25.0)


@pytest.mark.parametrize("rate", [None, 0.001, 0.3])
def test_bounds_are_those_of_extreme_scores(rate):
    curve = SupportedCurve(STEEP, 30, 70, rate)
    np.testing.assert_allclose(curve([-100, 100]), curve.bounds)
    assert 0 < curve.bounds[0] < curve.bounds[1] < 1


def test_more_pairs_support_more():
    bounds = [SupportedCurve(STEEP, n, n).bounds for n in (10, 100, 1000)]
    np.testing.assert_allclose(bounds, [[1 / (n + 2), 1 - 1 / (n + 2)] for n in (10, 100, 1000)])


def test_the_shift_is_that_of_bayes():
    """Links score 1 with probability 0.8, non-links with 0.2; a tenth are links instead of half."""
    calibrated = SigmoidCurve(2 * np.log(4), -np.log(4))
    at_half, at_tenth = (SupportedCurve(calibrated, 500, 500, rate)([0.0, 1.0]) for rate in (None, 0.1))
    np.testing.assert_allclose(at_half, [0.2, 0.8])
    np.testing.assert_allclose(at_tenth, [0.02 / (0.02 + 0.72), 0.08 / (0.08 + 0.18)])


def test_limits_name_the_share_of_links():
    assert "that 30 % of the pairs are links, as among" in SupportedCurve(STEEP, 30, 70).limits
    assert "that 0.1 % of the pairs are links, as stated" in SupportedCurve(STEEP, 30, 70, 0.001).limits
