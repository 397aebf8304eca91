"""Every compiled kernel equals its twin in NumPy, in every form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink import kernels
from latentlink.kernels import reference
from tests.helpers.structures import (
    FORMS,
    Form,
    double_coordinates,
    random_coordinates,
    random_piece,
    swapping_mirror,
)

SPANS = [(0, 3), (0, 2), (1, 3), (1, 2), (1, 1)]

every_form = pytest.mark.parametrize("form", FORMS, ids=str)
every_growth = pytest.mark.parametrize("growing", [False, True], ids=["constant", "growing"])
every_weight = pytest.mark.parametrize("per_member", [False, True], ids=["shared", "own"])


@pytest.fixture(autouse=True)
def chosen_mode(request, monkeypatch):
    form = request.node.callspec.params.get("form")
    monkeypatch.setenv("LATENTLINK_KERNELS", form.mode if form else "lanes")


def own_base(form):
    """Return a background weight for each member."""
    return np.linspace(0.1, 0.9, form.members).astype(form.dtype).astype(np.float64)


def assert_same_rows(piece, coordinates, form, cycles, logistic=False, mirror=None):
    ours, twin = piece.copied(), piece.double().copied()
    loss = kernels.masked_rows(ours.listed, ours.A, ours.B, coordinates, cycles, logistic, mirror)
    expected = reference.masked_rows(
        twin.listed, twin.A, twin.B, double_coordinates(coordinates), cycles, logistic, mirror
    )
    assert loss.dtype == np.float64
    np.testing.assert_allclose(loss, expected, **form.tolerance)
    np.testing.assert_allclose(ours.A, twin.A, **form.tolerance)
    np.testing.assert_allclose(ours.B, twin.B, **form.tolerance)
    return ours


@every_form
@every_weight
@pytest.mark.parametrize("logistic", [False, True], ids=["squared", "logistic"])
def test_masked_rows(form, per_member, logistic):
    piece = random_piece(form, per_member=per_member, binary=logistic)
    for span in SPANS:
        for cycles in (1, 3):
            coordinates = random_coordinates(piece, span, growing=cycles > 1)
            result = assert_same_rows(piece, coordinates, form, cycles, logistic)
            np.testing.assert_array_equal(result.B, piece.B)
            still = [c for c in range(3) if not span[0] <= c < span[1]]
            np.testing.assert_array_equal(result.A[:, still], piece.A[:, still])


@every_form
@every_weight
def test_mirrored_rows(form, per_member):
    piece = random_piece(form, per_member=per_member, binary=True, symmetric=True)
    mirror = swapping_mirror(piece)
    for span in SPANS:
        coordinates = random_coordinates(piece, span, ridge=True)
        result = assert_same_rows(piece, coordinates, form, 2, True, mirror)
        for c in range(*span):
            np.testing.assert_array_equal(result.B[:, mirror.partner[c]], mirror.sign[c] * result.A[:, c])


@every_form
@every_weight
@pytest.mark.parametrize("base", [0.1, 1.0, "own"])
def test_background_rows(form, per_member, base):
    piece = random_piece(form, per_member=per_member)
    base = own_base(form) if base == "own" else base
    G = reference.gram(piece.B)
    for span in SPANS:
        for cycles in (1, 3):
            coordinates = random_coordinates(piece, span, growing=cycles > 1)
            ours, twin = piece.copied(), piece.double().copied()
            loss = kernels.background_rows(ours.listed, ours.A, ours.B, G, base, coordinates, cycles)
            expected = reference.background_rows(
                twin.listed, twin.A, twin.B, G, base, double_coordinates(coordinates), cycles
            )
            np.testing.assert_allclose(loss, expected, **form.tolerance)
            np.testing.assert_allclose(ours.A, twin.A, **form.tolerance)


@every_form
@pytest.mark.parametrize("nodes", [1, 32, 70], ids="{}-nodes".format)
def test_gram(form, nodes):
    B = random_piece(form, shape=(3, nodes)).B
    G = kernels.gram(B)
    assert G.dtype == np.float64
    np.testing.assert_allclose(G, reference.gram(B), **form.tolerance)
    np.testing.assert_array_equal(G, G.transpose(1, 0, 2))


@every_form
@every_growth
@pytest.mark.parametrize("nodes", [1, 32, 70], ids="{}-nodes".format)
def test_penalties(form, growing, nodes):
    piece = random_piece(form, shape=(nodes, 3))
    for span in SPANS:
        own = random_coordinates(piece, span, growing=growing)
        result = kernels.penalties(piece.A, own, own.centre)
        twin = reference.penalties(np.float64(piece.A), double_coordinates(own), np.float64(own.centre))
        for ours, theirs in zip(result, twin, strict=True):
            assert ours.dtype == np.float64
            np.testing.assert_allclose(ours, theirs, **form.tolerance)
        pull = own.ridge + (own.growth * own.counts[:, None] if growing else 0)
        formula = (pull * (piece.A - own.centre) ** 2).sum(0)
        np.testing.assert_allclose(result[0], formula, **form.tolerance)
        np.testing.assert_allclose(result[1], formula[slice(*span)].sum(0), **form.tolerance)


@every_form
def test_a_coordinate_without_a_ridge_has_no_penalty(form):
    piece = random_piece(form)
    piece.A[:, 1] = np.finfo(form.dtype).max
    own = random_coordinates(piece)
    own.ridge[1] = 0
    each, together = kernels.penalties(piece.A, own, own.centre)
    np.testing.assert_array_equal(each[1], 0)
    np.testing.assert_allclose(together, each[0] + each[2])


@every_form
@every_growth
def test_balance(form, growing):
    piece = random_piece(form)
    others = replace(piece, A=piece.B)  # coordinates of the columns
    for span in SPANS:
        own = random_coordinates(piece, span, growing=growing)
        theirs = random_coordinates(others, (0, 2), seed=1, growing=growing)
        own, theirs = (replace(each, ridge=each.ridge + 0.1) for each in (own, theirs))
        ours, twin = piece.copied(), piece.double().copied()
        kernels.balance(ours.A, ours.B, own, theirs)
        reference.balance(twin.A, twin.B, double_coordinates(own), double_coordinates(theirs))
        np.testing.assert_allclose(ours.A, twin.A, **form.tolerance)
        np.testing.assert_allclose(ours.B, twin.B, **form.tolerance)
        both = slice(span[0], min(span[1], 2))
        changed = np.abs(ours.A / piece.A - 1).max((0, 2)) > 0.01
        assert changed[both].all()
        assert np.count_nonzero(changed) == len(range(3)[both])
        products = np.einsum("icm,jcm->ijm", piece.A, piece.B)
        np.testing.assert_allclose(np.einsum("icm,jcm->ijm", ours.A, ours.B), products, **form.tolerance)


@every_form
def test_no_other_scale_has_a_smaller_penalty(form):
    piece = random_piece(form).copied()
    own, theirs = random_coordinates(piece), random_coordinates(replace(piece, A=piece.B), seed=1)
    origin = np.zeros_like(own.centre)
    kernels.balance(piece.A, piece.B, own, theirs)
    ours, others = kernels.penalties(piece.A, own, origin)[0], kernels.penalties(piece.B, theirs, origin)[0]
    both = (own.ridge > 0) & (theirs.ridge > 0)
    # A scale s makes the sum s^2 ours + others / s^2, least at 1 where both are equal.
    np.testing.assert_allclose(ours[both], others[both], **form.tolerance)


@every_form
def test_extrapolate(form):
    piece = random_piece(form)
    rng = np.random.default_rng(2)
    beta = rng.random(form.members).astype(form.dtype)
    for span in SPANS:
        own = random_coordinates(piece, span)
        before = rng.normal(size=piece.A[:, slice(*span)].shape).astype(form.dtype)
        ours, twin, last, twin_last = piece.copied(), piece.copied(), before.copy(), before.copy()
        kernels.extrapolate(ours.A, last, beta, own.lower, span[0])
        reference.extrapolate(twin.A, twin_last, beta, own.lower, span[0])
        np.testing.assert_array_equal(ours.A, twin.A)  # each number is rounded as in NumPy
        np.testing.assert_array_equal(last, piece.A[:, slice(*span)])
        np.testing.assert_array_equal(twin_last, last)


@every_form
def test_extrapolation_of_nan_is_nan(form):
    piece = random_piece(form).copied()
    piece.A[0] = np.nan
    before = piece.A.copy()
    kernels.extrapolate(piece.A, before, np.ones(form.members, form.dtype), np.zeros(3, form.dtype), 0)
    assert np.isnan(piece.A[0]).all()
    assert not np.isnan(piece.A[1:]).any()


@every_form
@every_growth
@pytest.mark.parametrize("bias", [None, 0, 2], ids=["plain", "first", "last"])
def test_multiplied_rows(form, growing, bias):
    piece = random_piece(form)
    own = random_coordinates(piece, growing=growing)
    rng = np.random.default_rng(3)
    N, D = (rng.normal(0.5, 1, piece.A.shape).astype(form.dtype) for _ in range(2))
    weight = rng.integers(0, 3, (len(piece.A), form.members)).astype(np.float64)
    step = None if bias is None else kernels.BiasStep(bias, 0.1, weight)
    ours, twin = piece.copied(), piece.copied()
    kernels.multiplied_rows(N, D, ours.A, own, step)
    reference.multiplied_rows(N, D, twin.A, own, step)
    np.testing.assert_array_equal(ours.A, twin.A)  # each number is rounded as in NumPy
    if bias is not None:
        np.testing.assert_array_equal(ours.A[:, 2 - bias], piece.A[:, 2 - bias])
        np.testing.assert_array_equal(ours.A[:, bias][weight == 0], piece.A[:, bias][weight == 0])


@every_form
def test_times_gram(form):
    piece = random_piece(form)
    G = reference.gram(piece.B)
    result = kernels.times_gram(piece.A, G)
    assert result.dtype == piece.A.dtype
    np.testing.assert_allclose(result, reference.times_gram(np.float64(piece.A), G), **form.tolerance)


@every_form
@every_weight
@pytest.mark.parametrize("bounds", [None, (1.0, 2.5)], ids=["plain", "boolean"])
def test_completed_products(form, per_member, bounds):
    piece = random_piece(form, per_member=per_member, binary=bounds is not None)
    twin = piece.double()
    for base in (0.0, 0.3, 1.0, own_base(form)):
        G = reference.gram(piece.B)
        P, loss = kernels.completed_products(piece.listed, piece.A, piece.B, G, base, bounds)
        wanted, expected = reference.completed_products(twin.listed, twin.A, twin.B, G, base, bounds)
        assert P.dtype == piece.A.dtype
        np.testing.assert_allclose(P, wanted, **form.tolerance)
        np.testing.assert_allclose(loss, expected, **form.tolerance)


@every_form
def test_gram_rows(form):
    piece = random_piece(form)
    P = np.random.default_rng(1).normal(size=piece.A.shape).astype(form.dtype)
    B = piece.B.copy()
    B[:, 1] = 0  # without a ridge, a coordinate whose partners are all 0 stays
    G = reference.gram(B)
    for ridge in (False, True):
        coordinates = random_coordinates(piece, ridge=ridge)
        coordinates = replace(coordinates, centre=np.zeros_like(coordinates.centre))
        for cycles in (1, 3):
            ours, twin = piece.copied(), piece.double().copied()
            kernels.gram_rows(P, G, ours.A, coordinates, cycles)
            reference.gram_rows(np.float64(P), G, twin.A, double_coordinates(coordinates), cycles)
            np.testing.assert_allclose(ours.A, twin.A, **form.tolerance)
            if not ridge:
                np.testing.assert_array_equal(ours.A[:, 1], piece.A[:, 1])


@every_form
@every_weight
def test_moments(form, per_member):
    piece = random_piece(form, per_member=per_member)
    twin = piece.double()
    for base in (0.0, 0.3, own_base(form)):
        G = reference.gram(piece.B)
        result = kernels.moments(piece.listed, piece.A, piece.B, G, base)
        expected = reference.moments(twin.listed, twin.A, twin.B, G, base)
        for ours, theirs in zip(result, expected, strict=True):
            np.testing.assert_allclose(ours, theirs, **form.tolerance)


@every_form
@pytest.mark.parametrize("logistic", [False, True], ids=["squared", "logistic"])
def test_a_coordinate_without_weight_stays(form, logistic):
    """No entry, weight 0, NaN, or partners that are all 0: nothing is divided by 0."""
    piece = random_piece(form, binary=logistic)
    weights = piece.listed.weights.copy()
    weights[: piece.listed.indptr[1]] = 0
    values = piece.listed.values.copy()
    values[piece.listed.indptr[1] : piece.listed.indptr[2]] = np.nan
    piece = replace(piece, listed=replace(piece.listed, weights=weights, values=values))
    piece.B[:, 1] = 0
    free = random_coordinates(piece, ridge=False)
    result = assert_same_rows(piece, free, form, 2, logistic)
    empty = [0, 1, len(piece.A) // 2]
    np.testing.assert_array_equal(result.A[empty], piece.A[empty])
    np.testing.assert_array_equal(result.A[:, 1], piece.A[:, 1])


@every_form
def test_calls_on_the_same_entries_may_differ_in_size(form):
    """They share buffers where these have the same layout."""
    pieces = [random_piece(form, size=size, seed=size) for size in (3, 1, 3)]
    shared = pieces[0].listed
    for piece in pieces:
        coordinates = random_coordinates(piece)
        G = reference.gram(piece.B)
        for call in (
            lambda p, own, _: kernels.masked_rows(p.listed, p.A, p.B, own, 2),
            lambda p, own, G: kernels.background_rows(p.listed, p.A, p.B, G, 0.3, own, 2),
        ):
            again, first = (
                replace(piece, listed=shared).copied(),
                replace(piece, listed=replace(shared)).copied(),
            )
            np.testing.assert_array_equal(call(again, coordinates, G), call(first, coordinates, G))
            np.testing.assert_array_equal(again.A, first.A)
    assert len(shared.buffers) == 3  # sums of products of 1 and of 3 coordinates are padded to the same size


@every_form
def test_a_background_that_cancels_changes_nothing(form):
    """If all entries are listed with weight 0, the background cancels up to rounding."""
    piece = random_piece(form, density=1.1)
    weights = np.zeros_like(piece.listed.weights)
    piece = replace(piece, listed=replace(piece.listed, weights=weights))
    G = kernels.gram(piece.B)
    free = random_coordinates(piece, ridge=False)
    ours, twin = piece.copied(), piece.copied()
    kernels.background_rows(ours.listed, ours.A, ours.B, G, 0.7, free)
    reference.background_rows(twin.listed, twin.A, twin.B, G, 0.7, free)
    full = [i for i in range(len(piece.A)) if i != len(piece.A) // 2]
    np.testing.assert_array_equal(ours.A[full], piece.A[full])
    np.testing.assert_array_equal(twin.A[full], piece.A[full])


@pytest.mark.parametrize("form", FORMS[1:3], ids=str)
def test_reference_mode_runs_the_twins(form, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    piece = random_piece(form)
    coordinates = random_coordinates(piece)
    G = kernels.gram(piece.B)
    np.testing.assert_array_equal(G, reference.gram(piece.B))
    calls = [
        lambda of, p: of.masked_rows(p.listed, p.A, p.B, coordinates),
        lambda of, p: of.background_rows(p.listed, p.A, p.B, G, 0.1, coordinates),
        lambda of, p: of.completed_products(p.listed, p.A, p.B, G, 0.1, (1, 3))[0],
        lambda of, p: of.gram_rows(p.A * 2, G, p.A, coordinates),
        lambda of, p: of.penalties(p.A, coordinates, coordinates.centre)[1],
        lambda of, p: of.balance(p.A, p.B, coordinates, coordinates),
        lambda of, p: of.extrapolate(p.A, p.A * 2, coordinates.centre[0], coordinates.lower, 0),
        lambda of, p: of.multiplied_rows(p.A * 2, p.A * 3, p.A, coordinates),
        lambda of, p: of.times_gram(p.A, G),
        lambda of, p: of.moments(p.listed, p.A, p.B, G, 0.1)[1],
    ]
    for call in calls:
        ours, twin = piece.copied(), piece.copied()
        np.testing.assert_array_equal(call(kernels, ours), call(reference, twin))
        np.testing.assert_array_equal(ours.A, twin.A)


@st.composite
def pieces(draw, members):
    shape = draw(st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return random_piece(
        Form("lanes", members, "float64"),
        shape=shape,
        size=draw(st.integers(1, 4)),
        per_member=draw(st.booleans()),
        binary=draw(st.booleans()),
        density=draw(st.sampled_from([0.0, 0.3, 1.1])),
        seed=draw(st.integers(0, 10_000)),
    )


@pytest.mark.parametrize("members", [1, 8])
@settings(max_examples=25)
@given(data=st.data())
def test_any_structure(members, data):
    piece = data.draw(pieces(members))
    size = piece.A.shape[1]
    first = data.draw(st.integers(0, size))
    span = (first, data.draw(st.integers(first, size)))
    coordinates = random_coordinates(piece, span, seed=data.draw(st.integers(0, 1000)))
    coordinates = replace(coordinates, ridge=coordinates.ridge + 0.1)  # well conditioned
    cycles = data.draw(st.integers(1, 3))
    G = reference.gram(piece.B)
    binary = bool(np.isin(piece.listed.values[~np.isnan(piece.listed.values)], (0, 1)).all())
    logistic = binary and data.draw(st.booleans())
    calls = [
        lambda of, p: [of.masked_rows(p.listed, p.A, p.B, coordinates, cycles, logistic)],
        lambda of, p: [of.background_rows(p.listed, p.A, p.B, G, 0.3, coordinates, cycles)],
        lambda of, p: of.completed_products(p.listed, p.A, p.B, G, 0.3, (1.0, 2.0)),
        lambda of, p: of.moments(p.listed, p.A, p.B, G, 0.3),
    ]
    for call in calls:
        ours, twin = piece.copied(), piece.copied()
        result, expected = call(kernels, ours), call(reference, twin)
        for number, wanted in zip(result, expected, strict=True):
            np.testing.assert_allclose(number, wanted, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(ours.A, twin.A, rtol=1e-8, atol=1e-8)
