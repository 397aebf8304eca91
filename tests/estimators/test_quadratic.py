"""The last stage of a stack: a quadratic form, learned where there is enough to learn it from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from latentlink.stacking.quadratic_stage import Quadratic, _enough_of_each_kind, learned_quadratic
from latentlink.factors import sigmoid
from latentlink.network import Network

FORM = Quadratic(
    middle=np.array([1.0, -1.0]),
    scale=np.array([2.0, 0.5]),
    low=np.array([-1.5, -2.0]),
    high=np.array([1.0, 2.5]),
    constant=0.3,
    slopes=np.array([0.7, -0.4]),
    products=np.array([[0.2, -0.6], [-0.6, 0.1]]),
)


def plain(x):
    z = (x - FORM.middle) / FORM.scale
    return FORM.constant + z @ FORM.slopes + z @ FORM.products @ z


@settings(deadline=None)  # the first time a kernel is compiled
@given(arrays(float, 2, elements=st.floats(0, 1)))
def test_within_its_range_it_is_the_formula(share):
    x = FORM.middle + FORM.scale * (FORM.low + share * (FORM.high - FORM.low))
    np.testing.assert_allclose(FORM.value([x[:1], x[1:]])[0], plain(x), atol=1e-12)


@settings(deadline=None)  # the first time a kernel is compiled
@given(arrays(float, 2, elements=st.floats(-30, 30)))
def test_beyond_it_is_the_tangent_at_the_border(z):
    x = FORM.middle + FORM.scale * z
    inside = z.clip(FORM.low, FORM.high)
    border = FORM.middle + FORM.scale * inside
    slope = FORM.slopes + 2 * FORM.products @ inside
    np.testing.assert_allclose(FORM.value([x[:1], x[1:]])[0], plain(border) + slope @ (z - inside), atol=1e-9)


@settings(deadline=None)  # the first time a kernel is compiled
@given(arrays(float, (2, 3, 4), elements=st.floats(-9, 9)))
def test_parts_add_up_and_columns_may_have_any_shape(columns):
    value = FORM.value(list(columns))
    np.testing.assert_allclose(FORM.constant + sum(FORM.parts(list(columns))), value, atol=1e-9)
    np.testing.assert_array_equal(value[1, 2], FORM.value([columns[0, 1, 2:3], columns[1, 1, 2:3]])[0])


def parts_of(x, links, weights=None):
    """Five parts, as networks of one row."""
    weights = np.ones(len(x)) if weights is None else weights
    places = [np.arange(k, len(x), 5) for k in range(5)]
    return [x[p] for p in places], [one_row(links[p], weights[p]) for p in places]


def one_row(values, weights=None):
    count = len(values)
    return Network(np.zeros(count, int), np.arange(count), values, weights, shape=(1, count))


def test_products_are_learned_where_they_matter():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6000, 2)) * [3.0, 0.2] + [5.0, 1.0]
    logit = 1.5 * (x[:, 0] - 5) / 3 * (x[:, 1] - 1) / 0.2 - 0.5
    form = learned_quadratic(*parts_of(x, (rng.random(6000) < sigmoid(logit)).astype(float)))
    near = np.abs((x - [5.0, 1.0]) / [3.0, 0.2]).max(axis=1) < 2
    assert np.abs(form.value(list(x.T)) - logit)[near].max() < 0.6


@pytest.mark.parametrize("seed", range(5))
def test_they_are_left_out_where_a_sum_is_all_that_can_be_learned(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(150, 8))
    links = (rng.random(150) < sigmoid(2 * x[:, 0])).astype(float)
    form = learned_quadratic(*parts_of(x, links))
    assert np.abs(form.products).max() < 0.05


def test_fewer_links_than_parts_teach_a_sum():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 2))
    form = learned_quadratic(*parts_of(x, (x[:, 0] > np.sort(x[:, 0])[-4]).astype(float)))
    np.testing.assert_array_equal(form.products, 0)
    assert form.slopes[0] > abs(form.slopes[1])


def test_a_column_of_one_value_says_nothing():
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=300), np.full(300, 0.1)])
    form = learned_quadratic(*parts_of(x, (x[:, 0] + rng.normal(size=300) > 0).astype(float)))
    assert form.slopes[1] == 0
    np.testing.assert_array_equal(form.products[1], 0)


def test_weights_count_pairs():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    links = (rng.random(200) < sigmoid(x[:, 0])).astype(float)
    weights = rng.integers(1, 4, 200).astype(float)
    tables, tests = parts_of(x, links, weights)
    times = [test.weights.astype(int) for test in tests]
    twice = [np.repeat(table, count, axis=0) for table, count in zip(tables, times, strict=True)]
    counted = [one_row(np.repeat(test.values, count)) for test, count in zip(tests, times, strict=True)]
    one, other = learned_quadratic(tables, tests), learned_quadratic(twice, counted)
    grid = [np.linspace(-1.5, 1.5, 7)]
    np.testing.assert_allclose(one.value(grid), other.value(grid), atol=0.05)


def test_of_very_many_pairs_some_are_enough_but_all_of_the_rarer_kind(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20_000, 1))
    links = (rng.random(20_000) < sigmoid(x[:, 0] - 5)).astype(float)
    tables, tests = parts_of(x, links)
    whole = learned_quadratic(tables, tests)
    monkeypatch.setattr("latentlink.stacking.quadratic_stage._ENOUGH", 2000)
    kept, times = _enough_of_each_kind(links)
    assert links[kept].sum() == links.sum()
    assert len(kept) < 2500
    np.testing.assert_allclose(times.sum(), 20_000)
    some = learned_quadratic(tables, tests)
    grid = [np.linspace(-1, 2, 7)]
    np.testing.assert_allclose(some.value(grid), whole.value(grid), atol=0.3)


def test_a_column_of_one_value_is_no_trap():
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=(3000, 2)), np.full(3000, 0.1)])
    links = (rng.random(3000) < sigmoid(2 * x[:, 0] * x[:, 1])).astype(float)
    form = learned_quadratic(*parts_of(x, links))
    columns = [np.zeros(2), np.zeros(2), np.array([0.1, 0.11])]
    np.testing.assert_allclose(*form.value(columns), atol=1e-9)
