"""Sentences of a report about the data and about probabilities, for cases that no fitted model here has."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.errors import InputError
from latentlink.network import sample_negatives
from latentlink.report import ReportData
from latentlink.report.page import page_html
from latentlink.report.sections.data_section import data_facts
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.report.sections.risk_section import reliability_sentence, reliability_table

LINKS = [("a", "b"), ("b", "c")]
ROW_PAIRS = [("a", "b", 1), ("b", "c", 1), ("c", "d", 1)]
ROW = Network.from_edges(ROW_PAIRS, symmetric=True)


@pytest.mark.parametrize(
    ("network", "words"),
    [
        (Network.from_edges(LINKS, square=True), "A directed network of 3 nodes"),
        (Network.from_edges(LINKS, symmetric=True), "An undirected network of 3 nodes"),
        (Network.from_edges(LINKS), "A table of 2 rows and 2 columns"),
        (Network.from_edges(LINKS, background=1.0), "Every pair that is not listed counts as 0."),
        (Network.from_edges(LINKS, background=0.25), "with a weight of 0.25"),
        (
            Network.from_edges(LINKS).hide([0]),
            "Known are 2 links and no non-link. That is 50 % of all pairs; all others are unknown. 1 of the "
            "links was kept back from the fit.",
        ),
        (Network.from_edges(LINKS).hide([0, 1]), "Nothing is known of any pair."),
        (
            sample_negatives(ROW, rng=0),
            "Known are 3 links. 3 non-links were drawn at random, and may be links.",
        ),
        (
            sample_negatives(Network.from_edges([*ROW_PAIRS, ("a", "d", 0)], symmetric=True), 2, rng=0),
            "Known are 3 links and 3 non-links, some of which were drawn at random and may be links.",
        ),
        (Network.from_dense([[1.5, np.nan], [2.5, 3.5]]), "3 values from 1.5 to 3.5, with a mean of 2.5"),
    ],
)
def test_the_data_are_described(network, words):
    assert words in " ".join(data_facts(network)["sentences"])


@pytest.mark.parametrize(
    ("error", "words"), [(0.01, "at their word"), (0.05, "roughly right"), (0.2, "only a rough guide")]
)
def test_the_calibration_error_has_a_verdict(error, words):
    assert words in reliability_sentence(error)
    assert "differ by 1 percentage point:" in reliability_sentence(0.01)


def test_a_single_link_has_no_reliability(reported):
    pairs = np.column_stack([reported.calibrated.rows, reported.calibrated.cols])
    keep = np.append(
        np.flatnonzero(reported.calibrated.values == 0), np.argmax(reported.calibrated.values == 1)
    )
    few = reported.model.calibrate(pairs[keep], reported.calibrated.values[keep])
    held_out = HeldOutPairs.of(few)
    assert held_out.has_both_labels
    assert reliability_table(held_out) is None


def test_a_page_that_cannot_be_made_small_is_refused(reported):
    settings = {**reported.data.facts["settings"], "run": [["note", "x" * 1_500_000]]}
    with pytest.raises(InputError, match="expected fewer than 1,500,000"):
        page_html(ReportData({**reported.data.facts, "settings": settings}, reported.data.tables))
