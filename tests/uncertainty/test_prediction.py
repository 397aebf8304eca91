"""A prediction: its columns, its data frame, its repr."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.uncertainty import Prediction, abstain_above


@pytest.fixture
def prediction():
    return abstain_above(["ann", "bob"], ["tea", "milk"], [0.9, 0.4], [0.1, 0.3], 0.2)


def test_names_stay_in_the_frame(prediction):
    frame = prediction.to_frame("pandas")
    assert frame["row"].tolist() == ["ann", "bob"]
    assert frame["column"].tolist() == ["tea", "milk"]
    assert frame["abstained"].tolist() == [False, True]
    assert list(prediction.to_dict()) == list(frame.columns)


def test_counts_and_repr(prediction):
    assert repr(prediction) == "Prediction: 2 pairs, 1 answered (spread up to 0.2)"
    assert repr(abstain_above([0], [0], [1.0], [0.0], 0.2)).startswith("Prediction: 1 pair, 1 answered")
    assert len(prediction) == 2
    assert prediction.answered.tolist() == [True, False]
    assert (prediction.coverage, prediction.f_abstain) == (0.5, 0.5)


def test_no_pairs_are_a_prediction_too():
    empty = abstain_above([], [], [], [], 0.2)
    assert len(empty) == 0
    assert np.isnan(empty.f_abstain)
    assert np.isnan(empty.coverage)


def test_arrays_of_different_shapes_raise():
    with pytest.raises(InputError, match=r"arrays of a prediction have the shapes rows \(2,\), cols \(1,\)"):
        abstain_above([0, 1], [0], [0.1], [0.1], 0.1)
    table = np.zeros((1, 1))
    with pytest.raises(InputError, match=r"rows \(1, 1\), .*; expected one shape for all, \(pairs,\)"):
        Prediction(table, table, table, table, table > 0, 0.1)


@pytest.mark.parametrize("column", range(5))
def test_every_array_must_have_the_shape_of_the_others(column):
    columns = [np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3, bool)]
    assert len(Prediction(*columns, 0.1)) == 3
    columns[column] = columns[column][:2]
    with pytest.raises(InputError, match="expected one shape for all"):
        Prediction(*columns, 0.1)
