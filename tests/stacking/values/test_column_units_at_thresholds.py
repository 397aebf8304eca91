"""Which tables have columns of different units: each condition on both sides of its threshold."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.values import ColumnUnits, ValueKind, column_units


def columns(*scales, rows=40, seed=0):
    """Columns that are the same but for their scales."""
    own = np.random.default_rng(seed).normal(size=rows)
    return np.outer(own, scales)


@pytest.mark.parametrize(
    ("ratio", "expected"), [(29.9, False), (30.1, True), (1 / 29.9, False), (1 / 30.1, True)]
)
def test_scales_differ_by_a_factor_of_30(ratio, expected):
    assert (ColumnUnits.of(Network.from_dense(columns(1, ratio, 1))) is not None) is expected


@pytest.mark.parametrize(("ratio", "expected"), [(31.999, False), (32.0, True)])
def test_the_ratio_itself_is_enough(ratio, expected, monkeypatch):
    monkeypatch.setattr(column_units, "LEAST_RATIO", 32.0)  # a power of two, by which scales are exact
    assert (ColumnUnits.of(Network.from_dense(columns(1, ratio, 1))) is not None) is expected


@pytest.mark.parametrize(("known", "expected"), [(9, False), (10, True)])
def test_scales_of_ten_values_are_compared(known, expected):
    X = columns(1, 100, 1)
    X[known:, 1] = np.nan
    assert (ColumnUnits.of(Network.from_dense(X)) is not None) is expected


@pytest.mark.parametrize(("rows", "expected"), [(41, False), (40, True)])
def test_three_tenths_are_known(rows, expected):
    X = columns(1, 100, rows=rows)
    X[12:] = np.nan  # 24 of 80 are 3 tenths
    assert (ColumnUnits.of(Network.from_dense(X)) is not None) is expected


def test_square_networks_have_one_unit():
    X = columns(*10.0 ** np.arange(20), rows=20)
    assert ColumnUnits.of(Network.from_dense(X)) is not None
    assert ColumnUnits.of(Network.from_dense(X, square=True)) is None


@pytest.mark.parametrize(("high", "expected"), [(np.inf, True), (5.0, False)])
def test_values_between_two_ends_are_of_one_unit(high, expected, monkeypatch):
    monkeypatch.setattr(column_units, "kind_of_values", lambda _: ValueKind("any", 0.0, high, ""))
    assert (ColumnUnits.of(Network.from_dense(columns(1, 100))) is not None) is expected


def test_centres_and_scales_are_means_and_deviations():
    X = columns(1, 100, 1, 1)
    X[::3, 0], X[:, 2], X[:, 3] = np.nan, 7.0, np.nan
    units = ColumnUnits.of(Network.from_dense(X))
    np.testing.assert_allclose(units.centres[:3], np.nanmean(X[:, :3], axis=0))
    np.testing.assert_allclose(units.centres[3], np.nanmean(X))
    np.testing.assert_allclose(units.scales[:2], np.nanstd(X[:, :2], axis=0))
    assert units.scales[2:].tolist() == [1, 1]
    network = Network.from_dense(X)
    scaled = units.standardized(network)
    expected = (network.values - units.centres[network.cols]) / units.scales[network.cols]
    np.testing.assert_array_equal(scaled.values, expected)


@pytest.mark.parametrize("value", [0.3, 0.1, 1e6 + 0.1, -7.7e-5])
@pytest.mark.parametrize("rows", [40, 1000])
def test_rounding_errors_of_a_constant_column_are_no_scale(rows, value):
    """The mean of equal numbers may differ from them in the last digits."""
    X = columns(1, 2, 1, rows=rows)
    X[:, 2] = value
    assert ColumnUnits.of(Network.from_dense(X)) is None
    X[:, 2] += 1e-12 * np.abs(value) * np.arange(rows)
    assert ColumnUnits.of(Network.from_dense(X)) is not None
