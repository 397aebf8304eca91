"""Checks of words, switches and settings objects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.validation.choices import (
    check_choice,
    check_switch,
    checked_choice,
    checked_object,
    checked_switch,
)

EDGES = ("wrap", "fill")
HUGE = 10**5000
NO_EDGES = ["Wrap", "wrap ", "", None, 1, True, ["wrap"], np.array(["wrap", "fill"]), b"wrap", HUGE]
NO_SWITCHES = [1, 0, None, "yes", "True", 1.0, [], [True], np.array([True]), np.int8(1)]


class Blur:
    def __init__(self, **settings):
        self.__dict__.update(settings)


class Sharpen(Blur):
    pass


@pytest.mark.parametrize("value", ["wrap", "fill", np.str_("fill")])
def test_a_choice_passes(value):
    assert check_choice(Blur(edge=value), "edge", EDGES) is None
    assert checked_choice(value, EDGES, "edge") == value


def test_choices_may_be_an_iterator():
    with pytest.raises(InputError) as error:
        checked_choice("zip", iter(EDGES), "edge")
    assert str(error.value) == "edge is 'zip'; expected one of 'wrap', 'fill'."


@pytest.mark.parametrize("value", NO_EDGES, ids=lambda value: type(value).__name__)
def test_anything_else_is_named_with_the_choices(value):
    shown = "a whole number of 16,610 bits" if value is HUGE else repr(value)
    with pytest.raises(IncompatibleError) as setting:
        check_choice(Blur(edge=value), "edge", EDGES)
    assert str(setting.value) == f"Blur has edge={shown}; expected one of 'wrap', 'fill'."
    with pytest.raises(InputError) as argument:
        checked_choice(value, EDGES, "edge")
    assert str(argument.value) == f"edge is {shown}; expected one of 'wrap', 'fill'."


@given(st.text(max_size=5), st.lists(st.text(max_size=5), max_size=4))
def test_a_text_is_a_choice_exactly_if_it_is_among_them(value, choices):
    if value in choices:
        assert checked_choice(value, choices, "edge") == value
    else:
        with pytest.raises(InputError, match="expected one of"):
            checked_choice(value, choices, "edge")


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_])
def test_a_switch_passes(value):
    assert check_switch(Blur(centred=value), "centred") is None
    switch = checked_switch(value, "centred")
    assert type(switch) is bool
    assert switch == value


@pytest.mark.parametrize("value", NO_SWITCHES, ids=repr)
def test_anything_else_is_no_switch(value):
    with pytest.raises(IncompatibleError) as setting:
        check_switch(Blur(centred=value), "centred")
    assert str(setting.value) == f"Blur has centred={value!r}; expected True or False."
    with pytest.raises(InputError) as argument:
        checked_switch(value, "centred")
    assert str(argument.value) == f"centred is {value!r}; expected True or False."


def test_an_object_of_the_type_or_of_a_subclass_is_returned():
    for value in (Blur(), Sharpen()):
        assert checked_object(Blur(), "inner", value, Blur) is value


def test_another_object_is_named_with_the_type():
    with pytest.raises(IncompatibleError) as error:
        checked_object(Sharpen(), "inner", "blur", Blur)
    assert str(error.value) == (
        "Sharpen has inner='blur'; expected an object of type Blur, or None for the default."
    )


def test_a_class_in_place_of_an_object_gets_a_hint():
    with pytest.raises(IncompatibleError) as error:
        checked_object(Sharpen(), "inner", Blur, Blur)
    assert str(error.value) == (
        f"Sharpen has inner={Blur!r}; expected an object of type Blur, or None for the default. "
        "Call it: Blur()."
    )
