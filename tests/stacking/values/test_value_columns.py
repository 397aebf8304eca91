"""Columns of pairs: counts, corrections and regressions, of directed and undirected networks and new rows."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.values import ColumnKernels, ResidualNeighbours, ValueColumns, residual_neighbours
from tests.stacking.values.test_column_kernels import curved_table
from tests.stacking.values.test_value_parts import residual_network


def every(shape):
    return (each.ravel() for each in np.indices(shape))


@pytest.mark.parametrize("symmetric", [False, True])
def test_columns_are_corrections_and_logarithms_of_counts(symmetric):
    network, residuals = residual_network(symmetric)
    rows, cols = every(network.shape)
    found = ValueColumns.of(network, residuals, None).features(rows, cols)
    corrections = [
        ResidualNeighbours.of(network, residuals, of_rows=of_rows).correction(rows, cols)
        for of_rows in (False, True)
    ]
    known = np.zeros(network.shape)
    known[network.rows[network.known], network.cols[network.known]] = 1
    counts = [known.sum(axis=1), known.sum(axis=0)]
    if symmetric:
        counts = [(known + known.T).sum(axis=1)] * 2
        assert np.any(counts[0] != known.sum(axis=0))
        corrections = [np.mean(corrections, axis=0)] * 2
    of_pairs = np.log1p(counts[0])[rows], np.log1p(counts[1])[cols]
    if symmetric:
        of_pairs = [np.mean(of_pairs, axis=0)] * 2
    assert np.any(corrections[0] != corrections[1]) != symmetric
    np.testing.assert_allclose(found, [*corrections, *of_pairs], rtol=1e-12)


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_pair_has_one_value_in_both_directions_only_if_it_is_undirected(symmetric):
    network, residuals = residual_network(symmetric)
    columns = ValueColumns.of(network, residuals, None)
    one, other = (
        columns.features(*pair) for pair in ((np.array([1]), np.array([4])), (np.array([4]), np.array([1])))
    )
    assert np.allclose(one, other) is symmetric
    assert columns.symmetric is symmetric


def test_regressions_come_first_and_bring_a_centre():
    network, X, _ = curved_table(rows=40)
    filled = np.random.default_rng(0).normal(size=X.shape)
    kernels = ColumnKernels.of(network, filled, (1.0, 1.0, 0.1))
    rows, cols = every(X.shape)
    without, columns = (
        ValueColumns.of(network, np.zeros(network.n_listed), each) for each in (None, kernels)
    )
    assert (without.levels, columns.levels) == (0, 1)
    assert without.centre(rows, cols) is None
    np.testing.assert_array_equal(columns.centre(rows, cols), filled.astype(np.float32).ravel())
    first, *others = columns.features(rows, cols)
    np.testing.assert_array_equal(first, kernels.predicted.ravel())
    np.testing.assert_array_equal(others, without.features(rows, cols))
    assert columns.names == ("regression on other columns", *without.names)
    assert without.names == ("similar columns", "similar rows", "numbers of known entries", "")


@pytest.mark.parametrize("least", [0, 1, 2, 3])
def test_regressions_of_new_rows_count_in_proportion_below_the_least_number(least):
    """Of rows with one known entry they count in full where no fitted row knows more, or none."""
    network, X, hidden = curved_table(rows=40)
    hidden[0, least:] = True
    hidden[0, :least] = False
    hidden[1:] &= np.arange(6) >= 4
    network = Network.from_dense(np.where(hidden, np.nan, X))
    kernels = ColumnKernels.of(network, 0 * X, (1.0, 1.0, 0.1))
    columns = ValueColumns.of(network, np.zeros(network.n_listed), kernels)
    new = Network.from_dense(np.where(np.arange(6) < np.arange(6)[:, None], 0.4, np.nan))
    filled = np.full((6, 6), 0.3)
    full = kernels.for_rows(new, filled, np.ones(6)).predicted
    share = np.minimum(1, np.arange(6) / max(least, 1))[:, None]
    found = columns.for_rows(new, np.zeros(new.n_listed), filled)
    np.testing.assert_allclose(found.kernels.predicted, filled + share * (full - filled), rtol=1e-5)
    assert columns.for_rows(new, np.zeros(new.n_listed), None).kernels is None


@pytest.mark.parametrize(("most", "compared"), [(79, False), (80, True), (81, True)])
def test_neighbours_are_compared_up_to_the_largest_number_of_products(most, compared, monkeypatch):
    """20 rows with two known entries each are 80 products of two residuals in one row."""
    monkeypatch.setattr(residual_neighbours, "MOST_PRODUCTS", most)
    at = np.arange(40)
    network = Network(at // 2, at % 2, shape=(20, 2))
    neighbours = ResidualNeighbours.of(network, np.random.default_rng(0).normal(size=40), of_rows=False)
    assert bool(neighbours.similarity.nnz) is compared


def test_as_many_neighbours_are_kept_as_there_are_columns_at_most():
    network, residuals = residual_network()
    neighbours = ResidualNeighbours.of(network, residuals, of_rows=False)
    assert neighbours.similarity.shape == (9, 9)
    assert neighbours.similarity.nnz == 9 * 8  # all but the column itself
    assert not neighbours.similarity.toarray().diagonal().any()
