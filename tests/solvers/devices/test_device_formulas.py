"""Sums, terms, descent and moves on a device against plain computations with loops."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from latentlink.kernels import Coordinates, Listed
from latentlink.solvers.devices import gathered_entries, row_terms
from latentlink.solvers.devices.array_libraries import named_device
from latentlink.solvers.devices.device_factor import DeviceFactor, DeviceMoving
from latentlink.solvers.devices.device_sums import balanced, device_gram, penalty_sums
from latentlink.solvers.devices.entry_terms import boolean_targets, logistic_terms, squared_terms, total
from latentlink.solvers.devices.gathered_entries import GatheredEntries, padded_lengths
from latentlink.solvers.devices.masked_matrix import MaskedMatrix
from latentlink.solvers.devices.row_descent import Background, DeviceCoordinates, descended
from tests.solvers.devices.places import strict_device

HOST = named_device("numpy", "cpu", "A test")


@pytest.fixture(params=["numpy", "strict"])
def device(request):
    return HOST if request.param == "numpy" else strict_device()


def coordinates_of(first, last, members=2, nodes=None, seed=0, size=4, lower=None):
    rng = np.random.default_rng(seed)
    growth = counts = None
    if nodes is not None:
        growth, counts = rng.random((size, members)), rng.random((nodes, members))
    bounds = np.full(size, -np.inf) if lower is None else np.array(lower)
    return Coordinates(
        first, last, rng.random((size, members)), rng.normal(size=(size, members)), bounds, growth, counts
    )


# ------------------------------------------------------------------------------------ sums over nodes


@pytest.mark.parametrize("nodes", [None, 6])
def test_penalties_and_gram_matrices(device, nodes):
    own = coordinates_of(0, 4, nodes=nodes)
    A = np.random.default_rng(1).normal(size=(2, 6, 4)).astype(np.float32)
    there = DeviceCoordinates.of(device, own)
    around = device.get(penalty_sums(device.put(A), there))
    around_zero = device.get(penalty_sums(device.put(A), there, around_zero=True))
    expected, expected_zero = np.zeros((2, 4)), np.zeros((2, 4))
    for member, node, c in np.ndindex(2, 6, 4):
        ridge = own.ridge[c, member]
        if nodes is not None:
            ridge += own.growth[c, member] * own.counts[node, member]
        a = float(A[member, node, c])
        expected[member, c] += ridge * (a - own.centre[c, member]) ** 2
        expected_zero[member, c] += ridge * a**2
    np.testing.assert_allclose(around, expected)
    np.testing.assert_allclose(around_zero, expected_zero)
    gram = device.get(device_gram(device.put(A)))
    assert gram.dtype == np.float64
    np.testing.assert_allclose(gram, np.einsum("mna,mnb->mab", A.astype(float), A.astype(float)))
    assert (there.first, there.last, there.penalised) == (0, 4, True)
    assert there.lower == [-np.inf] * 4


def test_without_a_penalty_not_even_infinity_counts():
    own = Coordinates(0, 2, np.array([[0.0], [1.0]]), np.zeros((2, 1)), np.zeros(2))
    A = np.array([[[np.inf, 2.0], [1.0, 3.0]]])
    with np.errstate(invalid="ignore"):
        sums = penalty_sums(HOST.put(A), DeviceCoordinates.of(HOST, own))
    assert sums.tolist() == [[0.0, 13.0]]


@pytest.mark.parametrize(("first", "last"), [((0, 0), (4, 4)), ((1, 0), (4, 3)), ((0, 2), (3, 4))])
def test_components_are_rescaled_to_the_least_penalty(device, first, last):
    """The product stays, and of shared coordinates both penalties are the same."""
    own = [coordinates_of(begin, end, seed=k) for k, (begin, end) in enumerate(zip(first, last, strict=True))]
    rng = np.random.default_rng(2)
    rows, cols = rng.normal(size=(2, 6, 4)), 3 * rng.normal(size=(2, 5, 4))
    rows[1, :, 2], cols[0, :, 1] = 0, 0
    there = [DeviceCoordinates.of(device, each) for each in own]
    new = [device.get(each) for each in balanced(device.put(rows), device.put(cols), *there)]
    np.testing.assert_allclose(new[0] @ new[1].swapaxes(1, 2), rows @ cols.swapaxes(1, 2))
    for member, c in np.ndindex(2, 4):
        before, after = (
            [
                (side[member, :, c] ** 2).sum() * each.ridge[c, member]
                for side, each in zip(sides, own, strict=True)
            ]
            for sides in ((rows, cols), new)
        )
        if max(first) <= c < min(last) and min(before) > 0:
            assert after[0] == pytest.approx(after[1])
        else:
            assert after == pytest.approx(before)


# ------------------------------------------------------------------------------------ terms of entries


def test_sums_of_members_are_in_double_precision(device):
    x = np.full((2, 3, 5), 1 + 1e-5, np.float32)
    sums = device.get(total(device.put(x)))
    assert sums.dtype == np.float64
    np.testing.assert_allclose(sums, [15 * np.float64(np.float32(1 + 1e-5))] * 2, rtol=1e-12)


@pytest.mark.parametrize("with_surplus", [False, True])
def test_squared_terms_are_slopes_and_curves_of_the_loss(device, with_surplus):
    rng = np.random.default_rng(0)
    z, x, u = rng.normal(size=(3, 2, 3, 4))
    u, c = np.abs(u), 0.3 * with_surplus
    given = [device.put(each) for each in (z, x, u)]
    p, q, loss = map(device.get, squared_terms(*given, device.put(u - c) if with_surplus else None))

    def entries(z):
        return u * (x - z) ** 2 - c * z**2

    np.testing.assert_allclose(loss, entries(z).sum(axis=(1, 2)))
    for d in (-0.7, 0.4):  # loss(z + d) = loss(z) - 2 p d + q d^2
        np.testing.assert_allclose(entries(z + d), entries(z) - 2 * p * d + q * d**2)


def test_logistic_terms_bound_the_loss(device):
    z = np.array([[-700.0, -3.0, -0.011, -0.01, -0.009, -1e-6, 0, 1e-6, 0.009, 0.01, 0.011, 2.0, 700.0]])
    for y, weight in ((0.0, 1.0), (1.0, 2.5)):
        targets, weights = np.full(z.shape, y), np.full(z.shape, weight)
        p, q, loss = map(device.get, logistic_terms(*map(device.put, (z, targets, weights))))

        def entries(z, y=y, weight=weight):
            return weight * (np.logaddexp(0, z) - y * z)

        np.testing.assert_allclose(loss, entries(z).sum(axis=1))
        np.testing.assert_allclose(p, weight * (y - 1 / (1 + np.exp(-z))), atol=1e-15)
        exact = np.divide(np.tanh(z / 2), 2 * z, out=np.full_like(z, 0.25), where=z != 0)
        np.testing.assert_allclose(q, weight * exact, rtol=1e-8)
        for d in (-1.5, -0.1, 0.2, 3.0):  # twice the loss is at most this parabola
            assert (2 * entries(z + d) <= 2 * entries(z) - 2 * p * d + q * d**2 + 1e-12).all()


def test_boolean_targets(device):
    z = np.array([[-1.0, 0.7, 0.8, 1.5, 3.0, 5.0]])
    x = np.array([[1.0, 1.0, 0.5, 1.0, 0.51, 0.0]])
    targets = boolean_targets(device.put(z), device.put(x), (0.75, 2.0))
    assert device.get(targets).tolist() == [[0.75, 0.75, 0, 1.5, 2.0, 0]]


# ------------------------------------------------------------------------------------ terms of rows


def listed_of(per_member, known, seed=0, shape=(7, 6), members=2, share=0.5):
    """Return listed entries, and the same as dense values and weights with NaN where none is listed."""
    rng = np.random.default_rng(seed)
    there = rng.random(shape) < share
    there[2], there[3] = False, True
    rows, cols = np.nonzero(there)
    values = rng.normal(size=(len(rows), members))
    if not known:
        values[rng.random(values.shape) < 0.2] = np.nan
    weights = 0.5 + rng.random((len(rows), members) if per_member else len(rows))
    indptr = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
    X, W = np.full((members, *shape), np.nan), np.full((members, *shape), np.nan)
    for member in range(members):
        X[member][rows, cols] = values[:, member]
        W[member][rows, cols] = weights[:, member] if per_member else weights
    return Listed(indptr, cols, values, weights), X, W


def plain_terms(X, W, A, B, background, all_pairs):
    """Gradient, curvature and loss of rows by loops; of the listed entries alone unless all pairs count."""
    members, n, m = X.shape
    g, G = np.zeros(A.shape), np.zeros((*A.shape, A.shape[2]))
    loss = np.zeros(members)
    for k, i, j in np.ndindex(members, n, m):
        b, z, base = B[k, j], A[k, i] @ B[k, j], np.broadcast_to(background, members)[k]
        listed = not np.isnan(W[k, i, j])
        u = (0 if np.isnan(X[k, i, j]) else W[k, i, j]) if listed else base * all_pairs
        x = np.nan_to_num(X[k, i, j])
        g[k, i] += u * (x - z) * b
        G[k, i] += u * np.outer(b, b)
        loss[k] += u * (x - z) ** 2
        if listed and not all_pairs:  # taken off the background
            g[k, i] += base * z * b
            G[k, i] -= base * np.outer(b, b)
            loss[k] -= base * z**2
    return g, G, loss


@pytest.mark.parametrize("most", [1 << 24, 30])
@pytest.mark.parametrize("background", [0.0, 0.4, np.array([0.3, 0.6])])
@pytest.mark.parametrize(
    ("per_member", "known"), [(False, True), (False, False), (True, True), (True, False)]
)
@pytest.mark.parametrize("kind", ["masked", "gathered"])
def test_terms_of_rows(kind, per_member, known, background, most, monkeypatch):
    monkeypatch.setattr(row_terms, "MOST_NUMBERS", most)
    monkeypatch.setattr(gathered_entries, "MOST_NUMBERS", most)
    listed, X, W = listed_of(per_member, known)
    rng = np.random.default_rng(3)
    A, B = rng.normal(size=(2, 7, 3)), rng.normal(size=(2, 6, 3))
    masked = kind == "masked"
    entries = (
        MaskedMatrix.of(HOST, listed, 6, background)
        if masked
        else GatheredEntries.of(HOST, listed, 3, background)
    )
    g, G, expected_loss = plain_terms(X, W, A, B, background, masked)
    for curved in (True, False):
        parts = list(entries.row_terms(entries.ordered(A), B, squared_terms, curved))
        assert len(parts) > 1 or most > 30
        gradient = entries.restored(np.concatenate([part.gradient for part in parts], axis=1))
        np.testing.assert_allclose(gradient, g, atol=1e-12)
        np.testing.assert_allclose(sum(part.loss for part in parts), expected_loss)
        np.testing.assert_allclose(entries.restored(np.concatenate([part.a for part in parts], axis=1)), A)
        spans = [(part.span.start, part.span.stop) for part in parts]
        assert [begin for begin, _ in spans] == [0, *(end for _, end in spans[:-1])]
        assert spans[-1][1] == 7
        if curved:
            curvature = entries.restored(np.concatenate([part.curvature for part in parts], axis=1))
            np.testing.assert_allclose(curvature, G, atol=1e-12)
        else:
            assert {part.curvature for part in parts} == {None}
    if masked:
        assert entries.weights.shape[0] == (1 if not per_member and known and np.ndim(background) == 0 else 2)
        back = entries.transposed()
        other = next(back.row_terms(B, A, squared_terms, False)).loss
        if most > 30:
            np.testing.assert_allclose(other, expected_loss)
    else:
        degrees = np.diff(listed.indptr)
        assert (entries.base is None) == (not np.any(background))
        if entries.base is not None:
            np.testing.assert_array_equal(entries.base[:, 0, 0], np.broadcast_to(background, 2))
            np.testing.assert_array_equal(entries.restored(entries.degrees[None])[0], degrees)
        assert not entries.unit


def test_a_matrix_of_weights_1_is_unit():
    listed, *_ = listed_of(False, True, share=2.0, shape=(4, 6))
    ones = Listed(listed.indptr, listed.indices, listed.values, np.ones(len(listed.values)))
    assert MaskedMatrix.of(HOST, ones, 6, 1.0).unit
    assert not MaskedMatrix.of(HOST, ones, 6, 0.0).unit  # the third row is empty
    assert not MaskedMatrix.of(HOST, listed, 6, 1.0).unit


def test_a_network_without_entries_has_no_terms():
    nothing = Listed(np.zeros(4, int), np.zeros(0, int), np.zeros((0, 2)), np.zeros(0))
    entries = GatheredEntries.of(HOST, nothing, 2, 0.0)
    (part,) = entries.row_terms(np.ones((2, 3, 2)), np.ones((2, 5, 2)), squared_terms, True)
    assert not part.gradient.any()
    assert not part.curvature.any()
    assert part.loss.tolist() == [0, 0]


def test_padded_lengths_are_powers_of_two_and_three_quarters_of_them():
    allowed = [1, 2, 3, *(size for power in range(2, 9) for size in (2**power, 3 * 2 ** (power - 1)))]
    for degree in range(200):
        expected = min(size for size in allowed if size >= max(degree, 1))
        assert padded_lengths(np.array([degree])).tolist() == [expected]


@pytest.mark.parametrize(("numbers", "most", "step"), [(3, 10, 3), (5, 10, 2), (11, 10, 1), (0, 3, 3)])
def test_parts_have_at_most_so_many_numbers(numbers, most, step, monkeypatch):
    monkeypatch.setattr(row_terms, "MOST_NUMBERS", most)
    parts = list(row_terms.row_parts(7, numbers))
    assert parts == [slice(begin, min(begin + step, 7)) for begin in range(0, 7, step)]


# ------------------------------------------------------------------------------------ descent and moves


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("nodes", [None, 5])
@pytest.mark.parametrize(("first", "last"), [(0, 4), (1, 3)])
@pytest.mark.parametrize("cycles", [1, 3])
def test_descent_minimises_one_coordinate_after_the_other(device, cycles, first, last, nodes, shared):
    own = coordinates_of(first, last, nodes=nodes, lower=[0.0, -np.inf, 0.3, -0.2])
    rng = np.random.default_rng(1)
    a, g = rng.normal(size=(2, 2, 5, 4))
    root = rng.normal(size=(2, 1 if shared else 5, 4, 4))
    G = root @ root.swapaxes(2, 3)
    there = DeviceCoordinates.of(device, own)
    new = device.get(descended(device.put(a), (device.put(g), device.put(G)), there, there.pull, cycles))
    expected = a.copy()
    for k, i in np.ndindex(2, 5):
        curvature = G[k, 0 if shared else i]
        for _ in range(cycles):
            for c in range(first, last):
                ridge = own.ridge[c, k]
                if nodes is not None:
                    ridge += own.growth[c, k] * own.counts[i, k]
                d = expected[k, i] - a[k, i]
                slope = g[k, i, c] - curvature[c] @ d - ridge * (expected[k, i, c] - own.centre[c, k])
                best = expected[k, i, c] + slope / (curvature[c, c] + ridge)
                expected[k, i, c] = max(best, own.lower[c])
    np.testing.assert_allclose(new, expected, atol=1e-12)


def test_coordinates_without_curvature_stay():
    own = Coordinates(0, 2, np.zeros((2, 1)), np.ones((2, 1)), np.zeros(2))
    there = DeviceCoordinates.of(HOST, own)
    a, g = np.array([[[-3.0, 1.0]]]), np.ones((1, 1, 2))
    G = np.array([[[[0.0, 0.0], [0.0, 2.0]]]])
    assert descended(a, (g, G), there, there.pull, 2).tolist() == [[[-3.0, 1.5]]]


@pytest.mark.parametrize("ridge", [0.0, 0.5])
@pytest.mark.parametrize(("curvature", "moves"), [(0.99, False), (1.0, False), (1.01, True)])
def test_curvature_within_the_noise_of_the_background_is_none(curvature, moves, ridge):
    """A penalty counts all the same, and takes the coordinate to its centre."""
    own = Coordinates(0, 1, np.full((1, 1), ridge), np.full((1, 1), 0.7), np.full(1, -np.inf))
    there = DeviceCoordinates.of(HOST, own)
    background = Background(np.full((1, 1, 1), 4.0), np.full((1, 1), 0.25))
    terms = np.ones((1, 1, 1)), np.full((1, 1, 1, 1), curvature)
    (new,) = descended(np.full((1, 1, 1), 3.0), terms, there, there.pull, 1, background).ravel()
    if moves:
        assert new == pytest.approx((3 * curvature + 1 + ridge * 0.7) / (curvature + ridge))
    else:
        assert new == (pytest.approx(0.7) if ridge else 3)


def test_padding_has_a_partner_that_is_there():
    listed = Listed(np.array([0, 1, 1]), np.zeros(1, int), np.ones((1, 2)), np.ones(1))
    entries = GatheredEntries.of(HOST, listed, 2, 0.0)
    parts = list(entries.row_terms(np.ones((2, 2, 2)), np.ones((2, 1, 2)), squared_terms, True))
    gradient = entries.restored(np.concatenate([part.gradient for part in parts], axis=1))
    assert gradient.tolist() == [[[-1, -1], [0, 0]]] * 2


@pytest.mark.parametrize(("per_member", "known"), [(False, True), (False, False), (True, True)])
def test_weights_that_all_members_share_are_there_once(per_member, known):
    entries = GatheredEntries.of(HOST, listed_of(per_member, known)[0], 3, 0.0)
    sizes = {buffer.weights.shape[0] for group in entries.groups for buffer in group if buffer.values.any()}
    assert 1 in sizes if not per_member and known else 2 in sizes


def test_members_of_a_factor_are_copied_and_set(device):
    value = np.random.default_rng(0).normal(size=(3, 5, 2))
    factor = DeviceFactor(device.put(value))
    assert factor.shape == (5, 2, 3)
    kept = factor[..., 1].copy()
    factor[..., 1] = device.put(np.zeros((5, 2)))
    np.testing.assert_array_equal(device.get(kept), value[1])
    assert not device.get(factor.value)[1].any()
    factor[..., 1] = kept
    np.testing.assert_array_equal(device.get(factor.value), value)


def test_factors_are_reverted_and_extrapolated(device):
    rng = np.random.default_rng(0)
    before, accepted = rng.normal(size=(2, 3, 5, 2)).astype(np.float32)
    bounds = SimpleNamespace(bounds=device.put(np.array([-np.inf, 0.1], np.float32)))
    held = DeviceFactor(device.put(before))
    moving = DeviceMoving(device, held, bounds)
    assert moving.members == 3
    copied = moving.accepted()
    returned = moving.extrapolate(device.put(accepted), np.array([0.0, 0.5, 2.0]))
    for each in (copied, returned):
        np.testing.assert_array_equal(device.get(each), before)
    expected = before + np.array([0, 0.5, 2], np.float32)[:, None, None] * (before - accepted)
    expected[..., 1] = np.maximum(expected[..., 1], np.float32(0.1))
    moved = device.get(held.value)
    assert moved.dtype == np.float32
    np.testing.assert_allclose(moved, expected, rtol=1e-6)
    moving.revert(device.put(accepted), np.array([True, False, True]))
    np.testing.assert_array_equal(
        device.get(held.value), np.where(np.array([True, False, True])[:, None, None], accepted, moved)
    )
