"""The paper's metrics of selective prediction, against their formulas."""

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
    result = selective_metrics(values, scores, spread, abstained)
    errors = values - scores
    expected = {
        "rmse": np.sqrt(np.mean(errors**2)),
        "f_abstain": abstained.sum() / 50,
        "coverage": 1 - abstained.sum() / 50,
        "rmse_answered": np.sqrt(np.mean(errors[~abstained] ** 2)),
        "correlation": pearsonr(spread, np.abs(errors)).statistic,
        "smr": np.sqrt(np.mean((spread - spread.mean()) ** 2)) / spread.mean(),
    }
    assert result == pytest.approx(expected)
    assert list(result) == list(expected)
    assert rmse(values, scores) == result["rmse"]
    assert f_abstain(abstained) == result["f_abstain"]


def test_the_rmse_of_no_answered_pair_is_nan():
    assert np.isnan(rmse_answered([1, 2], [1, 2], [True, True]))


def test_the_correlation_of_a_constant_is_nan():
    assert np.isnan(correlation([0.1, 0.1], [1, 2]))
    assert np.isnan(correlation([0.1, 0.2], [1, -1]))


def test_the_ratio_of_zero_spreads_is_nan():
    assert np.isnan(smr([0, 0]))


def test_nsmr_is_weighted_by_the_correlation():
    smrs, r = np.array([0.5, 0.4, np.nan, 0.2]), np.array([0.9, 0.6, 0.3, np.nan])
    np.testing.assert_allclose(nsmr(smrs, r), smrs * r / 0.9)
    assert np.isnan(nsmr([0.5, 0.4], [-0.5, -0.1])).all()
    with pytest.raises(InputError, match=r"SMRs have shape \(1,\)"):
        nsmr([0.5], [0.1, 0.2])


def test_nsmr_is_smr_where_the_correlation_is_best():
    smrs, r = np.array([0.5, 0.4, 0.3]), np.array([0.2, 0.8, -0.4])
    result = nsmr(smrs, r)
    assert result[1] == pytest.approx(smrs[1])
    assert (np.abs(result) <= smrs * (1 + 1e-12)).all()
    assert len(nsmr([], [])) == 0


def test_units_do_not_matter(data):
    values, scores, spread, _ = data
    assert smr(7 * spread) == pytest.approx(smr(spread))
    errors = values - scores
    assert correlation(7 * spread, -3 * errors) == pytest.approx(correlation(spread, errors))
    assert rmse(7 * values, 7 * scores) == pytest.approx(7 * rmse(values, scores))


def test_one_pair():
    result = selective_metrics([1.0], [0.5], [0.1], [False])
    assert (result["rmse"], result["coverage"], result["smr"]) == (0.5, 1.0, 0.0)
    assert np.isnan(result["correlation"])


def test_tiny_differences_do_not_underflow():
    spread, errors = np.array([0.0, 1.0, 2.0]), np.array([0.0, 1.0, 0.5])
    assert correlation(1e-200 * spread, errors) == pytest.approx(pearsonr(spread, errors).statistic)
    assert correlation(spread, 1e-320 * errors) == pytest.approx(pearsonr(spread, errors).statistic, abs=1e-3)


def test_huge_numbers_do_not_overflow():
    spread, errors = np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.7, 1.2])
    expected = pearsonr(spread, errors).statistic
    assert correlation(spread, 1e308 * errors) == pytest.approx(expected)
    assert correlation(0.5e308 * spread, errors) == pytest.approx(expected)


def test_invalid_input_raises():
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
