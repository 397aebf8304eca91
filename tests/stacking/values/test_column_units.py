"""ColumnUnits: which tables have columns of different units, and their standardization."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.values import ColumnUnits, fault_of_units


def table(scales, rows=30, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, len(scales))) * scales + 3 * np.asarray(scales)
    X[rng.random(X.shape) < 0.2] = np.nan
    return X


def test_standardized_columns_have_mean_0_and_deviation_1_and_are_turned_back():
    X = table([1.0, 0.01, 1000.0])
    network = Network.from_dense(X)
    units = ColumnUnits.of(network)
    scaled = units.standardized(network)
    for j in range(3):
        own = scaled.values[scaled.known & (scaled.cols == j)]
        assert own.mean() == pytest.approx(0, abs=1e-12)
        assert own.std() == pytest.approx(1)
    np.testing.assert_allclose(units.scores(scaled.values, scaled.cols), network.values)


@pytest.mark.parametrize(
    "X",
    [
        table([1.0, 2.0, 5.0]),
        table([1.0, 2.0, 5.0]) + 1000,
        np.where(np.random.default_rng(0).random((30, 3)) < 0.2, table([1.0, 0.01, 100.0]), np.nan),
        table([1.0, 1.0, 1000.0], rows=9),
    ],
    ids=["one unit", "another zero", "hardly anything known", "too few values of each column"],
)
def test_other_tables_stay_as_they_are(X):
    assert ColumnUnits.of(Network.from_dense(X)) is None


def test_columns_whose_means_are_far_apart_are_of_different_units():
    X = table([1.0, 1.0, 1.5]) + np.array([0.0, 500.0, 20.0])
    units = ColumnUnits.of(Network.from_dense(X))
    assert units.centres == pytest.approx(np.nanmean(X, axis=0))
    assert units.scales == pytest.approx(np.nanstd(X, axis=0))
    assert not units.shared


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e12, 1e200])
@pytest.mark.parametrize("centred", [True, False])
def test_one_unit_for_all_is_their_mean_and_deviation(scale, centred):
    X = table([1.0, 2.0, 5.0])
    network = Network.from_dense(scale * X)
    units = ColumnUnits.of_all(network, centred=centred)
    assert ColumnUnits.of(network) is None
    assert units.shared
    scaled = units.standardized(network)
    assert scaled.values.std() == pytest.approx(1)
    assert scaled.values.mean() == pytest.approx(0 if centred else np.nanmean(X) / np.nanstd(X), abs=1e-12)
    np.testing.assert_allclose(units.scores(scaled.values, scaled.cols), network.values, rtol=1e-12)
    hidden = Network.from_dense(np.vstack([scale * X, np.full(3, 1000 * scale)]))
    hidden = hidden.with_weights(np.where(hidden.rows < len(X), 1.0, 0.0))
    np.testing.assert_allclose(ColumnUnits.of_all(hidden, centred=centred).scales, units.scales)


@pytest.mark.parametrize("value", [0.0, 7.0, 0.1])
def test_equal_values_have_no_unit(value):
    assert ColumnUnits.of_all(Network.from_dense(np.full((30, 3), value))) is None


def test_undirected_networks_have_no_columns_of_their_own():
    X = table(10.0 ** np.arange(20), rows=20)
    assert ColumnUnits.of(Network.from_dense(X)) is not None
    assert ColumnUnits.of(Network.from_dense(np.fmax(X, X.T), symmetric=True)) is None


def test_constant_and_empty_columns_are_no_unit():
    X = np.column_stack([table([1.0, 2.0]), np.full(30, 7.0), np.full(30, np.nan)])
    assert ColumnUnits.of(Network.from_dense(X)) is None
    X[:, 0] *= 100
    units = ColumnUnits.of(Network.from_dense(X))
    assert units.scales[2:].tolist() == [1, 1]
    assert units.centres[2:] == pytest.approx([7, np.nanmean(X)])


@pytest.mark.parametrize(
    ("units", "fault"),
    [
        (3, "3 as the units"),
        (ColumnUnits(np.zeros(2), np.ones(3)), "centres are not an array of float64 of shape"),
        (ColumnUnits(np.zeros(3), np.full(3, np.nan)), "scales that are not finite"),
        (ColumnUnits(np.zeros(3), np.zeros(3)), "scales that are not above 0"),
    ],
)
def test_damaged_units_are_told(units, fault):
    assert fault in fault_of_units(units, 3)


def test_valid_units_have_no_fault():
    assert fault_of_units(ColumnUnits(np.zeros(3), np.ones(3)), 3) is None
