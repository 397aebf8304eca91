"""The last stage of a stack: a quadratic form with products only if there are enough pairs to fit them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from latentlink.factors import sigmoid
from latentlink.network import Network
from latentlink.stacking.quadratic_stage import QuadraticStage, fit_quadratic_stage, stratified_sample

FORM = QuadraticStage(
    center=np.array([1.0, -1.0]),
    scale=np.array([2.0, 0.5]),
    low=np.array([-1.5, -2.0]),
    high=np.array([1.0, 2.5]),
    constant=0.3,
    slopes=np.array([0.7, -0.4]),
    products=np.array([[0.2, -0.6], [-0.6, 0.1]]),
)


def formula(x):
    z = (x - FORM.center) / FORM.scale
    return FORM.constant + z @ FORM.slopes + z @ FORM.products @ z


@settings(max_examples=40)
@given(arrays(float, 2, elements=st.floats(0, 1)))
def test_within_the_training_range_the_value_is_the_formula(share):
    x = FORM.center + FORM.scale * (FORM.low + share * (FORM.high - FORM.low))
    np.testing.assert_allclose(FORM.value([x[:1], x[1:]])[0], formula(x), atol=1e-12)


@settings(max_examples=40)
@given(arrays(float, 2, elements=st.floats(-30, 30)))
def test_beyond_the_training_range_the_value_is_the_tangent_at_its_border(z):
    x = FORM.center + FORM.scale * z
    inside = z.clip(FORM.low, FORM.high)
    border = FORM.center + FORM.scale * inside
    slope = FORM.slopes + 2 * FORM.products @ inside
    np.testing.assert_allclose(
        FORM.value([x[:1], x[1:]])[0], formula(border) + slope @ (z - inside), atol=1e-9
    )


@settings(max_examples=40)
@given(arrays(float, (2, 3, 4), elements=st.floats(-9, 9)))
def test_contributions_add_up_and_columns_may_have_any_shape(columns):
    value = FORM.value(list(columns))
    np.testing.assert_allclose(FORM.constant + sum(FORM.contributions(list(columns))), value, atol=1e-9)
    np.testing.assert_array_equal(value[1, 2], FORM.value([columns[0, 1, 2:3], columns[1, 1, 2:3]])[0])


def five_parts(x, links, weights=None):
    """Return the columns and the values of five parts, as `fit_quadratic_stage` takes them."""
    weights = np.ones(len(x)) if weights is None else weights
    parts = [slice(number, None, 5) for number in range(5)]
    return [x[part] for part in parts], [one_row(links[part], weights[part]) for part in parts]


def one_row(values, weights=None):
    """Return pairs as a network of one row."""
    count = len(values)
    return Network(np.zeros(count, int), np.arange(count), values, weights, shape=(1, count))


def drawn_links(rng, logits):
    """Return links drawn with given logits."""
    return (rng.random(len(logits)) < sigmoid(logits)).astype(float)


def test_products_are_fitted_where_links_depend_on_them():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(6000, 2)) * [3.0, 0.2] + [5.0, 1.0]
    z = (x - [5.0, 1.0]) / [3.0, 0.2]
    logits = 1.5 * z[:, 0] * z[:, 1] - 0.5
    form = fit_quadratic_stage(*five_parts(x, drawn_links(rng, logits)))
    near = np.abs(z).max(axis=1) < 2
    assert np.abs(form.value(list(x.T)) - logits)[near].max() < 0.6


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_products_are_left_out_where_links_depend_on_a_sum(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(150, 8))
    form = fit_quadratic_stage(*five_parts(x, drawn_links(rng, 2 * x[:, 0])))
    assert np.abs(form.products).max() < 0.05


@pytest.mark.parametrize("sign", [1, -1])
def test_products_are_left_out_with_fewer_of_a_class_than_parts(sign):
    """Three links, or three non-links, in five parts."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 2))
    few = sign * x[:, 0] > np.sort(sign * x[:, 0])[-4]
    form = fit_quadratic_stage(*five_parts(x, (few if sign > 0 else ~few).astype(float)))
    np.testing.assert_array_equal(form.products, 0)
    assert form.slopes[0] > abs(form.slopes[1])


