"""Whether a model is clearly better than a baseline on the same held-out pairs."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from latentlink.report.sections.paired_difference import clear_sign, placements


@pytest.mark.parametrize("binary", [True, False])
def test_noise_is_rarely_clear(binary):
    rng = np.random.default_rng(0)
    found = []
    for _ in range(400):
        values = np.arange(120) % 2 if binary else rng.normal(size=120)
        found.append(clear_sign(values, rng.normal(size=120), rng.normal(size=120), binary))
    assert np.mean(np.array(found) != 0) < 0.09  # 5 % expected; 3.7 standard errors


@pytest.mark.parametrize("binary", [True, False])
def test_a_good_score_is_clearly_better(binary):
    rng = np.random.default_rng(0)
    values = np.arange(200.0) % 2
    good, poor = values + rng.normal(scale=0.5, size=200), rng.normal(size=200)
    assert clear_sign(values, good, poor, binary) == 1
    assert clear_sign(values, poor, good, binary) == -1
    assert clear_sign(values, good, good, binary) == 0


def test_the_means_are_the_difference_of_roc_auc():
    rng = np.random.default_rng(1)
    values = (rng.random(80) < 0.3).astype(float)
    one, other = np.round(values + rng.normal(size=80), 1), np.round(rng.normal(size=80), 1)  # with ties
    expected = roc_auc_score(values, one) - roc_auc_score(values, other)
    for part in placements(values == 1, one, other):
        assert part.mean() == pytest.approx(expected)
