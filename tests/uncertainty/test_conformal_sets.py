"""Class-conditional prediction sets: coverage of links and of non-links."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.saving import load_file, save_file
from latentlink.uncertainty import ConformalSets, SetRule


def test_both_classes_are_covered_if_links_are_rare():
    """Over 200 draws of 19 links and 181 non-links; a rule for both together would miss most links."""
    rng, covered = np.random.default_rng(0), []
    for _ in range(200):
        label = np.repeat([1, 0], [19, 181])
        rule = ConformalSets(0.9).calibrate(rng.normal(size=200) + label, label)
        new = np.repeat([1, 0], 50)
        sets = rule.sets(rng.normal(size=100) + new)
        covered.append([sets[new == 0, 0].mean(), sets[new == 1, 1].mean()])
    error = np.std(covered, axis=0) / np.sqrt(200)
    coverage = np.mean(covered, axis=0)
    assert (coverage > 0.9 - 3 * error).all()
    assert (coverage < [0.92, 0.9 + 1 / 20 + 0.02]).all()


@settings(max_examples=40)
@given(st.lists(st.tuples(st.booleans(), st.integers(-5, 5)), max_size=60), st.sampled_from([0.5, 0.8]))
def test_against_counting(pairs, level):
    labels = np.array([label for label, _ in pairs] + [0, 1] * 4)
    scores = np.array([float(score) for _, score in pairs] + [0.0, 1.0] * 4)
    rule = ConformalSets(level).calibrate(scores, labels)
    links, others = scores[labels == 1], scores[labels == 0]
    for score in range(-6, 7):
        p_link = (1 + np.sum(links <= score)) / (len(links) + 1)
        p_other = (1 + np.sum(others >= score)) / (len(others) + 1)
        alpha = (1 - level) * (1 + 1e-9)
        assert rule.sets([score]).tolist() == [[p_other > alpha, p_link > alpha]]


def test_only_the_order_of_scores_matters():
    rng = np.random.default_rng(0)
    label, score, new = rng.integers(0, 2, 100), rng.normal(size=100), rng.normal(size=50)
    plain = ConformalSets().calibrate(score, label).sets(new)
    np.testing.assert_array_equal(ConformalSets().calibrate(np.exp(score), label).sets(np.exp(new)), plain)


def test_links_and_nonlinks_can_be_swapped():
    rng = np.random.default_rng(1)
    label, score, new = rng.integers(0, 2, 80), rng.normal(size=80).round(1), rng.normal(size=50).round(1)
    plain = ConformalSets(0.8).calibrate(score, label).sets(new)
    swapped = ConformalSets(0.8).calibrate(-score, 1 - label).sets(-new)
    np.testing.assert_array_equal(swapped[:, ::-1], plain)


def test_a_higher_level_excludes_no_more():
    rng = np.random.default_rng(2)
    label, score, new = rng.integers(0, 2, 200), rng.normal(size=200), rng.normal(size=50)
    sets = [ConformalSets(level).calibrate(score, label).sets(new) for level in (0.5, 0.7, 0.9, 0.95)]
    for narrow, wide in pairwise(sets):
        assert (wide | ~narrow).all()


def test_equal_scores_exclude_no_label():
    assert ConformalSets(0.9).calibrate(np.zeros(20), [0, 1] * 10).sets([0.0]).all()


def test_too_few_pairs_of_a_class_raise():
    with pytest.raises(
        IncompatibleError, match=r"has 8 calibration links; expected at least 9, .* every set contains 'link'"
    ):
        ConformalSets(0.9).calibrate(np.zeros(58), [1] * 8 + [0] * 50)
    with pytest.raises(
        IncompatibleError,
        match=r"has 1 calibration non-link; expected at least 9, .* every set contains 'non-link'",
    ):
        ConformalSets(0.9).calibrate(np.zeros(51), [1] * 50 + [0])


def test_the_limits_state_the_guarantee():
    limits = ConformalSets(0.9).calibrate(np.arange(40), [0, 1] * 20).limits
    for part in ("90 % of the links", "90 % of the non-links", "20 links and 20 non-links", "not for each"):
        assert part in limits


def test_a_rule_can_be_saved(tmp_path):
    rule = ConformalSets(0.9).calibrate(np.arange(40), [0, 1] * 20)
    save_file(tmp_path / "rule.npz", "rule", rule)
    assert load_file(tmp_path / "rule.npz", "rule", {"SetRule": SetRule}) == rule


def test_parameters():
    assert clone(ConformalSets(0.8)).get_params() == {"level": 0.8}
    with pytest.raises(
        IncompatibleError, match="ConformalSets has level=1; expected a number above 0 and below 1"
    ):
        ConformalSets(1).calibrate([0, 1], [0, 1])


@pytest.mark.parametrize("level", [0.5, 0.8, 0.99])
def test_thresholds_are_order_statistics_of_many_scores(level):
    rng = np.random.default_rng(0)
    scores, links = rng.permutation(4000) / 4000, rng.random(4000) < 0.5
    rule = ConformalSets(level).calibrate(scores, links)
    k = int(np.floor((1 - level) * (links.sum() + 1) + 1e-9))
    assert rule.sets([np.sort(scores[links])[k - 1], np.sort(scores[links])[k - 1] - 1e-9])[
        :, 1
    ].tolist() == [True, False]
    k = int(np.floor((1 - level) * ((~links).sum() + 1) + 1e-9))
    lowest = np.sort(scores[~links])[::-1][k - 1]
    assert rule.sets([lowest, lowest + 1e-9])[:, 0].tolist() == [True, False]
