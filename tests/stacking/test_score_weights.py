"""Weights of scores, learned by logistic regression on held-out pairs."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from latentlink.factors import sigmoid
from latentlink.network import Network
from latentlink.stacking.score_weights import fit_score_weights, values_and_weights


def one_row(values, weights=None):
    """Return pairs as a network of one row."""
    count = len(values)
    return Network(np.zeros(count, int), np.arange(count), values, weights, shape=(1, count))


@pytest.fixture(scope="module")
def informative():
    """Return scores, and links that depend on them."""
    rng = np.random.default_rng(0)
    scores = rng.normal(size=400)
    return scores, (rng.random(400) < sigmoid(2 * scores)).astype(float), rng.normal(size=400)


def test_weights_are_those_of_a_logistic_regression(informative):
    scores, links, noise = informative
    table = np.column_stack([scores + noise, scores - 0.5 * noise])
    weights = fit_score_weights([table[:150], table[150:]], [one_row(links[:150]), one_row(links[150:])])
    expected = LogisticRegression(C=np.inf, max_iter=10_000).fit(table, links)
    np.testing.assert_allclose(weights, [*expected.coef_[0], expected.intercept_[0]], rtol=0.01, atol=0.01)


def test_a_score_whose_weight_would_be_negative_is_left_out(informative):
    scores, links, noise = informative
    table = np.column_stack([noise - scores, scores + noise])
    weights = fit_score_weights([table], [one_row(links)])
    assert weights[0] == 0
    assert weights[1] > 0
    np.testing.assert_allclose(weights[1:], fit_score_weights([table[:, 1:]], [one_row(links)]))


def test_without_a_useful_score_the_constant_is_the_logit_of_the_share_of_links(informative):
    scores, links, _ = informative
    weights = fit_score_weights([-scores[:, None]], [one_row(links)])
    np.testing.assert_allclose(weights, [0, np.log(links.mean() / (1 - links.mean()))])


def test_weights_of_pairs_count_as_repetitions(informative):
    scores, links, _ = informative
    times = np.random.default_rng(1).integers(1, 4, 400)
    weighted = fit_score_weights([scores[:, None]], [one_row(links, times.astype(float))])
    repeated = fit_score_weights([np.repeat(scores, times)[:, None]], [one_row(np.repeat(links, times))])
    np.testing.assert_allclose(weighted, repeated, rtol=1e-4)


def test_values_and_weights_of_all_parts_follow_each_other():
    values, weights = values_and_weights([one_row([1.0, 0.0], [2.0, 1.0]), one_row([1.0], [0.5])])
    assert values.tolist() == [1.0, 0.0, 1.0]
    assert weights.tolist() == [2.0, 1.0, 0.5]


def test_of_several_negative_weights_the_most_negative_leaves_first(informative):
    """By coefficient times deviation, in any order of the columns; the rest is fitted again."""
    scores, links, noise = informative
    rng = np.random.default_rng(2)
    columns = [scores + noise, 0.3 * noise - 2 * scores, 100 * (rng.normal(size=400) - 0.2 * scores)]
    for order in ([0, 1, 2], [1, 2, 0], [2, 0, 1]):
        table = np.column_stack([columns[k] for k in order])
        used = list(range(3))
        while True:
            fit = LogisticRegression(C=1e6, max_iter=10_000).fit(
                table[:, used] / table[:, used].std(axis=0), links
            )
            if fit.coef_[0].min() >= 0:
                break
            used.pop(int(fit.coef_[0].argmin()))
        weights = fit_score_weights([table], [one_row(links)])
        assert np.flatnonzero(weights[:-1]).tolist() == used
