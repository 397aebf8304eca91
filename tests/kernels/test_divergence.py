"""Kernels of the Kullback-Leibler divergence: twins, the length of steps, and entries that change nothing."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from latentlink import kernels
from latentlink.kernels import reference
from latentlink.kernels.divergence.divergence_parts import divergence
from latentlink.kernels.lanes import transcendental, vector
from tests.helpers.structures import FORMS, Form, in_lanes, random_piece

BASES = (0.0, 0.3, 1.0)

every_form = pytest.mark.parametrize("form", FORMS, ids=str)
every_weight = pytest.mark.parametrize("per_member", [False, True], ids=["shared", "own"])


@pytest.fixture(autouse=True)
def chosen_mode(request, monkeypatch):
    form = request.node.callspec.params.get("form") if hasattr(request.node, "callspec") else None
    monkeypatch.setenv("LATENTLINK_KERNELS", form.mode if form else "lanes")


def counts_piece(form, **settings):
    """Return a block of counts, about a third of them 0, with non-negative factors of which some are 0."""
    piece = random_piece(form, **settings)
    values = piece.listed.values
    values = np.where(np.isnan(values), np.nan, np.floor(np.abs(2 * values)))
    A, B = (
        np.maximum(factor, 0) + (0.2 * (factor > -0.5)).astype(factor.dtype) for factor in (piece.A, piece.B)
    )
    return replace(piece, listed=replace(piece.listed, values=in_lanes(values)), A=in_lanes(A), B=in_lanes(B))


def floor_of(form):
    return np.full(form.members, 1e-10)


def own_base(form):
    return np.linspace(0.1, 0.9, form.members).astype(form.dtype).astype(np.float64)


# -------------------------------------------------------------------- twins


@every_form
@pytest.mark.parametrize("nodes", [1, 32, 70], ids="{}-nodes".format)
def test_totals(form, nodes):
    B = random_piece(form, shape=(3, nodes)).B
    S = kernels.totals(B)
    assert S.dtype == np.float64
    np.testing.assert_allclose(S, reference.totals(B), **form.tolerance)
    np.testing.assert_allclose(S, B.sum(0), **form.tolerance)


@every_form
@every_weight
def test_divergence_moments(form, per_member):
    piece = counts_piece(form, per_member=per_member)
    twin = piece.double()
    for base in (*BASES, own_base(form)):
        S = reference.totals(piece.B)
        result = kernels.divergence_moments(piece.listed, piece.A, piece.B, S, base, floor_of(form))
        expected = reference.divergence_moments(twin.listed, twin.A, twin.B, S, base, floor_of(form))
        for ours, theirs in zip(result, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, **form.tolerance)


@every_form
@every_weight
def test_divergence_rows(form, per_member):
    piece = counts_piece(form, per_member=per_member)
    for base in (*BASES, own_base(form)):
        S = reference.totals(piece.B)
        for cycles in (0, 1, 3):
            ours, twin = piece.copied(), piece.double().copied()
            loss = kernels.divergence_rows(ours.listed, ours.A, ours.B, S, base, floor_of(form), cycles)
            expected = reference.divergence_rows(twin.listed, twin.A, twin.B, S, base, floor_of(form), cycles)
            assert loss.dtype == np.float64
            np.testing.assert_allclose(loss, expected, **form.tolerance)
            np.testing.assert_allclose(ours.A, twin.A, **form.tolerance)
            np.testing.assert_array_equal(ours.B, piece.B)
            assert np.array_equal(ours.A, piece.A) == (cycles == 0)


@pytest.mark.parametrize("form", FORMS[1:3], ids=str)
def test_reference_mode_runs_the_twins(form, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    piece = counts_piece(form)
    S = kernels.totals(piece.B)
    np.testing.assert_array_equal(S, reference.totals(piece.B))
    calls = [
        lambda of, p: of.divergence_rows(p.listed, p.A, p.B, S, 0.1, floor_of(form)),
        lambda of, p: of.divergence_moments(p.listed, p.A, p.B, S, 0.1, floor_of(form))[0],
    ]
    for call in calls:
        ours, twin = piece.copied(), piece.copied()
        np.testing.assert_array_equal(call(kernels, ours), call(reference, twin))
        np.testing.assert_array_equal(ours.A, twin.A)


@st.composite
def pieces(draw, members):
    return counts_piece(
        Form("lanes", members, "float64"),
        shape=draw(st.tuples(st.integers(1, 6), st.integers(1, 6))),
        size=draw(st.integers(1, 4)),
        per_member=draw(st.booleans()),
        density=draw(st.sampled_from([0.0, 0.3, 1.1])),
        seed=draw(st.integers(0, 10_000)),
    )


@pytest.mark.parametrize("members", [1, 8])
@settings(max_examples=40)
@given(data=st.data())
def test_any_structure(members, data):
    """The twins agree, and no step of a row raises its loss."""
    piece = data.draw(pieces(members))
    base, cycles = data.draw(st.sampled_from(BASES)), data.draw(st.integers(1, 3))
    S, floor = reference.totals(piece.B), np.full(members, 1e-10)
    ours, twin = piece.copied(), piece.copied()
    loss = kernels.divergence_rows(ours.listed, ours.A, ours.B, S, base, floor, cycles)
    expected = reference.divergence_rows(twin.listed, twin.A, twin.B, S, base, floor, cycles)
    np.testing.assert_allclose(loss, expected, rtol=1e-8, atol=1e-8)
    np.testing.assert_allclose(ours.A, twin.A, rtol=1e-6, atol=1e-6)
    assert np.all(ours.A >= 0)
    after = kernels.divergence_rows(ours.listed, ours.A, ours.B, S, base, floor, 0)
    assert np.all(after <= loss + 1e-9 * (1 + np.abs(loss)))


# -------------------------------------------------------------------- one coordinate


def one_coordinate(x, b, rest, a):
    """Return a block of one row with a coordinate ``a`` beside one whose share of the fits is ``rest``."""
    x, b, rest = (np.asarray(part, float) for part in (x, b, rest))
    entries = len(x)
    listed = kernels.Listed(
        np.array([0, entries], np.int32), np.arange(entries, dtype=np.int32), x[:, None], np.ones(entries)
    )
    return listed, np.array([[a, 1.0]])[..., None], np.stack([b, rest], axis=1)[..., None]


positive = st.floats(0.05, 20)


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 30), positive, positive), min_size=1, max_size=8), st.floats(0, 50))
def test_a_step_does_not_pass_the_minimum_of_its_coordinate(entries, a):
    """So that the longest of the steps is safe; many of them end at the minimum."""
    x, b, rest = (np.array(column) for column in zip(*entries, strict=True))

    def loss(value):
        z = value * b + rest
        return np.sum(z - x * np.log(z))

    best = minimize_scalar(loss, bounds=(0, 1e4), method="bounded", options={"xatol": 1e-9}).x
    best = best if loss(best) < loss(0.0) else 0.0
    listed, A, B = one_coordinate(x, b, rest, a)
    S, floor = kernels.totals(B), np.full(1, 1e-10)
    margin = 1e-5 * (1 + best)
    for _ in range(200):
        before = A[0, 0, 0]
        step = A.copy()
        kernels.divergence_rows(listed, step, B, S, 0.0, floor, 1)
        new = step[0, 0, 0]
        assert min(before, best) - margin <= new <= max(before, best) + margin
        assert abs(new - best) <= abs(before - best) + margin
        A[0, 0, 0] = new
    assert A[0, 0, 0] == pytest.approx(best, abs=margin)


def test_a_row_of_zeros_is_left_in_two_cycles():
    """One fit only would double in each of Newton's steps from the floor; the multiplicative step jumps."""
    listed, A, B = one_coordinate([3.0, 5.0], [1.0, 2.0], [0.0, 0.0], 0.0)
    A[:, 1] = 0
    kernels.divergence_rows(listed, A, B, kernels.totals(B), 0.0, np.full(1, 1e-10), 3)
    assert A[0, 0, 0] == pytest.approx(8 / 3)


