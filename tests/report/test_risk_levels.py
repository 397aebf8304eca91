"""The risks among which a reader of the report chooses, against counts of the ranked pairs."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.metrics import RiskCoverage
from latentlink.report import gather_report
from latentlink.report.page import page_html
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.report.sections.risk_levels import RankedPairs, risk_levels
from latentlink.tables import Table

CURVE = RiskCoverage(
    np.array([4.0, 3, 2, 1]), np.array([0.25, 0.5, 0.75, 1]), np.array([0.0, 0.3, 0.013, 0.02])
)


def levels(curve=CURVE, accepted=None, probability=None):
    ranked = RankedPairs(np.array([5.0, 2.5, 1.5]), None if probability is None else np.array(probability))
    return risk_levels(curve, ranked, accepted)


def test_at_every_level_something_changes():
    table = levels()
    assert table["risk"].tolist() == [0.0, 0.013, 0.02]
    assert table["coverage"].tolist() == [0.25, 0.75, 1.0]
    assert table["links"].tolist() == [1, 2, 3]
    assert not table["accepted"].any()


@pytest.mark.parametrize(("accepted", "row"), [(0.05, -1), (0.013, 1), (0.015, 2)])
def test_the_risk_of_the_decisions_is_one_of_them(accepted, row):
    table = levels(accepted=accepted)
    assert table["risk"][row] == accepted
    assert np.flatnonzero(table["accepted"]).tolist() == [row % len(table)]


def test_ranked_pairs_are_counted_by_their_probability_at_the_share_of_the_decisions():
    table = levels(accepted=0.3, probability=[0.9, 0.8, 0.5])
    assert table["links"][table["risk"] < 0.099].max() == 0
    assert table["links"][table["risk"] >= 0.1].min() == 1
    assert table["links"][table["accepted"] == 1].tolist() == [2]


def test_a_flat_curve_has_one_level():
    flat = RiskCoverage(CURVE.threshold, CURVE.coverage, np.zeros(4))
    assert levels(flat)["risk"].tolist() == [0.0]


def test_levels_are_round_and_not_too_many():
    rng = np.random.default_rng(0)
    risk = np.cumsum(rng.random(500)) / 2000 + 0.0171
    curve = RiskCoverage(np.arange(500, 0, -1.0), np.arange(1, 501) / 500, risk)
    found = levels(curve)["risk"]
    assert 20 < len(found) <= 62
    assert all(len(f"{each:g}") <= 5 for each in found.tolist())
    assert found[0] >= risk[0]
    assert found[-1] >= risk[-1] > found[-2]


def with_decision_probability(reported, share=0.02):
    pairs = list(zip(reported.links["source"].tolist(), reported.links["target"].tolist(), strict=True))
    probability = np.asarray(reported.calibrated.probabilities(pairs, base_rate=share))
    columns = {**reported.links.columns, "decision_probability": probability}
    columns["decision"] = np.where(probability >= 0.95, "link", "abstain")
    run = {"supposed_share_of_links": share, "options": {"risk": 0.05}}
    return gather_report(reported.model, calibrated=reported.calibrated, links=Table(columns), run=run)


def test_the_slider_and_the_decisions_suppose_one_share(reported):
    data = with_decision_probability(reported)
    table, links = data.tables["risk_levels"], data.tables["links"]
    called = int((links["decision"] == "link").sum())
    at_risk = table["links"][table["accepted"] == 1]
    assert len(at_risk) == 1
    margin = np.abs(links["score"] - 0.5)
    assert at_risk[0] <= called < ((links["score"] > 0.5) & (margin > 0)).sum()
    assert (table["links"] <= reported.data.tables["risk_levels"]["links"].max()).all()
    assert data.facts["risk"]["supposed"] == "2 %"
    assert data.facts["risk"]["accepted"] == "5 %"
    page = page_html(data)
    assert "suppose that 2\N{NO-BREAK SPACE}% of the unknown pairs are links" in page


def test_both_probabilities_say_which_share_they_suppose(reported):
    facts = with_decision_probability(reported).facts["links"]
    assert facts["supposes"] == {"decision_probability": "2 %", "probability": "31 %"}
    stated = {"options": {"base_rate": 0.1, "risk": 0.05}}
    plain = gather_report(reported.model, calibrated=reported.calibrated, links=reported.links, run=stated)
    assert plain.facts["links"]["supposes"] == {"probability": "10 %"}


def test_discoveries_are_not_by_risk(reported):
    run = {"options": {"risk": 0.05, "fdr": 0.1}}
    data = gather_report(reported.model, calibrated=reported.calibrated, links=reported.links, run=run)
    assert "accepted" not in data.facts["risk"]
    assert not data.tables["risk_levels"]["accepted"].any()


def test_too_few_wrong_answers_are_no_curve(reported, monkeypatch):
    errors = np.zeros(len(reported.calibrated))
    for wrong, words in ((0, "no answer is wrong"), (1, "1 answer is wrong"), (2, "2 answers are wrong")):
        errors[:wrong] = 1
        monkeypatch.setattr(HeldOutPairs, "errors", lambda self: errors)
        data = gather_report(reported.model, calibrated=reported.calibrated, links=reported.links)
        assert not {"risk_coverage", "risk_levels"} & set(data.tables)
        assert f"{words}: too few to say" in data.facts["risk"]["risk"]
        page = page_html(data)
        assert 'data-chart="risk"' not in page
        assert '<input type="range"' not in page
