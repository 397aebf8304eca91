"""Retrieval metrics, against plain loops over all orders of ties."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.metrics import mean_reciprocal_rank, precision_at_k, recall_at_k, vertex_precision

PAIRS = st.lists(st.tuples(st.booleans(), st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6)


def orders(scores):
    """Yield all orders of the pairs in which no score is above that before it."""
    for order in permutations(range(len(scores))):
        ranked = [scores[position] for position in order]
        if ranked == sorted(ranked, reverse=True):
            yield order


def expected_hits(labels, scores, k):
    return np.mean([sum(labels[position] for position in order[:k]) for order in orders(scores)])


def by_group(pairs):
    return [
        ([label for label, _, g in pairs if g == group], [score for _, score, g in pairs if g == group])
        for group in sorted({group for *_, group in pairs})
    ]


@settings(max_examples=60, deadline=None)
@given(PAIRS, st.integers(1, 4))
def test_hits_are_expected_over_the_orders_of_ties(pairs, k):
    labels, scores, groups = map(list, zip(*pairs, strict=True))
    if not any(labels):
        return
    hits = expected_hits(labels, scores, k)
    assert precision_at_k(labels, scores, k) == pytest.approx(hits / min(k, len(labels)))
    assert recall_at_k(labels, scores, k) == pytest.approx(hits / sum(labels))
    parts = [(each, score) for each, score in by_group(pairs) if any(each)]
    of_parts = [expected_hits(each, score, k) for each, score in parts]
    vertex = np.mean([hit / min(k, sum(each)) for hit, (each, _) in zip(of_parts, parts, strict=True)])
    assert vertex_precision(labels, scores, groups, k) == pytest.approx(vertex)
    per_row = np.mean([hit / min(k, len(each)) for hit, (each, _) in zip(of_parts, parts, strict=True)])
    assert precision_at_k(labels, scores, k, groups) == pytest.approx(per_row)


@settings(max_examples=60)
@given(PAIRS)
def test_reciprocal_ranks_are_those_among_the_nonlinks_of_a_group(pairs):
    if not any(label for label, *_ in pairs):
        return
    ranks = []
    for label, score, group in pairs:
        others = [other for is_link, other, g in pairs if g == group and not is_link]
        if label:
            ranks.append(1 + sum(other > score for other in others) + sum(o == score for o in others) / 2)
    labels, scores, groups = map(list, zip(*pairs, strict=True))
    assert mean_reciprocal_rank(labels, scores, groups) == pytest.approx(np.mean(1 / np.array(ranks)))


@pytest.mark.parametrize("metric", [precision_at_k, recall_at_k, mean_reciprocal_rank])
@settings(max_examples=25)
@given(PAIRS, st.randoms(use_true_random=False))
def test_only_the_order_of_scores_counts(metric, pairs, random):
    labels, scores, _ = map(np.array, zip(*pairs, strict=True))
    if not labels.any():
        return
    shuffled = list(range(len(labels)))
    random.shuffle(shuffled)
    expected = metric(labels, scores)
    assert metric(labels, np.exp(scores) - 5) == pytest.approx(expected)
    assert metric(labels[shuffled], scores[shuffled]) == pytest.approx(expected)


def test_what_has_no_links_or_no_size_raises():
    with pytest.raises(InputError, match="All 2 labels are 0"):
        precision_at_k([0, 0], [0.1, 0.2])
    with pytest.raises(InputError, match="k is 0"):
        recall_at_k([0, 1], [0.1, 0.2], k=0)
    with pytest.raises(InputError, match="group"):
        vertex_precision([0, 1], [0.1, 0.2], [0, np.nan])
