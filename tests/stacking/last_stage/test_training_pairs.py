"""Training pairs of a last stage: samples of both classes, groups of folds, cross-entropy."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import log_loss

from tests.helpers.training_pairs import training_pairs


def some_pairs(links, weights=None):
    return training_pairs(np.arange(len(links), dtype=float)[:, None], links, weights)


def test_pairs_of_all_folds_are_joined_with_their_numbers():
    pairs = some_pairs(np.array([0.0, 1, 0, 1, 1, 1, 0]))
    np.testing.assert_array_equal(pairs.folds, [0, 0, 1, 1, 2, 3, 4])
    np.testing.assert_array_equal(pairs.table[:, 0], [0, 5, 1, 6, 2, 3, 4])
    np.testing.assert_array_equal(pairs.values, [0, 1, 1, 0, 0, 1, 1])
    assert len(pairs) == 7


def test_a_sample_has_half_of_each_class_and_weights_for_what_each_stands_for():
    values = np.zeros(10_000)
    values[::50] = 1
    sample = some_pairs(values).sample(1000)
    assert (sample.values == 1).sum() == 200
    assert 450 <= (sample.values == 0).sum() <= 500
    for label, count in ((0, 9800), (1, 200)):
        assert sample.weights[sample.values == label].sum() == pytest.approx(count)
    assert set(sample.folds) == set(range(5))


def test_a_small_sample_is_everything_in_the_same_order():
    pairs = some_pairs(np.array([0.0, 1, 1, 0, 0, 1]), np.arange(1.0, 7))
    sample = pairs.sample(100)
    for name in ("table", "values", "weights", "folds"):
        np.testing.assert_array_equal(getattr(sample, name), getattr(pairs, name))


def test_groups_of_folds_are_left_out_once_each():
    pairs = some_pairs(np.tile([0.0, 1.0], 20))
    counted = np.zeros(len(pairs))
    for others, inside in pairs.split(3):
        assert set(others.folds).isdisjoint(pairs.folds[inside])
        assert len(others) + inside.sum() == len(pairs)
        counted += inside
    assert (counted == 1).all()


@pytest.mark.parametrize(("links", "expected"), [(4, False), (5, True), (35, True), (36, False)])
def test_both_classes_suffice_with_one_for_each_fold(links, expected):
    values = np.zeros(40)
    values[:links] = 1
    assert some_pairs(values).have_both_classes_in_folds is expected


def test_the_cross_entropy_is_a_weighted_mean():
    rng = np.random.default_rng(0)
    values, weights, logits = (rng.random(30) < 0.4) * 1.0, rng.random(30) + 0.1, rng.normal(size=30)
    pairs = some_pairs(values, weights)
    expected = log_loss(pairs.values, 1 / (1 + np.exp(-logits)), sample_weight=pairs.weights)
    assert pairs.cross_entropy(logits) == pytest.approx(expected)
