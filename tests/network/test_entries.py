"""Validation of a network's shape, entries and background weight."""

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.entries import reordered

SQUARE = {"shape": (3, 3)}


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0], [0]), {"shape": (0, 1)}, "at least one row"),
        (([0], [0]), {"shape": (1, 0)}, "at least one row"),
        (([[0]], [0]), SQUARE, r"shape \(1, 1\)|dimension"),
        (([0], [0]), {"shape": (2, 3), "symmetric": True}, "2 x 3"),
        (([0], [0]), {"shape": 3}, "expected two integers"),
        (([0], [0]), {"shape": (2.5, 3)}, "expected two integers"),
        (([0, 4], [0, 0]), SQUARE, "row index of listed entry 1 is 4"),
        (([0, 1], [0, -1]), SQUARE, "column index of listed entry 1 is -1"),
        (([0.5], [0]), SQUARE, "float64"),
        (([0, 1], [0]), SQUARE, "2 row indices but 1 column"),
        (([0], [0], [np.nan]), SQUARE, "value of listed entry 0 is nan"),
        (([0], [0], [np.inf]), SQUARE, "value of listed entry 0 is inf"),
        (([0], [0], ["x"]), SQUARE, "expected real numbers"),
        (([0], [0], [1, 2]), SQUARE, r"shape \(2,\)"),
        (([0], [0], [1], [-1]), SQUARE, "weight of listed entry 0 is -1"),
    ],
)
def test_invalid_entries_and_shapes_raise(arguments, options, message):
    with pytest.raises(InputError, match=message):
        Network(*arguments, **options)


@pytest.mark.parametrize(
    ("background", "shown"),
    [
        (-1, "-1"),
        (np.nan, "nan"),
        (None, "None"),
        ([1.0], r"\[1.0\]"),
        (10**400, "a whole number of 1,329 bits"),
    ],
)
def test_an_invalid_background_weight_raises(background, shown):
    message = f"background weight is {shown}; expected 0"
    with pytest.raises(InputError, match=message):
        Network([0], [0], background=background, **SQUARE)
    with pytest.raises(InputError, match=message):
        Network([0], [0], **SQUARE).with_background(background)


def test_a_hidden_entry_needs_a_finite_value_too():
    with pytest.raises(InputError, match=r"Leave an unknown entry out of the list\.$"):
        Network([0], [0], [np.nan], [0.0], shape=(1, 1))


def test_values_and_weights_of_one_number_take_the_memory_of_one():
    network = Network(np.arange(1000), np.arange(1000), shape=(1000, 1000))
    assert network.values.strides == network.weights.strides == (0,)
    assert network.with_background(1.0).values.strides == (0,)
    assert network.subset(np.arange(10)).values.tolist() == [1.0] * 10


def test_equal_weights_stay_one_number_in_memory_in_any_order():
    order = np.array([2, 0, 1])
    for array, strides in ((np.broadcast_to(0.5, 3), (0,)), (np.array([1.0, 2.0, 3.0]), (8,))):
        for given in (None, order):
            copied = reordered(array, given)
            assert copied.strides == strides
            np.testing.assert_array_equal(copied, array if given is None else array[given])
            assert not np.shares_memory(copied, array)


def test_positions_as_many_as_entries_are_no_mask():
    network = Network([0, 1, 2], [0, 0, 0], [5.0, 6.0, 7.0], shape=(3, 1))
    assert network.hide([0, 1, 1]).weights.tolist() == [0, 0, 1]
    assert network.subset(np.array([2, 1, 0])) == network
