"""Chances of having been observed: the equations of the likelihood, and what is planted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.base import clone

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from latentlink.uncertainty import ConformalIntervals, Constant, LowRank, RowColumn

ALL = [Constant(), RowColumn(), LowRank(rank=1)]


def network_of(seen, kind="rectangular"):
    """What was seen, with values that must not matter."""
    symmetric, square = kind == "symmetric", kind != "rectangular"
    rows, cols = np.nonzero(np.triu(seen, 1) if symmetric else seen)
    return Network(
        rows, cols, rows - 3.0, shape=seen.shape, symmetric=symmetric, square=square, background=0.3
    )


def chances(model, shape):
    rows, cols = np.indices(shape).reshape(2, -1)
    return model.score(rows, cols).reshape(shape)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["rectangular", "directed", "symmetric"]))
def test_rows_and_columns_solve_the_equations_of_the_likelihood(seed, kind):
    """Expected minus observed numbers plus the ridge's pull is 0 for all lines of a degree together."""
    rng = np.random.default_rng(seed)
    shape = (9, 6) if kind == "rectangular" else (8, 8)
    seen = rng.random(shape) < rng.random((shape[0], 1))
    pairs = np.ones(shape)
    if kind != "rectangular":
        np.fill_diagonal(seen, False)
        np.fill_diagonal(pairs, 0)
    if kind == "symmetric":
        seen = np.triu(seen, 1) | np.triu(seen, 1).T
    if not 0 < seen.sum() < pairs.sum():
        return
    model = RowColumn(ridge=0.7).fit(network_of(seen, kind))
    expected = chances(model, shape) * pairs
    assert expected.sum() == pytest.approx(seen.sum(), abs=1e-2)
    for axis, bias in ((1, model.row_bias), (0, model.col_bias)):
        slope = (expected - seen).sum(axis=axis) + 0.7 * bias
        if kind != "directed":  # whose diagonal is shared
            np.testing.assert_allclose(slope, 0, atol=2e-3)
        _, group = np.unique(seen.sum(axis=axis), return_inverse=True)
        np.testing.assert_allclose(np.bincount(group, slope), 0, atol=5e-3)


