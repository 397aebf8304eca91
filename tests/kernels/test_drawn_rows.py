"""Draws of rows: the kernel equals its twin, and both have the conditional mean and covariance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import log_ndtr
from scipy.stats import kstest

from latentlink import kernels
from latentlink.kernels import Listed, Mirror, NormalPrior, RandomNumbers, Unlisted, reference
from latentlink.kernels.posterior.augmentation import REST, SCALES
from latentlink.kernels.posterior.posterior_twins import exponentials
from latentlink.kernels.posterior.truncated import truncated_normal
from tests.helpers.structures import FORMS, Form, in_lanes, random_piece

SPANS = [(0, 5), (0, 4), (1, 5), (1, 4), (2, 3)]
BASES = (None, 0.0, 0.2)  # weights of unlisted zeros

every_form = pytest.mark.parametrize("form", FORMS, ids=str)
every_weight = pytest.mark.parametrize("per_member", [False, True], ids=["shared", "own"])


@pytest.fixture(autouse=True)
def chosen_mode(request, monkeypatch):
    form = request.node.callspec.params.get("form") if hasattr(request.node, "callspec") else None
    monkeypatch.setenv("LATENTLINK_KERNELS", form.mode if form else "lanes")


def random_prior(form, span, seed=0, shape=None):
    """Return a prior with a precision matrix, a mean and a noise for each member.

    With a shape, each row has its own mean, and rows and partners have relative precisions.
    """
    rng = np.random.default_rng(seed)
    free = span[1] - span[0]
    roots = rng.normal(size=(form.members, free, free))
    precision = (roots @ roots.transpose(0, 2, 1) + np.eye(free)).transpose(1, 2, 0)
    linear = rng.normal(size=(1 if shape is None else shape[0], free, form.members))
    parts = precision, linear, rng.uniform(0.5, 3, form.members)
    relative = shape and tuple(
        in_lanes(rng.uniform(0.2, 2, (size, form.members)).astype(form.dtype)) for size in shape
    )
    return NormalPrior(*span, *(part.astype(form.dtype) for part in parts), relative)


def unlisted(piece, base):
    return None if base is None else Unlisted(base, reference.gram(piece.B))


def doubled(prior):
    parts = {name: np.float64(getattr(prior, name)) for name in ("precision", "linear", "tau")}
    return replace(prior, **parts, relative=prior.relative and tuple(map(np.float64, prior.relative)))


def normals(piece, span, seed=1):
    size = (len(piece.A), span[1] - span[0], piece.A.shape[2])
    return in_lanes(np.random.default_rng(seed).normal(size=size).astype(piece.A.dtype))


@every_form
@every_weight
@pytest.mark.parametrize("shape", [(7, 6), (3, 90)], ids=["few", "several-chunks"])
def test_the_kernel_equals_its_twin(form, per_member, shape):
    piece = random_piece(form, size=5, per_member=per_member, shape=shape)
    for span in SPANS:
        alike, differing = random_prior(form, span), random_prior(form, span, shape=shape)
        bases = (*BASES, np.linspace(0.1, 0.3, form.members).astype(form.dtype))
        for prior, base in (*((alike, base) for base in bases), (differing, None)):
            compare_with_twin(form, piece, prior, base)


def compare_with_twin(form, piece, prior, base):
    Z, zeros = normals(piece, (prior.first, prior.last)), unlisted(piece, base)
    ours, twin, silent = piece.copied(), piece.double().copied(), piece.copied()
    loss, losses = kernels.drawn_rows(ours.listed, ours.A, ours.B, prior, Z, zeros)
    expected, of_rows = reference.drawn_rows(
        twin.listed, twin.A, twin.B, doubled(prior), np.float64(Z), zeros
    )
    np.testing.assert_allclose(ours.A, twin.A, **form.tolerance)
    np.testing.assert_allclose(loss, expected, **form.tolerance)
    np.testing.assert_array_equal(ours.B, piece.B)
    assert loss.dtype == np.float64
    assert (losses is None) == (of_rows is None) == (prior.relative is None)
    if losses is not None:
        np.testing.assert_allclose(losses, of_rows, **form.tolerance)
    none, _ = kernels.drawn_rows(silent.listed, silent.A, silent.B, prior, Z, zeros, with_loss=False)
    np.testing.assert_array_equal(silent.A, ours.A)
    assert not none.any()


@every_form
@pytest.mark.parametrize("shape", [(7, 6), (3, 90)], ids=["few", "several-chunks"])
def test_known_entries_of_weight_one_have_a_form_of_their_own_with_the_same_bits(form, shape):
    piece = random_piece(form, size=5, shape=shape)
    listed = Listed(
        piece.listed.indptr,
        piece.listed.indices,
        in_lanes(np.nan_to_num(piece.listed.values)),
        np.ones_like(piece.listed.weights),
    )
    piece = replace(piece, listed=listed)
    assert listed.unit
    assert not replace(listed, weights=2 * listed.weights).unit
    for span in SPANS:
        prior, Z = random_prior(form, span), normals(piece, span)
        compare_with_twin(form, piece, prior, None)
        own, general = piece.copied(), piece.copied()
        loss, _ = kernels.drawn_rows(own.listed, own.A, own.B, prior, Z)
        # A background of weight 0 changes nothing, but takes the general form.
        expected, _ = kernels.drawn_rows(general.listed, general.A, general.B, prior, Z, unlisted(piece, 0.0))
        if form.mode != "reference":
            np.testing.assert_array_equal(own.A, general.A)
            np.testing.assert_array_equal(loss, expected)


def dense_conditional(piece, i, base, prior):
    """Return mean and covariance of the first member of a row, from all entries one by one."""
    n_partners = len(piece.B)
    X, U = np.zeros(n_partners), np.full(n_partners, base)
    entries = slice(piece.listed.indptr[i], piece.listed.indptr[i + 1])
    x = piece.listed.values[entries, 0]
    at = piece.listed.indices[entries]
    U[at] = np.where(np.isnan(x), 0, piece.listed.weights[entries])
    X[at] = np.nan_to_num(x)
    free = slice(prior.first, prior.last)
    fixed = np.delete(np.arange(piece.A.shape[1]), np.arange(prior.first, prior.last))
    b, q = piece.B[:, free, 0], piece.B[:, fixed, 0] @ piece.A[i, fixed, 0]
    linear = prior.linear[min(i, len(prior.linear) - 1), :, 0]
    if prior.relative is not None:
        U = U * prior.relative[0][i, 0] * prior.relative[1][:, 0]
    precision = prior.precision[..., 0] + prior.tau[0] * b.T @ np.diag(U) @ b
    linear = linear + prior.tau[0] * b.T @ (U * (X - q))
    return np.linalg.solve(precision, linear), np.linalg.inv(precision)


@pytest.mark.parametrize("of", [kernels, reference], ids=["compiled", "twin"])
@pytest.mark.parametrize(("base", "shape"), [(None, None), (0.2, None), (None, (7, 6))])
@pytest.mark.parametrize("span", SPANS[1:4])
def test_draws_have_the_mean_and_covariance_of_dense_algebra(of, base, shape, span):
    """A draw is linear in its normal numbers: unit vectors show the root of the covariance exactly."""
    form = Form("lanes", 1, "float64")
    piece = random_piece(form, size=5, shape=(7, 6))
    prior, Z = random_prior(form, span, shape=shape), 0 * normals(piece, span)
    free = span[1] - span[0]

    def drawn(unit):
        Z[...] = 0
        if unit is not None:
            Z[:, unit] = 1
        copy = piece.copied()
        of.drawn_rows(copy.listed, copy.A, copy.B, prior, Z, unlisted(piece, base))
        return copy.A[:, slice(*span), 0]

    means = drawn(None)
    roots = np.stack([drawn(unit) - means for unit in range(free)], axis=2)
    for i in range(len(piece.A)):
        mean, covariance = dense_conditional(piece, i, base or 0.0, prior)
        np.testing.assert_allclose(means[i], mean, rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(roots[i] @ roots[i].T, covariance, rtol=1e-9, atol=1e-12)


def test_weight_two_is_the_same_entry_twice():
    form = Form("lanes", 8, "float64")
    piece = random_piece(form, size=5)
    listed = piece.listed
    doubled_weights = replace(listed, weights=2 * listed.weights)
    repeated = Listed(
        2 * listed.indptr,
        np.repeat(listed.indices, 2),
        in_lanes(np.repeat(listed.values, 2, axis=0)),
        np.repeat(listed.weights, 2),
    )
    prior = random_prior(form, (1, 5), shape=(len(piece.A), len(piece.B)))
    Z = normals(piece, (1, 5))
    first, second = piece.copied(), piece.copied()
    loss, losses = kernels.drawn_rows(doubled_weights, first.A, first.B, prior, Z)
    expected, of_rows = kernels.drawn_rows(repeated, second.A, second.B, prior, Z)
    np.testing.assert_allclose(losses, of_rows, rtol=1e-12)
    np.testing.assert_allclose(first.A, second.A, rtol=1e-12)
    np.testing.assert_allclose(loss, expected, rtol=1e-12)


def test_a_member_does_not_depend_on_its_lane():
    piece = random_piece(Form("lanes", 8, "float64"), size=5, per_member=True)
    shape = len(piece.A), len(piece.B)
    prior = random_prior(Form("lanes", 8, "float64"), (0, 4), shape=shape)
    Z = normals(piece, (0, 4))
    whole = piece.copied()
    loss, losses = kernels.drawn_rows(whole.listed, whole.A, whole.B, prior, Z)
    for lane in (0, 5):
        alone = piece.lanes([lane])
        parts = (prior.precision[..., [lane]], prior.linear[..., [lane]], prior.tau[[lane]])
        relative = tuple(in_lanes(side[:, [lane]]) for side in prior.relative)
        own, of_rows = kernels.drawn_rows(
            alone.listed, alone.A, alone.B,
            NormalPrior(0, 4, *map(np.ascontiguousarray, parts), relative), in_lanes(Z[..., [lane]]),
        )  # fmt: skip
        np.testing.assert_array_equal(of_rows[:, 0], losses[:, lane])
        np.testing.assert_array_equal(alone.A[..., 0], whole.A[..., lane])
        assert own[0] == loss[lane]


# -------------------------------------------------------------------- logistic rows


def links(piece):
    """Return a piece whose values are links, NaN where unknown."""
    values = piece.listed.values
    listed = replace(
        piece.listed, values=in_lanes(np.where(np.isnan(values), values, values > 0.4).astype(values.dtype))
    )
    return replace(piece, listed=listed)


def logistic_numbers(piece, span, begin, end, seed=2):
    rng = np.random.default_rng(seed)
    indptr, members, dtype = piece.listed.indptr, piece.A.shape[2], piece.A.dtype
    normals = rng.normal(size=(end - begin, span[1] - span[0], members))
    gammas = rng.exponential(size=(indptr[end] - indptr[begin], 4, members))
    return RandomNumbers(begin, end, *(in_lanes(part.astype(dtype)) for part in (normals, gammas)))


@every_form
@every_weight
@pytest.mark.parametrize("mirrored", [False, True], ids=["two-sided", "mirrored"])
def test_the_logistic_kernel_equals_its_twin(form, per_member, mirrored):
    piece = links(random_piece(form, size=5, per_member=per_member, shape=(7, 7)))
    mirror = Mirror(np.array([4, 1, 2, 3, 4]), np.array([1, 1, -1, 1, 1], form.dtype)) if mirrored else None
    for span in [(0, 4)] if mirrored else SPANS:
        prior = random_prior(form, span)
        ours, twin = piece.copied(), piece.double().copied()
        for begin, end in ((0, 3), (3, 7)):
            numbers = logistic_numbers(piece, span, begin, end)
            doubles = replace(numbers, normals=np.float64(numbers.normals), gammas=np.float64(numbers.gammas))
            kernels.drawn_logistic_rows(ours.listed, ours.A, ours.B, prior, numbers, mirror)
            reference.drawn_logistic_rows(twin.listed, twin.A, twin.B, doubled(prior), doubles, mirror)
        np.testing.assert_allclose(ours.A, twin.A, **form.tolerance)
        np.testing.assert_allclose(ours.B, twin.B, **form.tolerance)


@pytest.mark.parametrize("weight", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("z", [0.0, 1.5, 6.0])
def test_augmenting_variables_have_the_moments_of_polya_gamma_and_its_laplace_transform(weight, z):
    rng = np.random.default_rng(0)
    scales = np.array(SCALES)
    ratios = scales / (1 + scales * z**2 / 2)
    omega = REST * weight + rng.gamma(weight, size=(400_000, 4)) @ ratios
    mean = weight * (np.tanh(z / 2) / (2 * z) if z else 0.25)
    assert omega.mean() == pytest.approx(mean, rel=5e-3)
    # The transform at z = 0 gives the likelihood: E exp(-omega t^2 / 2) = cosh(t / 2)^-w.
    for t in (1.0, 4.0, 6.0):
        log_transform = -weight * (np.sum(np.log1p(scales * t**2 / 2)) + REST * t**2 / 2)
        assert log_transform == pytest.approx(-weight * np.log(np.cosh(t / 2)), abs=2e-4 * weight)


@every_form
@every_weight
def test_exponential_numbers_are_drawn_in_the_kernel_as_by_its_twin(form, per_member):
    """Draws of the rows by the generators equal those given the numbers of the generators."""
    piece = links(random_piece(form, size=5, per_member=per_member, shape=(7, 7)))
    prior, Z = random_prior(form, (0, 4)), normals(piece, (0, 4))
    state = np.random.default_rng(0).integers(0, 1 << 64, (4, form.members), np.uint64)
    drawn, twin, given = state.copy(), state.copy(), state.copy()
    gammas = exponentials(given, 4 * len(piece.listed.indices), form.dtype).reshape(-1, 4, form.members)
    ours, same, double = piece.copied(), piece.copied(), piece.double().copied()
    kernels.drawn_logistic_rows(ours.listed, ours.A, ours.B, prior, RandomNumbers(0, 7, Z, state=drawn))
    kernels.drawn_logistic_rows(same.listed, same.A, same.B, prior, RandomNumbers(0, 7, Z, in_lanes(gammas)))
    reference.drawn_logistic_rows(
        double.listed, double.A, double.B, doubled(prior), RandomNumbers(0, 7, np.float64(Z), state=twin)
    )
    np.testing.assert_array_equal(drawn, twin)
    np.testing.assert_allclose(ours.A, same.A, **form.tolerance)
    np.testing.assert_allclose(ours.A, double.A, **form.tolerance)


def test_exponential_numbers_have_their_distribution_and_lanes_are_independent():
    state = np.random.default_rng(0).integers(0, 1 << 64, (4, 8), np.uint64)
    many = exponentials(state, 20_000, np.float64)
    assert all(kstest(lane, "expon").pvalue > 1e-3 for lane in many.T)
    assert np.abs(np.corrcoef(many.T) - np.eye(8)).max() < 0.03
    assert many.min() >= 0


@every_form
@pytest.mark.parametrize("shape", [(5, 4), (3, 3)], ids=["even", "odd"])
def test_normal_numbers_equal_their_twin(form, shape):
    state = np.random.default_rng(0).integers(0, 1 << 64, (4, form.members), np.uint64)
    twin, ours = state.copy(), in_lanes(np.zeros((*shape, form.members), form.dtype))
    expected = np.zeros((*shape, form.members))
    for _ in range(2):
        kernels.draw_normals(state, ours)
        reference.draw_normals(twin, expected)
        np.testing.assert_allclose(ours, expected, **form.tolerance)
    np.testing.assert_array_equal(state, twin)


def test_normal_numbers_have_their_distribution_and_are_independent():
    state = np.random.default_rng(1).integers(0, 1 << 64, (4, 8), np.uint64)
    numbers = in_lanes(np.zeros((40_000, 2, 8)))
    kernels.draw_normals(state, numbers)
    assert all(kstest(each, "norm").pvalue > 1e-4 for each in numbers.reshape(-1, 16).T)
    # Neither the two numbers of a pair, nor successive ones, nor lanes, nor their squares go together.
    columns = np.column_stack([numbers[1:].reshape(-1, 16), numbers[:-1, 0, 0]])
    for table in (columns, columns**2):
        assert np.abs(np.corrcoef(table.T) - np.eye(17)).max() < 0.025
    assert np.mean(np.abs(numbers) > 4) == pytest.approx(6.3e-5, rel=0.4)


# -------------------------------------------------------------------- features


@every_form
@pytest.mark.parametrize("shared", [True, False], ids=["shared", "own"])
@pytest.mark.parametrize("size", [3, 4])
def test_products_of_features_equal_their_twins(form, shared, size):
    rng = np.random.default_rng(4)
    A = in_lanes(rng.normal(size=(70, size, form.members)).astype(form.dtype))
    F = in_lanes(rng.normal(size=(70, 5) if shared else (70, 5, form.members)).astype(form.dtype))
    C, linear = rng.normal(size=(5, 2, form.members)), rng.normal(size=(2, form.members))
    sums, terms = kernels.feature_sums(F, A), kernels.feature_terms(F, C, linear)
    assert (sums.dtype, terms.dtype) == (np.float64, F.dtype)
    np.testing.assert_allclose(sums, reference.feature_sums(F, A), **form.tolerance)
    np.testing.assert_allclose(terms, reference.feature_terms(F, C, linear), **form.tolerance)
    own = F if shared else in_lanes(F[..., :1])
    alone = kernels.feature_sums(own, in_lanes(A[..., :1]))
    np.testing.assert_array_equal(alone[..., 0], sums[..., 0])
    alone = kernels.feature_terms(own, in_lanes(C[..., :1]), in_lanes(linear[..., :1]))
    np.testing.assert_array_equal(alone[..., 0], terms[..., 0])


# -------------------------------------------------------------------- non-negative rows


@every_form
@every_weight
def test_the_nonnegative_kernel_equals_its_twin(form, per_member):
    piece = random_piece(form, size=3, per_member=per_member, shape=(5, 20))
    for side in (piece.A, piece.B):
        np.abs(side, out=side)
    rng = np.random.default_rng(3)
    rates, tau = rng.uniform(0.5, 2, (1, 3, form.members)), rng.uniform(0.5, 3, form.members)
    none = np.zeros((3, 3, form.members))
    prior = NormalPrior(0, 3, *(part.astype(form.dtype) for part in (none, -rates, tau)))
    Z = in_lanes(rng.uniform(0.001, 1, (5, 2, 3, form.members)).astype(form.dtype))
    for base in BASES:
        ours, twin, zeros = piece.copied(), piece.double().copied(), unlisted(piece, base)
        loss, _ = kernels.drawn_nonnegative_rows(ours.listed, ours.A, ours.B, prior, Z, zeros)
        expected, _ = reference.drawn_nonnegative_rows(
            twin.listed, twin.A, twin.B, doubled(prior), np.float64(Z), zeros
        )
        loose = {"rtol": 2e-3, "atol": 2e-4} if form.dtype == "float32" else {"rtol": 1e-8, "atol": 1e-10}
        np.testing.assert_allclose(ours.A, twin.A, **loose)
        np.testing.assert_allclose(loss, expected, **loose)
        assert ours.A.min() >= 0


@pytest.mark.parametrize("least", [-40.0, -6.0, -1.0, 0.0, 2.0, 8.0, 29.0, 31.0, 100.0])
def test_truncated_normal_draws_have_their_distribution(least):
    uniforms = np.linspace(1e-6, 1, 401)
    draws = np.array([truncated_normal(4.0, -2.0 * least, u) for u in uniforms])
    # P(a > draw) is the uniform number: the tail of the normal distribution beyond it, over that beyond 0.
    beyond = np.exp(log_ndtr(-(2 * draws + least)) - log_ndtr(-least))
    np.testing.assert_allclose(beyond, uniforms, rtol=3e-3 if least > 30 else 1e-9)
