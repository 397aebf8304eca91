"""Rules of keeping silent, compared on small examples, and on ones with ties."""

from __future__ import annotations

import numpy as np
import pytest
from statistical.footing import FOOTING, compared, gain

RIGHT = np.zeros(10, bool)


def by_number(*given):
    return {name: float(found) for name, found in compared(*given).items()}


def test_graded_members():
    score = np.array([0.99, 0.02, 0.9, 0.8, 0.6])
    spread = np.array([0.05, 0.01, 0.02, 0.3, 0.04])
    wrong = np.array([False, False, False, True, True])
    paper = spread <= 0.04
    found = by_number(wrong, score, spread, np.array([True, True, False, False, False]), paper)
    assert tuple(found) == FOOTING
    assert (found["coverage"], found["risk"]) == (0.4, 0.0)
    assert (found["paper_coverage"], found["paper_risk"]) == (0.6, pytest.approx(1 / 3, abs=1e-5))
    # The three largest margins are right; one wrong answer of four is still no more than one of three.
    assert (found["margin_risk"], found["margin_coverage"]) == (0.0, 0.8)
    assert found["spread_coverage"] == 0.8
    assert found["all_risk"] == 0.4


def test_members_that_say_yes_or_no_make_a_tie_of_margin_and_spread():
    rng = np.random.default_rng(0)
    yes = rng.integers(0, 11, 500)
    score, wrong = yes / 10, rng.random(500) < 0.5 - np.abs(yes / 10 - 0.5)
    spread = np.sqrt(score * (1 - score)) * (1 + 1e-15 * rng.standard_normal(500))
    paper = spread <= 0.41
    found = by_number(wrong, score, spread, paper, paper)
    assert found["margin_coverage"] == found["spread_coverage"] >= found["paper_coverage"]
    assert found["margin_risk"] == found["paper_risk"] == found["risk"]
    assert found["aurc_margin"] == found["aurc_spread"]


def test_a_cut_through_equals_takes_their_mean():
    wrong = np.array([False, True, False, True, False])
    score = np.array([1.0, 0.8, 0.8, 0.8, 0.8])
    found = by_number(wrong, score, np.zeros(5), RIGHT[:5], np.array([True, True, True, False, False]))
    assert found["margin_risk"] == pytest.approx((0 + 2 * 0.5) / 3, abs=1e-5)


def test_no_answers_are_no_wrong_ones():
    found = by_number(~RIGHT, np.linspace(0, 1, 10), np.zeros(10), RIGHT, RIGHT)
    nothing = ("coverage", "risk", "paper_coverage", "paper_risk", "margin_risk", "margin_coverage")
    assert [found[name] for name in nothing] == [0.0] * 6


def test_a_gain_is_one_when_its_interval_is_above_0():
    ours = np.array([0.5, 0.6, 0.7])
    assert gain(ours, ours - [0.1, 0.11, 0.12]) == ("+0.1100 (95 % interval +0.0852 to +0.1348)", True)
    assert not gain(ours, ours)[1]
