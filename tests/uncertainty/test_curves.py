"""Calibration curves: their formulas, monotonicity and range."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit, logit

from latentlink.errors import InputError
from latentlink.uncertainty import BetaCurve, SigmoidCurve, StepCurve

INSIDE = np.linspace(0.01, 0.99, 50)
CURVES = [
    SigmoidCurve(3.0, -1.0),
    SigmoidCurve(0.5, 0.2, on_logit=True),
    BetaCurve(0.5, 2.0, -0.3),
    StepCurve(np.array([0.2, 0.4, 0.9]), np.array([0.1, 0.1, 1.0])),
]


def test_formulas():
    np.testing.assert_allclose(SigmoidCurve(3.0, -1.0)(INSIDE), expit(3 * INSIDE - 1))
    np.testing.assert_allclose(SigmoidCurve(0.5, 0.2, True)(INSIDE), expit(0.5 * logit(INSIDE) + 0.2))
    by_hand = expit(0.5 * np.log(INSIDE) - 2 * np.log(1 - INSIDE) - 0.3)
    np.testing.assert_allclose(BetaCurve(0.5, 2.0, -0.3)(INSIDE), by_hand)


def test_two_curves_leave_probabilities_unchanged():
    np.testing.assert_allclose(SigmoidCurve(1.0, 0.0, True)(INSIDE), INSIDE)
    np.testing.assert_allclose(BetaCurve(1.0, 1.0, 0.0)(INSIDE), INSIDE)


def test_a_beta_curve_with_equal_coefficients_is_a_sigmoid_of_the_logit():
    np.testing.assert_allclose(BetaCurve(0.7, 0.7, 0.1)(INSIDE), SigmoidCurve(0.7, 0.1, True)(INSIDE))


def test_a_step_curve_is_interpolated_and_constant_beyond():
    assert CURVES[-1]([-9, 0.2, 0.3, 0.65, 0.9, 9]).tolist() == pytest.approx([0.1, 0.1, 0.1, 0.55, 1, 1])


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: type(curve).__name__)
class TestEveryCurve:
    @settings(max_examples=30)
    @given(scores=st.lists(st.floats(0, 1), max_size=10))
    def test_it_is_non_decreasing_from_0_to_1(self, curve, scores):
        probabilities = curve(np.sort(np.array(scores, float)))
        assert len(probabilities) == len(scores)
        assert (np.diff(probabilities) >= 0).all()
        assert ((probabilities >= 0) & (probabilities <= 1)).all()

    def test_nan_raises(self, curve):
        with pytest.raises(InputError, match="score of pair 1 is nan"):
            curve([0.5, np.nan])


@pytest.mark.parametrize("curve", CURVES[1:3], ids=lambda curve: type(curve).__name__)
def test_scores_outside_0_to_1_raise_and_name_other_calibrations(curve):
    with pytest.raises(InputError, match=r"score of pair 1 is 1.5; .* by Platt\(\) or Isotonic\(\)"):
        curve([0.5, 1.5])
    assert np.isfinite(curve([0.0, 1.0])).all()


def test_scores_of_0_and_1_are_a_millionth_away_from_them():
    for curve in (SigmoidCurve(1.0, 0.0, True), BetaCurve(1.0, 1.0, 0.0)):
        np.testing.assert_allclose(curve([0.0, 1.0, 1e-9, 1.1e-6]), [1e-6, 1 - 1e-6, 1e-6, 1.1e-6], rtol=1e-9)
