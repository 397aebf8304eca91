"""What is refused before anything is computed, and in which words."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.validation.columns import amount_column, number_column
from latentlink.metrics.arrays import labels_of, marks_of, series_of, weights_of


def test_what_is_accepted():
    assert labels_of([True, False]).tolist() == [1.0, 0.0]
    assert marks_of([0, 1], "mark", np.zeros(2)).tolist() == [False, True]
    assert number_column(["1", "2.5"], "score").tolist() == [1.0, 2.5]
    assert weights_of(None, np.array([0.0, 1.0])) is None
    np.testing.assert_array_equal(series_of([1, np.nan], "SMR", "experiment"), [1, np.nan])
    assert series_of([1, 2], "SMR", "experiment").tolist() == [1.0, 2.0]


def test_the_input_is_never_changed():
    given = np.array([1.0, 2.0])
    number_column(given, "score")[0] = 9
    assert given[0] == 1


def test_what_is_masked_is_no_number():
    masked = np.ma.masked_array([0.0, 9.0, 1.0], [False, True, False])
    for read in (lambda: number_column(masked, "score"), lambda: labels_of(masked, "score")):
        with pytest.raises(InputError, match=r"score of pair 1 is masked; expected a finite number\. Leave"):
            read()
    with pytest.raises(InputError, match="SMR of experiment 1 is masked"):
        series_of(masked, "SMR", "experiment")
    unmasked = np.ma.masked_array([0.5, 0.25], False)
    assert number_column(unmasked, "score").tolist() == [0.5, 0.25]
    assert series_of(unmasked, "SMR", "experiment").tolist() == [0.5, 0.25]


def test_refusals():
    with pytest.raises(InputError, match="amount of pair 1 is -2; expected 0 or more"):
        amount_column([1, -2], "amount")
    with pytest.raises(InputError, match=r"scores have shape \(1, 2\)"):
        number_column([[1, 2]], "score")
    with pytest.raises(InputError, match="score of pair 0 is 'high'; expected a finite number"):
        number_column(["high"], "score")
    with pytest.raises(InputError, match=r"label of pair 2 is 0\.5; expected 0 or 1"):
        labels_of([0, 1, 0.5])
    with pytest.raises(InputError, match="r of experiment 1 is 'x'"):
        series_of([0.5, "x"], "r", "experiment")
