"""A prediction: its parts, its frame, what it says of itself."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.uncertainty import Prediction, judged


@pytest.fixture
def found():
    return judged(["ann", "bob"], ["tea", "milk"], [0.9, 0.4], [0.1, 0.3], 0.2)


def test_names_stay_in_the_frame(found):
    frame = found.to_frame("pandas")
    assert frame["row"].tolist() == ["ann", "bob"]
    assert frame["column"].tolist() == ["tea", "milk"]
    assert frame["abstained"].tolist() == [False, True]
    assert list(found.to_dict()) == list(frame.columns)


def test_it_says_what_it_holds(found):
    assert repr(found) == "Prediction: 2 pairs, 1 answered (spread up to 0.2)"
    assert repr(judged([0], [0], [1.0], [0.0], 0.2)).startswith("Prediction: 1 pair, 1 answered")
    assert len(found) == 2
    assert found.answered.tolist() == [True, False]
    assert (found.coverage, found.f_abstain) == (0.5, 0.5)


def test_no_pairs_are_a_prediction_too():
    nothing = judged([], [], [], [], 0.2)
    assert len(nothing) == 0
    assert np.isnan(nothing.f_abstain)
    assert np.isnan(nothing.coverage)


def test_parts_that_do_not_fit_together():
    with pytest.raises(InputError, match=r"parts of a prediction do not fit together: rows \(2,\)"):
        judged([0, 1], [0], [0.1], [0.1], 0.1)
    one = np.zeros((1, 1))
    with pytest.raises(InputError, match="expected one number for each pair"):
        Prediction(one, one, one, one, one > 0, 0.1)
