"""The comparison of candidates with calibration pairs by scores and degrees."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from latentlink.errors import DataWarning
from latentlink.uncertainty import compare_pairs


def pairs(n, seed, links=None, shift=0.0):
    """Return scores and degrees; links score higher by 2."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(2, n)) + (0 if links is None else 2 * links) + shift


def labels(n, share, seed):
    return np.random.default_rng(seed).random(n) < share


def test_the_distance_is_that_of_kolmogorov_and_smirnov():
    calibration, candidates = pairs(300, 0), pairs(200, 1, shift=0.1)
    result = compare_pairs(calibration, candidates)
    for row, distance in enumerate((result.score_distance, result.degree_distance)):
        assert distance == pytest.approx(ks_2samp(calibration[row], candidates[row]).statistic)
    assert result.score_p_value == pytest.approx(
        ks_2samp(calibration[0], candidates[0], method="asymp").pvalue, rel=0.2
    )


def test_pairs_drawn_alike_seldom_differ_whatever_their_ties():
    for seed in range(200):
        calibration, candidates = np.round(pairs(100, (seed, 0))), np.round(pairs(60, (seed, 1)))
        assert not compare_pairs(calibration, candidates).differ


def test_another_share_of_links_is_a_difference_only_where_it_matters():
    known, asked = labels(500, 0.5, 0), labels(500, 0.02, 1)
    calibration, candidates = pairs(500, 2, known), pairs(500, 3, asked)
    plain, mixed = compare_pairs(calibration, candidates), compare_pairs(calibration, candidates, known)
    assert plain.differ
    assert not mixed.differ
    assert "up to the share of links" in mixed.limits
    hubs = np.stack([candidates[0], candidates[1] + 4])
    assert compare_pairs(calibration, hubs, known).differ


def test_weights_make_up_for_pairs_that_are_seldom_observed():
    rng = np.random.default_rng(0)
    calibration, candidates = rng.beta(1, 2, (2, 2000)), rng.random((2, 2000))
    weights = 1 / (1 - calibration[0])  # the density of candidates over that of calibration pairs, times 2
    alike = np.stack([calibration[0], calibration[0]]), np.stack([candidates[0], candidates[0]])
    assert compare_pairs(*alike).differ
    assert not compare_pairs(*alike, weights=weights).differ


def test_differences_are_stated_and_warned_of():
    result = compare_pairs(pairs(300, 0), pairs(100, 1) + np.array([[2.0], [0.0]]))
    assert "differ from the 300 calibration pairs in scores (Kolmogorov-Smirnov distance" in result.limits
    assert "degrees" not in result.limits
    with pytest.warns(DataWarning, match="100 candidates differ .* guarantee need not hold"):
        result.warn_if_different()


def test_nothing_is_compared_without_candidates_or_with_one_class():
    for result in (
        compare_pairs(pairs(100, 0), np.zeros((2, 0))),
        compare_pairs(pairs(100, 0), pairs(50, 1), np.zeros(100, bool)),
    ):
        assert np.isnan(result.p_value)
        assert not result.differ
        assert "could not be compared" in result.limits


def test_large_samples_give_the_same_result_every_time():
    calibration, candidates = pairs(30_000, 0), pairs(20_000, 1)
    one, other = (compare_pairs(calibration, candidates) for _ in range(2))
    assert one == other
    assert (one.n_calibration, one.n_candidates) == (30_000, 20_000)
