"""Conformal intervals: coverage over many draws, and the weighted quantile."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.saving import load_file, save_file
from latentlink.uncertainty import ConformalIntervals, IntervalRule


def plainly(residuals, weights, own, level):
    """The least residual up to which lies the level's share of all weight, the pair's own included."""
    total = weights.sum() + own
    for residual in np.sort(residuals):
        if weights[residuals <= residual].sum() >= level * total * (1 - 1e-12):
            return residual
    return np.inf


@pytest.mark.filterwarnings("ignore:.*unbounded")
@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.1, 0.2, 0.5, 0.8])), min_size=9, max_size=30),
    st.sampled_from([0.01, 0.1, 0.5, 1.0]),
    st.sampled_from([0.5, 0.8, 0.9]),
)
def test_the_weighted_quantile(found, own, level):
    errors, chance = map(np.array, zip(*found, strict=True))
    rule = ConformalIntervals(level).calibrate(np.zeros(len(errors)), errors, propensity=chance)
    low, high = rule.interval([1.0], propensity=[own])
    half = plainly(errors, (1 - chance) / chance, (1 - own) / own, level)
    assert (low[0], high[0]) == (1 - half, 1 + half)


@pytest.mark.parametrize(
    ("n", "level", "place"), [(9, 0.9, 9), (99, 0.9, 90), (100, 0.9, 91), (19, 0.95, 19)]
)
def test_without_weights_it_is_the_usual_order_statistic(n, level, place):
    errors = np.random.default_rng(0).permutation(n) + 1.0
    _, high = ConformalIntervals(level).calibrate(np.zeros(n), errors).interval([0.0])
    assert high == place


def test_coverage_is_what_it_says():
    """Of 200 draws, each with 49 pairs and 40 new ones; plain quantiles of 49 would cover 0.88."""
    rng, held = np.random.default_rng(0), []
    for _ in range(200):
        spread = rng.uniform(0.5, 2, 89)
        value = spread * rng.standard_t(4, 89)
        rule = ConformalIntervals(0.9).calibrate(np.zeros(49), value[:49], spread[:49])
        low, high = rule.interval(np.zeros(40), spread[49:])
        held.append(np.mean((low <= value[49:]) & (value[49:] <= high)))
    assert 0.9 - 3 * np.std(held) / np.sqrt(200) < np.mean(held) < 0.92


def test_propensities_put_right_what_is_seen_more_often():
    """Noisy entries are seldom observed, so that without weights too few of the missing ones are covered."""
    rng, weighted, plain = np.random.default_rng(0), [], []
    for _ in range(60):
        noisy = rng.random(1500) < 0.5
        value = rng.normal(size=1500) * np.where(noisy, 3.0, 1.0)
        chance = np.where(noisy, 0.15, 0.8)
        seen = rng.random(1500) < chance
        zeros = np.zeros(1500)
        rule = ConformalIntervals(0.9).calibrate(zeros[seen], value[seen], propensity=chance[seen])
        low, high = rule.interval(zeros[~seen], propensity=chance[~seen])
        weighted.append(np.mean((low <= value[~seen]) & (value[~seen] <= high)))
        low, high = ConformalIntervals(0.9).calibrate(zeros[seen], value[seen]).interval(zeros[~seen])
        plain.append(np.mean((low <= value[~seen]) & (value[~seen] <= high)))
    assert 0.89 < np.mean(weighted) < 0.92
    assert np.mean(plain) < 0.75


def test_a_pair_unlike_all_others_gets_an_unbounded_interval():
    rule = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20.0), propensity=np.full(20, 0.5))
    asked = [0.5, 0.01, 0.0]
    with pytest.warns(DataWarning, match=r"2 of 3 intervals are unbounded, .* 20 calibration pairs.* seldom"):
        low, high = rule.interval([0.0, 0.0, 0.0], propensity=asked)
    assert np.isfinite([low[0], high[0]]).all()
    np.testing.assert_array_equal(low[1:], -np.inf)
    np.testing.assert_array_equal(high[1:], np.inf)
    assert "unbounded" in rule.limits


def test_members_that_agree_exactly():
    """An error where the spread is 0 counts as infinite; no error as none."""
    value, spread = np.array([0.0] * 10 + [1.0] * 10), np.array([0.0] * 10 + [1.0] * 10)
    rule = ConformalIntervals(0.8).calibrate(np.zeros(20), value, spread)
    low, high = rule.interval([5.0, 5.0], [0.0, 2.0])
    assert (low.tolist(), high.tolist()) == ([5.0, 3.0], [5.0, 7.0])
    surprised = ConformalIntervals(0.9).calibrate(np.zeros(20), np.ones(20), np.zeros(20))
    with pytest.warns(DataWarning, match=r"1 of 1 interval is unbounded, .* members agree exactly.* a floor"):
        assert surprised.interval([0.0], [0.0])[1] == np.inf
    floored = ConformalIntervals(0.9, floor=0.5).calibrate(np.zeros(20), np.ones(20), np.zeros(20))
    assert floored.interval([0.0], [0.5])[1] == pytest.approx(2.0)


def test_half_of_the_intervals_may_be_unbounded_without_a_word():
    rule = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20.0), propensity=np.full(20, 0.5))
    assert np.isinf(rule.interval([0.0, 0.0], propensity=[0.5, 0.0])[1]).tolist() == [False, True]


def test_without_a_model_no_floor_is_a_floor_of_0():
    rng = np.random.default_rng(0)
    value, spread = rng.normal(size=50), rng.uniform(0, 1, 50)
    rules = [ConformalIntervals(0.8, floor=each).calibrate(np.zeros(50), value, spread) for each in (None, 0)]
    assert rules[0].floor == 0
    np.testing.assert_array_equal(*(rule.interval([0.0], [0.5]) for rule in rules))


def test_the_spread_sets_the_width_and_units_have_no_say():
    rng = np.random.default_rng(0)
    value, spread = rng.normal(size=100), rng.uniform(1, 2, 100)
    rule = ConformalIntervals().calibrate(np.zeros(100), value, spread)
    low, high = rule.interval([0.0, 0.0], [1.0, 3.0])
    assert high[1] - low[1] == pytest.approx(3 * (high[0] - low[0]))
    scaled = ConformalIntervals().calibrate(np.zeros(100), 7 * value, 7 * spread)
    assert scaled.interval([0.0], [7.0])[1] == pytest.approx(7 * high[0])


def test_equal_chances_are_no_weights():
    errors = np.random.default_rng(0).normal(size=57)
    plain = ConformalIntervals().calibrate(np.zeros(57), errors).interval([1.0])
    weighted = ConformalIntervals().calibrate(np.zeros(57), errors, propensity=np.full(57, 0.2))
    np.testing.assert_array_equal(weighted.interval([1.0], propensity=[0.2]), plain)


@pytest.mark.filterwarnings("ignore:.*unbounded")
@given(st.integers(0, 2**32 - 1), st.integers(20, 60))
def test_a_higher_level_is_never_shorter_and_a_rarer_pair_neither(seed, n):
    rng = np.random.default_rng(seed)
    errors, chance = rng.normal(size=n).round(1), rng.uniform(0.1, 0.9, n)
    ends = []
    for level in (0.5, 0.8, 0.9, 0.95):
        rule = ConformalIntervals(level).calibrate(np.zeros(n), errors, propensity=chance)
        high = rule.interval(np.zeros(4), propensity=[0.9, 0.5, 0.1, 0.001])[1]
        assert (high[1:] >= high[:-1]).all()
        ends.append(high)
    assert (np.array(ends)[1:] >= np.array(ends)[:-1]).all()


def test_no_pairs_have_no_intervals():
    low, high = ConformalIntervals().calibrate(np.zeros(20), np.arange(20)).interval([])
    assert len(low) == len(high) == 0


def test_the_least_number_of_pairs():
    with pytest.raises(IncompatibleError, match="has 8 calibration pairs; expected at least 9"):
        ConformalIntervals(0.9).calibrate(np.zeros(8), np.arange(8))


def test_the_limits_are_said():
    rule = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20), propensity=np.full(20, 0.5))
    for part in ("90 % of missing entries", "on average", "20 calibration pairs", "propensities being right"):
        assert part in rule.limits
    plain = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20)).limits
    assert "90 % of entries that are missing by chance alone" in plain
    assert rule.n == 20


def test_a_rule_can_be_saved(tmp_path):
    rule = ConformalIntervals().calibrate(np.zeros(20), np.arange(20), np.ones(20))
    save_file(tmp_path / "rule.npz", "rule", rule)
    again = load_file(tmp_path / "rule.npz", "rule", {"IntervalRule": IntervalRule})
    np.testing.assert_array_equal(again.interval([1.0], [2.0]), rule.interval([1.0], [2.0]))


def test_refusals():
    value, score = np.arange(20.0), np.zeros(20)
    rule = ConformalIntervals().calibrate(score, value, np.ones(20))
    with pytest.raises(InputError, match="spread was given to calibrate, but is not given now"):
        rule.interval([0.0])
    with pytest.raises(InputError, match="propensity was not given to calibrate, but is given now"):
        rule.interval([0.0], [1.0], [0.5])
    with pytest.raises(
        InputError, match="propensity of calibration pair 0 is 0; expected more, since it was"
    ):
        ConformalIntervals().calibrate(score, value, propensity=np.linspace(0, 0.5, 20))
    with pytest.raises(InputError, match="propensity is 1 for all 20 calibration pairs"):
        ConformalIntervals().calibrate(score, value, propensity=np.ones(20))
    with pytest.raises(InputError, match="propensity of pair 0 is 2; expected a chance"):
        ConformalIntervals().calibrate(score, value, propensity=np.full(20, 2.0))
    with pytest.raises(InputError, match="level of ConformalIntervals is 90"):
        ConformalIntervals(90).calibrate(score, value)
    with pytest.raises(IncompatibleError, match="floor=-1"):
        ConformalIntervals(floor=-1).calibrate(score, value)
    assert clone(ConformalIntervals(0.8)).get_params() == {"level": 0.8, "floor": None}
