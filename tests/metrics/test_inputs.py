"""Inputs of metrics: at least one entry in each, a positive weight of both classes, NaN in series only."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.metrics.inputs import (
    amount_input,
    label_input,
    mark_input,
    number_input,
    probability_input,
    series_input,
    weight_input,
)


def test_valid_inputs_are_returned_as_arrays():
    assert number_input(["1", "2.5"], "score").tolist() == [1.0, 2.5]
    assert amount_input([0, 2], "error").tolist() == [0.0, 2.0]
    assert label_input([True, False]).tolist() == [1.0, 0.0]
    assert mark_input([0, 1], "mark", np.zeros(2)).tolist() == [False, True]
    assert probability_input([0, 0.25], np.zeros(2)).tolist() == [0.0, 0.25]
    assert weight_input(None, np.array([0.0, 1.0])) is None
    assert weight_input([2, 3], np.array([0.0, 1.0])).tolist() == [2.0, 3.0]


def test_series_keep_nan():
    np.testing.assert_array_equal(series_input([1, np.nan], "SMR", "experiment"), [1, np.nan])
    assert series_input([1, 2], "SMR", "experiment").tolist() == [1.0, 2.0]
    unmasked = np.ma.masked_array([0.5, 0.25], False)
    assert series_input(unmasked, "SMR", "experiment").tolist() == [0.5, 0.25]
    assert len(series_input([], "SMR", "experiment")) == 0


def test_the_input_is_never_changed():
    given = np.array([1.0, np.nan])
    series_input(given, "SMR", "experiment")[0] = 9
    np.testing.assert_array_equal(given, [1.0, np.nan])


def test_empty_inputs_raise():
    for read, what in [
        (lambda: number_input([], "score"), "scores"),
        (lambda: amount_input([], "error"), "errors"),
        (lambda: mark_input([], "mark"), "marks"),
        (lambda: label_input([]), "labels"),
        (lambda: probability_input([], np.zeros(0)), "probability values"),
    ]:
        with pytest.raises(InputError, match=f"There are no {what}; expected at least one"):
            read()


def test_masked_inputs_raise():
    masked = np.ma.masked_array([0.0, 9.0, 1.0], [False, True, False])
    for read in (lambda: number_input(masked, "score"), lambda: label_input(masked, "score")):
        with pytest.raises(InputError, match=r"score of pair 1 is masked; expected a finite number\. Leave"):
            read()
    with pytest.raises(InputError, match="SMR of experiment 1 is masked"):
        series_input(masked, "SMR", "experiment")


def test_other_values_raise():
    with pytest.raises(InputError, match=r"label of pair 2 is 0\.5; expected 0 or 1"):
        label_input([0, 1, 0.5])
    with pytest.raises(InputError, match="r of experiment 1 is 'x'"):
        series_input([0.5, "x"], "r", "experiment")
    with pytest.raises(InputError, match=r"probability of pair 0 is 2; .* Calibrate scores .* Platt"):
        probability_input([2.0], np.zeros(1))


def test_both_classes_need_a_positive_weight():
    labels = np.array([0.0, 1.0])
    with pytest.raises(InputError, match=r"All 2 labels are 1; expected links \(1\) and non-links \(0\)"):
        weight_input(None, np.ones(2))
    with pytest.raises(InputError, match="All 2 labels are 0"):
        weight_input([1, 1], np.zeros(2))
    with pytest.raises(InputError, match="Every link has weight 0; expected a positive weight"):
        weight_input([1, 0], labels)
    with pytest.raises(InputError, match="Every non-link has weight 0"):
        weight_input([0, 1], labels)
    with pytest.raises(InputError, match="weight of pair 0 is -1"):
        weight_input([-1, 1], labels)
