"""Calibration metrics, against scikit-learn and plain sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk
from sklearn.calibration import calibration_curve

from latentlink.errors import InputError
from latentlink.metrics import (
    brier_parts,
    brier_score,
    expected_calibration_error,
    log_loss,
    probability_metrics,
    reliability_curve,
)

PAIRS = st.lists(
    st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.8, 1.0])), min_size=1, max_size=40
)


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    probabilities = rng.random(1000)
    return rng.random(1000) < probabilities**2, probabilities


def test_bins_of_equal_mass(data):
    labels, probabilities = data
    curve = reliability_curve(labels, probabilities, bins=10)
    assert (curve.count == 100).all()
    observed, predicted = calibration_curve(labels, probabilities, n_bins=10, strategy="quantile")
    np.testing.assert_allclose(curve.observed, observed, atol=0.011)  # its edges are between two pairs
    np.testing.assert_allclose(curve.predicted, predicted, atol=0.002)


@settings(max_examples=40)
@given(PAIRS, st.integers(1, 60))
def test_equal_probabilities_are_in_one_bin(pairs, bins):
    labels, probabilities = map(np.array, zip(*pairs, strict=True))
    curve = reliability_curve(labels, probabilities, bins)
    assert curve.count.sum() == len(labels)
    assert len(curve.count) <= min(bins, len(np.unique(probabilities)))
    assert (np.diff(curve.predicted) > 0).all()
    if bins == 60:  # more bins than pairs: one for each probability
        np.testing.assert_allclose(curve.predicted, np.unique(probabilities))


def test_ece_by_hand(data):
    labels, probabilities = data
    order = np.argsort(probabilities)
    by_hand = [abs(probabilities[part].mean() - labels[part].mean()) for part in np.array_split(order, 10)]
    assert expected_calibration_error(labels, probabilities) == pytest.approx(np.mean(by_hand))


def test_calibrated_probabilities_have_a_small_ece():
    rng = np.random.default_rng(0)
    probabilities = rng.random(20_000)
    labels = rng.random(20_000) < probabilities
    assert expected_calibration_error(labels, probabilities) < 0.015
    assert expected_calibration_error(labels, probabilities**2) > 0.1


@settings(max_examples=40)
@given(PAIRS, st.integers(1, 20))
@pytest.mark.slow
def test_the_parts_of_the_brier_score_add_up(pairs, bins):
    labels, probabilities = map(np.array, zip(*pairs, strict=True))
    parts = brier_parts(labels, probabilities, bins)
    assert parts.score == pytest.approx(np.mean((labels - probabilities) ** 2))
    whole = parts.reliability - parts.resolution + parts.uncertainty + parts.within
    assert parts.score == pytest.approx(whole)
    assert parts.uncertainty == pytest.approx(labels.mean() * (1 - labels.mean()))


def test_within_is_the_effect_of_differences_in_a_bin(data):
    labels, probabilities = data
    parts = brier_parts(labels, probabilities, 5)
    within = 0.0
    for part in np.array_split(np.argsort(probabilities), 5):
        p, y = probabilities[part], labels[part]
        within += np.sum((p - p.mean()) ** 2 - 2 * (p - p.mean()) * (y - y.mean())) / 1000
    assert parts.within == pytest.approx(within)
    rounded = probabilities.round(1)
    assert brier_parts(labels, rounded, 1000).within == pytest.approx(0, abs=1e-12)


def test_against_scikit_learn(data):
    labels, probabilities = data
    assert brier_score(labels, probabilities) == sk.brier_score_loss(labels, probabilities)
    assert log_loss(labels, probabilities) == sk.log_loss(labels, probabilities)
    result = probability_metrics(labels, probabilities)
    assert result["brier"] == brier_score(labels, probabilities)
    assert result["log_loss"] == log_loss(labels, probabilities)
    assert result["ece"] == expected_calibration_error(labels, probabilities)
    parts = ("brier_uncertainty", "brier_within", "brier_reliability")
    assert sum(result[name] for name in parts) - result["brier_resolution"] == pytest.approx(result["brier"])


@settings(max_examples=40)
@given(PAIRS, st.integers(1, 20))
def test_bounds(pairs, bins):
    labels, probabilities = map(np.array, zip(*pairs, strict=True))
    curve = reliability_curve(labels, probabilities, bins)
    assert ((curve.observed >= 0) & (curve.observed <= 1)).all()
    ece = expected_calibration_error(labels, probabilities, bins)
    assert abs(labels.mean() - probabilities.mean()) - 1e-12 <= ece <= 1
    parts = brier_parts(labels, probabilities, bins)
    assert parts.resolution <= parts.uncertainty + 1e-12
    assert ece**2 <= parts.reliability + 1e-12  # a mean squared is at most the mean of squares


def test_one_pair():
    curve = reliability_curve([1], [0.25])
    assert (curve.predicted.tolist(), curve.observed.tolist(), curve.count.tolist()) == ([0.25], [1.0], [1])
    assert expected_calibration_error([1], [0.25]) == 0.75
    assert brier_parts([1], [0.25]).uncertainty == 0


def test_one_class_is_enough():
    assert brier_score([1, 1], [0.5, 0.5]) == 0.25
    assert log_loss([0, 0], [0.5, 0.5]) == pytest.approx(np.log(2))
    assert log_loss([1], [0.0]) == pytest.approx(36, abs=0.1)


def test_invalid_input_raises():
    with pytest.raises(
        InputError, match=r"probability of pair 1 is 1\.5; expected a number from 0 to 1\. Calibrate scores"
    ):
        brier_score([0, 1], [0.5, 1.5])
    for bins in (0, 2.0, "ten"):
        with pytest.raises(InputError, match=r"bins is .*; expected a whole number >= 1"):
            reliability_curve([0, 1], [0.5, 0.6], bins)
    with pytest.raises(InputError, match=r"probability values have shape \(3,\); expected \(2,\)"):
        log_loss([0, 1], [0.1, 0.2, 0.3])
    with pytest.raises(InputError, match="probability value of pair 1 is nan"):
        expected_calibration_error([0, 1], [0.1, np.nan])
    with pytest.raises(InputError, match="There are no labels"):
        brier_parts([], [])
