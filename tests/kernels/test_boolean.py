"""Boolean kernels equal their twins, and the cover they keep equals a count from scratch."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from latentlink import kernels
from latentlink.kernels import Lines, reference


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")


@st.composite
def problems(draw):
    """Cells with an order of their own seen from rows and from columns, weights, and Boolean factors."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n, m, rank = draw(st.integers(1, 9)), draw(st.integers(1, 9)), draw(st.integers(1, 5))
    there = rng.random((n, m)) < draw(st.sampled_from([0.0, 0.4, 1.0]))
    place = np.zeros((n, m), np.int32)
    place[there] = rng.permutation(np.count_nonzero(there))
    sides = []
    for matrix, where in ((there, place), (there.T, place.T)):
        compressed = sparse.csr_array(matrix)
        indptr, indices = (index.astype(np.int32) for index in (compressed.indptr, compressed.indices))
        sides.append(Lines(indptr, indices, where[matrix]))
    signed = rng.choice([-2.5, -1.0, -0.25, 0.0, 1.0, 3.0], np.count_nonzero(there))
    U, V = (rng.integers(0, 2, (size, rank)).astype(np.uint8) for size in (n, m))
    return sides, signed, place, there, U, V


def counted(place, there, U, V):
    """How many components cover each cell, from scratch."""
    count = np.zeros(np.count_nonzero(there), np.int32)
    count[place[there]] = (U.astype(int) @ V.T.astype(int))[there]
    return count


@settings(deadline=None, max_examples=200)
@given(problems())
def test_gains_equal_their_twin(problem):
    sides, signed, place, there, *factors = problem
    count = counted(place, there, *factors)
    for side in (0, 1):
        U, V, partners = factors[side], factors[1 - side], sides[1 - side]
        for c in range(U.shape[1]):
            found = kernels.boolean_gains(partners, signed, count, U, V, c)
            expected = reference.boolean_gains(partners, signed, count, U, V, c)
            np.testing.assert_array_equal(found, expected)
            assert found.dtype == expected.dtype == np.float64


@settings(deadline=None, max_examples=200)
@given(problems(), st.data())
def test_the_cover_equals_a_recount_after_any_changes(problem, data):
    sides, _, place, there, *ours = problem
    twins = [side.copy() for side in ours]
    count = counted(place, there, *ours)
    twin_count = count.copy()
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for _ in range(data.draw(st.integers(1, 8))):
        side, c = rng.integers(2), rng.integers(ours[0].shape[1])
        held = rng.random(len(ours[side])) < 0.5
        expected = np.count_nonzero(ours[side][:, c] != held)
        lines = sides[side]
        assert kernels.boolean_change(lines, count, ours[side], ours[1 - side], c, held) == expected
        assert reference.boolean_change(lines, twin_count, twins[side], twins[1 - side], c, held) == expected
        np.testing.assert_array_equal(count, twin_count)
        np.testing.assert_array_equal(count, counted(place, there, *ours))
        for one, other in zip(ours, twins, strict=True):
            np.testing.assert_array_equal(one, other)


@settings(deadline=None, max_examples=200)
@given(problems(), st.integers(0, 5))
def test_settling_equals_its_twin_and_stands_still(problem, rounds):
    sides, signed, place, there, *ours = problem
    twins = [side.copy() for side in ours]
    counts = [counted(place, there, *ours) for _ in range(2)]
    noise = tuple(np.full(len(side), 1e-9) for side in ours)
    kernels.boolean_settle(tuple(sides), signed, counts[0], tuple(ours), noise, rounds)
    reference.boolean_settle(tuple(sides), signed, counts[1], tuple(twins), noise, rounds)
    for one, other in zip(ours, twins, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(counts[0], counts[1])
    np.testing.assert_array_equal(counts[0], counted(place, there, *ours))


@settings(deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 12), st.integers(0, 12), st.integers(1, 3), st.integers(1, 6))
def test_disjoint_patterns_equal_their_twin(seed, n, m, words, bits):
    rng = np.random.default_rng(seed)
    shifts = rng.permutation(64)[:bits].astype(np.uint64)  # the highest bit too
    patterns, others = (
        (rng.integers(0, 2, (size, words, bits)).astype(np.uint64) << shifts).sum(axis=2, dtype=np.uint64)
        for size in (n, m)
    )
    sizes = rng.integers(1, 1000, m)
    found = kernels.boolean_disjoint(patterns, others, sizes)
    np.testing.assert_array_equal(found, reference.boolean_disjoint(patterns, others, sizes))
    expected = [
        sum(int(size) for other, size in zip(others, sizes, strict=True) if not (other & pattern).any())
        for pattern in patterns
    ]
    np.testing.assert_array_equal(found, np.array(expected, np.int64))


def test_reference_mode_runs_the_twins(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    for name in ("boolean_gains", "boolean_change", "boolean_settle", "boolean_disjoint"):
        monkeypatch.setattr(reference, name, lambda *given, name=name: name)
    lines = Lines(*[np.zeros(1, np.int32)] * 3)
    nothing = np.zeros((1, 1), np.uint8)
    assert kernels.boolean_gains(lines, nothing, nothing, nothing, nothing, 0) == "boolean_gains"
    assert kernels.boolean_change(lines, nothing, nothing, nothing, 0, nothing) == "boolean_change"
    assert kernels.boolean_disjoint(nothing, nothing, nothing) == "boolean_disjoint"
