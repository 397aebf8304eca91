"""Entries held out of each member."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.rank.speckle import HeldOutEntries, Speckle, draw_speckle, with_speckles
from latentlink.regime import BooleanFlip


def random_network(seed, symmetric=False, background=0.0, density=0.5):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((9, 9)) < density, rng.random((9, 9)), np.nan)
    if symmetric:
        X = np.where(np.tri(9, k=-1, dtype=bool).T, X, X.T)
        np.fill_diagonal(X, np.nan)
    return Network.from_dense(X, symmetric=symmetric).with_background(background)


@settings(max_examples=40)
@given(st.integers(0, 10_000), st.booleans(), st.floats(0.05, 0.95))
def test_a_speckle_never_empties_a_row_or_column(seed, symmetric, share):
    network = random_network(seed, symmetric)
    speckle = draw_speckle(network, share, np.random.default_rng(seed))
    assert len(speckle.rows) == speckle.listed <= round(share * network.n_known)
    hidden = with_speckles(Ensemble.of(network), [speckle])
    assert np.count_nonzero(np.isnan(hidden.values)) == speckle.listed
    left = ~np.isnan(hidden.values[:, 0])
    for nodes, others in [(network.rows, network.cols), (network.cols, network.rows)]:
        ends = np.concatenate([nodes, others]) if symmetric else nodes
        known = np.concatenate([left, left]) if symmetric else left
        assert set(ends[known]) == set(ends)


def test_the_share_is_exact_with_enough_entries():
    network = Network.from_dense(np.random.default_rng(0).random((20, 30)))
    speckle = draw_speckle(network, 0.1, np.random.default_rng(0))
    assert speckle.listed == 60
    np.testing.assert_array_equal(speckle.values, network.to_dense()[speckle.rows, speckle.cols])


@pytest.mark.parametrize("symmetric", [False, True])
def test_under_a_background_unlisted_pairs_are_held_out_too(symmetric):
    network = random_network(3, symmetric, background=0.5, density=0.3)
    draws = [draw_speckle(network, 0.3, np.random.default_rng(seed)) for seed in (0, 1)]
    listed = set(zip(network.rows, network.cols, strict=True))
    wider = with_speckles(Ensemble.of(network, 2), draws)
    index_of = {
        pair: index for index, pair in enumerate(zip(wider.network.rows, wider.network.cols, strict=True))
    }
    for member, speckle in enumerate(draws):
        unlisted = list(zip(speckle.rows[speckle.listed :], speckle.cols[speckle.listed :], strict=True))
        assert unlisted
        assert not listed & set(unlisted)
        assert not symmetric or all(i < j for i, j in unlisted)
        assert len(unlisted) <= network.n_listed
        held_out = {pair for pair, index in index_of.items() if np.isnan(wider.values[index, member])}
        assert held_out == set(zip(speckle.rows, speckle.cols, strict=True))
    n_unlisted = (36 if symmetric else 81) - network.n_listed
    total = draws[0].weights[draws[0].listed :].sum()
    assert total == pytest.approx(0.5 * 0.3 * n_unlisted)
    # A pair held out of one member is a zero of the background's weight in the other.
    only_first = np.isnan(wider.values[:, 0]) & ~np.isnan(wider.values[:, 1])
    extra = only_first & ~np.array([pair in listed for pair in index_of])
    np.testing.assert_array_equal(wider.values[extra, 1], 0.0)
    np.testing.assert_array_equal(wider.network.weights[extra], 0.5)


def test_a_background_without_unlisted_pairs_holds_out_listed_entries_only():
    network = random_network(0, density=2.0).with_background(1.0)
    assert network.n_listed == 81
    speckle = draw_speckle(network, 0.2, np.random.default_rng(0))
    assert len(speckle.rows) == speckle.listed == 16
    hidden = with_speckles(Ensemble.of(network, 2), [speckle, speckle])
    assert hidden.network is network
    assert np.count_nonzero(np.isnan(hidden.values)) == 32


def test_the_error_is_the_mean_squared_error():
    network = Network.from_dense([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    speckle = draw_speckle(network, 0.3, np.random.default_rng(0))
    zero = Factors(np.zeros((3, 1)), np.zeros((1, 3)))
    assert speckle.error(zero) == pytest.approx(np.mean(speckle.values**2))


def test_the_error_is_nan_if_nothing_can_be_held_out():
    network = Network.from_dense([[1.0]])
    speckle = draw_speckle(network, 0.5, np.random.default_rng(0))
    assert speckle.listed == 0
    assert np.isnan(speckle.error(Factors(np.ones((1, 1)), np.ones((1, 1)))))


# -------------------------------------------------------------------- errors of the ensemble


def made_speckles(n_members=5, background=0.0):
    """Speckles of a network with values of any sign and unequal weights, and a random model for each."""
    rng = np.random.default_rng(3)
    X = rng.normal(2, 3, (9, 8))
    X[rng.random(X.shape) < 0.3] = np.nan
    network = Network.from_dense(X).with_background(background)
    network = network.with_weights(rng.uniform(0.2, 3, network.n_listed))
    speckles = [draw_speckle(network, 0.4, np.random.default_rng(p)) for p in range(n_members)]
    models = [
        Factors(rng.normal(size=(9, 2)), rng.normal(size=(2, 8)), offset=rng.normal()) for _ in speckles
    ]
    return speckles, models


def plain_errors(speckles, models, size):
    """The errors of the ensemble entry by entry, and the pairs that were held out."""
    unseen_by, values, weights = {}, {}, {}
    for p, one in enumerate(speckles):
        for i, j, x, w in zip(one.rows, one.cols, one.values, one.weights, strict=True):
            unseen_by.setdefault((i, j), []).append(p)
            values[i, j], weights[i, j] = x, w
    scores = {pair: np.array([model.score(*pair)[0] for model in models]) for pair in unseen_by}
    varied = {pair: members for pair, members in unseen_by.items() if np.ptp(scores[pair]) > 0}
    shares = [
        np.sum((scores[pair][members] - np.mean(scores[pair][members])) ** 2) / np.var(scores[pair], ddof=1)
        for pair, members in varied.items()
    ]
    freedom = sum(len(members) - 1 for members in varied.values())
    ratio = sum(shares) / freedom if freedom else 1.0
    assert 0.5 < ratio < 2
    squares = {}
    for pair, members in unseen_by.items():
        surplus = ratio * np.var(scores[pair], ddof=1) * (1 / len(members) - 1 / (size or len(models)))
        squares[pair] = (np.mean(scores[pair][members]) - values[pair]) ** 2 - surplus
    expected = []
    for one in speckles:
        pairs = list(zip(one.rows, one.cols, strict=True))
        total = sum(weights[pair] * squares[pair] for pair in pairs)
        expected.append(max(0.0, total / sum(weights[pair] for pair in pairs)))
    return expected, unseen_by


@pytest.mark.parametrize("background", [0.0, 0.2])
@pytest.mark.parametrize("size", [None, 16])
def test_the_error_of_the_ensemble_entry_by_entry(background, size):
    speckles, models = made_speckles(background=background)
    expected, unseen_by = plain_errors(speckles, models, size)
    assert {len(members) for members in unseen_by.values()} >= {1, 2, 3}
    entries = HeldOutEntries.of(speckles, 8)
    assert len(entries.rows) == len(unseen_by)
    np.testing.assert_allclose(entries.ensemble_errors(models, size), expected, rtol=1e-10)


def without_common(speckles):
    """Two speckles, the second without the entries of the first."""
    first, second = speckles[:2]
    there = set(zip(first.rows, first.cols, strict=True))
    own = np.array([pair not in there for pair in zip(second.rows, second.cols, strict=True)])
    assert 0 < own.sum() < len(own)
    arrays = {name: getattr(second, name)[own] for name in ("rows", "cols", "values", "weights")}
    return [first, replace(second, **arrays)]


def test_the_error_of_two_members_of_which_no_entry_is_held_out_twice():
    speckles, models = made_speckles()
    two = without_common(speckles)
    expected, unseen_by = plain_errors(two, models[:2], None)
    assert {len(members) for members in unseen_by.values()} == {1}
    errors = HeldOutEntries.of(two, 8).ensemble_errors(models[:2])
    np.testing.assert_allclose(errors, expected, rtol=1e-10)


def test_the_error_of_members_that_agree_on_some_entries_and_vary_little_on_others():
    """Rows of zeros are predicted alike by all; other variances are far below 1."""
    speckles, models = made_speckles()
    alike = [Factors(np.where(np.arange(9)[:, None] < 3, 0, 0.1 * each.W), each.H) for each in models]
    expected, _ = plain_errors(speckles, alike, None)
    np.testing.assert_allclose(HeldOutEntries.of(speckles, 8).ensemble_errors(alike), expected, rtol=1e-10)


def test_the_error_of_the_ensemble_does_not_depend_on_the_scale_of_the_weights():
    speckles, models = made_speckles()
    light = [replace(one, weights=one.weights / 1024) for one in speckles]
    errors, expected = (HeldOutEntries.of(each, 8).ensemble_errors(models) for each in (light, speckles))
    np.testing.assert_array_equal(errors, expected)


@pytest.mark.parametrize(("count", "left"), [(2**18, 2**18), (2**18 + 1, 2**17 + 1)])
def test_more_than_a_quarter_of_a_million_entries_are_thinned_out(count, left):
    index = np.arange(count)
    many = Speckle(index, index % 2, np.zeros(count), np.ones(count), count)
    assert len(HeldOutEntries.of([many], 2).rows) == left


def test_the_error_of_the_ensemble_is_that_of_a_mean_over_all_members():
    """On average over many models: noise of variance 4 about the truth, of which the mean of P has 4 / P."""
    rng = np.random.default_rng(0)
    network = Network.from_dense(rng.normal(size=(30, 30)))
    errors = []
    for seed in range(40):
        speckles = [draw_speckle(network, 0.1, np.random.default_rng([seed, p])) for p in range(8)]
        models = [Factors(np.eye(30), network.to_dense() + 2 * rng.normal(size=(30, 30))) for _ in speckles]
        errors.append(HeldOutEntries.of(speckles, 30).ensemble_errors(models).mean())
    np.testing.assert_allclose(np.mean(errors), 4 / 8, rtol=0.15)


def test_members_without_held_out_entries_have_no_error_of_the_ensemble():
    speckles, models = made_speckles(3)
    nothing = Speckle(*(np.zeros(0, kind) for kind in (int, int, float, float)), 0)
    errors = HeldOutEntries.of([speckles[0], nothing, speckles[2]], 8).ensemble_errors(models)
    np.testing.assert_array_equal(np.isnan(errors), [False, True, False])
    assert np.isnan(HeldOutEntries.of([nothing] * 3, 8).ensemble_errors(models)).all()


def test_a_single_member_has_its_own_error():
    speckles, models = made_speckles(1)
    errors = HeldOutEntries.of(speckles, 8).ensemble_errors(models)
    np.testing.assert_allclose(errors, [speckles[0].error(models[0])])


def test_of_very_many_entries_evenly_spaced_ones_stand_for_all():
    speckles, models = made_speckles()
    whole = HeldOutEntries.of(speckles, 8)
    total = sum(len(one.rows) for one in speckles)
    few = HeldOutEntries.of(speckles, 8, most=total // 3 + 1)
    chosen = {pair for one in speckles for pair in zip(one.rows[::3], one.cols[::3], strict=True)}
    assert set(zip(few.rows, few.cols, strict=True)) == chosen
    assert len(chosen) < len(whole.rows)
    codes = {(i, j): tuple(unseen) for i, j, unseen in zip(whole.rows, whole.cols, whole.unseen, strict=True)}
    assert all(codes[i, j] == tuple(u) for i, j, u in zip(few.rows, few.cols, few.unseen, strict=True))
    assert np.isfinite(few.ensemble_errors(models)).any()


def test_the_error_is_weighted_by_the_entries_and_by_what_unlisted_pairs_represent():
    """Values from 0 to 4, unequal weights and a model that is not zero, compared with a loop."""
    rng = np.random.default_rng(2)
    X = np.where(rng.random((8, 9)) < 0.5, rng.uniform(0, 4, (8, 9)), np.nan)
    network = Network.from_dense(X).with_background(0.4)
    network = network.with_weights(rng.uniform(0.5, 3, network.n_listed))
    speckle = draw_speckle(network, 0.3, rng)
    model = Factors(rng.uniform(0, 2, (8, 3)), rng.uniform(0, 2, (3, 9)))
    weight_of = {
        (i, j): (weight, value)
        for i, j, weight, value in zip(
            network.rows, network.cols, network.weights, network.values, strict=True
        )
    }
    n_unlisted = 72 - network.n_listed
    drawn = len(speckle.rows) - speckle.listed
    assert min(drawn, speckle.listed) > 0
    errors = total = 0.0
    for i, j in zip(speckle.rows, speckle.cols, strict=True):
        weight, value = weight_of.get((i, j), (0.4 * 0.3 * n_unlisted / drawn, 0.0))
        errors += weight * (model.W[i] @ model.H[:, j] - value) ** 2
        total += weight
    assert speckle.error(model) == pytest.approx(errors / total)


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_speckle_that_meets_flipped_pairs_lists_no_pair_twice(symmetric):
    """Unlisted pairs that some member flips are listed before a speckle with the same pairs is held out."""
    rng = np.random.default_rng(0)
    X = (rng.random((12, 12)) < 0.3) * 1.0
    X = np.triu(X, 1) + np.triu(X, 1).T if symmetric else X
    links = np.argwhere(np.triu(X) if symmetric else X)
    network = Network(links[:, 0], links[:, 1], shape=(12, 12), symmetric=symmetric, background=0.5)
    rngs = [np.random.default_rng(seed) for seed in range(3)]
    flipped = BooleanFlip(eps_pos=0.3, eps_neg=0.1).ensemble(network, rngs)
    speckles = [draw_speckle(network, 0.3, np.random.default_rng(seed)) for seed in (7, 8, 9)]
    before = {
        pair: place for place, pair in enumerate(zip(flipped.network.rows, flipped.network.cols, strict=True))
    }
    unlisted = [set(zip(one.rows[one.listed :], one.cols[one.listed :], strict=True)) for one in speckles]
    both = set.union(*unlisted) & set(before)
    assert both  # reached: pairs that are flipped by one member and held out of another
    first = min(zip(flipped.network.rows, flipped.network.cols, strict=True))
    ensemble = with_speckles(flipped, [*speckles[:2], with_first(speckles[2], first)])
    pairs = list(zip(ensemble.network.rows, ensemble.network.cols, strict=True))
    assert len(pairs) == len(set(pairs)) == len(set(before) | set.union(*unlisted))
    for member, speckle in enumerate(speckles[:2]):
        held_out = set(zip(speckle.rows, speckle.cols, strict=True))
        for pair, value in zip(pairs, ensemble.values[:, member], strict=True):
            expected = flipped.values[before[pair], member] if pair in before else 0.0
            assert np.isnan(value) if pair in held_out else value == expected


def with_first(speckle, pair):
    """The speckle with one more unlisted pair: the first of all pairs that are listed now."""
    return replace(
        speckle,
        rows=np.append(speckle.rows, pair[0]),
        cols=np.append(speckle.cols, pair[1]),
        values=np.append(speckle.values, 0.0),
        weights=np.append(speckle.weights, 1.0),
    )


@pytest.mark.parametrize("size", [None, 16])
def test_without_entries_held_out_of_two_members_all_vary_alike(size):
    """The ratio of variances cannot be measured then, and is taken as 1."""
    _, models = made_speckles(3)
    speckles = [
        Speckle(np.array([p, p]), np.array([0, 1]), np.full(2, 30.0), np.ones(2), 2) for p in range(3)
    ]
    expected = []
    for p, one in enumerate(speckles):
        scores = np.array([model.score(one.rows, one.cols) for model in models])
        squares = (scores[p] - 30) ** 2 - scores.var(axis=0, ddof=1) * (1 - 1 / (size or 3))
        expected.append(max(0.0, squares.mean()))
    np.testing.assert_allclose(HeldOutEntries.of(speckles, 8).ensemble_errors(models, size), expected)
    assert max(expected) > 0


def test_errors_of_the_ensemble_do_not_depend_on_the_unit_of_weights():
    speckles, models = made_speckles()
    light = [replace(one, weights=one.weights / 1000) for one in speckles]
    one, other = (HeldOutEntries.of(each, 8).ensemble_errors(models) for each in (speckles, light))
    np.testing.assert_allclose(one, other)


@pytest.mark.parametrize("value", [np.inf, 1e200, np.nan])
def test_the_error_with_a_member_that_diverged_is_no_number_and_does_not_warn(value):
    speckles, models = made_speckles()
    diverged = [Factors(models[0].W * value, models[0].H * value), *models[1:]]
    assert not (HeldOutEntries.of(speckles, 8).ensemble_errors(diverged) < np.inf).any()
