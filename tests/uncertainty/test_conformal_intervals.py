"""Conformal intervals: coverage over many draws, and the weighted quantile."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.saving import load_file, save_file
from latentlink.uncertainty import ConformalIntervals, IntervalRule


def weighted_quantile(residuals, weights, own, level):
    """The least residual up to which lies the level's share of all weight, the pair's own included."""
    total = weights.sum() + own
    for residual in np.sort(residuals):
        if weights[residuals <= residual].sum() >= level * total * (1 - 1e-12):
            return residual
    return np.inf


@pytest.mark.filterwarnings("ignore:.*unbounded")
@settings(max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.1, 0.2, 0.5, 0.8])), min_size=9, max_size=30),
    st.sampled_from([0.01, 0.1, 0.5, 1.0]),
    st.sampled_from([0.5, 0.8, 0.9]),
)
@pytest.mark.slow
def test_the_weighted_quantile(pairs, own, level):
    errors, propensity = map(np.array, zip(*pairs, strict=True))
    rule = ConformalIntervals(level).calibrate(np.zeros(len(errors)), errors, propensity=propensity)
    low, high = rule.interval([1.0], propensity=[own])
    half_width = weighted_quantile(errors, (1 - propensity) / propensity, (1 - own) / own, level)
    assert (low[0], high[0]) == (1 - half_width, 1 + half_width)


@pytest.mark.parametrize(("n", "level", "rank"), [(9, 0.9, 9), (99, 0.9, 90), (100, 0.9, 91), (19, 0.95, 19)])
def test_without_weights_it_is_the_usual_order_statistic(n, level, rank):
    errors = np.random.default_rng(0).permutation(n) + 1.0
    _, high = ConformalIntervals(level).calibrate(np.zeros(n), errors).interval([0.0])
    assert high == rank


def test_the_coverage_is_the_level():
    """Over 200 draws of 49 calibration pairs and 40 new ones; plain quantiles of 49 would cover 0.88."""
    rng, covered = np.random.default_rng(0), []
    for _ in range(200):
        spread = rng.uniform(0.5, 2, 89)
        value = spread * rng.standard_t(4, 89)
        rule = ConformalIntervals(0.9).calibrate(np.zeros(49), value[:49], spread[:49])
        low, high = rule.interval(np.zeros(40), spread[49:])
        covered.append(np.mean((low <= value[49:]) & (value[49:] <= high)))
    assert 0.9 - 3 * np.std(covered) / np.sqrt(200) < np.mean(covered) < 0.92


def test_propensities_correct_for_unequal_probabilities_of_being_observed():
    """Noisy entries are seldom observed, so that without weights too few of the missing ones are covered."""
    rng, weighted, plain = np.random.default_rng(0), [], []
    for _ in range(60):
        noisy = rng.random(1500) < 0.5
        value = rng.normal(size=1500) * np.where(noisy, 3.0, 1.0)
        propensity = np.where(noisy, 0.15, 0.8)
        observed = rng.random(1500) < propensity
        known, missing = value[observed], value[~observed]
        scores = np.zeros(len(known)), np.zeros(len(missing))
        rule = ConformalIntervals(0.9).calibrate(scores[0], known, propensity=propensity[observed])
        low, high = rule.interval(scores[1], propensity=propensity[~observed])
        weighted.append(np.mean((low <= missing) & (missing <= high)))
        low, high = ConformalIntervals(0.9).calibrate(scores[0], known).interval(scores[1])
        plain.append(np.mean((low <= missing) & (missing <= high)))
    assert 0.89 < np.mean(weighted) < 0.92
    assert np.mean(plain) < 0.75


def test_a_pair_unlike_all_others_has_an_unbounded_interval():
    rule = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20.0), propensity=np.full(20, 0.5))
    with pytest.warns(DataWarning, match=r"2 of 3 intervals are unbounded, .* 20 calibration pairs.* seldom"):
        low, high = rule.interval([0.0, 0.0, 0.0], propensity=[0.5, 0.01, 0.0])
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
    without_floor = ConformalIntervals(0.9).calibrate(np.zeros(20), np.ones(20), np.zeros(20))
    with pytest.warns(DataWarning, match=r"1 of 1 interval is unbounded, .* members agree exactly.* a floor"):
        assert without_floor.interval([0.0], [0.0])[1] == np.inf
    with_floor = ConformalIntervals(0.9, floor=0.5).calibrate(np.zeros(20), np.ones(20), np.zeros(20))
    assert with_floor.interval([0.0], [0.5])[1] == pytest.approx(2.0)


def test_there_is_no_warning_if_half_of_the_intervals_are_unbounded():
    rule = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20.0), propensity=np.full(20, 0.5))
    assert np.isinf(rule.interval([0.0, 0.0], propensity=[0.5, 0.0])[1]).tolist() == [False, True]


def test_no_floor_is_a_floor_of_0():
    rng = np.random.default_rng(0)
    value, spread = rng.normal(size=50), rng.uniform(0, 1, 50)
    rules = [
        ConformalIntervals(0.8, floor=floor).calibrate(np.zeros(50), value, spread) for floor in (None, 0)
    ]
    assert rules[0].floor == 0
    np.testing.assert_array_equal(*(rule.interval([0.0], [0.5]) for rule in rules))


def test_widths_are_proportional_to_the_spread_in_any_unit():
    rng = np.random.default_rng(0)
    value, spread = rng.normal(size=100), rng.uniform(1, 2, 100)
    rule = ConformalIntervals().calibrate(np.zeros(100), value, spread)
    low, high = rule.interval([0.0, 0.0], [1.0, 3.0])
    assert high[1] - low[1] == pytest.approx(3 * (high[0] - low[0]))
    scaled = ConformalIntervals().calibrate(np.zeros(100), 7 * value, 7 * spread)
    assert scaled.interval([0.0], [7.0])[1] == pytest.approx(7 * high[0])


def test_equal_propensities_are_equal_weights():
    errors = np.random.default_rng(0).normal(size=57)
    plain = ConformalIntervals().calibrate(np.zeros(57), errors).interval([1.0])
    weighted = ConformalIntervals().calibrate(np.zeros(57), errors, propensity=np.full(57, 0.2))
    np.testing.assert_array_equal(weighted.interval([1.0], propensity=[0.2]), plain)


@pytest.mark.filterwarnings("ignore:.*unbounded")
@settings(max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(20, 60))
def test_intervals_grow_with_the_level_and_with_rarer_pairs(seed, n):
    rng = np.random.default_rng(seed)
    errors, propensity = rng.normal(size=n).round(1), rng.uniform(0.1, 0.9, n)
    ends = []
    for level in (0.5, 0.8, 0.9, 0.95):
        rule = ConformalIntervals(level).calibrate(np.zeros(n), errors, propensity=propensity)
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


def test_the_limits_state_the_guarantee():
    rule = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20), propensity=np.full(20, 0.5))
    for part in ("90 % of missing entries", "on average", "20 calibration pairs", "propensities being right"):
        assert part in rule.limits
    plain = ConformalIntervals(0.9).calibrate(np.zeros(20), np.arange(20)).limits
    assert "90 % of entries that are missing completely at random" in plain
    assert "propensities" not in plain
    assert rule.n == 20


def test_a_rule_can_be_saved(tmp_path):
    rule = ConformalIntervals().calibrate(np.zeros(20), np.arange(20), np.ones(20))
    save_file(tmp_path / "rule.npz", "rule", rule)
    loaded = load_file(tmp_path / "rule.npz", "rule", {"IntervalRule": IntervalRule})
    np.testing.assert_array_equal(loaded.interval([1.0], [2.0]), rule.interval([1.0], [2.0]))


def test_invalid_input_raises():
    value, score = np.arange(20.0), np.zeros(20)
    rule = ConformalIntervals().calibrate(score, value, np.ones(20))
    with pytest.raises(
        InputError, match="spread was given to calibrate, but not to interval; expected it in both"
    ):
        rule.interval([0.0])
    with pytest.raises(
        InputError, match="propensity was given to interval, but not to calibrate; expected it in both"
    ):
        rule.interval([0.0], [1.0], [0.5])
    with pytest.raises(
        InputError, match="propensity of calibration pair 0 is 0; expected more than 0, since it was"
    ):
        ConformalIntervals().calibrate(score, value, propensity=np.linspace(0, 0.5, 20))
    with pytest.raises(InputError, match="propensity is 1 for all 20 calibration pairs"):
        ConformalIntervals().calibrate(score, value, propensity=np.ones(20))
    with pytest.raises(InputError, match="propensity of pair 0 is 2; expected a probability"):
        ConformalIntervals().calibrate(score, value, propensity=np.full(20, 2.0))
    masked = np.ma.masked_array(value, value == 7)
    with pytest.raises(InputError, match="value of pair 7 is masked"):
        ConformalIntervals().calibrate(score, masked)


def test_parameters():
    value, score = np.arange(20.0), np.zeros(20)
    with pytest.raises(IncompatibleError, match="ConformalIntervals has level=90; expected"):
        ConformalIntervals(90).calibrate(score, value)
    with pytest.raises(IncompatibleError, match="ConformalIntervals has floor=-1; expected"):
        ConformalIntervals(floor=-1).calibrate(score, value)
    assert clone(ConformalIntervals(0.8)).get_params() == {"level": 0.8, "floor": None}


@pytest.mark.filterwarnings("ignore:.*unbounded")
@pytest.mark.parametrize("level", [0.5, 0.9])
@pytest.mark.parametrize("floor", [None, 0.3])
def test_the_definition_in_loops_far_from_zero(level, floor):
    """Scores and values between 3 and 7, with spreads and propensities that differ from pair to pair."""
    rng = np.random.default_rng(5)
    score, value = rng.uniform(3, 7, 60), rng.uniform(3, 7, 60)
    spread, propensity = rng.uniform(0.2, 2, 60), rng.uniform(0.1, 0.9, 60)
    rule = ConformalIntervals(level, floor=floor).calibrate(
        score[:50], value[:50], spread[:50], propensity[:50]
    )
    low, high = rule.interval(score[50:], spread[50:], propensity[50:])
    added = floor or 0.0
    residuals = np.abs(value[:50] - score[:50]) / (spread[:50] + added)
    odds = (1 - propensity) / propensity
    for j in range(10):
        half = weighted_quantile(residuals, odds[:50], odds[50 + j], level) * (spread[50 + j] + added)
        np.testing.assert_allclose([low[j], high[j]], [score[50 + j] - half, score[50 + j] + half])


def test_a_shift_of_scores_and_values_shifts_the_intervals():
    rng = np.random.default_rng(6)
    score, value = rng.normal(size=40), rng.normal(size=40)
    at_zero, shifted = (
        ConformalIntervals(0.8).calibrate(score + by, value + by).interval(score + by) for by in (0.0, 100.0)
    )
    np.testing.assert_allclose(shifted, np.add(at_zero, 100.0))