@every_form
def test_a_row_without_counts_becomes_zero(form):
    piece = counts_piece(form, density=1.1)
    piece = replace(piece, B=in_lanes(piece.B + np.asarray(0.1, form.dtype)))
    values = np.where(np.isnan(piece.listed.values), np.nan, 0.0).astype(form.dtype)
    piece = replace(piece, listed=replace(piece.listed, values=in_lanes(values)))
    S, floor = kernels.totals(piece.B), floor_of(form)
    ours, twin = piece.copied(), piece.copied()
    kernels.divergence_rows(ours.listed, ours.A, ours.B, S, 0.5, floor)
    reference.divergence_rows(twin.listed, twin.A, twin.B, S, 0.5, floor)
    for result in (ours.A, twin.A):
        np.testing.assert_array_equal(result, 0)


@every_form
def test_a_background_that_cancels_changes_nothing(form):
    """If all entries are listed with weight 0, the background cancels up to rounding."""
    piece = counts_piece(form, density=1.1)
    weights = np.zeros_like(piece.listed.weights)
    piece = replace(piece, listed=replace(piece.listed, weights=weights))
    S, floor = kernels.totals(piece.B), floor_of(form)
    full = [i for i in range(len(piece.A)) if i != len(piece.A) // 2]
    for of in (kernels, reference):
        result = piece.copied()
        of.divergence_rows(result.listed, result.A, result.B, S, 0.7, floor)
        np.testing.assert_array_equal(result.A[full], piece.A[full])
        D = of.divergence_moments(piece.listed, piece.A, piece.B, S, 0.7, floor)[1]
        np.testing.assert_array_equal(D[full], 0)


# -------------------------------------------------------------------- the divergence of one entry


@cache
def mapped(lanes):
    """Compile the functions into one on arrays."""
    load, store, any_nonzero = vector.load, vector.store, vector.any_nonzero
    exponent, mantissa, log_rest = transcendental.exponent, transcendental.mantissa, transcendental.log_rest
    width = max(lanes, 1)

    @numba.njit
    def run(x, z, s, results, nonzero):
        for i in range(0, len(x), width):
            store(results[0], i, divergence(load(x, i, lanes), load(z, i, lanes)))
            store(results[1], i, exponent(load(z, i, lanes)))
            store(results[2], i, mantissa(load(z, i, lanes)))
            store(results[3], i, log_rest(load(s, i, lanes)))
            nonzero[i // width] = any_nonzero(load(x, i, lanes))

    return run


@pytest.mark.parametrize(
    ("lanes", "dtype"), [(0, "float64"), (0, "float32"), (1, "float64"), (8, "float64"), (16, "float32")]
)
def test_the_divergence_is_accurate_near_and_far(lanes, dtype):
    rng = np.random.default_rng(0)
    size = 1 << 12
    x = np.floor(10 ** rng.uniform(-0.5, 4, size)).astype(dtype)
    near = x * (1 + 10.0 ** rng.uniform(-5, -1, size) * rng.choice([-1, 1], size))
    z = np.where(rng.random(size) < 0.5, near, 10 ** rng.uniform(-9, 5, size)).astype(dtype)
    z = np.where((z > 0) & (x > 0), z, np.asarray(0.7, dtype))
    x[:16] = 0
    s = rng.uniform(-0.1715, 0.1715, size).astype(dtype)
    results, nonzero = tuple(np.empty(size, dtype) for _ in range(4)), np.empty(size // max(lanes, 1), bool)
    mapped(lanes)(x, z, s, results, nonzero)
    wide_x, wide_z, wide_s = (part.astype(np.longdouble) for part in (x, z, s))
    exact = wide_z.copy()
    u, v = wide_x[x > 0], wide_z[x > 0]
    logarithm = np.where(np.abs(v - u) < u / 2, np.log1p((v - u) / u), np.log(v / u))
    exact[x > 0] = v - u - u * logarithm
    eps = np.finfo(dtype).eps
    rounding = 20 * eps * exact + 10 * np.finfo(np.longdouble).eps * wide_x
    assert np.all(np.abs(results[0] - exact) <= rounding)
    e = results[1].astype(np.longdouble)
    np.testing.assert_array_equal(e, np.round(e))
    np.testing.assert_array_equal(results[2].astype(np.longdouble) * 2**e, wide_z)
    assert np.all((results[2] >= np.sqrt(0.5) * (1 - eps)) & (results[2] <= np.sqrt(2.0) * (1 + eps)))
    away = np.abs(wide_s) > 0.01
    rest = (np.log1p(2 * wide_s / (1 - wide_s)) - 2 * wide_s)[away] / wide_s[away] ** 3
    np.testing.assert_allclose(results[3][away].astype(float), rest.astype(float), rtol=4 * eps + 1e-12)
    np.testing.assert_array_equal(nonzero, x.reshape(len(nonzero), -1).any(axis=1))
