"""The comparison of candidates with calibration pairs by scores and degrees."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import kolmogorov
from scipy.stats import ks_2samp

from latentlink.errors import DataWarning
from latentlink.random import rng_for
from latentlink.uncertainty import Exchangeability, compare_pairs


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
    with pytest.warns(DataWarning, match="100 candidates differ .* need not hold"):
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


def mixture_distance(calibration, candidates, links, weights):
    """The least distance over 4,001 shares of links, and the p-value at that share, in loops."""
    points = np.unique(np.concatenate([calibration, candidates]))
    asked = np.array([np.mean(candidates <= point) for point in points])
    parts = [
        np.array([weights[of_class & (calibration <= point)].sum() for point in points])
        / weights[of_class].sum()
        for of_class in (links, ~links)
    ]
    shares = np.linspace(0, 1, 4001)
    distances = [np.abs(asked - share * parts[0] - (1 - share) * parts[1]).max() for share in shares]
    sizes = [weights[part].sum() ** 2 / np.sum(weights[part] ** 2) for part in (links, ~links)]
    return shares, np.array(distances), sizes


def test_the_distance_to_a_mixture_by_brute_force():
    rng = np.random.default_rng(4)
    links, weights = rng.random(60) < 0.5, rng.uniform(0.5, 2, 60)
    calibration, candidates = pairs(60, 5, links).round(1), pairs(40, 6, rng.random(40) < 0.2).round(1)
    result = compare_pairs(calibration, candidates, links, weights)
    for row, (distance, p_value) in enumerate(
        [(result.score_distance, result.score_p_value), (result.degree_distance, result.degree_p_value)]
    ):
        shares, distances, sizes = mixture_distance(calibration[row], candidates[row], links, weights)
        assert distance == pytest.approx(distances.min(), abs=3e-4)
        near = shares[distances <= distances.min() + 3e-4]
        p_values = []
        for share in near:
            own = 1 / (share**2 / sizes[0] + (1 - share) ** 2 / sizes[1])
            p_values.append(kolmogorov(np.sqrt(own * 40 / (own + 40)) * distance))
        assert min(p_values) - 1e-3 <= p_value <= max(p_values) + 1e-3
    assert result.p_value == min(1.0, 2 * min(result.score_p_value, result.degree_p_value))


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_candidates_of_one_class_are_a_mixture_too(share):
    links = np.arange(200) < 100
    calibration = np.stack([np.arange(200.0), np.arange(200.0)])
    candidates = calibration[:, links if share else ~links]
    result = compare_pairs(calibration, candidates, links)
    assert result.score_distance == pytest.approx(0, abs=1e-9)
    assert result.p_value == 1


def test_ten_links_and_ten_nonlinks_are_enough():
    for n_links, n_nonlinks, compared in [(10, 10, True), (9, 10, False), (10, 9, False)]:
        links = np.arange(n_links + n_nonlinks) < n_links
        result = compare_pairs(pairs(len(links), 0), pairs(50, 1), links)
        assert np.isfinite(result.p_value) == compared
        assert np.isfinite(compare_pairs(pairs(1, 0), pairs(50, 1)).p_value)


def test_a_p_value_of_exactly_a_thousandth_is_no_clear_difference():
    """Both comparisons count: each alone has half of the bound."""
    result = Exchangeability(0.3, 0.2, 5e-4, 0.6, 100, 50, False)
    assert not result.differ
    clear = Exchangeability(0.3, 0.2, 4.9e-4, 0.6, 100, 1, False)
    assert clear.differ
    assert "The 1 candidate differs from the 100 calibration pairs in scores" in clear.limits
    assert "degrees" not in clear.limits
    assert Exchangeability(0.3, 0.2, 0.9, 0.8, 100, 50, False).p_value == 1


def test_no_more_than_ten_thousand_pairs_of_a_kind_are_compared():
    """Of exactly 10,000 all are compared; of more, a sample, whose distance differs."""
    calibration, candidates = pairs(10_001, 0), pairs(10_000, 1)
    exact = compare_pairs(calibration[:, :10_000], candidates)
    assert exact.score_distance == pytest.approx(ks_2samp(calibration[0, :10_000], candidates[0]).statistic)
    sampled = compare_pairs(calibration, candidates)
    assert sampled.score_distance != ks_2samp(calibration[0], candidates[0]).statistic
    assert sampled.score_p_value == pytest.approx(kolmogorov(np.sqrt(5000) * sampled.score_distance))


@pytest.mark.parametrize("shift", [1.8, -0.8])
def test_no_mixture_has_more_than_all_or_less_than_no_links(shift):
    """Candidates beyond the links, or the non-links, would be nearer to a share above 1 or below 0."""
    rng = np.random.default_rng(8)
    links = np.arange(120) % 2 == 0
    calibration, candidates = np.stack([rng.normal(size=120) + links] * 2), rng.normal(size=(2, 50)) + shift
    for of_class in (links, ~links):
        _, distances, _ = mixture_distance(calibration[0], candidates[0], of_class, np.ones(120))
        assert min(distances[0], distances[-1]) == distances.min()
        result = compare_pairs(calibration, candidates, of_class)
        assert result.score_distance == pytest.approx(distances.min(), abs=3e-4)


def test_the_sample_of_many_pairs_is_that_of_a_fixed_seed():
    calibration, candidates = pairs(10_500, 0), pairs(11_000, 1)
    rng = rng_for(0, 2**32 - 5)
    kept, asked = (rng.choice(n, 10_000, replace=False) for n in (10_500, 11_000))
    expected = ks_2samp(calibration[0, kept], candidates[0, asked]).statistic
    assert compare_pairs(calibration, candidates).score_distance == pytest.approx(expected)


def test_only_comparisons_that_are_clear_themselves_are_named():
    """A p-value of exactly half the bound is not; the distances are those of the named ones."""
    both = Exchangeability(0.31, 0.22, 1e-5, 4.9e-4, 100, 50, True)
    assert both.limits == (
        "The 50 candidates differ from the 100 calibration pairs up to the share of links in scores "
        "(Kolmogorov-Smirnov distance 0.31, p = 1e-05) and degrees (Kolmogorov-Smirnov distance 0.22, "
        "p = 0.00049), so that what was calibrated, guarantees or probabilities, need not hold for them."
    )
    one = Exchangeability(0.31, 0.22, 1e-5, 5e-4, 100, 50, False)
    assert "pairs in scores (Kolmogorov-Smirnov distance 0.31, p = 1e-05), so that" in one.limits
    neither = Exchangeability(0.31, 0.22, 5e-4, 5e-4, 100, 1, False)
    assert neither.limits == (
        "Scores and degrees of 1 candidate and of 100 calibration pairs show no clear difference (p = 0.0005 "
        "and 0.0005); other differences are not excluded."
    )


def test_all_of_ten_thousand_pairs_are_compared_with_the_first_sample_of_more():
    calibration, candidates = pairs(10_000, 0), pairs(11_000, 1)
    asked = rng_for(0, 2**32 - 5).choice(11_000, 10_000, replace=False)
    expected = ks_2samp(calibration[0], candidates[0, asked]).statistic
    assert compare_pairs(calibration, candidates).score_distance == pytest.approx(expected)


def test_exactly_ten_thousand_calibration_pairs_are_all_compared():
    """They draw nothing, so that the first draw is that of the candidates."""
    calibration, candidates = pairs(10_000, 0), pairs(10_500, 1)
    asked = rng_for(0, 2**32 - 5).choice(10_500, 10_000, replace=False)
    exact = compare_pairs(calibration, candidates)
    assert exact.score_distance == pytest.approx(ks_2samp(calibration[0], candidates[0, asked]).statistic)
