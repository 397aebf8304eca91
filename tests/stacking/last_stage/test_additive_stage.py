"""Sums of piecewise linear functions: values, contributions and fits."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.stacking.last_stage import AdditiveStage
from tests.helpers.training_pairs import drawn_links, training_pairs

PENALTY = 10.0
STAGE = AdditiveStage(
    np.array([[0.0, 1.0, 3.0], [-1.0, -1.0, 1.0]]), np.array([[0.0, 2.0, 1.0], [5.0, -1.0, 1.0]]), 0.5
)


# -------------------------------------------------------------------- values


def test_functions_are_linear_between_knots_and_constant_beyond():
    x = np.array([-5.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0])
    np.testing.assert_allclose(STAGE.contributions([x, np.zeros(7)])[0], [0.0, 0.0, 1.0, 2.0, 1.5, 1.0, 1.0])


def test_of_equal_knots_the_last_one_counts():
    x = np.array([-1.0, 0.0, 1.0])
    np.testing.assert_allclose(STAGE.contributions([np.zeros(3), x])[1], [-1.0, 0.0, 1.0])


@pytest.mark.parametrize("count", [7, 1, 0])
def test_the_value_is_the_sum_of_contributions_and_constant(count):
    table = np.random.default_rng(0).normal(size=(2, count)) * 2
    value = STAGE.value(table)
    assert value.shape == (count,)
    np.testing.assert_allclose(value, sum(STAGE.contributions(list(table))) + 0.5)


# -------------------------------------------------------------------- fits


def test_a_function_that_is_no_line_is_learned():
    """The logit rises up to 0 and falls beyond."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (6000, 2))
    logits = 2 - 3 * np.abs(x[:, 0])
    stage = AdditiveStage.fit(training_pairs(x, drawn_links(rng, logits)), PENALTY)
    grid = np.linspace(-1.9, 1.9, 9)
    found = stage.value(np.stack([grid, np.zeros(9)]))
    assert np.abs(found - (2 - 3 * np.abs(grid))).max() < 0.8
    assert np.ptp(stage.value(np.stack([np.zeros(9), grid]))) < 0.4  # the second column says nothing


def test_contributions_have_the_mean_zero_over_the_training_pairs():
    rng = np.random.default_rng(1)
    x = rng.gamma(1.0, size=(900, 3))
    stage = AdditiveStage.fit(training_pairs(x, drawn_links(rng, x[:, 0] - 1)), PENALTY)
    for term in stage.contributions(list(x.T)):
        assert abs(term.mean()) < 1e-9


def test_probabilities_have_the_mean_of_the_links():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2000, 3))
    links = drawn_links(rng, x @ [1.0, -2.0, 0.0] - 1)
    stage = AdditiveStage.fit(training_pairs(x, links), PENALTY)
    assert (1 / (1 + np.exp(-stage.value(x.T)))).mean() == pytest.approx(links.mean(), abs=1e-3)


def test_constant_columns_and_columns_of_two_values():
    rng = np.random.default_rng(3)
    both = (rng.random(800) < 0.3).astype(float)
    x = np.column_stack([np.full(800, 7.0), both])
    stage = AdditiveStage.fit(training_pairs(x, drawn_links(rng, 2 * both - 1)), PENALTY)
    assert np.isfinite(stage.heights).all()
    low, high = stage.value(np.array([[7.0, 7.0], [0.0, 1.0]]))
    assert high - low == pytest.approx(2.0, abs=0.5)
    np.testing.assert_allclose(stage.contributions([np.full(1, 7.0), np.zeros(1)])[0], 0, atol=1e-9)


def test_weights_count_as_repetitions():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(500, 2))
    links = drawn_links(rng, x[:, 0])
    weights = rng.integers(1, 3, 500).astype(float)
    weighted = AdditiveStage.fit(training_pairs(x, links, weights), PENALTY)
    repeats = weights.astype(int)
    other = AdditiveStage.fit(
        training_pairs(np.repeat(x, repeats, axis=0), np.repeat(links, repeats)), PENALTY
    )
    grid = np.linspace(-1, 1, 5)
    np.testing.assert_allclose(
        weighted.value(np.stack([grid, grid])), other.value(np.stack([grid, grid])), atol=0.1
    )  # knots differ a little
