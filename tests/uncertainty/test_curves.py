"""Curves as records: what they say of any score."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
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


def test_two_ways_to_leave_probabilities_as_they_are():
    np.testing.assert_allclose(SigmoidCurve(1.0, 0.0, True)(INSIDE), INSIDE)
    np.testing.assert_allclose(BetaCurve(1.0, 1.0, 0.0)(INSIDE), INSIDE)


def test_equal_ends_of_a_beta_curve_are_a_sigmoid_of_the_logit():
    np.testing.assert_allclose(BetaCurve(0.7, 0.7, 0.1)(INSIDE), SigmoidCurve(0.7, 0.1, True)(INSIDE))


def test_steps_are_joined_and_flat_beyond():
    assert CURVES[-1]([-9, 0.2, 0.3, 0.65, 0.9, 9]).tolist() == pytest.approx([0.1, 0.1, 0.1, 0.55, 1, 1])


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: type(curve).__name__)
class TestEveryCurve:
    @given(scores=st.lists(st.floats(0, 1), max_size=10))
    def test_it_never_falls_and_gives_probabilities(self, curve, scores):
        found = curve(np.sort(np.array(scores, float)))
        assert len(found) == len(scores)
        assert (np.diff(found) >= 0).all()
        assert ((found >= 0) & (found <= 1)).all()

    def test_no_number_is_refused(self, curve):
        with pytest.raises(InputError, match="score of pair 1 is nan"):
            curve([0.5, np.nan])


@pytest.mark.parametrize("curve", CURVES[1:3], ids=lambda curve: type(curve).__name__)
def test_curves_of_probabilities_say_which_take_other_scores(curve):
    with pytest.raises(InputError, match=r"score of pair 1 is 1.5; .* by Platt\(\) or Isotonic\(\)"):
        curve([0.5, 1.5])
    assert np.isfinite(curve([0.0, 1.0])).all()
