"""The last stage of a stack of values: what it learns, its bounds, and when it is a plain prediction."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.stacking.values import LinearStage


def hidden_tables(seed=0, folds=3, entries=400):
    """Return columns of hidden entries, and values that depend on them as the stage supposes."""
    rng = np.random.default_rng(seed)
    tables, values, weights = [], [], []
    for _ in range(folds):
        truth = rng.normal(3, 1, entries)
        l_i, l_j = rng.uniform(1, 4, (2, entries))
        first, second = truth + rng.normal(size=(2, entries)) * [[0.6], [0.4]]
        correction = rng.normal(size=entries)
        tables.append(np.array([first, second, correction, l_i, l_j]))
        values.append(truth + 0.3 * correction + 0.1 * (l_i - 2.5) + 0.05 * rng.normal(size=entries))
        weights.append(rng.choice([1.0, 2.0], entries))
    return tables, values, weights


def test_the_stage_learns_weights_and_adds_up():
    tables, values, weights = hidden_tables()
    stage = LinearStage.fit(tables, values, weights, 2)
    assert stage.errors[1] < 0.6 * stage.errors[0]
    fresh, truth, _ = hidden_tables(seed=1)
    predicted = [stage.value(list(table)) for table in fresh]
    errors = np.sqrt(np.mean(np.square(np.subtract(predicted, truth))))
    assert errors == pytest.approx(stage.errors[1], rel=0.1)
    parts = stage.contributions(list(fresh[0]))
    assert len(parts) == 5
    np.testing.assert_allclose(sum(parts) + stage.constant, predicted[0], rtol=1e-10)
    np.testing.assert_array_equal(parts[-1], 0)
    own = np.hstack([stage.contributions(list(table)) for table in tables])
    np.testing.assert_allclose(own.mean(axis=1), 0, atol=1e-10)


def test_scores_are_linear_in_the_models():
    tables, values, weights = hidden_tables()
    stage = LinearStage.fit([np.insert(t, 2, t[1] + 0.1, axis=0) for t in tables], values, weights, 3)
    first, second, kernel, correction, l_i, l_j = np.insert(tables[0], 2, tables[0][1] + 0.1, axis=0)
    constant, slopes = stage.affine([kernel, correction, l_i, l_j], 2)
    expected = stage.value([first, second, kernel, correction, l_i, l_j])
    np.testing.assert_allclose(constant + slopes[0] * first + slopes[1] * second, expected, rtol=1e-10)


def test_a_single_fold_and_useless_columns_stay_near_the_first_model():
    rng = np.random.default_rng(0)
    value = rng.normal(size=60)
    table = np.array([value + 0.1 * rng.normal(size=60), np.zeros(60), np.ones(60), np.ones(60)])
    stage = LinearStage.fit([table], [value], [np.ones(60)], 1)
    assert np.isfinite(stage.value(list(table))).all()
    assert np.abs(stage.value(list(table)) - table[0]).max() < 0.2


def narrow_tables(seed, entries=80, folds=5, tails=False):
    """Return columns of hidden entries of a small table, whose columns have about as many known entries."""
    rng = np.random.default_rng(seed)
    tables, values = [], []
    for _ in range(folds):
        value = rng.standard_t(2, size=entries) if tails else rng.normal(size=entries)
        levels = value + 0.6 * rng.normal(size=(3, entries))
        corrections = 0.2 * rng.normal(size=(2, entries)) * (1 + np.abs(value))
        counts = np.log1p([rng.integers(9, 14, entries), rng.integers(66, 79, entries)])
        tables.append(np.vstack([levels, corrections, counts]))
        values.append(value)
    return tables, values, [np.ones(entries)] * folds


@pytest.mark.parametrize("tails", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_scores_stay_near_the_hull_of_the_predictions(seed, tails):
    tables, values, weights = narrow_tables(seed, tails=tails)
    stage = LinearStage.fit(tables, values, weights, 3)
    fresh = np.hstack(narrow_tables(seed + 10, tails=tails)[0])
    fresh[-2:] += np.log(1.25)  # nothing is hidden from the fit itself
    fresh[3] *= 50
    score = stage.value(list(fresh))
    added = sum(np.abs(stage.weights[3:]) @ [1, 1, 1]) * np.abs(stage.ranges[:2]).max() + 1
    low, high = fresh[:3].min(axis=0), fresh[:3].max(axis=0)
    assert (score >= np.minimum(0.75 * low, 1.25 * low) - added).all()
    assert (score <= np.maximum(0.75 * high, 1.25 * high) + added).all()
    slopes = np.array(stage.affine(list(fresh[3:]), 3)[1])
    assert slopes.min() >= 0
    assert 0.75 - 1e-9 <= slopes.sum(axis=0).min() <= slopes.sum(axis=0).max() <= 1.25 + 1e-9
    np.testing.assert_allclose(sum(stage.contributions(list(fresh))) + stage.constant, score, atol=1e-9)


def test_weights_do_not_change_with_counts_that_hardly_differ():
    for seed in range(4):
        stage = LinearStage.fit(*narrow_tables(seed), 3)
        assert np.abs(stage.weights[:, 1:]).max() < 0.3


def test_counts_that_differ_change_the_weights():
    rng = np.random.default_rng(0)
    tables, values = [], []
    for _ in range(3):
        value, l_i, l_j = rng.normal(size=2000), rng.uniform(0, 5, 2000), rng.uniform(0, 5, 2000)
        first = value + rng.normal(size=2000)
        second = value + np.exp(0.5 * (2.5 - l_i)) * rng.normal(size=2000)
        tables.append(np.array([first, second, np.zeros(2000), l_i, l_j]))
        values.append(value)
    stage = LinearStage.fit(tables, values, [np.ones(2000)] * 3, 2)
    assert stage.weights[1, 1] > 0.1
    assert np.abs(stage.weights[1, 2]) < 0.03


def test_the_stage_is_a_plain_prediction_where_nothing_more_is_learned():
    plain = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        tables, values, weights = narrow_tables(seed, entries=15)
        for table, value in zip(tables, values, strict=True):
            table[1] = value + 0.1 * rng.normal(size=15)
            table[2:5] = 5 * rng.normal(size=(3, 15))
        stage = LinearStage.fit(tables, values, weights, 3)
        alone = np.sqrt(np.mean((np.hstack(tables)[1] - np.concatenate(values)) ** 2))
        assert stage.errors[1] <= 1.05 * alone
        if stage.penalty == np.inf:
            plain += 1
            np.testing.assert_allclose(stage.value(list(tables[0])), tables[0][1], rtol=1e-12)
    assert plain


def test_a_single_entry_does_not_move_the_weights():
    tables, values, weights = narrow_tables(0)
    before = LinearStage.fit(tables, values, weights, 3)
    values[2] = values[2].copy()
    values[2][5] = 1e4
    after = LinearStage.fit(tables, values, weights, 3)
    fresh = np.hstack(narrow_tables(20)[0])
    moved = after.value(list(fresh)) - before.value(list(fresh))
    assert np.sqrt(np.mean(moved**2)) < 0.3
