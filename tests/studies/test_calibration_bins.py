"""Calibration errors pooled from the bin sums of single cases."""

from __future__ import annotations

import numpy as np
import pytest

from studies.calibration_bins import BINS, bin_sums, pooled_calibration_error


def test_bins_hold_pairs_probabilities_and_links():
    written = bin_sums(np.array([True, False, True]), np.array([0.05, 0.25, 0.26])).split()
    assert len(written) == BINS
    assert (written[0], written[2]) == ("1/0.0500/1", "2/0.5100/1")
    assert {*written[3:], written[1]} == {"0/0.0000/0"}


def test_the_largest_probability_is_in_the_last_bin():
    assert bin_sums(np.array([True]), np.array([1.0])).split()[-1] == "1/1.0000/1"


def test_the_pooled_error_is_that_of_all_pairs_together():
    rng = np.random.default_rng(0)
    probabilities = rng.random((3, 400))
    links = rng.random((3, 400)) < probabilities**2
    pooled = pooled_calibration_error(map(bin_sums, links, probabilities))
    index = np.floor(10 * probabilities)
    parts = [index == each for each in range(10)]
    direct = sum(part.mean() * abs(probabilities[part].mean() - links[part].mean()) for part in parts)
    assert pooled == pytest.approx(direct, abs=1e-5)
    assert pooled == pytest.approx(1 / 6, abs=0.03)


def test_calibrated_probabilities_have_no_error():
    links = np.repeat([True, False], [3, 7])
    assert pooled_calibration_error([bin_sums(links, np.full(10, 0.3))]) == pytest.approx(0, abs=1e-6)
