"""Members that share their listed pairs."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import Ensemble, Network

NETWORK = Network([0, 1, 1], [0, 0, 1], [1.0, 2.0, 3.0], shape=(2, 2))


def test_members_of_a_network_share_its_memory():
    ensemble = Ensemble.of(NETWORK, 5)
    assert ensemble.n_members == 5
    assert ensemble.is_uniform
    assert np.shares_memory(ensemble.values, NETWORK.values)


@pytest.mark.parametrize("members", [0, -1, 1.5, True, "2"])
def test_numbers_of_members_that_are_none(members):
    with pytest.raises(InputError, match="number of members is"):
        Ensemble.of(NETWORK, members)


@pytest.mark.parametrize(
    ("values", "weights", "message"),
    [
        (np.ones(3), np.ones(3), r"values of the ensemble have shape \(3,\)"),
        (np.ones((2, 4)), np.ones(3), r"values of the ensemble have shape \(2, 4\)"),
        (np.ones((3, 0)), np.ones(3), r"values of the ensemble have shape \(3, 0\)"),
        (np.ones((3, 2)), np.ones(2), r"weights of the ensemble have shape \(2,\)"),
        (np.ones((3, 2)), np.ones((3, 3)), r"weights of the ensemble have shape \(3, 3\)"),
        ([[1.0], [2.0], [3.0]], np.ones(3), "values of the ensemble are of type list"),
        (np.ones((3, 1)), np.array(["a", "b", "c"]), "weights of the ensemble are of type ndarray"),
    ],
)
def test_shapes_that_do_not_fit(values, weights, message):
    with pytest.raises(InputError, match=message):
        Ensemble(NETWORK, values, weights)


@pytest.mark.parametrize("own", [False, True])
def test_more_pairs_are_listed_as_zeros_of_a_weight(own):
    values = np.array([[1.0, 10.0], [2.0, np.nan], [3.0, 30.0]])
    weights = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]) if own else NETWORK.weights
    wider = Ensemble(NETWORK, values, weights).with_listed(
        np.array([0]), np.array([1]), np.array([0.5]), background=0.25
    )
    assert wider.network.background == 0.25
    assert list(zip(wider.network.rows, wider.network.cols, strict=True)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    np.testing.assert_array_equal(wider.values[[0, 2, 3]], values)
    np.testing.assert_array_equal(wider.values[1], 0.0)
    np.testing.assert_array_equal(wider.weights[1], 0.5)
    np.testing.assert_array_equal(wider.weights[[0, 2, 3]], weights)
