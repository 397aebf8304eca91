"""Boolean kernels equal their twins, and both equal dense sums."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from latentlink import kernels
from latentlink.kernels import Lines, reference

RANKS = [1, 2, 5, 64, 65, 130]  # one word, its last bit, and several words


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")


@st.composite
def problems(draw):
    """Draw signed weights of known cells, dense and by row and by column, and Boolean factors."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    n, m, rank = draw(st.integers(1, 9)), draw(st.integers(1, 9)), draw(st.sampled_from(RANKS))
    known = rng.random((n, m)) < draw(st.sampled_from([0.0, 0.4, 1.0]))
    # Sums of these are exact in any order.
    signed = np.where(known, rng.choice([-2.5, -1.0, -0.25, 0.0, 1.0, 3.0], (n, m)), 0)
    density = min(1, draw(st.sampled_from([0.5, 1, 2])) / rank**0.5)
    U, V = ((rng.random((size, rank)) < density).astype(np.uint8) for size in (n, m))
    return (lines(known, signed), lines(known.T, signed.T)), known, signed, U, V


def lines(known, signed):
    """Compress the rows of the known cells."""
    compressed = sparse.csr_array(known)
    indptr, indices = (index.astype(np.int32) for index in (compressed.indptr, compressed.indices))
    return Lines(indptr, indices, signed[known])


def words(side):
    """Pack the components of each row, component c as bit c % 64 of word c // 64."""
    patterns = np.zeros((len(side), -(-side.shape[1] // 64)), np.uint64)
    for c in range(side.shape[1]):
        patterns[:, c // 64] |= side[:, c].astype(np.uint64) << np.uint64(c % 64)
    return patterns


@settings(max_examples=150)
@given(problems())
def test_gains_equal_their_twin_and_dense_sums(problem):
    sides, _, signed, *factors = problem
    for side in (0, 1):
        U, V, partners = factors[side], factors[1 - side], sides[1 - side]
        weights = signed if side == 0 else signed.T
        for c in {0, U.shape[1] // 2, U.shape[1] - 1}:
            covered = np.delete(U, c, 1).astype(int) @ np.delete(V, c, 1).T.astype(int) > 0
            result = kernels.boolean_gains(partners, words(U), words(V), c)
            expected = reference.boolean_gains(partners, words(U), words(V), c)
            np.testing.assert_array_equal(result, expected)
            np.testing.assert_array_equal(result, (weights * ~covered) @ V[:, c])
            assert result.dtype == expected.dtype == np.float64


@settings(max_examples=100)
@given(problems())
def test_errors_equal_their_twin_and_dense_sums(problem):
    sides, known, signed, U, V = problem
    covered = U.astype(int) @ V.T.astype(int) > 0
    expected = (
        np.where(covered, 0, np.maximum(signed, 0)).sum(axis=1),
        np.where(covered, np.maximum(-signed, 0), 0).sum(axis=1),
        (covered & known).sum(axis=1),
    )
    for errors in (kernels.boolean_errors, reference.boolean_errors):
        results = errors(sides[0], words(U), words(V))
        for result, wanted, dtype in zip(results, expected, (float, float, int), strict=True):
            np.testing.assert_array_equal(result, wanted)
            assert result.dtype == dtype


@settings(max_examples=100)
@given(problems(), st.integers(0, 5))
def test_optimizing_equals_its_twin(problem, rounds):
    sides, _, _, *factors = problem
    noise = tuple(np.full(len(side), 1e-9) for side in factors)
    ours, twins = (tuple(words(side) for side in factors) for _ in range(2))
    rank = factors[0].shape[1]
    kernels.boolean_optimize(sides, ours, noise, rank, rounds)
    reference.boolean_optimize(sides, twins, noise, rank, rounds)
    for one, other in zip(ours, twins, strict=True):
        np.testing.assert_array_equal(one, other)


def test_optimizing_ends_where_nothing_has_a_gain():
    rng = np.random.default_rng(1)
    signed = rng.choice([-1.0, 1.0], (30, 20))
    known = np.ones((30, 20), bool)
    sides = (lines(known, signed), lines(known.T, signed.T))
    patterns = tuple(words(rng.random((size, 4)) < 0.5) for size in (30, 20))
    noise = (np.zeros(30), np.zeros(20))
    kernels.boolean_optimize(sides, patterns, noise, 4, 100)
    for side in (0, 1):
        for c in range(4):
            gain = kernels.boolean_gains(sides[1 - side], patterns[side], patterns[1 - side], c)
            np.testing.assert_array_equal(patterns[side][:, 0] >> np.uint64(c) & np.uint64(1), gain > 0)


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
    ran = []
    for name in ("boolean_gains", "boolean_errors", "boolean_optimize", "boolean_disjoint"):
        monkeypatch.setattr(reference, name, lambda *arguments, name=name: ran.append(name))
    nothing = Lines(*[np.zeros(1, np.int32)] * 2, np.zeros(0))
    zeros = np.zeros((1, 1), np.uint64)
    kernels.boolean_gains(nothing, zeros, zeros, 0)
    kernels.boolean_errors(nothing, zeros, zeros)
    kernels.boolean_optimize((nothing, nothing), (zeros, zeros), (zeros, zeros), 1, 1)
    kernels.boolean_disjoint(zeros, zeros, zeros)
    assert ran == ["boolean_gains", "boolean_errors", "boolean_optimize", "boolean_disjoint"]
