"""Boolean kernels equal their twins, and their counts of covering components equal a recount."""

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
    """Draw known cells by row and by column, their signed weights, and Boolean factors."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n, m, rank = draw(st.integers(1, 9)), draw(st.integers(1, 9)), draw(st.integers(1, 5))
    there = rng.random((n, m)) < draw(st.sampled_from([0.0, 0.4, 1.0]))
    position = np.zeros((n, m), np.int32)
    position[there] = rng.permutation(np.count_nonzero(there))
    sides = []
    for matrix, where in ((there, position), (there.T, position.T)):
        compressed = sparse.csr_array(matrix)
        indptr, indices = (index.astype(np.int32) for index in (compressed.indptr, compressed.indices))
        sides.append(Lines(indptr, indices, where[matrix]))
    signed = rng.choice([-2.5, -1.0, -0.25, 0.0, 1.0, 3.0], np.count_nonzero(there))
    U, V = (rng.integers(0, 2, (size, rank)).astype(np.uint8) for size in (n, m))
    return sides, signed, position, there, U, V


def counted(position, there, U, V):
    """Count the components that cover each cell."""
    count = np.zeros(np.count_nonzero(there), np.int32)
    count[position[there]] = (U.astype(int) @ V.T.astype(int))[there]
    return count


@settings(max_examples=100)
@given(problems())
def test_gains_equal_their_twin(problem):
    sides, signed, position, there, *factors = problem
    count = counted(position, there, *factors)
    for side in (0, 1):
        U, V, partners = factors[side], factors[1 - side], sides[1 - side]
        for c in range(U.shape[1]):
            result = kernels.boolean_gains(partners, signed, count, U, V, c)
            expected = reference.boolean_gains(partners, signed, count, U, V, c)
            np.testing.assert_array_equal(result, expected)
            assert result.dtype == expected.dtype == np.float64


@settings(max_examples=100)
@given(problems(), st.data())
def test_counts_are_updated_by_any_assignment(problem, data):
    sides, _, position, there, *ours = problem
    twins = [side.copy() for side in ours]
    count = counted(position, there, *ours)
    twin_count = count.copy()
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for _ in range(data.draw(st.integers(1, 8))):
        side, c = rng.integers(2), rng.integers(ours[0].shape[1])
        included = rng.random(len(ours[side])) < 0.5
        expected = np.count_nonzero(ours[side][:, c] != included)
        lines = sides[side]
        assert kernels.boolean_assign(lines, count, ours[side], ours[1 - side], c, included) == expected
        assert (
            reference.boolean_assign(lines, twin_count, twins[side], twins[1 - side], c, included) == expected
        )
        np.testing.assert_array_equal(count, twin_count)
        np.testing.assert_array_equal(count, counted(position, there, *ours))
        for one, other in zip(ours, twins, strict=True):
            np.testing.assert_array_equal(one, other)


@settings(max_examples=100)
@given(problems(), st.integers(0, 5))
def test_optimizing_equals_its_twin(problem, rounds):
    sides, signed, position, there, *ours = problem
    twins = [side.copy() for side in ours]
    counts = [counted(position, there, *ours) for _ in range(2)]
    noise = tuple(np.full(len(side), 1e-9) for side in ours)
    kernels.boolean_optimize(tuple(sides), signed, counts[0], tuple(ours), noise, rounds)
    reference.boolean_optimize(tuple(sides), signed, counts[1], tuple(twins), noise, rounds)
    for one, other in zip(ours, twins, strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(counts[0], counts[1])
    np.testing.assert_array_equal(counts[0], counted(position, there, *ours))


@given(st.integers(0, 10_000), st.integers(0, 12), st.integers(0, 12), st.integers(1, 3), st.integers(1, 6))
def test_disjoint_patterns_equal_their_twin(seed, n, m, words, bits):
    rng = np.random.default_rng(seed)
    shifts = rng.permutation(64)[:bits].astype(np.uint64)  # the highest bit too
    patterns, others = (
        (rng.integers(0, 2, (size, words, bits)).astype(np.uint64) << shifts).sum(axis=2, dtype=np.uint64)
        for size in (n, m)
    )
    sizes = rng.integers(1, 1000, m)
    result = kernels.boolean_disjoint(patterns, others, sizes)
    np.testing.assert_array_equal(result, reference.boolean_disjoint(patterns, others, sizes))
    expected = [
        sum(int(size) for other, size in zip(others, sizes, strict=True) if not (other & pattern).any())
        for pattern in patterns
    ]
    np.testing.assert_array_equal(result, np.array(expected, np.int64))


def test_reference_mode_runs_the_twins(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    for name in ("boolean_gains", "boolean_assign", "boolean_optimize", "boolean_disjoint"):
        monkeypatch.setattr(reference, name, lambda *arguments, name=name: name)
    lines = Lines(*[np.zeros(1, np.int32)] * 3)
    zeros = np.zeros((1, 1), np.uint8)
    assert kernels.boolean_gains(lines, zeros, zeros, zeros, zeros, 0) == "boolean_gains"
    assert kernels.boolean_assign(lines, zeros, zeros, zeros, 0, zeros) == "boolean_assign"
    assert kernels.boolean_disjoint(zeros, zeros, zeros) == "boolean_disjoint"
