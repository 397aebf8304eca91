"""Decisions by rules that were calibrated in a run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from latentlink.cli.results.decisions import Decisions
from latentlink.uncertainty import RiskRule, SigmoidCurve, SupportedCurve

SCORES = np.array([0.02, 0.3, 0.6, 0.8, 0.99])
RULE = RiskRule(threshold=0.25, alpha=0.05, delta=0.1, n=100, answered=80, wrong=1, p_value=0.01)


def decided(base_rate):
    curve = SupportedCurve(SigmoidCurve(20.0, -10.0), 10_000, 10_000, base_rate=base_rate)
    rules = Decisions(curve=curve, risk=RULE)
    columns = rules.columns(np.arange(5), SCORES, np.zeros(5))
    return columns["decision"].tolist(), columns["probability"]


def test_confident_pairs_are_decided():
    assert decided(None)[0] == ["no link", "abstain", "abstain", "link", "link"]


def test_a_stated_share_of_links_counts_in_decisions_too():
    """Where links are rare a pair of probability 0.2 is no link, however sure it is among known pairs."""
    words, probability = decided(0.001)
    assert probability[3] < 0.5
    assert words == ["no link", "abstain", "abstain", "abstain", "abstain"]
    assert (probability[np.array(words) == "no link"] <= 0.05).all()
    words, probability = decided(0.2)
    assert words == ["no link", "abstain", "abstain", "link", "link"]
    assert (probability[np.array(words) == "link"] >= 0.95).all()
    assert decided(0.9)[0][0] == "no link"


def test_a_pair_without_a_score_is_not_decided():
    rules = Decisions(curve=SupportedCurve(SigmoidCurve(20.0, -10.0), 9, 9, base_rate=0.1), risk=RULE)
    assert rules.decided(np.arange(1), np.array([np.nan]), np.zeros(1)).tolist() == ["abstain"]


def test_links_are_called_at_the_share_that_is_supposed():
    """Probabilities stay those of the known pairs; a pair is a link only if it is at the supposed share."""
    curve = SupportedCurve(SigmoidCurve(20.0, -10.0), 10_000, 10_000)
    rules = Decisions(curve=curve, risk=RULE, supposed=0.001)
    columns = rules.columns(np.arange(5), SCORES, np.zeros(5))
    assert columns["decision"].tolist() == ["no link", "abstain", "abstain", "abstain", "abstain"]
    assert np.array_equal(columns["probability"], decided(None)[1])
    at_share = Decisions(curve=replace(curve, base_rate=0.001)).probabilities(SCORES)
    assert np.array_equal(columns["decision_probability"], at_share)


def test_probability_and_decision_agree_without_a_column_of_their_own():
    """The column is there only where decisions suppose another share of links than probabilities do."""
    for base_rate in (None, 0.2):
        curve = SupportedCurve(SigmoidCurve(20.0, -10.0), 10_000, 10_000, base_rate=base_rate)
        columns = Decisions(curve=curve, risk=RULE).columns(np.arange(5), SCORES, np.zeros(5))
        assert list(columns) == ["probability", "spread", "decision"]
