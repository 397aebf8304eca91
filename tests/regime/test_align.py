"""Alignment of members, and their centre."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.regime import CosineAlign, HammingAlign
from tests.helpers.oracle import all_scores

EVERY = [
    CosineAlign(),
    CosineAlign(centres="mean"),
    HammingAlign(),
    HammingAlign(counts="missed"),
    HammingAlign(counts="extra"),
    HammingAlign(counts="missed", centres="all"),
    HammingAlign(counts="extra", centres="any"),
]
every_alignment = pytest.mark.parametrize("align", EVERY, ids=str)
both_precisions = pytest.mark.parametrize("dtype", [np.float64, np.float32])


def permuted(factors, order):
    return replace(factors, W=factors.W[:, order], H=factors.H[order])


def drawn(align, seed, shape=(12, 9), rank=4, dtype=np.float64, biased=False):
    """Random factors for an alignment, no two components alike."""
    rng = np.random.default_rng(seed)
    W, H = rng.random((shape[0], rank)), rng.random((rank, shape[1]))
    if isinstance(align, HammingAlign):
        # Equal numbers of ones in all columns, so that false negatives (or positives) alone separate them.
        W = np.array([rng.permutation(shape[0]) < shape[0] // 2 for _ in range(rank)]).T.astype(float)
        H = (H > 0.5).astype(float)
    biases = {"row_bias": rng.normal(size=shape[0]), "col_bias": rng.normal(size=shape[1])}
    biases = {name: bias.astype(dtype) for name, bias in biases.items()} | {"offset": 0.3}
    return Factors(W.astype(dtype), H.astype(dtype), **(biases if biased else {}))


# -------------------------------------------------------------------- order


@every_alignment
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), rank=st.integers(1, 6), data=st.data())
@pytest.mark.slow
def test_any_permutation_is_undone(align, seed, rank, data):
    first = drawn(align, seed, shape=(40, 9), rank=rank)
    orders = [np.array(data.draw(st.permutations(range(rank)))) for _ in range(3)]
    aligned = align.align([first, *(permuted(first, order) for order in orders)])
    for member in aligned.members[1:]:
        np.testing.assert_array_equal(member.W, aligned.members[0].W)
        np.testing.assert_array_equal(member.H, aligned.members[0].H)
    np.testing.assert_allclose(aligned.centre.W, aligned.members[0].W, rtol=1e-12)
    np.testing.assert_allclose(aligned.centre.H, aligned.members[0].H, rtol=1e-12)
    np.testing.assert_allclose(all_scores(aligned.centre), all_scores(first), rtol=1e-12)
    assert aligned.ties == 0
    assert aligned.rounds == 2  # one to assign, one to confirm convergence


@both_precisions
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000))
def test_permutations_and_scales_of_noisy_members_are_undone(dtype, seed):
    rng = np.random.default_rng(seed)
    first = Factors(np.eye(12, 4) + 0.05 * rng.random((12, 4)), rng.random((4, 9)))
    members, orders = [], []
    for _ in range(5):
        order, scale = rng.permutation(4), rng.uniform(0.01, 100, 4)
        W = (first.W * rng.uniform(0.9, 1.1, first.W.shape) * scale)[:, order]
        H = (first.H / scale[:, None])[order]
        members.append(Factors(W.astype(dtype), H.astype(dtype)))
        orders.append(order)
    aligned = CosineAlign().align(members)
    for member in aligned.members:
        np.testing.assert_array_equal(np.argmax(member.W, axis=0), orders[0])  # the order of the first member
    assert aligned.centre.W.dtype == aligned.centre.H.dtype == dtype


@every_alignment
@both_precisions
@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), biased=st.booleans())
@pytest.mark.slow
def test_defect_5_alignment_does_not_change_the_scores_of_a_member(align, dtype, seed, biased):
    """The reference implementation permuted W but not H: its uncertainty was that of mismatched factors."""
    members = [drawn(align, seed + p, dtype=dtype, biased=biased) for p in range(4)]
    copies = [(member.W.copy(), member.H.copy()) for member in members]
    aligned = align.align(members)
    for before, after, copy in zip(members, aligned.members, copies, strict=True):
        rounding = 1e-12 if dtype == np.float64 else 1e-5
        np.testing.assert_allclose(all_scores(after), all_scores(before), rtol=rounding, atol=rounding)
        assert after.W.dtype == after.H.dtype == dtype
        np.testing.assert_array_equal(before.W, copy[0])  # the input does not change
        np.testing.assert_array_equal(before.H, copy[1])


@every_alignment
def test_defect_4_rows_of_h_are_in_the_order_of_the_columns_of_w(align):
    """The reference implementation never aligned real H, and took the stability of Boolean H from W."""
    first = drawn(align, 0, shape=(40, 30), rank=5)
    second = permuted(first, np.array([4, 2, 0, 3, 1]))
    aligned = align.align([first, second])
    np.testing.assert_array_equal(aligned.members[1].H, aligned.members[0].H)
    assert not np.array_equal(second.H, first.H)
    assert aligned.rounds == 2  # one to assign, one to confirm convergence


@both_precisions
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000))
@pytest.mark.slow
def test_signs_of_components_are_matched(dtype, seed):
    """Logistic factors have both signs: W and H of a component may both be multiplied by -1."""
    rng = np.random.default_rng(seed)
    W, H = rng.normal(size=(12, 4)).astype(dtype), rng.normal(size=(4, 9)).astype(dtype)
    first = Factors(W, H, logistic=True)
    others = []
    for _ in range(3):
        order, signs = rng.permutation(4), rng.choice([-1, 1], 4).astype(dtype)
        others.append(Factors(W[:, order] * signs, H[order] * signs[:, None], logistic=True))
    aligned = CosineAlign().align([first, *others])
    rounding = 1e-12 if dtype == np.float64 else 1e-4
    for before, after in zip([first, *others], aligned.members, strict=True):
        np.testing.assert_allclose(after.W, aligned.members[0].W, rtol=rounding, atol=rounding)
        np.testing.assert_allclose(after.H, aligned.members[0].H, rtol=rounding, atol=rounding)
        np.testing.assert_allclose(all_scores(after), all_scores(before), rtol=rounding, atol=rounding)
        assert after.W.dtype == after.H.dtype == dtype
    np.testing.assert_allclose(
        all_scores(aligned.centre), all_scores(first), rtol=10 * rounding, atol=10 * rounding
    )
    assert (np.einsum("ic,ic->c", aligned.members[0].W, first.W) > 0).all()  # the signs of the first stay


def test_the_assignment_is_optimal_where_a_greedy_one_is_not():
    """x is nearest to a, but then y is matched with b at a distance of 9: 11 in total instead of 7."""

    def column(*on):
        return np.isin(np.arange(20), on).astype(float)

    a, b, x, y = column(), column(*range(6)), column(0, 1), column(10, 11, 12)
    align = HammingAlign()
    np.testing.assert_allclose(
        align.distances(np.stack([x, y], 1), np.stack([a, b], 1)), np.array([[2, 4], [3, 9]]) / 20
    )
    H = np.array([[1.0, 0.0], [0.0, 1.0]])
    aligned = align.align([Factors(np.stack([a, b], 1), H), Factors(np.stack([x, y], 1), H)])
    np.testing.assert_array_equal(aligned.members[1].W, np.stack([y, x], 1))
    np.testing.assert_array_equal(aligned.members[1].H, H[::-1])


def test_further_rounds_improve_the_order():
    """The first member is a poor centre; the order with respect to it is corrected in later rounds."""
    rng = np.random.default_rng(37)
    truth = np.eye(8, 4) + 0.1
    members = [Factors(rng.random((8, 4)), np.eye(4))]
    members += [
        Factors((truth + 0.4 * rng.random((8, 4)))[:, rng.permutation(4)], np.eye(4)) for _ in range(7)
    ]
    one_round, converged = CosineAlign(max_rounds=1).align(members), CosineAlign().align(members)
    assert one_round.rounds == 1
    assert converged.rounds > 2
    orders = [
        len({tuple(np.argmax(member.W, axis=0)) for member in aligned.members[1:]})
        for aligned in (one_round, converged)
    ]
    assert orders[0] > 1
    assert orders[1] == 1


# -------------------------------------------------------------------- scale


@both_precisions
def test_scaling_to_unit_length_does_not_change_scores(dtype):
    rng = np.random.default_rng(0)
    W, H = (10.0 ** rng.uniform(-3, 3, size) for size in ((6, 3), (3, 5)))
    factors = Factors(W.astype(dtype), H.astype(dtype), row_bias=rng.random(6), col_bias=rng.random(5))
    member = CosineAlign().align([factors]).members[0]
    np.testing.assert_allclose(np.linalg.norm(member.W, axis=0), 1, rtol=1e-6)
    np.testing.assert_allclose(
        all_scores(member), all_scores(factors), rtol=1e-12 if dtype == np.float64 else 1e-5
    )


def test_lengths_neither_overflow_nor_underflow():
    W = np.array([[1e200, 1e-200], [2e200, 2e-200]])
    factors = Factors(W, np.array([[1e-200, 1e-200], [1e200, 1e200]]))
    member = CosineAlign().align([factors]).members[0]
    np.testing.assert_allclose(np.linalg.norm(member.W, axis=0), 1)
    np.testing.assert_allclose(member.W @ member.H, W @ factors.H)


@every_alignment
def test_empty_components_are_matched_with_each_other(align):
    first = drawn(align, 0, shape=(40, 9), rank=3)
    empty = replace(first, W=first.W * [1, 0, 1], H=first.H * np.array([[1], [0], [1]]))
    aligned = align.align([empty, permuted(empty, np.array([2, 0, 1]))])
    for member in aligned.members:
        assert not member.W[:, 1].any()
        assert not member.H[1].any()
    assert np.isfinite(aligned.centre.W).all()
    np.testing.assert_allclose(all_scores(aligned.centre), all_scores(empty), rtol=1e-12)


def test_a_component_that_is_empty_in_w_alone_keeps_its_row_of_h():
    rng = np.random.default_rng(0)
    factors = Factors(rng.random((6, 2)) * [1, 0], rng.random((2, 5)))
    for member in CosineAlign().align([factors, factors]).members:
        np.testing.assert_array_equal(member.H[1], factors.H[1])
        assert not member.W[:, 1].any()


# -------------------------------------------------------------------- distances


def test_cosine_distances_of_a_small_example():
    W = np.array([[1.0, 0.0, 3.0, 0.0], [0.0, 2.0, 3.0, 0.0]])
    centre = np.array([[5.0, 0.0], [0.0, 0.0]])
    expected = [[0, 1], [1, 1], [1 - np.sqrt(0.5), 1], [1, 1]]  # an empty column has distance 1 to all
    np.testing.assert_allclose(CosineAlign().distances(W, centre), expected, atol=1e-15)


@pytest.mark.parametrize(("counts", "expected"), [("all", 3 / 5), ("missed", 1 / 5), ("extra", 2 / 5)])
def test_hamming_distances_of_a_small_example(counts, expected):
    member = np.array([[1.0], [1.0], [1.0], [0.0], [0.0]])
    centre = np.array([[1.0], [0.0], [0.0], [1.0], [0.0]])
    np.testing.assert_allclose(HammingAlign(counts=counts).distances(member, centre), [[expected]])


# -------------------------------------------------------------------- centres


def test_centres_are_medians_or_means_and_biases_medians():
    H = np.array([[1.0, 2.0]])
    biases = [0.0, 1.0, 5.0]
    members = [
        Factors(np.array([[3.0], [4.0]]), scale * H, np.full(2, bias), np.full(2, -bias), offset=bias)
        for scale, bias in zip([1.0, 2.0, 6.0], biases, strict=True)
    ]
    for centres, scale in (("median", 2.0), ("mean", 3.0)):
        aligned = CosineAlign(centres=centres).align(members)
        np.testing.assert_allclose(aligned.centre.W, [[0.6], [0.8]])
        np.testing.assert_allclose(aligned.centre.H, 5 * scale * H)
        np.testing.assert_array_equal(aligned.centre.row_bias, [1, 1])
        np.testing.assert_array_equal(aligned.centre.col_bias, [-1, -1])
        assert aligned.centre.offset == 1
        for member, bias in zip(aligned.members, biases, strict=True):
            np.testing.assert_array_equal(member.row_bias, [bias, bias])  # members keep their own (defect 7)
            assert member.offset == bias


def test_defect_8_a_tie_is_zero_and_is_counted():
    """The reference implementation took medians: 0.5 where two of four members are 1."""
    votes = np.array([[[1], [1], [0]], [[1], [1], [0]], [[1], [0], [1]], [[1], [0], [0]]], float)
    H = np.array([[[1, 0]], [[1, 1]], [[1, 1]], [[1, 0]]], float)
    aligned = HammingAlign().align([Factors(w, h, boolean=True) for w, h in zip(votes, H, strict=True)])
    np.testing.assert_array_equal(aligned.centre.W, [[1], [0], [0]])
    np.testing.assert_array_equal(aligned.centre.H, [[1, 0]])
    assert aligned.ties == 2
    assert aligned.centre.boolean


@pytest.mark.parametrize(("centres", "combine"), [("all", np.all), ("any", np.any)])
@pytest.mark.parametrize("counts", ["all", "missed", "extra"])
def test_boolean_centres_by_and_and_or(centres, combine, counts):
    align = HammingAlign(counts=counts, centres=centres)
    aligned = align.align([drawn(align, seed) for seed in range(5)])
    for side in "WH":
        stack = np.stack([getattr(member, side) for member in aligned.members])
        np.testing.assert_array_equal(getattr(aligned.centre, side), combine(stack, axis=0))
    assert aligned.ties == 0


@both_precisions
@settings(max_examples=30)
@given(seed=st.integers(0, 10_000), members=st.integers(1, 6))
def test_boolean_centres_are_majorities(dtype, seed, members):
    align = HammingAlign()
    aligned = align.align([drawn(align, seed + p, dtype=dtype) for p in range(members)])
    stack = np.stack([member.W for member in aligned.members])
    np.testing.assert_array_equal(aligned.centre.W, stack.sum(axis=0) > members / 2)
    assert aligned.centre.W.dtype == dtype
    ties = sum(
        np.count_nonzero(2 * np.sum([getattr(member, side) for member in aligned.members], axis=0) == members)
        for side in "WH"
    )
    assert aligned.ties == ties


def test_boolean_members_aligned_by_cosine_have_a_real_centre():
    members = [
        Factors(np.array([[1.0, 0], [1, 0], [0, 1]]), np.array([[1.0, 0], [0, 1]]), boolean=True),
        Factors(np.array([[0.0, 1], [0, 0], [1, 0]]), np.array([[0.0, 1], [1, 0]]), boolean=True),
    ]
    aligned = CosineAlign().align(members)
    for before, after in zip(members, aligned.members, strict=True):
        np.testing.assert_array_equal(all_scores(after), all_scores(before))
        assert np.isin(after.W, (0, 1)).all()
        assert np.isin(after.H, (0, 1)).all()
    assert not aligned.centre.boolean


@every_alignment
def test_the_centre_of_one_member_is_the_member(align):
    member = drawn(align, 3, rank=3, biased=True)
    aligned = align.align([member])
    assert len(aligned.members) == 1
    np.testing.assert_allclose(all_scores(aligned.centre), all_scores(member), rtol=1e-12)


@every_alignment
def test_members_with_one_component_are_aligned(align):
    aligned = align.align([drawn(align, seed, rank=1) for seed in range(3)])
    assert aligned.centre.W.shape == (12, 1)


# -------------------------------------------------------------------- errors


@every_alignment
def test_members_of_different_kinds_raise(align):
    with pytest.raises(IncompatibleError, match="no members to align"):
        align.align([])
    with pytest.raises(IncompatibleError, match=r"2 kinds \(shapes \(12, 9\); ranks 2, 3\)"):
        align.align([drawn(align, 0, rank=2), drawn(align, 0, rank=3)])
    with pytest.raises(IncompatibleError, match="the same biases"):
        align.align([drawn(align, 0, biased=True), drawn(align, 0)])


def test_hamming_alignment_of_real_factors_raises():
    with pytest.raises(IncompatibleError, match=r"0 and 1, but these have other values.*CosineAlign"):
        HammingAlign().align([drawn(CosineAlign(), 0)])


@pytest.mark.parametrize(
    ("align", "message"),
    [
        (CosineAlign(max_rounds=0), "CosineAlign has max_rounds=0"),
        (CosineAlign(max_rounds=2.5), r"CosineAlign has max_rounds=2\.5; expected a whole number"),
        (CosineAlign(centres="mode"), "CosineAlign has centres='mode'; expected one of 'median', 'mean'"),
        (CosineAlign(silhouettes="chord"), "CosineAlign has silhouettes='chord'; expected one of 'cosine'"),
        (HammingAlign(counts="none"), "HammingAlign has counts='none'; expected one of 'all', 'missed'"),
        (HammingAlign(centres="mean"), "HammingAlign has centres='mean'; expected one of 'majority', 'all'"),
    ],
)
def test_invalid_parameters_raise(align, message):
    with pytest.raises(IncompatibleError, match=message):
        align.align([drawn(align, 0)])
