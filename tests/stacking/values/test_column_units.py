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
        np.where(np.random.default_rng(0).random((30, 3)) < 0.2, table([1.0, 0.01, 100.0]), np.nan),
        table([1.0, 1.0, 1000.0], rows=9),
    ],
    ids=["one unit", "hardly anything known", "too few values of each column"],
)
def test_other_tables_stay_as_they_are(X):
    assert ColumnUnits.of(Network.from_dense(X)) is None


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
