"""Conversion between undirected networks and symmetric matrices."""

import numpy as np
import pytest
from hypothesis import given, settings

from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_matrix, as_symmetric
from tests.network.strategies import networks

nan = np.nan


@settings(max_examples=30)
@given(networks())
def test_a_network_as_a_matrix_has_the_same_cells_and_is_not_symmetric(network):
    matrix = as_matrix(network)
    assert not matrix.symmetric
    assert (matrix is network) == (not network.symmetric)
    np.testing.assert_array_equal(matrix.to_dense(), network.to_dense())
    weights = [it.with_values(it.weights).to_dense() for it in (matrix, network)]
    np.testing.assert_array_equal(*weights)
    assert matrix.background == network.background


@settings(max_examples=30)
@given(networks())
def test_the_matrix_of_an_undirected_network_is_found_symmetric_again(network):
    again = as_symmetric(as_matrix(network))
    if not network.symmetric:
        assert again is network or again.symmetric
        return
    assert again.symmetric
    loops = network.rows == network.cols
    expected = network if network.values[loops].any() else network.subset(~loops)
    assert again == expected


@pytest.mark.parametrize(
    "X",
    [
        [[0, 1], [0, 0]],
        [[nan, 1], [nan, nan]],
        [[1, 2, 3], [2, 1, 3]],
    ],
)
def test_a_matrix_that_differs_from_its_transpose_is_unchanged(X):
    network = Network.from_dense(X)
    assert as_symmetric(network) is network


def test_a_matrix_with_more_columns_than_rows_is_unchanged():
    network = Network([0, 1], [1, 0], shape=(2, 3))
    assert as_symmetric(network) is network


def test_values_weights_and_known_cells_must_all_agree():
    X = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert as_symmetric(Network.from_dense(X)).symmetric
    for mask in ([[1, 1], [0.5, 1]], [[1, 1], [0, 1]]):
        assert not as_symmetric(Network.from_dense(X, mask=mask)).symmetric


def test_a_diagonal_of_zeros_is_left_out_and_other_self_loops_are_not():
    without = as_symmetric(Network.from_dense([[0, 1], [1, 0]]))
    assert list(zip(without.rows, without.cols, strict=True)) == [(0, 1)]
    with_loops = as_symmetric(Network.from_dense([[0, 1], [1, 2]]))
    assert with_loops.n_listed == 3
    assert with_loops.has_self_loops


@pytest.mark.parametrize("side", ["row_names", "col_names"])
def test_names_of_one_side_become_names_of_the_nodes(side):
    matrix = Network([0, 1], [1, 0], shape=(2, 2), **{side: ["a", "b"]})
    network = as_symmetric(matrix)
    assert network.row_names.tolist() == network.col_names.tolist() == ["a", "b"]
    assert as_matrix(network).col_names.tolist() == ["a", "b"]
