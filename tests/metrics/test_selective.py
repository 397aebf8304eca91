"""The paper's measures, against their formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import pearsonr

from latentlink.errors import InputError
from latentlink.metrics import correlation, f_abstain, nsmr, rmse, rmse_answered, selective_metrics, smr


@pytest.fixture
def data():
    rng = np.random.default_rng(1)
    values, spread = rng.random(50), rng.random(50)
    return values, values + spread * rng.normal(size=50), spread, spread > 0.6


def test_formulas(data):
    values, scores, spread, abstained = data
    found = selective_metrics(values, scores, spread, abstained)
    errors = values - scores
    expected = {
        "rmse": np.sqrt(np.mean(errors**2)),
        "f_abstain": abstained.sum() / 50,
        "coverage": 1 - abstained.sum() / 50,
        "rmse_answered": np.sqrt(np.mean(errors[~abstained] ** 2)),
        "correlation": pearsonr(spread, np.abs(errors)).statistic,
        "smr": np.sqrt(np.mean((spread - spread.mean()) ** 2)) / spread.mean(),
    }
    assert found == pytest.approx(expected)
    assert list(found) == list(expected)
    assert rmse(values, scores) == found["rmse"]
    assert f_abstain(abstained) == found["f_abstain"]


def test_nothing_answered_has_no_error():
    assert np.isnan(rmse_answered([1, 2], [1, 2], [True, True]))


def test_what_does_not_vary_correlates_with_nothing():
    assert np.isnan(correlation([0.1, 0.1], [1, 2]))
    assert np.isnan(correlation([0.1, 0.2], [1, -1]))


def test_no_spread_has_no_ratio():
    assert np.isnan(smr([0, 0]))


def test_nsmr_weighs_by_the_best_correlation():
    smrs, r = np.array([0.5, 0.4, np.nan, 0.2]), np.array([0.9, 0.6, 0.3, np.nan])
    np.testing.assert_allclose(nsmr(smrs, r), smrs * r / 0.9)
    assert np.isnan(nsmr([0.5, 0.4], [-0.5, -0.1])).all()
    with pytest.raises(InputError, match=r"SMRs have shape \(1,\)"):
        nsmr([0.5], [0.1, 0.2])


def test_nsmr_is_smr_where_the_correlation_is_best():
    smrs, r = np.array([0.5, 0.4, 0.3]), np.array([0.2, 0.8, -0.4])
    found = nsmr(smrs, r)
    assert found[1] == pytest.approx(smrs[1])
    assert (np.abs(found) <= smrs * (1 + 1e-12)).all()
    assert len(nsmr([], [])) == 0


def test_units_have_no_say(data):
    values, scores, spread, _ = data
    assert smr(7 * spread) == pytest.approx(smr(spread))
    errors = values - scores
    assert correlation(7 * spread, -3 * errors) == pytest.approx(correlation(spread, errors))
    assert rmse(7 * values, 7 * scores) == pytest.approx(7 * rmse(values, scores))


def test_one_pair():
    found = selective_metrics([1.0], [0.5], [0.1], [False])
    assert (found["rmse"], found["coverage"], found["smr"]) == (0.5, 1.0, 0.0)
    assert np.isnan(found["correlation"])


def test_differences_that_vanish_when_squared_correlate_all_the_same():
    spread, errors = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.5])
    assert correlation(1e-200 * spread, errors) == pytest.approx(pearsonr(spread, errors).statistic)
    assert correlation(spread, 1e-320 * errors) == pytest.approx(pearsonr(spread, errors).statistic, abs=1e-3)


def test_refusals():
    for measure in (smr, lambda spread: correlation(spread, [1, 2])):
        with pytest.raises(InputError, match=r"spread of pair 1 is -0\.1; expected 0 or more"):
            measure([0.1, -0.1])
    with pytest.raises(InputError, match="SMR of experiment 0 is inf"):
        nsmr([np.inf, 1.0], [0.1, 0.2])
    with pytest.raises(InputError, match="There are no abstained marks"):
        f_abstain([])
    with pytest.raises(InputError, match="abstained mark of pair 1 is 3"):
        rmse_answered([1, 2], [1, 2], [0, 3])
    with pytest.raises(InputError, match="score of pair 1 is inf"):
        rmse([1, 2], [1, np.inf])
