"""The vector type of the kernels: accuracy, edge cases, and arrays that raise."""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from latentlink import kernels
from latentlink.kernels import reference
from latentlink.kernels.lanes import transcendental, vector
from latentlink.kernels.logistic import logistic_parts
from tests.helpers.structures import Form, random_coordinates, random_piece

FORMS = [(0, "float64"), (0, "float32"), (1, "float64"), (8, "float64"), (16, "float32")]


@cache
def mapped(lanes):
    """Compile the vector functions of one argument into one function on arrays."""
    exp_minus, log1p_unit = transcendental.exp_minus, transcendental.log1p_unit
    root, absolute, load, store = vector.root, vector.absolute, vector.load, vector.store
    width = max(lanes, 1)

    @numba.njit
    def run(x, exps, logs, roots, absolutes):
        for i in range(0, len(x), width):
            v = load(x, i, lanes)
            store(exps, i, exp_minus(v))
            store(logs, i, log1p_unit(v))
            store(roots, i, root(v))
            store(absolutes, i, absolute(v))

    return run


@cache
def mapped_parts(lanes):
    load, store = vector.load, vector.store
    width = max(lanes, 1)

    @numba.njit
    def run(z, y, loss, slope, curvature):
        for i in range(0, len(z), width):
            parts = logistic_parts(load(z, i, lanes), load(y, i, lanes))
            store(loss, i, parts[0])
            store(slope, i, parts[1])
            store(curvature, i, parts[2])

    return run


def padded(numbers, dtype):
    numbers = np.asarray(numbers, dtype)
    return np.concatenate([numbers, np.full(-len(numbers) % 16, numbers[-1])])


def units(result, exact):
    """Distance in units of the last place."""
    return np.abs(result.astype(np.longdouble) - exact) / np.spacing(np.abs(result))


def apply(name, x, lanes):
    results = {each: np.empty_like(x) for each in ("exp_minus", "log1p_unit", "root", "absolute")}
    mapped(lanes)(x, *results.values())
    return results[name]


@pytest.mark.parametrize(("lanes", "dtype"), FORMS)
def test_exp_minus_is_accurate_to_two_units(lanes, dtype):
    largest = 87.0 if dtype == "float32" else 708.0
    rng = np.random.default_rng(0)
    x = padded([0.0, 1e-300, 1e-10, largest, *rng.uniform(0, 2, 3000), *rng.uniform(0, largest, 3000)], dtype)
    assert units(apply("exp_minus", x, lanes), np.exp(-x.astype(np.longdouble))).max() <= 2


@pytest.mark.parametrize(("lanes", "dtype"), FORMS)
def test_exp_minus_stays_positive_and_finite(lanes, dtype):
    x = padded([1e3, 1e30, np.inf], dtype)
    result = apply("exp_minus", x, lanes)
    assert np.all(result > 0)
    assert np.all(result <= np.exp(-85.0))


@pytest.mark.parametrize(("lanes", "dtype"), FORMS)
def test_log1p_unit_is_accurate(lanes, dtype):
    rng = np.random.default_rng(0)
    x = padded([0.0, 1.0, 1e-30, *rng.random(3000), *10.0 ** rng.uniform(-30, 0, 3000)], dtype)
    assert units(apply("log1p_unit", x, lanes), np.log1p(x.astype(np.longdouble))).max() <= 3


@pytest.mark.parametrize(("lanes", "dtype"), FORMS)
@pytest.mark.parametrize("name", ["root", "absolute"])
def test_roots_and_absolute_values_are_exact(lanes, dtype, name):
    x = padded(np.random.default_rng(0).uniform(0, 10, 100), dtype)
    if name == "absolute":
        x[::2] *= -1
    expected = np.sqrt(x) if name == "root" else np.abs(x)
    np.testing.assert_array_equal(apply(name, x, lanes), expected)


@pytest.mark.parametrize(("lanes", "dtype"), FORMS)
def test_logistic_parts_equal_their_twin(lanes, dtype):
    rng = np.random.default_rng(0)
    edges = [0.0, 1e-20, 9.999e-3, 1e-2, 1.0001e-2, 30, 700, 1000]
    z = padded([*edges, *(-np.array(edges)), *rng.normal(0, 0.02, 2000), *rng.normal(0, 20, 2000)], dtype)
    y = np.asarray(rng.integers(0, 2, len(z)), dtype)
    result = [np.empty_like(z) for _ in range(3)]
    mapped_parts(lanes)(z, y, *result)
    expected = reference.logistic_parts(z.astype(np.float64), y.astype(np.float64))
    # Near 0.01 the quotient (p - 1/2) / z has lost a hundredfold of the precision.
    tolerance = 1e-12 if dtype == "float64" else 2e-5
    for ours, theirs in zip(result, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance)
    assert np.all(result[2] > 0)


def test_the_parabola_of_the_twin_bounds_the_logistic_loss():
    z = np.linspace(-30, 30, 121)[:, None]
    elsewhere = np.linspace(-40, 40, 401)[None, :]
    for y in (0.0, 1.0):
        loss, slope, curvature = reference.logistic_parts(z, np.full_like(z, y))
        step = elsewhere - z
        parabola = loss - slope * step + curvature / 2 * step**2
        assert np.all(np.logaddexp(0, elsewhere) - y * elsewhere <= parabola + 1e-9)


def test_logistic_parts_of_the_twin_equal_their_definitions():
    z = np.concatenate([[0.0], np.random.default_rng(0).normal(0, 4, 100)])
    for y in (0.0, 1.0):
        loss, slope, curvature = reference.logistic_parts(z, np.full_like(z, y))
        probability = 1 / (1 + np.exp(-z))
        np.testing.assert_allclose(loss, np.logaddexp(0, z) - y * z, rtol=1e-12)
        np.testing.assert_allclose(slope, y - probability, atol=1e-15)
        np.testing.assert_allclose(curvature[1:], np.tanh(z[1:] / 2) / (2 * z[1:]), rtol=1e-9)
        assert curvature[0] == 0.25


class TestInvalidArrays:
    """Kernels address memory flat: arrays of another layout or type raise before any access."""

    @pytest.fixture(autouse=True)
    def lanes_mode(self, monkeypatch):
        monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")

    @pytest.fixture
    def piece(self):
        return random_piece(Form("lanes", 1, "float64"))

    def test_strided_arrays(self, piece):
        A = np.empty((2 * len(piece.A), *piece.A.shape[1:]))[::2]
        with pytest.raises(TypingError, match="C-contiguous"):
            kernels.masked_rows(piece.listed, A, piece.B, random_coordinates(piece))

    def test_arrays_in_the_order_of_fortran(self, piece):
        with pytest.raises(TypingError, match="C-contiguous"):
            kernels.gram(np.asfortranarray(np.ones((4, 3, 2))))

    def test_mixed_precision(self, piece):
        with pytest.raises(TypingError, match="mix precisions"):
            kernels.masked_rows(piece.listed, piece.A, np.float32(piece.B), random_coordinates(piece))

    def test_mixed_precision_of_the_results(self, piece):
        with pytest.raises(TypingError, match="mix precisions"):
            mapped(1)(np.ones(4), *np.ones((4, 4), np.float32))

    def test_mixed_precision_of_what_is_read_like_a_vector(self, piece):
        with pytest.raises(TypingError, match="mix precisions"):
            kernels.moments(piece.listed, piece.A, np.float32(piece.B), np.ones((3, 3, 1)), 0.0)

    def test_integers(self, piece):
        with pytest.raises(TypingError, match="float32 or float64"):
            kernels.gram(np.ones((4, 3, 1), np.int64))
