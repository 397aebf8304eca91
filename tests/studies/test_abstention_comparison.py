"""Abstention rules, compared on small examples with and without ties."""

from __future__ import annotations

import numpy as np
import pytest

from studies.abstention_comparison import COMPARISON_COLUMNS, compare_abstention, paired_gain

RIGHT = np.zeros(10, bool)


def numbers(*given):
    return {name: float(value) for name, value in compare_abstention(*given).items()}


def test_members_with_probabilities():
    score = np.array([0.99, 0.02, 0.9, 0.8, 0.6])
    spread = np.array([0.05, 0.01, 0.02, 0.3, 0.04])
    wrong = np.array([False, False, False, True, True])
    paper = spread <= 0.04
    column = numbers(wrong, score, spread, np.array([True, True, False, False, False]), paper)
    assert tuple(column) == COMPARISON_COLUMNS
    assert (column["coverage"], column["risk"]) == (0.4, 0.0)
    assert (column["paper_coverage"], column["paper_risk"]) == (0.6, pytest.approx(1 / 3, abs=1e-5))
    # The three largest margins are right; one wrong answer of four is still no more than one of three.
    assert (column["margin_risk"], column["margin_coverage"]) == (0.0, 0.8)
    assert column["spread_coverage"] == 0.8
    assert column["all_risk"] == 0.4


def test_binary_members_rank_pairs_equally_by_margin_and_spread():
    rng = np.random.default_rng(0)
    votes = rng.integers(0, 11, 500)
    score, wrong = votes / 10, rng.random(500) < 0.5 - np.abs(votes / 10 - 0.5)
    spread = np.sqrt(score * (1 - score)) * (1 + 1e-15 * rng.standard_normal(500))
    paper = spread <= 0.41
    column = numbers(wrong, score, spread, paper, paper)
    assert column["margin_coverage"] == column["spread_coverage"] >= column["paper_coverage"]
    assert column["margin_risk"] == column["paper_risk"] == column["risk"]
    assert column["aurc_margin"] == column["aurc_spread"]


def test_a_coverage_within_a_group_of_ties_takes_their_mean_error():
    wrong = np.array([False, True, False, True, False])
    score = np.array([1.0, 0.8, 0.8, 0.8, 0.8])
    column = numbers(wrong, score, np.zeros(5), RIGHT[:5], np.array([True, True, True, False, False]))
    assert column["margin_risk"] == pytest.approx((0 + 2 * 0.5) / 3, abs=1e-5)


def test_without_answers_the_error_is_0():
    column = numbers(~RIGHT, np.linspace(0, 1, 10), np.zeros(10), RIGHT, RIGHT)
    zero = ("coverage", "risk", "paper_coverage", "paper_risk", "margin_risk", "margin_coverage")
    assert [column[name] for name in zero] == [0.0] * 6


def test_a_gain_needs_an_interval_above_0():
    ours = np.array([0.5, 0.6, 0.7])
    assert paired_gain(ours, ours - [0.1, 0.11, 0.12]) == (
        "+0.1100 (95 % interval +0.0852 to +0.1348)",
        True,
    )
    assert not paired_gain(ours, ours)[1]
