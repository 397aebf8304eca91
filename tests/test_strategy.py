"""Settings objects: constructors that only store, get_params and set_params, and checks of values."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from latentlink.errors import IncompatibleError
from latentlink.strategy import Strategy, strategy
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number


@strategy
class Blur(Strategy):
    width: float = 0.5
    edge: str = "wrap"


@strategy
class Sharpen(Blur):
    blur: Blur | None = None
    strength: int = 2


def test_settings_are_keyword_only_and_stored_as_given():
    odd = object()
    assert Blur(width=odd).width is odd
    with pytest.raises(TypeError):
        Blur(2.0)
    with pytest.raises(TypeError):
        Blur(height=2.0)


def test_inherited_settings():
    assert Sharpen(width=1.0, strength=3).get_params(deep=False) == {
        "width": 1.0, "edge": "wrap", "blur": None, "strength": 3,
    }  # fmt: skip


def test_searchable():
    nested = Sharpen(blur=Blur())
    nested.set_params(blur__width=3.0, strength=5)
    assert (nested.blur.width, nested.strength) == (3.0, 5)
    assert nested.get_params()["blur__width"] == 3.0
    with pytest.raises(ValueError, match="height"):
        nested.set_params(height=1)
    for params in ParameterGrid({"blur__width": [1.0, 2.0], "strength": [1]}):
        assert clone(nested).set_params(**params).blur.width == params["blur__width"]


def test_clones_share_nothing():
    nested = Sharpen(blur=Blur(width=2.0))
    copy = clone(nested)
    copy.set_params(blur__width=9.0)
    assert nested.blur.width == 2.0


def test_the_repr_shows_what_differs_from_the_default():
    assert repr(Blur()) == "Blur()"
    assert repr(Blur(width=2.0)) == "Blur(width=2.0)"


def test_they_are_compared_by_identity_and_hashable():
    one = Blur()
    assert one != Blur()
    assert len({one, one, Blur()}) == 2


@pytest.mark.parametrize("value", [0, 0.0, 3, 2.5, np.float32(1), np.int64(4), np.float64(0.1)], ids=repr)
def test_numbers(value):
    assert check_number(Blur(width=value), "width", 0) is None


@pytest.mark.parametrize(
    "value", [-1, -1e-9, math.nan, math.inf, -math.inf, "1", None, True, np.True_, [1], 1j, {}], ids=repr
)
def test_values_that_are_not_numbers_from_zero_up(value):
    with pytest.raises(IncompatibleError) as error:
        check_number(Blur(width=value), "width", 0)
    assert str(error.value) == f"Blur has width={value!r}; expected a number >= 0."


@pytest.mark.parametrize("value", [1, 7, np.int32(3)], ids=repr)
def test_whole_numbers(value):
    assert check_number(Blur(width=value), "width", 1, whole=True) is None


@pytest.mark.parametrize(
    "value", [0, 1.0, 2.5, np.float64(2), True, np.True_, "1", None, Decimal(2)], ids=repr
)
def test_values_that_are_not_whole_numbers_from_one_up(value):
    with pytest.raises(IncompatibleError, match="expected a whole number >= 1"):
        check_number(Blur(width=value), "width", 1, whole=True)


def test_open_bounds():
    check_number(Blur(width=1e-300), "width", 0, above=True)
    with pytest.raises(IncompatibleError, match="expected a number > 0"):
        check_number(Blur(width=0), "width", 0, above=True)


def test_choices():
    check_choice(Blur(edge="wrap"), "edge", ("wrap", "fill"))
    for wrong in ("Wrap", "", None, 1, ["wrap"], np.array(["wrap", "fill"])):
        with pytest.raises(IncompatibleError, match=r"Blur has edge=.*expected one of 'wrap', 'fill'\."):
            check_choice(Blur(edge=wrong), "edge", ("wrap", "fill"))
    check_choice(Blur(edge=np.str_("fill")), "edge", ("wrap", "fill"))