def test_intervals_by_fitted_chances_cover_what_is_missing():
    """Rare entries are noisy ones: equal weights cover two thirds of those missing, fitted chances do."""
    covered = {repr(each): [] for each in (Constant(), RowColumn())}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        shift = rng.normal(size=(60, 1)) + rng.normal(size=50)
        value = rng.normal(size=shift.shape) * np.exp(-0.7 * shift)
        seen = rng.random(shift.shape) < expit(shift - 0.5)
        network, missing = network_of(seen), np.nonzero(~seen)
        held = rng.choice(network.n_listed, network.n_listed // 5, replace=False)
        pairs = network.rows[held], network.cols[held]
        for each in (Constant(), RowColumn()):
            model = each.fit(network)
            truth, zeros = value[pairs], np.zeros(len(held))
            rule = ConformalIntervals(0.9).calibrate(truth, zeros, propensity=model.score(*pairs))
            _, high = rule.interval(np.zeros(len(missing[0])), propensity=model.score(*missing))
            covered[repr(each)].append(np.mean(np.abs(value[missing]) <= high))
    assert np.mean(covered["Constant()"]) < 0.75
    assert 0.88 < np.mean(covered["RowColumn()"]) < 0.94


def planted(rng, n, m, pattern, level=-1.0):
    a, b = rng.normal(0, 1, (n, 1)), rng.normal(0, 1, m)
    return expit(a + b + level + pattern * np.outer(rng.normal(size=n), rng.normal(size=m)))


def off(model, truth):
    """Mean divergence from the true chances."""
    found = np.clip(chances(model, truth.shape), 1e-9, 1 - 1e-9)
    return np.mean(truth * np.log(truth / found) + (1 - truth) * np.log((1 - truth) / (1 - found)))


def test_each_finds_what_is_planted_for_it():
    rng = np.random.default_rng(0)
    lines, patterned = planted(rng, 120, 80, 0.0), planted(rng, 120, 80, 1.5)
    for truth, best in ((lines, RowColumn()), (patterned, LowRank(rank=1))):
        network = network_of(rng.random(truth.shape) < truth)
        found = {repr(each): off(each.fit(network), truth) for each in ALL}
        assert min(found, key=found.get) == repr(best)
        assert found[repr(best)] < 0.2 * found["Constant()"]


def test_a_sample_of_what_was_not_observed_stands_for_all():
    rng = np.random.default_rng(0)
    truth = planted(rng, 150, 150, 1.0, -2.5)
    network = network_of(rng.random(truth.shape) < truth)
    assert network.n_listed < 0.25 * truth.size  # so that two for each are not all
    few = chances(LowRank(rank=1, ratio=2).fit(network), truth.shape)
    every = chances(LowRank(rank=1, ratio=1e6).fit(network), truth.shape)
    assert few.sum() == pytest.approx(network.n_listed, rel=0.1)
    assert np.abs(few - every).mean() < 0.2 * truth.std()


@pytest.mark.parametrize("propensity", ALL, ids=repr)
class TestEveryPropensity:
    @pytest.mark.parametrize("kind", ["rectangular", "directed", "symmetric"])
    def test_chances_add_up_to_what_was_observed(self, propensity, kind):
        rng = np.random.default_rng(1)
        shape = (40, 30) if kind == "rectangular" else (40, 40)
        network = network_of(rng.random(shape) < 0.3, kind)
        found = chances(propensity.fit(network), shape)
        if kind == "symmetric":
            np.testing.assert_allclose(found, found.T, rtol=1e-5)
            found = np.triu(found, 1)
        elif kind == "directed":
            network = network.subset(network.rows != network.cols)
            np.fill_diagonal(found, 0)
        assert found.sum() == pytest.approx(network.n_listed, rel=0.03)

    def test_values_and_hidden_entries_have_no_say(self, propensity):
        rng = np.random.default_rng(2)
        network = network_of(rng.random((20, 15)) < 0.4)
        hidden = network.hide(np.arange(10))
        plain = network.subset(np.arange(10, network.n_listed)).with_values(np.ones(network.n_listed - 10))
        one, other = propensity.fit(hidden), propensity.fit(plain)
        np.testing.assert_array_equal(chances(one, (20, 15)), chances(other, (20, 15)))

    def test_self_loops_are_no_pairs(self, propensity):
        rng = np.random.default_rng(3)
        seen = np.triu(rng.random((15, 15)) < 0.4, 1)
        with_loops = Network(*np.nonzero(seen | np.eye(15, dtype=bool)), shape=(15, 15), symmetric=True)
        without = network_of(seen, "symmetric")
        np.testing.assert_array_equal(
            chances(propensity.fit(with_loops), (15, 15)), chances(propensity.fit(without), (15, 15))
        )

    def test_nothing_and_everything_have_no_chances(self, propensity):
        for network, message in [
            (Network([], [], shape=(3, 3)), "has 0 pairs observed of 9"),
            (Network.from_dense(np.ones((3, 4))), "has 12 pairs observed of 12"),
        ]:
            with pytest.raises(IncompatibleError, match=message):
                propensity.fit(network)

    def test_other_refusals(self, propensity):
        with pytest.raises(InputError, match="expected a Network"):
            propensity.fit(np.eye(3))
        with pytest.raises(IncompatibleError, match="every pair listed once"):
            propensity.fit(Network([0, 0], [1, 1], shape=(3, 3)))

    def test_it_is_a_settings_object(self, propensity):
        assert clone(propensity).get_params() == propensity.get_params()


def test_lines_of_which_nothing_is_known_stay_finite():
    network = Network([0, 0, 1], [0, 1, 0], shape=(4, 4))
    found = chances(RowColumn().fit(network), (4, 4))
    assert 0 < found[3, 3] < found[0, 0] < 1


@pytest.mark.parametrize(
    "propensity", [RowColumn(ridge=0), LowRank(rank=0), LowRank(ratio=0), LowRank(seed=-1)], ids=repr
)
def test_settings_are_checked(propensity):
    with pytest.raises(IncompatibleError, match=r"RowColumn|LowRank"):
        propensity.fit(Network([0], [1], shape=(3, 3)))


def test_the_cost_is_that_of_the_listed_entries():
    """A million rows and columns, a handful of entries: anything of their product would not fit."""
    rng = np.random.default_rng(0)
    rows, cols = rng.choice(10**6, 500, replace=False), rng.choice(10**6, 500, replace=False)
    model = RowColumn().fit(Network(rows, cols, shape=(10**6, 10**6)))
    assert 0 < model.score(rows, cols).min() < 1e-3