def test_a_constant_column_has_zero_weight():
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=300), np.full(300, 0.1)])
    form = fit_quadratic_stage(*five_parts(x, (x[:, 0] + rng.normal(size=300) > 0).astype(float)))
    assert form.slopes[1] == 0
    np.testing.assert_array_equal(form.products[1], 0)


def test_another_value_of_a_constant_column_does_not_change_the_form():
    rng = np.random.default_rng(0)
    x = np.column_stack([rng.normal(size=(1500, 2)), np.full(1500, 0.1)])
    form = fit_quadratic_stage(*five_parts(x, drawn_links(rng, 2 * x[:, 0] * x[:, 1])))
    assert form.products.any()
    columns = [np.zeros(2), np.zeros(2), np.array([0.1, 0.11])]
    np.testing.assert_allclose(*form.value(columns), atol=1e-9)


def test_weights_of_pairs_count_as_repetitions():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 1))
    weights = rng.integers(1, 4, 200).astype(float)
    tables, tests = five_parts(x, drawn_links(rng, x[:, 0]), weights)
    times = [test.weights.astype(int) for test in tests]
    repeated = [np.repeat(table, count, axis=0) for table, count in zip(tables, times, strict=True)]
    counted = [one_row(np.repeat(test.values, count)) for test, count in zip(tests, times, strict=True)]
    one, other = fit_quadratic_stage(tables, tests), fit_quadratic_stage(repeated, counted)
    grid = [np.linspace(-1.5, 1.5, 7)]
    np.testing.assert_allclose(one.value(grid), other.value(grid), atol=0.05)


def test_of_many_pairs_a_sample_is_used_with_all_of_the_rarer_class(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(8000, 1))
    links = drawn_links(rng, x[:, 0] - 4)
    tables, tests = five_parts(x, links)
    whole = fit_quadratic_stage(tables, tests)
    monkeypatch.setattr("latentlink.stacking.quadratic_stage.SAMPLE_SIZE", 2000)
    sample, multiplicity = stratified_sample(links)
    assert links[sample].sum() == links.sum()
    assert len(sample) < 2500
    np.testing.assert_allclose(multiplicity.sum(), 8000)
    sampled = fit_quadratic_stage(tables, tests)
    grid = [np.linspace(-1, 2, 7)]
    np.testing.assert_allclose(sampled.value(grid), whole.value(grid), atol=0.3)


def test_few_pairs_of_a_class_give_the_penalised_logistic_regression_of_the_columns():
    """Half of the squared slopes of scaled columns is added to the loss; by a general minimiser."""
    rng = np.random.default_rng(3)
    x, weights = rng.normal(2, 3, (40, 2)), rng.uniform(0.5, 2, 40)
    links = (np.arange(40) < 4).astype(float)
    form = fit_quadratic_stage(*five_parts(x, links, weights))
    order = np.concatenate([np.arange(40)[number::5] for number in range(5)])
    x, weights, links = x[order], weights[order], links[order]
    z = (x - x.mean(axis=0)) / x.std(axis=0)

    def loss(theta):
        logits = z @ theta[:2] + theta[2]
        return weights @ (np.logaddexp(0, logits) - links * logits) + theta[:2] @ theta[:2] / 2

    expected = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-8}).x
    np.testing.assert_allclose([*form.slopes, form.constant], expected, atol=1e-4)
    assert not form.products.any()
    np.testing.assert_allclose([form.low, form.high], [z.min(axis=0), z.max(axis=0)])


