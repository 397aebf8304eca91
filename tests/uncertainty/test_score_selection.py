"""The test of whether candidates were chosen by their scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import comb

from latentlink.errors import InputError
from latentlink.random import rng_for
from latentlink.uncertainty import require_not_chosen_by_score, selection_p_value


def test_the_best_of_all_have_the_probability_of_such_a_draw():
    scores = np.arange(20.0)
    assert selection_p_value(scores[-3:], scores[:-3]) == pytest.approx(3 / comb(20, 3))
    assert selection_p_value(scores[-1:], scores[:-1]) == pytest.approx(1 / 20)
    assert selection_p_value(scores[:3], scores[3:]) == 1


def test_random_draws_have_small_p_values_seldom():
    rng = np.random.default_rng(0)
    p_values = [selection_p_value(rng.normal(size=30), rng.normal(size=500)) for _ in range(400)]
    assert np.mean(np.array(p_values) < 0.05) < 0.05
    ties = [selection_p_value(rng.integers(0, 3, 30), rng.integers(0, 3, 500)) for _ in range(400)]
    assert np.mean(np.array(ties) < 0.05) < 0.05


@pytest.mark.parametrize("others", [0, 20, 95, 500])
def test_a_few_of_the_best_among_random_ones_are_recognized(others):
    rng = np.random.default_rng(0)
    reference = rng.normal(size=10_000)
    chosen = np.concatenate([np.sort(rng.normal(size=10_000))[-10:], rng.normal(size=others)])
    assert selection_p_value(chosen, reference) < 1e-3


def test_ties_at_the_top_are_recognized():
    reference = np.repeat([0.0, 1.0], [950, 50])
    assert selection_p_value(np.ones(20), reference) < 1e-9
    assert selection_p_value(np.repeat([0.0, 1.0], [95, 5]), reference) > 0.1


def test_no_pairs_give_no_evidence():
    assert selection_p_value(np.zeros(0), np.ones(5)) == 1
    assert selection_p_value(np.ones(5), np.zeros(0)) == 1


@pytest.mark.parametrize("n", [9, 50, 1000])
@pytest.mark.parametrize("k", [1, 2, 20])
def test_the_very_best_are_recognized_however_few(n, k):
    rng = np.random.default_rng(0)
    untested, calibration = rng.normal(size=600), rng.normal(size=n)
    with pytest.raises(InputError, match="evidently chosen by score"):
        require_not_chosen_by_score(np.sort(untested)[-k:], untested, calibration)
    require_not_chosen_by_score(untested, untested, calibration)
    require_not_chosen_by_score(untested[:k], untested, calibration)


def test_the_best_one_is_recognized_among_ties_unless_they_are_too_many_to_be_selected():
    untested, calibration = np.repeat([0.0, 1.0], [970, 30]), np.repeat([0.0, 1.0], [480, 20])
    with pytest.raises(InputError, match="1 candidate scores higher"):
        require_not_chosen_by_score(np.ones(1), untested, calibration)
    require_not_chosen_by_score(np.ones(1), untested, calibration, fdr=0.02)
    require_not_chosen_by_score(np.ones(1), np.repeat([0.0, 1.0], [500, 500]), calibration)


def test_candidates_like_the_calibration_pairs_are_accepted():
    """A test part has more links than untested pairs, and so higher scores."""
    rng = np.random.default_rng(0)
    untested = rng.normal(size=5000)
    calibration, test = (rng.normal(size=300) + 2 * (rng.random(300) < 0.5) for _ in range(2))
    require_not_chosen_by_score(test, untested, calibration)
    with pytest.raises(InputError, match=r"50 candidates score higher .* chosen_without_scores=True"):
        require_not_chosen_by_score(np.sort(test)[-50:], untested, calibration)


def test_the_p_value_by_counting_subsets():
    """P(at most j - 1 candidates among the lowest j - 1 + r_j), from binomial coefficients."""
    rng = np.random.default_rng(0)
    for k, n in [(1, 7), (3, 12), (6, 20)]:
        candidates, reference = rng.integers(2, 12, k).astype(float), rng.integers(0, 10, n).astype(float)
        least = 1.0
        for j, score in enumerate(np.sort(candidates)):
            lowest = j + np.sum(reference < score)
            ways = sum(comb(k, t) * comb(n, lowest - t) for t in range(j + 1))
            least = min(least, k * ways / comb(n + k, lowest))
        assert selection_p_value(candidates, reference) == pytest.approx(least)


def test_of_many_candidates_two_thousand_are_compared():
    """All candidates score above all others, so that the p-value depends on their number alone."""
    reference = np.zeros(10)
    at_most, more = (selection_p_value(np.ones(k), reference) for k in (2000, 2500))
    assert at_most == more
    assert selection_p_value(np.ones(1999), reference) > at_most


def test_the_best_of_more_than_a_tenth_of_all_are_no_small_choice():
    """Two of 20 are a tenth, two of 19 more: then evidence at the level of the fdr does not suffice."""
    calibration = np.zeros(20)
    for n, raises in ((20, True), (19, False), (15, False)):
        untested = np.arange(float(n))
        assert 1e-3 < selection_p_value(untested[-2:], untested) < 0.1
        if raises:
            with pytest.raises(InputError, match="evidently chosen"):
                require_not_chosen_by_score(untested[-2:], untested, calibration)
        else:
            require_not_chosen_by_score(untested[-2:], untested, calibration)


def test_the_sample_of_many_candidates_is_that_of_a_fixed_seed():
    rng = np.random.default_rng(0)
    candidates, reference = rng.normal(0.1, 1, 3000), rng.normal(size=500)
    sample = rng_for(0, 2**32 - 6).choice(candidates, 2000, replace=False)
    assert selection_p_value(candidates, reference) == selection_p_value(sample, reference)


def test_of_many_candidates_the_same_two_thousand_are_compared():
    rng = np.random.default_rng(0)
    candidates, reference = rng.normal(0.3, 1, 2500), rng.normal(size=300)
    drawn = rng_for(0, 2**32 - 6).choice(candidates, 2000, replace=False)
    p_value = selection_p_value(candidates, reference)
    assert p_value == selection_p_value(drawn, reference)
    assert 0 < p_value < 1
    others = [selection_p_value(rng.choice(candidates, 2000, replace=False), reference) for _ in range(5)]
    assert p_value not in others
