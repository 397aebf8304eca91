"""Regressions of columns on all others: their formula, the choice of settings, new rows and loaded ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.values import (
    ColumnKernels,
    ColumnRegressions,
    ValueColumns,
    column_kernels,
    column_regressions,
    fault_of_kernels,
)


def curved_table(seed=0, rows=150, columns=6, holes=0.2):
    """Return a table on a curve, which no linear model of low rank describes, with holes."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 2 * np.pi, rows)
    X = np.cos(t[:, None] + np.linspace(0, 3, columns)) ** 3 + 0.05 * rng.normal(size=(rows, columns))
    there = rng.random(X.shape) > holes
    return Network.from_dense(np.where(there, X, np.nan)), X, ~there


def test_regressions_are_kernel_ridge_regression(monkeypatch):
    from sklearn.kernel_ridge import KernelRidge

    _, X, hidden = curved_table()
    filled = np.where(hidden, 0.0, X)
    values = np.where(hidden, np.nan, X)
    regressions, predicted = ColumnRegressions.fit(values, filled, (1.0, 0.5, 0.1))
    scaled = (filled - filled.mean(axis=0)) / filled.std(axis=0)
    for j in range(X.shape[1]):
        known = np.flatnonzero(~hidden[:, j])
        others = np.delete(scaled, j, axis=1)
        distances = ((others[known[:200], None] - others[known]) ** 2).sum(axis=2)
        regression = KernelRidge(alpha=0.1, kernel="rbf", gamma=0.5 / np.median(distances))
        mean = X[known, j].mean()
        expected = mean + regression.fit(others[known], X[known, j] - mean).predict(others)
        np.testing.assert_allclose(predicted[:, j], expected, atol=2e-3)
    # New rows are predicted by the same formula, in blocks of any size.
    monkeypatch.setattr(column_regressions, "CELLS", 4 * len(X))
    np.testing.assert_allclose(regressions.predict(filled), predicted, atol=1e-4)


def test_left_out_errors_are_those_of_leaving_out():
    rng = np.random.default_rng(0)
    points = rng.normal(size=(12, 2))
    gram = np.exp(-((points[:, None] - points) ** 2).sum(axis=2))
    target = rng.normal(size=12)
    errors = column_kernels.left_out_errors(gram, target)
    for ridge, error in zip(column_kernels.RIDGES, errors, strict=True):
        each = []
        for k in range(12):
            rest = np.delete(np.arange(12), k)
            weights = np.linalg.solve(gram[np.ix_(rest, rest)] + ridge * np.eye(11), target[rest])
            each.append(target[k] - gram[k, rest] @ weights)
        assert error == pytest.approx(np.mean(np.square(each)))


def test_regressions_predict_what_no_low_rank_does():
    network, X, hidden = curved_table()
    kernels = ColumnKernels.of(network, np.broadcast_to(np.nanmean(X, axis=0), X.shape))
    error = np.sqrt(np.mean((kernels.predicted - X)[hidden] ** 2))
    assert error < 0.4 * X.std()
    assert kernels.predicted.dtype == np.float32
    np.testing.assert_array_equal(kernels.at(np.array([3]), np.array([2])), kernels.predicted[3, 2])


def test_new_rows_are_filled_as_often_as_fitted_ones():
    network, X, _ = curved_table()
    kernels = ColumnKernels.of(network, np.broadcast_to(X.mean(axis=0), X.shape))
    new, Z, hidden = curved_table(seed=1, rows=40)
    means = np.broadcast_to(X.mean(axis=0), Z.shape)
    rows = kernels.for_rows(new, means, np.ones(40))
    table = np.where(hidden, means, Z)
    for _ in range(3):
        predicted = kernels.regressions.predict(table)
        table = np.where(hidden, predicted.clip(*kernels.limits), Z)
    np.testing.assert_allclose(rows.predicted, predicted, rtol=1e-6)
    assert np.sqrt(np.mean((rows.predicted - Z)[hidden] ** 2)) < 0.4 * Z.std()
    # Of the regressions as much counts as is asked for, the rest is the factorization.
    half = kernels.for_rows(new, means, np.full(40, 0.5)).predicted
    np.testing.assert_allclose(half, (predicted + means) / 2, rtol=1e-5)