def plain_form(x, links, weights, penalty):
    """Return the penalised form and its parameters, by a general minimiser; no products if infinite.

    Penalties are those of columns, and of products of columns, of variance 1.
    """
    center, scale = x.mean(axis=0), x.std(axis=0)
    low, high = ((x - center) / scale).min(axis=0), ((x - center) / scale).max(axis=0)
    first, second = np.triu_indices(2)
    free = np.isfinite(penalty)
    sizes = np.prod((x[:, [first, second]] - center[[first, second]]) / scale[[first, second]], axis=1).std(
        axis=0
    )

    def logits(theta, given):
        z = (given - center) / scale
        inside = z.clip(low, high)
        products = np.zeros((2, 2))
        products[first, second] = theta[3:] if free else 0
        products = (products + products.T) / 2
        tangent = np.einsum("if,if->i", z - inside, theta[1:3] + 2 * inside @ products)
        return theta[0] + inside @ theta[1:3] + np.einsum("if,fg,ig->i", inside, products, inside) + tangent

    def loss(theta):
        z = logits(theta, x)
        ridge = theta[1:3] @ theta[1:3] + (penalty * np.sum((theta[3:] * sizes) ** 2) if free else 0)
        return weights @ (np.logaddexp(0, z) - links * z) + ridge / 2

    theta = minimize(loss, np.zeros(6 if free else 3), method="BFGS", options={"gtol": 1e-7}).x
    return (lambda given: logits(theta, given)), theta


@pytest.mark.parametrize(
    ("seed", "product", "penalty"), [(0, 1.5, 10.0), (3, 0.5, 100.0), (2, 0.3, 1000.0), (2, 0.0, np.inf)]
)
def test_the_penalty_of_products_has_the_least_cross_validated_loss(seed, product, penalty):
    rng = np.random.default_rng(seed)
    x, weights = rng.normal(2, 3, (150, 2)), rng.uniform(0.5, 2, 150)
    z = (x - 2) / 3
    links = drawn_links(rng, z[:, 0] + product * z[:, 0] * z[:, 1])
    losses = []
    for candidate in (10.0, 100.0, 1000.0, np.inf):
        total = 0.0
        for part in range(5):
            tested = np.arange(150) % 5 == part
            logits, _ = plain_form(x[~tested], links[~tested], weights[~tested], candidate)
            given = logits(x[tested])
            total += weights[tested] @ (np.logaddexp(0, given) - links[tested] * given)
        losses.append(total)
    assert (10.0, 100.0, 1000.0, np.inf)[int(np.argmin(losses))] == penalty
    logits, theta = plain_form(x, links, weights, penalty)
    form = fit_quadratic_stage(*five_parts(x, links, weights))
    np.testing.assert_allclose(form.value(list(x.T)), logits(x), atol=1e-4)
    if np.isfinite(penalty):
        np.testing.assert_allclose(form.products[np.triu_indices(2)], theta[3:] * [1, 0.5, 1], atol=1e-5)


@pytest.mark.parametrize(("count", "step"), [(25_000, 1), (49_999, 1), (50_000, 2), (75_000, 3)])
def test_of_a_class_every_nth_pair_is_used_from_fifty_thousand_on(count, step):
    values = np.concatenate([np.zeros(count), np.ones(10)])
    sample, multiplicity = stratified_sample(values)
    np.testing.assert_array_equal(sample, [*range(0, count, step), *range(count, count + 10)])
    np.testing.assert_array_equal(multiplicity[-10:], 1)
    np.testing.assert_allclose(multiplicity[:-10], count / len(range(0, count, step)))


def test_a_class_of_a_single_pair_or_of_none_is_kept_whole():
    for values in ([0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0]):
        sample, multiplicity = stratified_sample(np.array(values))
        assert sample.tolist() == list(range(len(values)))
        assert multiplicity.tolist() == [1.0] * len(values)


@pytest.mark.parametrize("sign", [1, -1])
def test_as_many_of_a_class_as_parts_are_enough_for_products(sign):
    """The links, or the non-links, are the pairs with the largest products of both columns."""
    x = np.random.default_rng(0).normal(size=(60, 2))
    x = x[np.argsort(-np.prod(x, axis=1))]
    for count in (4, 5):
        few = np.arange(60) < count
        form = fit_quadratic_stage(*five_parts(x, (few if sign > 0 else ~few).astype(float)))
        assert form.products.any() == (count == 5)
