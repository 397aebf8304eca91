"""Propensities: the likelihood equations, and the recovery of planted probabilities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network, sample_negatives
from latentlink.solvers import LMF
from latentlink.uncertainty import ConformalIntervals, Constant, LowRank, RowColumn

ALL = [Constant(), RowColumn(), LowRank(rank=1)]


def network_of(observed, kind="rectangular"):
    """A network of the observed pairs, with values that must not matter."""
    symmetric, square = kind == "symmetric", kind != "rectangular"
    rows, cols = np.nonzero(np.triu(observed, 1) if symmetric else observed)
    return Network(
        rows, cols, rows - 3.0, shape=observed.shape, symmetric=symmetric, square=square, background=0.3
    )


def probabilities(model, shape):
    rows, cols = np.indices(shape).reshape(2, -1)
    return model.score(rows, cols).reshape(shape)


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["rectangular", "directed", "symmetric"]))
def test_row_column_solves_the_likelihood_equations(seed, kind):
    """Expected minus observed numbers, plus the gradient of the ridge, is 0 for the lines of each degree."""
    rng = np.random.default_rng(seed)
    shape = (9, 6) if kind == "rectangular" else (8, 8)
    observed = rng.random(shape) < rng.random((shape[0], 1))
    pairs = np.ones(shape)
    if kind != "rectangular":
        np.fill_diagonal(observed, False)
        np.fill_diagonal(pairs, 0)
    if kind == "symmetric":
        observed = np.triu(observed, 1) | np.triu(observed, 1).T
    if not 0 < observed.sum() < pairs.sum():
        return
    model = RowColumn(ridge=0.7).fit(network_of(observed, kind))
    expected = probabilities(model, shape) * pairs
    assert expected.sum() == pytest.approx(observed.sum(), abs=1e-2)
    for axis, bias in ((1, model.row_bias), (0, model.col_bias)):
        gradient = (expected - observed).sum(axis=axis) + 0.7 * bias
        if kind != "directed":  # whose missing diagonal is shared by rows of equal degree
            np.testing.assert_allclose(gradient, 0, atol=2e-3)
        _, group = np.unique(observed.sum(axis=axis), return_inverse=True)
        np.testing.assert_allclose(np.bincount(group, gradient), 0, atol=5e-3)


@pytest.mark.slow
def test_intervals_weighted_by_fitted_propensities_cover_missing_entries():
    """Rare entries are noisy: equal weights cover two thirds of the missing ones, propensities 90 %."""
    propensities = (Constant(), RowColumn())
    covered = {repr(propensity): [] for propensity in propensities}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        shift = rng.normal(size=(60, 1)) + rng.normal(size=50)
        value = rng.normal(size=shift.shape) * np.exp(-0.7 * shift)
        observed = rng.random(shift.shape) < expit(shift - 0.5)
        network, missing = network_of(observed), np.nonzero(~observed)
        held_out = rng.choice(network.n_listed, network.n_listed // 5, replace=False)
        pairs = network.rows[held_out], network.cols[held_out]
        for propensity in propensities:
            model = propensity.fit(network)
            truth, zeros = value[pairs], np.zeros(len(held_out))
            rule = ConformalIntervals(0.9).calibrate(truth, zeros, propensity=model.score(*pairs))
            _, high = rule.interval(np.zeros(len(missing[0])), propensity=model.score(*missing))
            covered[repr(propensity)].append(np.mean(np.abs(value[missing]) <= high))
    assert np.mean(covered["Constant()"]) < 0.75
    assert 0.88 < np.mean(covered["RowColumn()"]) < 0.94


def planted(rng, n, m, pattern, level=-1.0):
    a, b = rng.normal(0, 1, (n, 1)), rng.normal(0, 1, m)
    return expit(a + b + level + pattern * np.outer(rng.normal(size=n), rng.normal(size=m)))


def divergence(model, truth):
    """Mean Kullback-Leibler divergence from the true probabilities."""
    p = np.clip(probabilities(model, truth.shape), 1e-9, 1 - 1e-9)
    return np.mean(truth * np.log(truth / p) + (1 - truth) * np.log((1 - truth) / (1 - p)))


@pytest.mark.slow
@pytest.mark.parametrize(("pattern", "best"), [(0.0, RowColumn()), (1.5, LowRank(rank=1))])
def test_each_model_is_best_for_its_own_kind_of_data(pattern, best):
    rng = np.random.default_rng(0)
    truth = planted(rng, 120, 80, pattern)
    network = network_of(rng.random(truth.shape) < truth)
    divergences = {repr(propensity): divergence(propensity.fit(network), truth) for propensity in ALL}
    assert min(divergences, key=divergences.get) == repr(best)
    assert divergences[repr(best)] < 0.2 * divergences["Constant()"]


def test_a_sample_of_the_unobserved_pairs_gives_the_probabilities_of_all():
    rng = np.random.default_rng(0)
    truth = planted(rng, 150, 150, 1.0, -2.5)
    network = network_of(rng.random(truth.shape) < truth)
    assert network.n_listed < 0.25 * truth.size  # so that a ratio of 2 takes a part of them
    sampled = probabilities(LowRank(rank=1, ratio=2).fit(network), truth.shape)
    complete = probabilities(LowRank(rank=1, ratio=1e6).fit(network), truth.shape)
    assert sampled.sum() == pytest.approx(network.n_listed, rel=0.1)
    assert np.abs(sampled - complete).mean() < 0.2 * truth.std()


@pytest.mark.parametrize("propensity", ALL, ids=repr)
class TestEveryPropensity:
    @pytest.mark.parametrize("kind", ["rectangular", "directed", "symmetric"])
    def test_probabilities_add_up_to_the_number_observed(self, propensity, kind):
        rng = np.random.default_rng(1)
        shape = (40, 30) if kind == "rectangular" else (40, 40)
        network = network_of(rng.random(shape) < 0.3, kind)
        expected = probabilities(propensity.fit(network), shape)
        if kind == "symmetric":
            np.testing.assert_allclose(expected, expected.T, rtol=1e-5)
            expected = np.triu(expected, 1)
        elif kind == "directed":
            network = network.subset(network.rows != network.cols)
            np.fill_diagonal(expected, 0)
        assert expected.sum() == pytest.approx(network.n_listed, rel=0.03)

    def test_values_and_hidden_entries_are_ignored(self, propensity):
        rng = np.random.default_rng(2)
        network = network_of(rng.random((20, 15)) < 0.4)
        hidden = network.hide(np.arange(10))
        plain = network.subset(np.arange(10, network.n_listed)).with_values(np.ones(network.n_listed - 10))
        one, other = propensity.fit(hidden), propensity.fit(plain)
        np.testing.assert_array_equal(probabilities(one, (20, 15)), probabilities(other, (20, 15)))

    def test_self_loops_are_no_pairs(self, propensity):
        rng = np.random.default_rng(3)
        observed = np.triu(rng.random((15, 15)) < 0.4, 1)
        with_loops = Network(*np.nonzero(observed | np.eye(15, dtype=bool)), shape=(15, 15), symmetric=True)
        without = network_of(observed, "symmetric")
        np.testing.assert_array_equal(
            probabilities(propensity.fit(with_loops), (15, 15)),
            probabilities(propensity.fit(without), (15, 15)),
        )

    def test_no_observed_pair_and_only_observed_pairs_raise(self, propensity):
        for network, message in [
            (Network([], [], shape=(3, 3)), "has 0 pairs observed of 9"),
            (Network.from_dense(np.ones((3, 4))), "has 12 pairs observed of 12"),
        ]:
            with pytest.raises(IncompatibleError, match=message):
                propensity.fit(network)

    def test_invalid_networks_raise(self, propensity):
        with pytest.raises(InputError, match="expected a Network"):
            propensity.fit(np.eye(3))
        with pytest.raises(IncompatibleError, match="every pair listed once"):
            propensity.fit(Network([0, 0], [1, 1], shape=(3, 3)))

    def test_it_can_be_cloned(self, propensity):
        assert clone(propensity).get_params() == propensity.get_params()


def test_lines_without_observed_entries_have_finite_biases():
    network = Network([0, 0, 1], [0, 1, 0], shape=(4, 4))
    p = probabilities(RowColumn().fit(network), (4, 4))
    assert 0 < p[3, 3] < p[0, 0] < 1


@pytest.mark.parametrize(
    "propensity",
    [
        *(RowColumn(ridge=0), LowRank(ridge=0), LowRank(rank=0), LowRank(rank=1.5), LowRank(ratio=0)),
        *(LowRank(seed=-1), LowRank(seed=0.5)),
    ],
    ids=repr,
)
def test_parameters_are_checked(propensity):
    with pytest.raises(IncompatibleError, match=r"RowColumn|LowRank"):
        propensity.fit(Network([0], [1], shape=(3, 3)))


@pytest.mark.slow
def test_the_cost_is_that_of_the_listed_entries():
    """A million rows and columns and 500 entries: an array of all pairs would not fit into memory."""
    rng = np.random.default_rng(0)
    rows, cols = rng.choice(10**6, 500, replace=False), rng.choice(10**6, 500, replace=False)
    model = RowColumn().fit(Network(rows, cols, shape=(10**6, 10**6)))
    assert 0 < model.score(rows, cols).min() < 1e-3


@pytest.mark.parametrize("propensity", ALL[:2], ids=str)
def test_one_pair_observed_or_all_but_one_are_enough(propensity):
    observed = np.zeros((3, 4), bool)
    observed[1, 2] = True
    for some in (observed, ~observed):
        shares = probabilities(propensity.fit(network_of(some)), (3, 4))
        assert ((shares > 0) & (shares < 1)).all()
    for none_or_all in (observed & ~observed, observed | ~observed):
        with pytest.raises(IncompatibleError, match="of 12; expected some of them, but not all"):
            propensity.fit(network_of(none_or_all))


@pytest.mark.parametrize("ratio", [0.01, 2.0, 100.0])
def test_low_rank_is_a_logistic_factorization_of_a_sample(ratio):
    observed = network_of(np.random.default_rng(1).random((15, 12)) < 0.3).with_background(0.0)
    ones = np.ones(observed.n_listed)
    rest = 15 * 12 - observed.n_listed
    count = min(max(1, round(ratio * observed.n_listed)), rest)
    sample = sample_negatives(observed.with_values(ones), count, rng=4)
    expected = LMF(max_iter=200, tol=1e-4, precision="float32", ridge=0.5).solve(sample, 3, 4).members[0]
    model = LowRank(rank=3, ridge=0.5, ratio=ratio, seed=4).fit(observed)
    np.testing.assert_array_equal(model.W, expected.W)
    np.testing.assert_array_equal(model.col_bias, expected.col_bias)
    assert model.offset == pytest.approx(expected.offset - np.log(rest / count))


def test_low_rank_stops_after_200_sweeps():
    observed = network_of(np.random.default_rng(0).random((30, 20)) < 0.3)
    with pytest.warns(ConvergenceWarning, match=r"max_iter=200 .*tol=0\.0001"):
        LowRank(rank=4, ridge=1e-4).fit(observed)
