"""Records and settings to save."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from latentlink.factors import Factors
from latentlink.strategy import Strategy, strategy


@strategy
class Blur(Strategy):
    width: Any = 0.5
    edge: str = "auto"


@strategy
class Sharpen(Strategy):
    blur: Any = None
    strength: Any = 2


@dataclass(frozen=True, eq=False)
class Leaf:
    value: Any


@dataclass(frozen=True, eq=False, slots=True)
class Branch:
    left: Any
    right: Any = None


@dataclass(frozen=True)
class Positive:
    number: float

    def __post_init__(self) -> None:
        if self.number <= 0:
            raise ValueError("not positive")


RECORDS = {cls.__name__: cls for cls in (Blur, Sharpen, Leaf, Branch, Positive, Factors)}


def same(one: Any, other: Any) -> bool:
    """Return whether two trees are the same, types included."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray):
        same_form = one.dtype == other.dtype and one.shape == other.shape
        return same_form and one.tobytes() == other.tobytes()
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(same(one[key], other[key]) for key in one)
    if isinstance(one, Strategy):
        return same(one.get_params(deep=False), other.get_params(deep=False))
    if is_dataclass(one):
        return all(same(getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
    if isinstance(one, float):
        return repr(one) == repr(other)  # 0.0 differs from -0.0, and NaN equals NaN
    return bool(one == other)


dtypes = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(endianness="?", sizes=(16, 32, 64)),
    hnp.complex_number_dtypes(endianness="?", sizes=(64, 128)),
    hnp.unicode_string_dtypes(endianness="?"),
)
arrays = hnp.arrays(dtypes, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(st.characters()),
    st.just("auto"),
    st.builds(
        lambda start, size, step: range(start, start + size * step, step),
        st.integers(),
        st.integers(0, 1000),
        st.integers(1),
    ),
    arrays,
)
keys = st.one_of(
    st.text(), st.sampled_from(["tuple", "dict", "array", "record", "fields", "settings", "float"])
)
trees = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=3).map(tuple),
        st.dictionaries(keys, inner, max_size=3),
        st.builds(Leaf, inner),
        st.builds(Branch, inner, inner),
        st.builds(Blur, width=inner),
        st.builds(Sharpen, blur=inner, strength=inner),
    ),
    max_leaves=8,
)
