"""Boosted trees as plain arrays: scikit-learn's values, products of columns, path-wise contributions."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier

from latentlink.metrics import roc_auc
from latentlink.stacking.last_stage import BoostedTrees
from tests.helpers.training_pairs import drawn_links, training_pairs


def checkerboard(rng, count=3000):
    """Two columns whose product decides, and one that says nothing."""
    x = rng.normal(size=(count, 3))
    return training_pairs(x, drawn_links(rng, 3 * np.sign(x[:, 0] * x[:, 1])))


def test_trees_learn_how_columns_act_together():
    rng = np.random.default_rng(0)
    trees = BoostedTrees.fit(checkerboard(rng))
    test = checkerboard(rng)
    assert roc_auc(test.values, trees.value(test.table.T)) > 0.9


def test_values_are_those_of_scikit_learn_where_it_has_the_same_bins():
    """With up to 64 distinct numbers in a column both have a bin for each."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 40, (900, 3)).astype(float)
    pairs = training_pairs(x, drawn_links(rng, x[:, 0] / 10 - x[:, 1] * x[:, 2] / 400))
    trees = BoostedTrees.fit(pairs)
    peer = HistGradientBoostingClassifier(
        learning_rate=0.1, max_iter=60, max_leaf_nodes=8, max_bins=64, l2_regularization=1.0,
        early_stopping=False, random_state=0,
    ).fit(pairs.table, pairs.values, np.ones(900))  # fmt: skip
    np.testing.assert_allclose(trees.value(pairs.table.T), peer.decision_function(pairs.table), atol=0.15)
    assert roc_auc(pairs.values, trees.value(pairs.table.T)) == pytest.approx(
        roc_auc(pairs.values, peer.decision_function(pairs.table)), abs=0.01
    )


def test_a_training_pair_goes_the_way_it_went_in_training():
    """The value of each training pair is the one that scikit-learn has for its bins, to the last digits."""
    rng = np.random.default_rng(2)
    pairs = checkerboard(rng, 700)
    seen = {}
    original = HistGradientBoostingClassifier.fit

    def remembered(self, codes, *rest):
        seen["logits"] = original(self, codes, *rest).decision_function(codes)
        return self

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HistGradientBoostingClassifier, "fit", remembered)
        trees = BoostedTrees.fit(pairs)
    np.testing.assert_allclose(trees.value(pairs.table.T), seen["logits"], atol=1e-10)


def test_contributions_and_mean_add_up_to_the_value():
    rng = np.random.default_rng(3)
    trees = BoostedTrees.fit(checkerboard(rng, 800))
    points = rng.normal(size=(3, 20)) * 2
    parts = trees.contributions(list(points))
    np.testing.assert_allclose(sum(parts) + trees.mean, trees.value(points), atol=1e-10)
    shaped = trees.contributions(list(points.reshape(3, 4, 5)))
    np.testing.assert_array_equal(shaped[0], parts[0].reshape(4, 5))


def test_the_mean_is_that_of_the_training_pairs():
    trees = BoostedTrees.fit(pairs := checkerboard(np.random.default_rng(4), 900))
    assert trees.mean == pytest.approx(trees.value(pairs.table.T).mean(), abs=1e-9)


def test_no_trees_have_the_value_zero():
    none = BoostedTrees.none()
    np.testing.assert_array_equal(none.value(np.ones((4, 3))), np.zeros(3))
    assert none.mean == 0.0


def test_weights_count_and_only_their_proportions():
    rng = np.random.default_rng(5)
    pairs = checkerboard(rng, 600)
    x, links = pairs.table, pairs.values
    first = training_pairs(x, links, np.where(links == 1, 3.0, 1.0))
    second = training_pairs(x, links, np.where(links == 1, 300.0, 100.0))
    one, other = BoostedTrees.fit(first), BoostedTrees.fit(second)
    np.testing.assert_allclose(one.value(x.T), other.value(x.T), atol=1e-9)
    assert one.value(x.T).mean() > BoostedTrees.fit(pairs).value(x.T).mean() + 0.5
