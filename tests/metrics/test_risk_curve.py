"""Risk-coverage curves, against plain loops."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.metrics import aurc, excess_aurc, risk_coverage

PAIRS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=30)


def mean_of_running_means(errors, confidence):
    """The mean over k of the mean error of the k most confident."""
    order = np.argsort(-np.asarray(confidence, float), kind="stable")
    return np.mean(np.cumsum(np.asarray(errors, float)[order]) / np.arange(1, len(errors) + 1))


def test_without_ties_it_is_the_mean_of_running_means():
    rng = np.random.default_rng(0)
    errors, confidence = rng.random(100), rng.random(100)
    assert aurc(errors, confidence) == pytest.approx(mean_of_running_means(errors, confidence))


def test_ties_are_the_mean_over_all_orders():
    errors, confidence = np.array([0, 1, 1, 0, 1]), np.array([2, 1, 1, 1, 0])
    orders = [
        mean_of_running_means(errors[list(order)], confidence[list(order)])
        for order in permutations(range(5))
    ]  # a stable sort keeps each order within ties
    assert aurc(errors, confidence) == pytest.approx(np.mean(orders))


@settings(max_examples=40)
@given(PAIRS, st.randoms())
def test_the_order_of_the_arrays_does_not_matter(pairs, random):
    shuffled = random.sample(pairs, len(pairs))
    assert aurc(*zip(*pairs, strict=True)) == pytest.approx(aurc(*zip(*shuffled, strict=True)))


@settings(max_examples=40)
@given(PAIRS)
def test_no_order_is_better_than_that_of_the_errors(pairs):
    errors, confidence = map(np.array, zip(*pairs, strict=True))
    best, worst = aurc(errors, -errors), aurc(errors, errors)
    assert best - 1e-12 <= aurc(errors, confidence) <= worst + 1e-12
    assert excess_aurc(errors, confidence) == pytest.approx(aurc(errors, confidence) - best, abs=1e-12)
    assert aurc(errors, np.zeros(len(errors))) == pytest.approx(errors.mean())


@settings(max_examples=40)
@given(PAIRS)
def test_the_curve_is_the_mean_error_above_each_threshold(pairs):
    errors, confidence = map(np.array, zip(*pairs, strict=True))
    curve = risk_coverage(errors, confidence)
    assert (np.diff(curve.threshold) < 0).all()
    for threshold, coverage, risk in zip(curve.threshold, curve.coverage, curve.risk, strict=True):
        answered = confidence >= threshold
        assert coverage == pytest.approx(answered.mean())
        assert risk == pytest.approx(errors[answered].mean())
    assert curve.coverage[-1] == 1


def test_only_the_order_of_confidences_matters():
    rng = np.random.default_rng(0)
    errors, confidence = rng.random(50), rng.normal(size=50).round(1)
    for measure in (aurc, excess_aurc):
        assert measure(errors, np.exp(confidence)) == pytest.approx(measure(errors, confidence))
        assert measure(3 * errors, confidence) == pytest.approx(3 * measure(errors, confidence))


def test_one_pair():
    assert aurc([0.5], [1.0]) == 0.5
    assert excess_aurc([0.5], [1.0]) == 0
    assert risk_coverage([0.5], [1.0]).risk.tolist() == [0.5]


@pytest.mark.parametrize("measure", [aurc, excess_aurc, risk_coverage])
def test_invalid_input_raises(measure):
    with pytest.raises(InputError, match=r"error of pair 1 is -0\.5; expected 0 or more"):
        measure([0.5, -0.5], [0.1, 0.2])
    with pytest.raises(InputError, match="There are no errors"):
        measure([], [])
    with pytest.raises(InputError, match="confidence of pair 0 is nan"):
        measure([0.5], [np.nan])
