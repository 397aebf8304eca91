"""Values of a quadratic form equal their twin and do not depend on their position."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import kernels
from latentlink.kernels import reference


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")


def some_form(rng, count):
    products = rng.normal(size=(count, count))
    low = rng.normal(size=count) - 1
    return (
        rng.normal(size=count),
        rng.random(count) + 0.1,
        (low, low + rng.random(count) * 3),
        float(rng.normal()),
        rng.normal(size=count),
        products + products.T,
    )


@settings(max_examples=50)
@given(seed=st.integers(0, 10_000), count=st.integers(1, 7), points=st.integers(0, 150))
def test_a_form_equals_its_twin(seed, count, points):
    rng = np.random.default_rng(seed)
    columns, form = rng.normal(size=(count, points)) * 2, some_form(rng, count)
    result = kernels.quadratic_form(columns, *form)
    np.testing.assert_allclose(result, reference.quadratic_form(columns, *form), rtol=1e-10, atol=1e-9)
    assert result.shape == (points,)


def test_equal_points_have_equal_values_to_the_last_bit():
    rng = np.random.default_rng(0)
    columns = np.repeat(rng.normal(size=(5, 1)), 777, axis=1)
    assert len(set(kernels.quadratic_form(columns, *some_form(rng, 5)))) == 1
