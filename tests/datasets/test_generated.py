"""Generated data: gaussian, bumps and planted_boolean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.datasets import bumps, gaussian, gaussian_cases, planted_boolean
from latentlink.errors import InputError

REAL = [gaussian, bumps]
ALL = [*REAL, planted_boolean]

sizes = st.tuples(st.integers(1, 12), st.integers(1, 12)).flatmap(
    lambda shape: st.tuples(st.just(shape[0]), st.just(shape[1]), st.integers(1, min(shape)))
)
seeds = st.integers(0, 2**40)


def cosines(patterns):
    """Return the cosines between rows."""
    unit = patterns / np.linalg.norm(patterns, axis=1, keepdims=True)
    return unit @ unit.T


def scores(truth):
    rows, cols = (index.ravel() for index in np.indices(truth.shape))
    return truth.score(rows, cols).reshape(truth.shape)


@pytest.mark.parametrize("make", ALL)
@settings(max_examples=25)
@given(size=sizes, seed=seeds)
def test_the_network_is_the_product_of_the_true_factors(make, size, seed):
    rows, columns, rank = size
    data = make(rows=rows, columns=columns, rank=rank, seed=seed)
    assert data.network.shape == data.truth.shape == (rows, columns)
    assert data.network.n_known == rows * columns
    assert data.rank == data.truth.rank == rank
    assert data.truth.boolean == (make is planted_boolean)
    np.testing.assert_array_equal(data.network.to_dense(), scores(data.truth))
    assert data.name == make.__name__
    assert f"{rows} x {columns}, seed {seed}" in data.description


@pytest.mark.parametrize("make", ALL)
@settings(max_examples=25)
@given(size=sizes, seed=seeds)
def test_the_same_seed_gives_the_same_data(make, size, seed):
    rows, columns, rank = size
    one, two = (make(rows=rows, columns=columns, rank=rank, seed=seed) for _ in range(2))
    assert one.network == two.network
    np.testing.assert_array_equal(one.truth.W, two.truth.W)
    np.testing.assert_array_equal(one.truth.H, two.truth.H)


@pytest.mark.parametrize("make", ALL)
def test_another_seed_size_or_rank_gives_other_data(make):
    sample = {
        tuple(make(rows=rows, columns=columns, rank=rank, seed=seed).truth.W[:20, :2].ravel())
        for seed in (0, 1) for rows in (40, 50) for columns in (40, 50) for rank in (2, 3)
    }  # fmt: skip
    assert len(sample) == 16


@pytest.mark.parametrize("make", REAL)
def test_the_factors_do_not_depend_on_the_noise(make):
    plain, noisy = make(seed=3), make(seed=3, noise=0.2)
    np.testing.assert_array_equal(plain.truth.W, noisy.truth.W)
    np.testing.assert_array_equal(plain.truth.H, noisy.truth.H)
    X = plain.network.to_dense()
    errors = noisy.network.to_dense() - X
    far_from_0 = X.std() < X
    assert errors[far_from_0].std() == pytest.approx(0.2 * X.std(), rel=0.1)
    assert "noise 0.2" in noisy.description


@pytest.mark.parametrize("make", REAL)
def test_noise_is_clipped_at_zero(make):
    X = make(noise=5.0).network.to_dense()
    assert X.min() == 0
    assert 0.1 < np.mean(X == 0) < 0.6


@pytest.mark.parametrize("make", REAL)
def test_noise_in_smaller_amounts_is_the_same_noise(make):
    plain = make().network.to_dense()
    small, large = (make(noise=noise).network.to_dense() - plain for noise in (0.001, 0.002))
    unclipped = plain > 0.1
    np.testing.assert_allclose(2 * small[unclipped], large[unclipped], atol=1e-10)


@pytest.mark.parametrize("make", ALL)
def test_the_default_sizes(make):
    expected = ((200, 100), 10) if make is planted_boolean else ((50, 100), 3)
    assert (make().network.shape, make().rank) == expected


@pytest.mark.parametrize("make", REAL)
def test_the_matrix_has_the_given_rank(make):
    for rank in (1, 2, 6):
        assert np.linalg.matrix_rank(make(rank=rank).network.to_dense()) == rank


def test_gaussian_factors_are_half_normal():
    truth = gaussian(columns=100, rows=100, rank=100).truth
    for part in (truth.W, truth.H):
        assert part.min() >= 0
        assert part.mean() == pytest.approx(math.sqrt(2 / math.pi), abs=0.03)
        assert part.std() == pytest.approx(math.sqrt(1 - 2 / math.pi), abs=0.03)


def test_the_400_gaussian_matrices_of_the_paper():
    cases = gaussian_cases()
    assert len(cases) == len(set(cases)) == 8 * 5 * 10
    assert {case.columns for case in cases} == set(range(50, 401, 50))
    assert {case.rank for case in cases} == {2, 3, 4, 5, 6}
    case = cases[123]
    data, expected = case.generate(noise=0.1), gaussian(case.columns, case.rank, case.seed, noise=0.1)
    assert data.network == expected.network
    assert data.network.shape == (50, case.columns)
    assert data.rank == case.rank


def test_the_numbers_of_a_seed_are_the_same_on_every_host():
    """Compare with stored numbers: if they change, stored results on these data are no longer valid."""
    assert gaussian().truth.W[0, 0] == pytest.approx(1.113295009)
    assert bumps().truth.W[0, 0] == pytest.approx(0.834822605)
    assert planted_boolean().network.values.sum() == 8_322


@settings(max_examples=50)
@given(st.integers(2, 8), seeds)
def test_bumps_overlap_their_neighbours_on_both_sides(rank, seed):
    truth = bumps(rows=80, columns=120, rank=rank, seed=seed).truth
    for part in (truth.W.T, truth.H):
        neighbours = np.diag(cosines(part), 1)
        assert np.all((neighbours > 0.4) & (neighbours < 0.9))
        assert np.all(np.diff(part.argmax(axis=1)) > 0)
        assert np.all((part > 0) & (part <= 1))


def test_bumps_rise_and_fall():
    for part in (bumps().truth.W.T, bumps().truth.H):
        for pattern in part:
            top = pattern.argmax()
            assert np.all(np.diff(pattern[: top + 1]) > 0)
            assert np.all(np.diff(pattern[top:]) < 0)


@settings(max_examples=50)
@given(st.integers(1, 30), seeds)
def test_planted_matrices_are_neither_empty_nor_full(rank, seed):
    X = planted_boolean(rank=rank, seed=seed).network.to_dense()
    assert 0.1 < X.mean() < 0.7


def test_planted_matrices_have_two_fifths_ones_on_average():
    for rank in (1, 5, 10, 30):
        shares = [planted_boolean(rank=rank, seed=seed).network.values.mean() for seed in range(30)]
        assert np.mean(shares) == pytest.approx(0.4, abs=0.03)


@settings(max_examples=50)
@given(sizes, seeds, st.floats(1e-3, 0.999))
def test_planted_components_are_never_empty(size, seed, density):
    rows, columns, rank = size
    data = planted_boolean(rows, columns, rank, seed, density=density)
    assert data.truth.W.any(axis=0).all()
    assert data.truth.H.any(axis=1).all()
    assert data.network.is_binary


def test_the_density_is_that_of_the_factors():
    truth = planted_boolean(100, 100, 100, density=0.1).truth
    assert truth.W.mean() == pytest.approx(0.1, abs=0.01)
    assert truth.H.mean() == pytest.approx(0.1, abs=0.01)


@settings(max_examples=50)
@given(sizes, seeds, st.floats(0, 0.5))
def test_the_exact_share_of_cells_is_flipped(size, seed, flips):
    rows, columns, rank = size
    plain = planted_boolean(rows, columns, rank, seed)
    flipped = planted_boolean(rows, columns, rank, seed, flips=flips)
    np.testing.assert_array_equal(plain.truth.W, flipped.truth.W)
    np.testing.assert_array_equal(plain.truth.H, flipped.truth.H)
    differ = plain.network.to_dense() != flipped.network.to_dense()
    assert differ.sum() == round(flips * rows * columns)
    assert flipped.network.is_binary


# ---------------------------------------------------------------- invalid arguments


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("name", ["rows", "columns", "rank", "seed"])
@pytest.mark.parametrize("value", [-1, 2.0, "3", None, True, math.nan, [3]], ids=repr)
def test_sizes_and_seeds_are_whole_numbers(make, name, value):
    with pytest.raises(InputError) as error:
        make(**{name: value})
    shown, least = (str(value) if isinstance(value, float) else repr(value)), int(name != "seed")
    message = str(error.value)
    if name == "rank":
        assert message.startswith(f"rank is {shown}; expected a whole number from 1 to ")
    else:
        assert message == f"{name} is {shown}; expected a whole number >= {least}."


@pytest.mark.parametrize("make", ALL)
def test_ranks_that_no_matrix_has(make):
    message = "rank is 9; expected a whole number from 1 to 8, since a matrix of 20 x 8 has no larger rank."
    with pytest.raises(InputError) as error:
        make(rows=20, columns=8, rank=9)
    assert str(error.value) == message
    with pytest.raises(InputError, match="rank is 0"):
        make(rank=0)


@pytest.mark.parametrize("make", REAL)
@pytest.mark.parametrize("noise", [-0.1, math.nan, math.inf, "0.1", None, True, [0.1]], ids=repr)
def test_noise_is_a_number_from_0(make, noise):
    with pytest.raises(InputError, match=r"^noise is .*; expected a number >= 0\.$"):
        make(noise=noise)


@pytest.mark.parametrize("flips", [-0.1, 0.51, math.nan, "0.1", None, True], ids=repr)
def test_flips_are_a_share_up_to_a_half(flips):
    with pytest.raises(InputError, match=r"^flips is .*; expected a number from 0 to 0\.5\.$"):
        planted_boolean(flips=flips)


@pytest.mark.parametrize("density", [-0.1, 0, 1, 1.5, math.nan, "0.1", False], ids=repr)
def test_a_density_is_a_share(density):
    with pytest.raises(InputError, match=r"^density is .*; expected a number above 0 and below 1\.$"):
        planted_boolean(density=density)