def damaged(kernels, name, change):
    """Return regressions of which one array, or the limits, were changed."""
    if hasattr(kernels, name):
        return replace(kernels, **{name: change(getattr(kernels, name))})
    regressions = kernels.regressions
    return replace(kernels, regressions=replace(regressions, **{name: change(getattr(regressions, name))}))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("predicted", lambda a: a[1:], "predictions are not an array"),
        ("predicted", lambda a: a * np.float32(np.nan), "predictions that are not finite"),
        ("limits", lambda a: (a[1], a[0]), "the limits"),
        ("limits", lambda a: (a[0], np.nan), "the limits"),
        ("regressions", lambda _: None, "without their weights"),
        ("rows", lambda a: a.astype(np.float64), "rows are not an array of float32"),
        ("rows", lambda a: a * np.float32(np.inf), "rows that are not finite"),
        ("weights", lambda a: a[:, 1:], "weights are not an array"),
        ("rates", lambda a: -a, "rates above 0"),
        ("means", lambda a: a[None], "means are not an array"),
        ("centres", lambda a: a.astype(int), "centres are not an array of float64"),
        ("scales", lambda a: np.full_like(a, np.nan), "scales that are not finite"),
    ],
)
def test_faults_of_loaded_regressions(name, change, message):
    network, X, _ = curved_table(rows=40)
    kernels = ColumnKernels.of(network, np.zeros(X.shape), (1.0, 1.0, 0.1))
    assert fault_of_kernels(kernels, X.shape) is None
    with np.errstate(invalid="ignore"):
        assert message in fault_of_kernels(damaged(kernels, name, change), X.shape)


def test_other_records_are_no_regressions():
    assert "as its regressions of columns" in fault_of_kernels(3, (4, 5))


def test_constant_and_empty_columns_have_their_mean():
    _, X, hidden = curved_table()
    values = np.where(hidden, np.nan, X)
    values[:, 0], values[:, 1] = 3.0, np.nan
    table = Network.from_dense(values)
    kernels = ColumnKernels.of(table, np.full(X.shape, 0.25))
    assert np.isfinite(kernels.predicted).all()
    np.testing.assert_array_equal(kernels.predicted[:, 0], 3)
    np.testing.assert_allclose(kernels.predicted[:, 1], 0.25)
    rows = kernels.for_rows(Network.from_dense(X[:2] + 1), np.zeros((2, 6)), np.ones(2))
    assert np.isfinite(rows.predicted).all()
    np.testing.assert_allclose(rows.predicted[:, :2], [[3, 0.25]] * 2)


@pytest.mark.parametrize(
    ("network", "expected"),
    [
        (curved_table()[0], True),
        (curved_table(holes=0.8)[0], False),
        (curved_table(rows=20)[0], False),
        (curved_table()[0].with_background(0.1), False),
        (Network.from_dense(np.ones((40, 300))), False),
        (Network([0], [1], [2.0], shape=(40, 40), symmetric=True), False),
    ],
    ids=["table", "mostly holes", "few rows", "background", "many columns", "undirected"],
)
def test_which_networks_are_tables_of_few_columns(network, expected):
    assert ColumnKernels.fit_to(network) is expected


def test_regressions_count_in_proportion_where_less_is_known_than_in_the_fit():
    network, X, hidden = curved_table()
    columns = ValueColumns.of(network, np.zeros(network.n_listed), ColumnKernels.of(network, 0 * X))
    least = (~hidden).sum(axis=1).min()
    assert least > 1
    new = Network.from_dense([[np.nan] * 6, [1.0] + [np.nan] * 5, [1.0] * 6])
    filled = np.full((3, 6), 0.3)
    predicted = columns.for_rows(new, np.zeros(new.n_listed), filled).kernels.predicted
    full = columns.kernels.for_rows(new, filled, np.ones(3)).predicted
    share = np.array([[0.0], [1 / least], [1.0]])
    np.testing.assert_allclose(predicted, filled + share * (full - filled), rtol=1e-5)


@pytest.mark.parametrize("seed", range(2))
def test_columns_that_hardly_vary_do_not_decide_on_the_settings(seed):
    _, X, hidden = curved_table(seed, rows=100, columns=3)
    noise = 1e-6 * np.random.default_rng(seed).normal(size=(100, 5))

    def settings(table):
        there = np.pad(~hidden, ((0, 0), (0, table.shape[1] - 3)), constant_values=True)
        return ColumnKernels.of(Network.from_dense(np.where(there, table, np.nan)), table).settings

    _, bandwidth, ridge = settings(X)
    assert settings(np.hstack([X, noise])) == (0.0, bandwidth, ridge)
