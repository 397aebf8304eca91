"""Parts of a stack of values: kinds of values, neighbours and columns."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.values import (
    ResidualNeighbours,
    ValueColumns,
    kind_of_values,
    residual_neighbours,
)

# -------------------------------------------------------------------- kinds of values


@pytest.mark.parametrize(
    ("values", "name", "bounds", "sentence"),
    [
        ([1, 2, 3, 4, 5] * 8, "scale", (1, 5), "from 1 to 5 (5 different values)"),
        ([0.5, 1.0, 4.5, 5.0] * 8, "scale", (0.5, 5), "from 0.5 to 5 (4 different values)"),
        ([0.0, 100.0] * 10 + [*np.linspace(1, 99, 80)], "bounded", (0, 100), "between 0 and 100"),
        ([0, 1, 7, 30, 2, 0, 1, 211] * 4, "counts", (0, np.inf), "counts"),
        (np.linspace(-1.3, 2.1, 32), "real", None, "no bounds"),
        (np.linspace(0.1, 20, 32) ** 2, "real", None, "no bounds"),
    ],
)
def test_kinds_of_values(values, name, bounds, sentence):
    kind = kind_of_values(Network.from_dense(np.reshape(np.float64(values), (4, -1))))
    assert (kind.name, kind.bounds) == (name, bounds)
    assert sentence in kind.sentence


def mixed(*columns, holes=0.2):
    """Return a table of 60 rows: of links, of ratings from 1 to 5, or of real numbers."""
    rng = np.random.default_rng(0)
    drawn = {
        "links": lambda: rng.integers(0, 2, 60),
        "ratings": lambda: rng.choice([1, 1, 1, 2, 3, 4, 5, 5, 5], 60),
        "real": lambda: 10 * rng.normal(size=60),
        "counts": lambda: rng.poisson(40, 60),
        "nothing": lambda: np.full(60, np.nan),
    }
    X = np.column_stack([drawn[column]().astype(float) for column in columns])
    return Network.from_dense(np.where(rng.random(X.shape) < holes, np.nan, X))


@pytest.mark.parametrize(
    ("columns", "low", "high", "said"),
    [
        (
            ("links", "real", "real"),
            [0, -np.inf, -np.inf],
            [1, np.inf, np.inf],
            "of 1 column of 3 are clipped",
        ),
        (("real", "ratings", "links", "nothing"), None, [np.inf, 5, 1, np.inf], "(1 to 5, 0 to 1)"),
        (
            ("counts", "links"),
            [0, 0],
            [np.inf, 1],
            "counts, whose scores are at least 0; scores of 1 column of 2",
        ),
        (("links", "ratings"), [0, 1], [1, 5], "columns on scales of their own (0 to 1, 1 to 5), to which"),
    ],
)
def test_columns_of_another_kind_have_a_range_of_their_own(columns, low, high, said):
    kind = kind_of_values(mixed(*columns))
    ranges = kind.ranges(len(columns))
    if low is not None:
        assert ranges[0].tolist() == low
    assert ranges[1].tolist() == high
    assert said in kind.sentence


@pytest.mark.parametrize(
    "network",
    [
        mixed("ratings", "ratings"),
        mixed("real", "real"),
        mixed("links", "real", holes=0.8),  # hardly a table
        mixed(*["links"] + ["real"] * 299),  # more columns than have regressions
    ],
)
def test_columns_of_one_kind_have_one_range(network):
    kind = kind_of_values(network)
    assert kind.columns == ()
    assert kind.ranges(network.shape[1]) is None


# -------------------------------------------------------------------- neighbours


def residual_network(symmetric=False, seed=0):
    """Return a network of 12 x 9 (or 9 x 9) with holes, and residuals of its listed entries."""
    rng = np.random.default_rng(seed)
    shape = (9, 9) if symmetric else (12, 9)
    there = rng.random(shape) < 0.7
    if symmetric:
        there = np.triu(there, 1)
    rows, cols = np.nonzero(there)
    weights = np.where(rng.random(len(rows)) < 0.1, 0.0, 1.0)
    network = Network(rows, cols, np.ones(len(rows)), weights, shape=shape, symmetric=symmetric)
    residuals = rng.normal(size=len(rows))
    residuals[3] = 0.0
    return network, residuals


def dense_residuals(network, residuals):
    """Return residuals as a matrix with NaN where nothing is known."""
    R = np.full(network.shape, np.nan)
    known = network.known
    R[network.rows[known], network.cols[known]] = residuals[known]
    if network.symmetric:
        R[network.cols[known], network.rows[known]] = residuals[known]
    return R


def dense_correction(R, kept, new=None):
    """Return the correction of every pair by similar columns, entry by entry; or of new columns."""
    there = ~np.isnan(R)
    compared = R if new is None else new
    n, m = compared.shape
    S = np.zeros((R.shape[1], m))
    for j in range(m):
        for other in range(R.shape[1]):
            both = ~np.isnan(compared[:, j]) & there[:, other]
            a, b = compared[both, j], R[both, other]
            if (new is not None or j != other) and both.any() and (a @ a) * (b @ b) > 0:
                S[other, j] = both.sum() / (both.sum() + 50) * (a @ b) / np.sqrt((a @ a) * (b @ b))
    for j in range(m):
        S[np.argsort(-np.abs(S[:, j]), kind="stable")[kept:], j] = 0
    result = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            near = S[there[i], j]
            result[i, j] = R[i, there[i]] @ near / (4 + np.abs(near).sum())
    return result


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("of_rows", [False, True])
@pytest.mark.parametrize("cells", [1 << 21, 10])
def test_corrections_are_their_formula(symmetric, of_rows, cells, monkeypatch):
    monkeypatch.setattr(residual_neighbours, "CELLS", cells)
    monkeypatch.setattr(residual_neighbours, "BLOCK", 4)
    monkeypatch.setattr(residual_neighbours, "KEPT", 3)
    network, residuals = residual_network(symmetric)
    neighbours = ResidualNeighbours.of(network, residuals, of_rows=of_rows)
    rows, cols = (each.ravel() for each in np.indices(network.shape))
    order = np.random.default_rng(1).permutation(len(rows))
    result = np.empty(len(rows))
    result[order] = neighbours.correction(rows[order], cols[order])
    R = dense_residuals(network, residuals)
    expected = dense_correction(R.T, 3).T if of_rows else dense_correction(R, 3)
    np.testing.assert_allclose(result.reshape(network.shape), expected, atol=1e-12)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize("cells", [1 << 21, 10])
def test_corrections_of_new_rows_are_their_formula(symmetric, cells, monkeypatch):
    monkeypatch.setattr(residual_neighbours, "CELLS", cells)
    monkeypatch.setattr(residual_neighbours, "BLOCK", 4)
    monkeypatch.setattr(residual_neighbours, "KEPT", 3)
    fitted, new = residual_network(symmetric), residual_network(seed=1)
    R, N = dense_residuals(*fitted), dense_residuals(*new)
    rows, cols = (each.ravel() for each in np.indices(N.shape))
    corrections = {
        of_rows: ResidualNeighbours.of(*fitted, of_rows=of_rows).for_rows(*new).correction(rows, cols)
        for of_rows in (False, True)
    }
    np.testing.assert_allclose(
        corrections[True].reshape(N.shape), dense_correction(R.T, 3, N.T).T, atol=1e-12
    )
    S = ResidualNeighbours.of(*fitted, of_rows=False).similarity.toarray()
    expected = np.nan_to_num(N) @ S / (4 + ~np.isnan(N) @ np.abs(S))
    np.testing.assert_allclose(corrections[False].reshape(N.shape), expected, atol=1e-12)


def test_neighbours_are_left_out_where_they_would_take_long(monkeypatch):
    monkeypatch.setattr(residual_neighbours, "MOST_PRODUCTS", 10)
    neighbours = ResidualNeighbours.of(*residual_network(), of_rows=False)
    assert neighbours.correction(np.array([0, 1]), np.array([2, 3])).tolist() == [0, 0]
    neighbours = ResidualNeighbours.of(*residual_network(), of_rows=True).for_rows(*residual_network(seed=1))
    assert neighbours.correction(np.array([0, 1]), np.array([2, 3])).tolist() == [0, 0]


# -------------------------------------------------------------------- columns


def test_columns_of_a_pair():
    network, residuals = residual_network()
    columns = ValueColumns.of(network, residuals, None)
    assert columns.levels == 0
    rows, cols = np.array([0, 4]), np.array([1, 8])
    features = columns.features(rows, cols)
    assert len(features) == len(columns.names) == 4
    known = network.known
    for side, (ends, nodes) in enumerate(((network.rows, rows), (network.cols, cols))):
        counts = [np.sum(ends[known] == node) for node in nodes]
        np.testing.assert_allclose(features[2 + side], np.log1p(counts))


def test_numbers_of_known_entries_of_new_rows_stay_among_those_of_fitted_rows():
    network, residuals = residual_network()
    columns = ValueColumns.of(network, residuals, None)
    new = Network.from_dense([[1.0] * 9, [np.nan] * 8 + [1.0], [2.0] * 6 + [np.nan] * 3])
    rows = columns.for_rows(new, np.zeros(new.n_listed), None)
    counts = np.bincount(network.rows[network.known])
    expected = np.log1p(np.clip([9, 1, 6], counts.min(), counts.max()))
    np.testing.assert_allclose(rows.features(np.arange(3), np.zeros(3, int))[-2], expected)
    np.testing.assert_array_equal(rows.known[1], columns.known[1])
