"""Helpers that sum up result lines."""

from __future__ import annotations

import numpy as np

from latentlink.experiments.case_lines import columns, grouped
from studies.findings import Finding, rate, rate_within


def test_lines_are_grouped_in_order_and_read_as_numbers():
    lines = [{"a": "x", "n": "1"}, {"a": "y", "n": "2"}, {"a": "x", "n": "nan"}]
    assert [(key, len(group)) for key, group in grouped(lines, "a")] == [(("x",), 2), (("y",), 1)]
    np.testing.assert_array_equal(columns(lines, "n")["n"], [1, 2, np.nan])


def test_a_rate_exceeds_a_limit_when_its_interval_does():
    assert rate(26, 200).startswith("0.130 (26 of 200; 95 % interval 0.087")
    assert rate_within(26, 200, 0.1)
    assert not rate_within(32, 200, 0.1)


def test_a_finding_without_a_criterion_is_neither_met_nor_missed():
    assert Finding("error", "0.1").met is None
