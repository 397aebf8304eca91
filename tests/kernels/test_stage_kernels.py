"""Values of piecewise linear functions and of trees equal their twins, wherever a point stands."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.kernels import piecewise_linear_sum, reference, tree_sum


def some_functions(rng, columns, knots):
    """Functions with equal knots among them, and points at, between and beyond the knots."""
    places = np.sort(rng.integers(-2, 3, (columns, knots)), axis=1).astype(float)
    return places, rng.normal(size=(columns, knots))


def some_points(rng, columns, count):
    return rng.integers(-4, 5, (columns, count)) + rng.choice([0.0, 0.3], (columns, count))


def some_trees(rng, columns, trees):
    """Trees with two to four leaves, as roots, column, threshold, left, right and value."""
    shapes = [([1, 1, 2], [2, 1, 2]), ([1, 3, 2, 3, 4], [2, 4, 2, 3, 4]), ([0], [0])]
    chosen = [shapes[kind] for kind in rng.integers(0, len(shapes), trees)]
    begins = np.cumsum([0, *(len(left) for left, _ in chosen)])
    left, right = (
        np.concatenate(
            [begin + np.array(shape[side]) for begin, shape in zip(begins, chosen, strict=False)] or [[]]
        )
        for side in (0, 1)
    )
    nodes = int(begins[-1])
    column = rng.integers(0, columns, nodes)
    threshold = rng.integers(-3, 4, nodes).astype(float)
    return begins[:-1], column, threshold, left.astype(int), right.astype(int), rng.normal(size=nodes)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000), columns=st.integers(1, 5), knots=st.integers(2, 6), count=st.integers(0, 30)
)
def test_a_sum_of_functions_equals_its_twin(seed, columns, knots, count):
    rng = np.random.default_rng(seed)
    functions, points = some_functions(rng, columns, knots), some_points(rng, columns, count)
    value = piecewise_linear_sum(points, *functions)
    np.testing.assert_allclose(value, reference.piecewise_linear_sum(points, *functions), atol=1e-12)
    assert value.shape == (count,)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000), columns=st.integers(1, 5), trees=st.integers(0, 6), count=st.integers(0, 30)
)
def test_a_sum_of_trees_equals_its_twin(seed, columns, trees, count):
    rng = np.random.default_rng(seed)
    nodes, points = some_trees(rng, columns, trees), some_points(rng, columns, count)
    value = tree_sum(points, *nodes)
    np.testing.assert_allclose(value, reference.tree_sum(points, *nodes), atol=1e-12)
    assert value.shape == (count,)


def test_a_number_at_the_threshold_goes_to_the_left():
    nodes = (
        np.array([0]), np.array([0, 0, 0]), np.array([1.5, 0, 0]), np.array([1, 1, 2]), np.array([2, 1, 2]),
        np.array([9.0, -1.0, 1.0]),
    )  # fmt: skip
    np.testing.assert_array_equal(tree_sum(np.array([[1.0, 1.5, 2.0]]), *nodes), [-1, -1, 1])


def test_equal_points_have_equal_values_to_the_last_bit():
    rng = np.random.default_rng(0)
    points = np.repeat(some_points(rng, 4, 1), 777, axis=1)
    assert len(set(piecewise_linear_sum(points, *some_functions(rng, 4, 5)))) == 1
    assert len(set(tree_sum(points, *some_trees(rng, 4, 5)))) == 1


@pytest.mark.parametrize("mode", ["reference", "plain"])
def test_the_form_that_is_asked_for_runs(mode, monkeypatch):
    rng = np.random.default_rng(1)
    points, functions, trees = some_points(rng, 3, 9), some_functions(rng, 3, 4), some_trees(rng, 3, 4)
    expected = piecewise_linear_sum(points, *functions), tree_sum(points, *trees)
    monkeypatch.setenv("LATENTLINK_KERNELS", mode)
    np.testing.assert_allclose(piecewise_linear_sum(points, *functions), expected[0], atol=1e-12)
    np.testing.assert_allclose(tree_sum(points, *trees), expected[1], atol=1e-12)
