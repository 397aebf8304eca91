"""Ranking metrics, against plain counting and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as sk

from latentlink.errors import InputError
from latentlink.metrics import average_precision, link_metrics, pr_auc, roc_auc

METRICS = [roc_auc, pr_auc, average_precision]


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    labels = rng.random(200) < 0.3
    return labels, (rng.normal(size=200) + labels).round(1), rng.uniform(0.2, 1, 200)


def by_counting(labels, scores, weights):
    """The share of pairs of a link and a non-link in which the link is above, ties counting half."""
    pos, neg = labels == 1, labels == 0
    above = scores[pos][:, None] - scores[neg]
    pairs = weights[pos][:, None] * weights[neg]
    return np.sum(pairs * ((above > 0) + 0.5 * (above == 0))) / pairs.sum()


def test_roc_auc_counts_pairs(data):
    labels, scores, weights = data
    assert roc_auc(labels, scores) == pytest.approx(by_counting(labels, scores, np.ones(200)))
    assert roc_auc(labels, scores, weights) == pytest.approx(by_counting(labels, scores, weights))


def test_average_precision_is_the_mean_precision_at_links():
    labels, scores = np.array([1, 0, 1, 1, 0, 0]), np.array([6, 5, 4, 3, 2, 1])
    at_links = [1 / 1, 2 / 3, 3 / 4]
    assert average_precision(labels, scores) == pytest.approx(np.mean(at_links))


def test_pr_auc_is_the_trapezoidal_rule(data):
    labels, scores, weights = data
    precision, recall, _ = sk.precision_recall_curve(labels, scores, sample_weight=weights)
    by_hand = np.sum((recall[:-1] - recall[1:]) * (precision[:-1] + precision[1:]) / 2)
    assert pr_auc(labels, scores, weights) == pytest.approx(by_hand)
    assert pr_auc(labels, scores) != pytest.approx(average_precision(labels, scores), abs=1e-6)


@settings(max_examples=25)
@pytest.mark.parametrize("metric", METRICS)
@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(0, 3)), min_size=2, max_size=20))
@pytest.mark.slow
def test_a_weight_is_a_count(metric, pairs):
    labels, scores, counts = map(np.array, zip(*pairs, strict=True))
    if not counts[labels].any() or not counts[~labels].any():
        return
    repeated = metric(np.repeat(labels, counts), np.repeat(scores, counts))
    assert metric(labels, scores, counts) == pytest.approx(repeated)


@pytest.mark.parametrize("metric", METRICS)
def test_only_the_order_of_scores_matters(metric, data):
    labels, scores, _ = data
    assert metric(labels, np.exp(scores)) == pytest.approx(metric(labels, scores))


def test_perfect_reversed_and_constant_scores():
    labels, scores = np.array([0, 0, 0, 1]), np.arange(4)
    for metric in METRICS:
        assert metric(labels, scores) == 1
    assert roc_auc(labels, -scores) == 0
    assert average_precision(labels, -scores) == 0.25
    assert roc_auc(labels, np.zeros(4)) == 0.5
    assert average_precision(labels, np.zeros(4)) == 0.25


def test_the_trapezoidal_rule_is_too_optimistic_where_scores_tie():
    labels = np.repeat([0, 1, 0, 1], [60, 10, 10, 20])
    scores = np.repeat([0.0, 1.0], [70, 30])
    assert pr_auc(labels, scores) > average_precision(labels, scores) + 0.05


@settings(max_examples=20)
@given(st.lists(st.tuples(st.booleans(), st.integers(-3, 3)), min_size=2, max_size=20))
def test_links_and_nonlinks_can_be_swapped(pairs):
    labels, scores = map(np.array, zip(*pairs, strict=True))
    if labels.all() or not labels.any():
        return
    assert roc_auc(~labels, -scores) == pytest.approx(roc_auc(labels, scores))
    for metric in METRICS:
        assert 0 <= metric(labels, scores) <= 1


def test_all_by_name(data):
    labels, scores, weights = data
    plain = link_metrics(labels, scores)
    assert list(plain) == ["roc_auc", "pr_auc", "average_precision", "share_of_links"]
    assert plain["share_of_links"] == labels.mean()
    weighted = link_metrics(labels, scores, weights)
    assert {name: weighted[name] for name in plain} == plain
    assert weighted["uq_roc_auc"] == sk.roc_auc_score(labels, scores, sample_weight=weights)
    assert weighted["uq_average_precision"] == sk.average_precision_score(
        labels, scores, sample_weight=weights
    )
    assert weighted["uq_pr_auc"] == pr_auc(labels, scores, weights)


@pytest.mark.parametrize("metric", METRICS)
class TestInvalidInput:
    def test_one_class(self, metric):
        with pytest.raises(InputError, match="All 2 labels are 1; expected links"):
            metric([1, 1], [0.2, 0.3])
        with pytest.raises(InputError, match="All 2 labels are 0"):
            metric([0, 0], [0.2, 0.3])

    def test_other_labels(self, metric):
        with pytest.raises(InputError, match="label of pair 1 is 2; expected 0 or 1"):
            metric([0, 2], [0.2, 0.3])

    def test_numbers(self, metric):
        with pytest.raises(InputError, match="score of pair 0 is nan"):
            metric([0, 1], [np.nan, 0.3])
        with pytest.raises(InputError, match=r"scores have shape \(3,\)"):
            metric([0, 1], [1, 2, 3])
        with pytest.raises(InputError, match="There are no labels"):
            metric([], [])

    def test_weights(self, metric):
        with pytest.raises(InputError, match="weight of pair 1 is -1"):
            metric([0, 1], [0.1, 0.3], [1, -1])
        with pytest.raises(InputError, match="Every link has weight 0"):
            metric([0, 1], [0.1, 0.3], [1, 0])
