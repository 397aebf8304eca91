"""Cross-conformal intervals, sets and discoveries, against their definitions and their guarantees."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.uncertainty import ConformalIntervals, ConformalSets, cross_intervals, cross_sets
from latentlink.uncertainty.discovery.cross_discoveries import fold_threshold, least_e_value
from latentlink.uncertainty.discovery.discoveries import discover, ranks_among_nonlinks


def mean_p_value(value, residuals, fold, score, scale):
    terms = []
    for k in range(fold.max() + 1):
        own = residuals[fold == k]
        terms.append((1 + np.sum(own >= (value - score[k]) / scale[k])) / (1 + len(own)))
    return np.mean(terms)


def test_interval_ends_are_the_last_values_with_a_large_p_value():
    rng = np.random.default_rng(0)
    fold, errors = np.arange(53) % 3, np.abs(rng.normal(size=53))
    spreads = rng.random(53)
    rule = cross_intervals(ConformalIntervals(0.8, floor=0.5), errors, spreads, fold)
    residuals = errors / (spreads + 0.5)
    scores, own_spreads = rng.normal(size=(3, 10)), rng.random((3, 10))
    low, high = rule.interval(scores, own_spreads)
    for pair in range(10):
        score, scale = scores[:, pair], own_spreads[:, pair] + 0.5
        assert mean_p_value(high[pair] - 1e-9, residuals, fold, score, scale) > 0.2
        assert mean_p_value(high[pair] + 1e-9, residuals, fold, score, scale) <= 0.2
        assert mean_p_value(-low[pair] - 1e-9, residuals, fold, -score, scale) > 0.2
        assert mean_p_value(-low[pair] + 1e-9, residuals, fold, -score, scale) <= 0.2


def test_models_that_agree_give_the_intervals_of_all_residuals_together():
    errors, fold = np.abs(np.random.default_rng(0).normal(size=500)), np.arange(500) % 5
    rule = cross_intervals(ConformalIntervals(0.9, floor=1.0), errors, np.zeros(500), fold)
    _, high = rule.interval(np.zeros((5, 1)), np.zeros((5, 1)))
    split = ConformalIntervals(0.9, floor=1.0).calibrate(np.zeros(500), errors, np.zeros(500))
    assert high[0] == pytest.approx(split.interval([0.0], [0.0])[1][0], rel=0.05)


def test_errors_without_a_scale_make_intervals_unbounded():
    fold = np.arange(100) % 2
    errors = np.where(np.arange(100) < 30, 1.0, 0.0)
    rule = cross_intervals(ConformalIntervals(0.9), errors, np.zeros(100), fold)
    low, high = rule.interval(np.zeros((2, 1)), np.ones((2, 1)))
    assert (low[0], high[0]) == (-np.inf, np.inf)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_one_fold_gives_the_sets_of_the_split_form(level):
    rng = np.random.default_rng(0)
    scores, links = rng.normal(size=200).round(1), rng.random(200) < 0.4
    asked = rng.normal(size=300).round(1)
    cross = cross_sets(ConformalSets(level), scores, links, np.zeros(200, np.int64)).sets(asked[None])
    split = ConformalSets(level).calibrate(scores, links).sets(asked)
    assert (cross | ~split).all()  # at least as large: a p-value of exactly 1 - level counts as large
    assert (cross != split).mean() < 0.05


def test_too_few_pairs_raise():
    fold = np.arange(40) % 5
    with pytest.raises(IncompatibleError, match="40 calibration pairs in 5 folds; expected at least 9"):
        cross_intervals(ConformalIntervals(0.9), np.ones(40), np.ones(40), fold)
    with pytest.raises(IncompatibleError, match="20 calibration links in 5 folds; expected at least 9"):
        cross_sets(ConformalSets(0.9), np.arange(40.0), np.arange(40) < 20, fold)


def test_limits_state_the_weaker_level():
    fold = np.arange(200) % 5
    intervals = cross_intervals(ConformalIntervals(0.9), np.ones(200), np.ones(200), fold)
    sets = cross_sets(ConformalSets(0.95), np.arange(200.0), np.arange(200) % 2 == 0, fold)
    assert "at least 80 %" in intervals.limits
    assert "at least 90 %" in sets.limits
    for rule in (intervals, sets):
        assert "rank and the ridge were chosen with all" in rule.limits


# ---------------------------------------------------------------- discoveries


def test_the_threshold_of_a_fold_is_that_of_discover_at_a_smaller_rate():
    rng = np.random.default_rng(0)
    scores, nonlinks = np.r_[rng.normal(size=100), rng.normal(3, 1, 40)], rng.normal(size=300)
    ranks = ranks_among_nonlinks(scores, np.sort(nonlinks))
    threshold = fold_threshold(np.bincount(ranks, minlength=301), 0.2)
    expected = discover(scores, nonlinks, 0.14)
    np.testing.assert_array_equal(ranks <= threshold.rank, expected.selected)
    assert threshold.e_value == pytest.approx(1 / expected.p_values[expected.selected].max())


def test_nothing_is_selected_without_evidence():
    assert least_e_value(np.zeros(0), 100, 0.1) == np.inf
    assert fold_threshold(np.array([0] * 50 + [10]), 0.1).rank == -1
    with pytest.raises(IncompatibleError, match=r"13 known non-links in a fold .* at least 14"):
        fold_threshold(np.zeros(14, np.int64), 0.1)


def test_false_discoveries_of_dependent_folds_are_few():
    """Five folds score the same noise with noise of their own: the rate holds for any dependence."""
    rng, share = np.random.default_rng(0), []
    for _ in range(200):
        truth = np.arange(200) < 60
        common = rng.normal(size=200) + 3 * truth
        e_values = np.zeros(200)
        for _ in range(5):
            nonlinks = np.sort(rng.normal(size=60) + 0.3 * rng.normal(size=60))
            ranks = ranks_among_nonlinks(common + 0.3 * rng.normal(size=200), nonlinks)
            fold = fold_threshold(np.bincount(ranks, minlength=61), 0.2)
            e_values += np.where(ranks <= fold.rank, fold.e_value, 0) / 5
        selected = e_values >= least_e_value(e_values[e_values > 0], 200, 0.2)
        share.append((selected & ~truth).sum() / max(1, selected.sum()))
    assert np.mean(share) < 0.2


def test_an_e_value_that_is_just_large_enough_selects():
    """Three e-values of at least 100 / (0.1 R) with R = 3: 1000 / 3."""
    assert least_e_value(np.array([1000 / 3] * 3), 100, 0.1) == pytest.approx(1000 / 3)
    assert least_e_value(np.array([0.999 * 1000 / 3] * 3), 100, 0.1) == np.inf
    rng = np.random.default_rng(0)
    for _ in range(50):
        e_values = rng.choice([5.0, 10.0, 20.0, 50.0], 12)
        sizes = [r for r in range(1, 13) if np.sum(e_values >= 60 / (0.3 * r) * (1 - 1e-12)) >= r]
        expected = np.sort(e_values)[::-1][max(sizes) - 1] if sizes else np.inf
        assert least_e_value(e_values, 60, 0.3) == expected


def test_the_least_number_of_nonlinks_in_a_fold_suffices():
    assert fold_threshold(np.array([100] + [0] * 14), 0.1).rank == 0
    assert fold_threshold(np.array([0] * 14 + [100]), 0.1).e_value == 0


@pytest.mark.parametrize("level", [0.5, 0.7, 0.8])
def test_sets_of_folds_of_unequal_size_against_counting(level):
    """Scores with ties; a label is in the set if the mean of (1 + count) / (1 + n) exceeds 1 - level."""
    rng = np.random.default_rng(1)
    fold = np.repeat([0, 1, 2], [40, 25, 30])
    scores, links = rng.integers(0, 8, 95).astype(float), rng.random(95) < 0.5
    asked = rng.integers(-1, 9, (3, 60)).astype(float)
    sets = cross_sets(ConformalSets(level), scores, links, fold).sets(asked)
    for pair in range(60):
        means = [
            np.mean(
                [
                    (1 + sum(sign * scores[(fold == k) & (links == label)] <= sign * asked[k, pair]))
                    / (1 + sum((fold == k) & (links == label)))
                    for k in range(3)
                ]
            )
            for label, sign in ((False, -1), (True, 1))
        ]
        assert sets[pair].tolist() == [mean > (1 - level) * (1 - 1e-12) for mean in means]


def test_a_p_value_of_exactly_1_minus_level_counts_as_large():
    """With 9 pairs in one fold p is a multiple of 0.1."""
    errors = np.arange(1.0, 10.0)
    rule = cross_intervals(ConformalIntervals(0.8, floor=1.0), errors, np.zeros(9), np.zeros(9, np.int64))
    low, high = rule.interval(np.full((1, 1), 3.0), np.zeros((1, 1)))
    assert (low[0], high[0]) == (pytest.approx(3 - 9), pytest.approx(3 + 9))
    sets = cross_sets(ConformalSets(0.8), np.arange(18.0), np.arange(18) >= 9, np.zeros(18, np.int64))
    assert sets.sets(np.array([[10.0, 9.0, 8.5, 7.0, 8.0, 8.5]]))[:, 1].tolist() == [True, True] + [False] * 4


def test_as_many_pairs_as_a_level_needs_suffice():
    fold = np.arange(45) % 5
    rule = cross_intervals(ConformalIntervals(0.9), np.ones(45), np.ones(45), fold)
    assert (rule.n, len(rule.residuals)) == (45, 5)
    cross_sets(ConformalSets(0.9), np.arange(90.0), np.arange(90) < 45, np.arange(90) % 5)
    with pytest.raises(IncompatibleError, match="44 calibration pairs in 5 folds"):
        cross_intervals(ConformalIntervals(0.9), np.ones(44), np.ones(44), fold[:44])


@pytest.mark.parametrize(("level", "size"), [(0.8, 4), (0.9, 9), (0.95, 19)])
def test_a_p_value_of_exactly_one_minus_the_level_excludes_nothing(level, size):
    """With so many pairs in a fold the least p-value is 1 - level; with one more it is below."""
    for count, excluded in ((size, False), (size + 1, True)):
        fold = np.repeat(np.arange(3), 2 * count)
        links = np.arange(len(fold)) % 2 == 0
        rule = cross_sets(ConformalSets(level), np.where(links, 0.9, 0.1), links, fold)
        assert rule.sets(np.full((3, 1), 0.0)).tolist() == [[True, not excluded]]
        assert rule.sets(np.full((3, 1), 1.0)).tolist() == [[not excluded, True]]
        fold = np.repeat(np.arange(3), count)
        intervals = cross_intervals(
            ConformalIntervals(level, floor=1.0), np.ones(len(fold)), np.zeros(len(fold)), fold
        )
        high = intervals.interval(np.zeros((3, 1)), np.zeros((3, 1)))[1]
        assert np.isfinite(high).tolist() == [excluded]
    fold = np.repeat(np.arange(3), size - 1)
    with pytest.raises(IncompatibleError, match=f"expected at least {size} in each"):
        cross_intervals(ConformalIntervals(level, floor=1.0), np.ones(len(fold)), np.zeros(len(fold)), fold)


def test_models_without_errors_have_intervals_of_no_width():
    fold = np.arange(40) % 2
    rule = cross_intervals(ConformalIntervals(0.9, floor=1.0), np.zeros(40), np.zeros(40), fold)
    low, high = rule.interval(np.array([[0.0, 3.0], [0.0, 3.0]]), np.zeros((2, 2)))
    assert (low.tolist(), high.tolist()) == ([0.0, 3.0], [0.0, 3.0])
