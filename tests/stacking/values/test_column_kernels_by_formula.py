"""Regressions of columns against plain computations: limits, choice of settings, rounds, thinned rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.values import (
    ColumnKernels,
    ColumnRegressions,
    column_kernels,
    column_regressions,
    fault_of_kernels,
)
from tests.stacking.values.test_column_kernels import curved_table


def listed(n, m, known, **options):
    """A network of n x m in which so many entries are known."""
    at = np.arange(known)
    return Network(at // m, at % m, at % 7 + 0.5, shape=(n, m), **options)


@pytest.mark.parametrize(
    ("n", "m", "expected"),
    [
        (40, 1, False), (40, 2, True), (40, 256, True), (40, 257, False),
        (29, 5, False), (30, 5, True), (20_000, 2, True), (20_001, 2, False),
    ],
)  # fmt: skip
def test_tables_have_2_to_256_columns_and_30_to_20000_rows(n, m, expected):
    assert ColumnKernels.fit_to(listed(n, m, n * m)) is expected


@pytest.mark.parametrize(("known", "expected"), [(59, False), (60, True)])
def test_three_tenths_of_a_table_are_known(known, expected):
    assert ColumnKernels.fit_to(listed(50, 4, known)) is expected


def test_square_networks_and_backgrounds_are_no_tables():
    assert not ColumnKernels.fit_to(listed(40, 40, 1600, square=True))
    assert not ColumnKernels.fit_to(listed(40, 30, 1200, background=1.0))


def plain_prediction(values, table, settings, others=slice(None), median_of=200):
    """Predictions of all columns by kernel ridge regression on the rows, written out."""
    power, g, s = settings
    deviation = table.std(axis=0)
    scaled = (table - table.mean(axis=0)) / deviation**power
    predicted = np.empty(table.shape)
    for j in range(table.shape[1]):
        known = np.flatnonzero(~np.isnan(values[:, j]))[others]
        z = np.delete(scaled, j, axis=1)
        squares = ((z[:, None] - z[known]) ** 2).sum(axis=2)
        K = np.exp(-g * squares / np.median(squares[known[:median_of]]))
        mean = values[known, j].mean()
        weights = np.linalg.solve(K[known] + s * np.eye(len(known)), values[known, j] - mean)
        predicted[:, j] = mean + K @ weights
    return predicted


@pytest.mark.parametrize("settings", [(0.0, 1.0, 0.3), (0.5, 3.0, 0.1), (1.0, 0.3, 1.0)])
def test_predictions_are_their_formula(settings, monkeypatch):
    monkeypatch.setattr(column_regressions, "ROWS_OF_MEDIAN", 17)
    monkeypatch.setattr(column_regressions, "MOST_TRAINED", 25)
    _, X, hidden = curved_table(rows=40)
    X = X * 2.0 ** np.arange(6)
    values, table = np.where(hidden, np.nan, X), np.where(hidden, 0.1, X)
    expected = plain_prediction(values, table, settings, slice(None, None, 2), 17)
    np.testing.assert_allclose(ColumnRegressions.fit(values, table, settings)[1], expected, atol=5e-3)


@pytest.mark.parametrize(("most", "step"), [(24, 2), (25, 1), (26, 1), (12, 3), (13, 2)])
def test_rows_are_thinned_evenly_where_there_are_more_than_are_learned_from(most, step, monkeypatch):
    monkeypatch.setattr(column_regressions, "MOST_TRAINED", most)
    X = np.random.default_rng(0).normal(size=(30, 3))
    values = X.copy()
    values[[2, 5, 11, 12, 20], 0] = np.nan
    regressions, _ = ColumnRegressions.fit(values, X, (1.0, 1.0, 0.1))
    np.testing.assert_array_equal(
        np.flatnonzero(regressions.weights[:, 0]), np.flatnonzero(~np.isnan(values[:, 0]))[::step]
    )


@pytest.mark.parametrize("known", [0, 1, 2])
def test_two_different_values_of_a_column_are_enough(known):
    X = np.random.default_rng(0).normal(size=(20, 3))
    values = X.copy()
    values[known:, 1] = np.nan
    regressions, predicted = ColumnRegressions.fit(values, X, (1.0, 1.0, 0.1))
    mean = values[:known, 1].mean() if known else X[:, 1].mean()
    assert regressions.means[1] == pytest.approx(mean)
    assert np.count_nonzero(regressions.weights[:, 1]) == (2 if known == 2 else 0)
    if known < 2:
        np.testing.assert_array_equal(predicted[:, 1], mean)
        assert regressions.rates[1] == 0
    else:
        expected = plain_prediction(values, X, (1.0, 1.0, 0.1))[:, 1]
        np.testing.assert_allclose(predicted[:, 1], expected, rtol=1e-3, atol=1e-4)


def test_where_all_other_columns_are_constant_the_distance_is_1_and_the_prediction_the_mean():
    X = np.column_stack([np.random.default_rng(0).normal(size=20), np.full(20, 3.0)])
    regressions, predicted = ColumnRegressions.fit(X, X, (1.0, 0.3, 0.1))
    assert regressions.rates.tolist() == [pytest.approx(-0.3), 0]
    assert regressions.scales[1] == 0
    np.testing.assert_allclose(predicted[:, 0], X[:, 0].mean(), atol=1e-5)


def test_a_column_that_varies_by_rounding_errors_alone_is_constant():
    X = np.random.default_rng(0).normal(size=(20, 3))
    X[:, 1] = 1.0
    X[3, 1] += 1e-12
    X[:, 2] = 1.0
    X[3, 2] += 1e-4
    scales = column_regressions.distances_and_scale(X, 1.0)[3]
    np.testing.assert_allclose(scales, [1 / X[:, 0].std(), 0, 1 / X[:, 2].std()])


def test_holes_are_filled_three_times_within_the_range_of_the_known_values():
    network, X, hidden = curved_table(rows=60)
    values, settings = np.where(hidden, np.nan, X), (1.0, 3.0, 0.03)
    limits = np.nanmin(values), np.nanmax(values)
    kernels = ColumnKernels.of(network, np.full(X.shape, 9.0), settings)
    assert kernels.limits == limits
    table = np.where(hidden, 9.0, X)
    for _ in range(3):
        predicted = plain_prediction(values, table, settings)
        table = np.where(hidden, predicted.clip(*limits), X)
    np.testing.assert_allclose(kernels.predicted, predicted, atol=5e-3)
    np.testing.assert_array_equal(kernels.filled, np.float32(9))
    assert kernels.settings == settings


@pytest.mark.parametrize(("tried", "tried_rows"), [(8, 60), (3, 59), (2, 29)])
@pytest.mark.parametrize("seed", range(2))
def test_settings_have_the_least_error_of_leaving_rows_out(seed, tried, tried_rows, monkeypatch):
    monkeypatch.setattr(column_kernels, "TRIED", tried)
    monkeypatch.setattr(column_kernels, "TRIED_ROWS", tried_rows)
    network, X, hidden = curved_table(seed=seed, rows=60, columns=5)
    X = X * [1, 1, 3, 1, 0.5]
    X[:, 1] = 2.0  # a constant column is not tried
    network = Network.from_dense(np.where(hidden, np.nan, X))
    step = -(-60 // tried_rows)
    values, table = np.where(hidden, np.nan, X)[::step], X[::step]
    varying = [0, 2, 3, 4]
    chosen = [varying[int(k)] for k in np.linspace(0, 3, min(tried, 4))]
    best = (np.inf, None)
    for power in (0.0, 0.5, 1.0):
        deviation = np.where(table.std(axis=0) > 0, table.std(axis=0), 1)
        scaled = (table - table.mean(axis=0)) / deviation**power
        for g in (0.3, 1.0, 3.0):
            for s in (0.03, 0.1, 0.3, 1.0):
                error = 0.0
                for j in chosen:
                    known = np.flatnonzero(~np.isnan(values[:, j]))
                    z = np.delete(scaled, j, axis=1)[known]
                    squares = ((z[:, None] - z) ** 2).sum(axis=2)
                    K = np.exp(-g * squares / np.median(squares))
                    inverse = np.linalg.inv(K + s * np.eye(len(known)))
                    left = inverse @ (values[known, j] - values[known, j].mean()) / np.diag(inverse)
                    error += np.mean(left**2)
                best = min(best, (error, (power, g, s)))
    assert ColumnKernels.of(network, X).settings == best[1]


@pytest.mark.parametrize(
    ("limits", "valid"),
    [((1.0, 1.0), True), ((-np.inf, 1.0), False), ((0.0, np.inf), False), ((2.0, 1.0), False)],
)
def test_limits_of_loaded_regressions_are_finite_and_in_order(limits, valid):
    network, X, _ = curved_table(rows=40)
    kernels = ColumnKernels.of(network, np.zeros(X.shape), (1.0, 1.0, 0.1))
    assert (fault_of_kernels(replace(kernels, limits=limits), X.shape) is None) is valid


def test_a_column_with_two_different_values_is_among_those_that_are_tried(monkeypatch):
    """A column of few values is left out only if these are the same."""
    monkeypatch.setattr(column_kernels, "TRIED", 1)  # the first column that varies
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    X = np.column_stack([rng.normal(size=40), x, x + 0.01 * rng.normal(size=40)])

    def targets(known):
        sizes = []
        values = X.copy()
        values[known:, 0] = np.nan

        def noted(gram, target):
            sizes.append(len(target))
            return np.zeros(4)

        monkeypatch.setattr(column_kernels, "left_out_errors", noted)
        ColumnKernels.of(Network.from_dense(values), X)
        return set(sizes)

    assert [targets(known) for known in (0, 1, 2)] == [{40}, {40}, {2}]
