"""The last stage: piecewise linear functions that are learned, chosen penalties, and their limits."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.errors import LatentLinkError
from latentlink.stacking import AdditiveStage, fit_additive_stage
from latentlink.stacking.additive_stage import stratified_sample

STAGE = AdditiveStage(
    np.array([[0.0, 1.0, 3.0], [-1.0, -1.0, 1.0]]), np.array([[0.0, 2.0, 1.0], [5.0, -1.0, 1.0]]), 0.5
)


def five_parts(x, links, weights=None):
    """Return the columns and the values of five parts, as `fit_additive_stage` takes them."""
    tables, tests = [], []
    for part in range(5):
        of_part = np.flatnonzero(np.arange(len(links)) % 5 == part)
        count = len(of_part)
        tables.append(x[of_part])
        tests.append(
            Network(
                np.zeros(count, int),
                np.arange(count),
                links[of_part].astype(float),
                None if weights is None else weights[of_part],
                shape=(1, count),
            )
        )
    return tables, tests


def drawn_links(rng, logits):
    return (rng.random(len(logits)) < 1 / (1 + np.exp(-logits))).astype(float)


# -------------------------------------------------------------------- values


def test_functions_are_linear_between_knots_and_constant_beyond():
    x = np.array([-5.0, 0.0, 0.5, 1.0, 2.0, 3.0, 9.0])
    np.testing.assert_allclose(STAGE.contributions([x, np.zeros(7)])[0], [0.0, 0.0, 1.0, 2.0, 1.5, 1.0, 1.0])


def test_of_equal_knots_the_last_one_counts():
    x = np.array([-1.0, 0.0, 1.0])
    np.testing.assert_allclose(STAGE.contributions([np.zeros(3), x])[1], [-1.0, 0.0, 1.0])


@pytest.mark.parametrize("shape", [(7,), (2, 3), (0,)])
def test_the_value_is_the_sum_of_contributions_and_constant(shape):
    rng = np.random.default_rng(0)
    columns = [rng.normal(size=shape), rng.normal(size=shape)]
    value = STAGE.value(columns)
    assert value.shape == shape
    np.testing.assert_allclose(value, sum(STAGE.contributions(columns)) + 0.5)


# -------------------------------------------------------------------- fits


def test_a_function_that_is_no_line_is_learned():
    """The logit rises up to 0 and falls beyond."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, (6000, 2))
    logits = 2 - 3 * np.abs(x[:, 0])
    stage = fit_additive_stage(*five_parts(x, drawn_links(rng, logits)))
    grid = np.linspace(-1.9, 1.9, 9)
    found = stage.value([grid, np.zeros(9)])
    assert np.abs(found - (2 - 3 * np.abs(grid))).max() < 0.8
    assert np.ptp(stage.value([np.zeros(9), grid])) < 0.4  # the second column says nothing


def test_contributions_have_the_mean_zero_over_the_training_pairs():
    rng = np.random.default_rng(1)
    x = rng.gamma(1.0, size=(900, 3))
    stage = fit_additive_stage(*five_parts(x, drawn_links(rng, x[:, 0] - 1)))
    for term in stage.contributions(list(x.T)):
        assert abs(term.mean()) < 1e-9


def test_probabilities_have_the_mean_of_the_links():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(2000, 3))
    links = drawn_links(rng, x @ [1.0, -2.0, 0.0] - 1)
    stage = fit_additive_stage(*five_parts(x, links))
    assert (1 / (1 + np.exp(-stage.value(list(x.T))))).mean() == pytest.approx(links.mean(), abs=1e-3)


def test_constant_columns_and_columns_of_two_values():
    rng = np.random.default_rng(3)
    both = (rng.random(800) < 0.3).astype(float)
    x = np.column_stack([np.full(800, 7.0), both])
    stage = fit_additive_stage(*five_parts(x, drawn_links(rng, 2 * both - 1)))
    assert np.isfinite(stage.heights).all()
    low, high = stage.value([np.full(2, 7.0), np.array([0.0, 1.0])])
    assert high - low == pytest.approx(2.0, abs=0.5)
    np.testing.assert_allclose(stage.contributions([np.full(1, 7.0), np.zeros(1)])[0], 0, atol=1e-9)


def test_weights_count_as_repetitions():
    rng = np.random.default_rng(4)
    x = rng.normal(size=(500, 2))
    links = drawn_links(rng, x[:, 0])
    weights = rng.integers(1, 3, 500).astype(float)
    weighted = fit_additive_stage(*five_parts(x, links, weights))
    tables, tests = five_parts(x, links, weights)
    repeated = [
        np.repeat(table, test.weights.astype(int), axis=0) for table, test in zip(tables, tests, strict=True)
    ]
    values = [np.repeat(test.values, test.weights.astype(int)) for test in tests]
    counted = [
        Network(np.zeros(len(each), int), np.arange(len(each)), each, shape=(1, len(each))) for each in values
    ]
    other = fit_additive_stage(repeated, counted)
    grid = np.linspace(-1, 1, 5)
    np.testing.assert_allclose(
        weighted.value([grid, grid]), other.value([grid, grid]), atol=0.1
    )  # knots differ a little


def test_few_links_get_the_strongest_penalty():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(200, 2))
    links = np.zeros(200)
    links[:3] = 1
    stage = fit_additive_stage(*five_parts(x, links))
    assert np.abs(stage.heights).max() < 0.5


def test_a_callback_receives_the_progress_and_cancels():
    rng = np.random.default_rng(6)
    parts = five_parts(rng.normal(size=(300, 2)), (rng.random(300) < 0.5).astype(float))
    reports = []
    fit_additive_stage(*parts, callback=reports.append)
    assert [each.done for each in reports] == list(range(1, len(reports) + 1))
    assert reports[-1].share == 1
    with pytest.raises(LatentLinkError, match="cancelled"):
        fit_additive_stage(*parts, callback=lambda report: False)


# -------------------------------------------------------------------- samples


def test_a_sample_has_half_of_each_class_and_says_what_each_stands_for():
    values = np.zeros(10_000)
    values[::50] = 1
    sample, multiplicity = stratified_sample(values, 1000)
    kept = values[sample]
    assert (kept == 1).sum() == 200
    assert 450 <= (kept == 0).sum() <= 500
    assert sorted(sample) == sample.tolist()
    for label, count in ((0, 9800), (1, 200)):
        assert multiplicity[kept == label].sum() == pytest.approx(count)


def test_a_small_sample_is_everything():
    sample, multiplicity = stratified_sample(np.array([0.0, 1.0, 1.0]), 100)
    np.testing.assert_array_equal(sample, [0, 1, 2])
    np.testing.assert_array_equal(multiplicity, [1, 1, 1])
