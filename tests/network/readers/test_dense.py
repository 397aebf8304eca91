"""Reader of dense arrays, masked arrays and frames of numbers."""

import numpy as np
import pandas
import pytest
import scipy.sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from latentlink.errors import InputError
from latentlink.network import Network
from tests.network.strategies import numbers

nan = np.nan
matrices = hnp.arrays(
    np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=numbers | st.just(nan)
)


@settings(max_examples=25)
@given(matrices)
def test_the_network_of_an_array_gives_the_array(X):
    network = Network.from_dense(X)
    assert network.background == 0
    np.testing.assert_array_equal(network.to_dense(), X)


@settings(max_examples=25)
@given(matrices)
def test_pairs_of_a_symmetric_array_are_listed_once(X):
    side = min(X.shape)
    X = X[:side, :side]
    X = np.where(np.tri(side, dtype=bool), X, X.T)
    network = Network.from_dense(X, symmetric=True)
    np.testing.assert_array_equal(network.to_dense(), X)
    assert network.n_listed == np.count_nonzero(~np.isnan(X[np.triu_indices(side)]))


def test_a_mask_holds_weights():
    X, mask = np.array([[1.0, 2.0], [3.0, nan]]), np.array([[1, 0], [0.5, 1]])
    network = Network.from_dense(X, mask=mask)
    assert network.values.tolist() == [1, 3]
    assert network.weights.tolist() == [1, 0.5]
    assert Network.from_dense(X, mask=scipy.sparse.csr_array(mask)) == network
    assert Network.from_dense(X, mask=[[True, False], [True, True]]).n_listed == 2
    assert not np.isnan(X[0]).any()


@pytest.mark.parametrize(
    "X",
    [
        [[1, 0], [nan, 1]],
        np.ma.masked_array([[1, 0], [7, 1]], mask=[[0, 0], [1, 0]]),
        pandas.DataFrame([[1, 0], [nan, 1]]),
        pandas.DataFrame([[1, 0], [None, 1]], dtype=object),
        pandas.DataFrame([[1, 0], [None, 1]], dtype="Int64"),
        np.array([[True, False], [None, True]], dtype=object),
    ],
)
def test_other_forms_of_an_array_give_the_same_network(X):
    assert Network.from_dense(X) == Network.from_dense(np.array([[1, 0], [nan, 1]]))


def test_an_unknown_row_and_a_single_cell_are_read():
    assert Network.from_dense([[nan, nan], [1, nan]]).n_known == 1
    assert repr(Network.from_dense([[1]])) == "Network: 1 x 1, 1 link, 0 non-links, nothing else"
    assert Network.from_dense([[nan]]).n_known == 0


def test_infinity_where_the_mask_is_0_is_ignored():
    X = np.array([[1.0, np.inf], [-np.inf, 0.0]])
    mask = np.eye(2)
    expected = Network.from_dense([[1.0, nan], [nan, 0.0]], mask=mask)
    assert Network.from_dense(X, mask=mask) == expected
    assert Network.from_dense(X, mask=mask, symmetric=True).n_listed == 2
    with pytest.raises(InputError, match="inf in row 0, column 1"):
        Network.from_dense(X, mask=np.ones((2, 2)))


@pytest.mark.parametrize(
    ("X", "options", "parts"),
    [
        ([[1, np.inf]], {}, ["inf", "row 0, column 1"]),
        ([[1, 10**400]], {}, ["row 0, column 1 that is too large"]),
        ([[1, 2], [3]], {}, ["different length"]),
        ([1, 2], {}, ["shape (2,)"]),
        ([[]], {}, ["shape (1, 0)"]),
        ([["a", "b"]], {}, ["<U1"]),
        ([[1j]], {}, ["complex"]),
        (np.array([[1, "x"]], dtype=object), {}, ["'x'", "row 0, column 1"]),
        (scipy.sparse.eye_array(2), {}, ["sparse", "from_sparse"]),
        ([[1, 2]], {"mask": [[1]]}, ["shape (1, 1)", "shape (1, 2)"]),
        ([[1, 2]], {"mask": [[1, -1]]}, ["-1", "row 0, column 1"]),
        ([[1, 2]], {"mask": [[nan, 1]]}, ["nan", "row 0, column 0"]),
        ([[1, 2]], {"mask": [[1, np.inf]]}, ["The mask has inf in row 0, column 1"]),
        ([[1, 2]], {"symmetric": True}, ["shape (1, 2)"]),
        ([[1, 2], [3, 1]], {"symmetric": True}, ["row 0, column 1 is 2", "row 1, column 0 is 3"]),
        ([[1, 2], [nan, 1]], {"symmetric": True}, ["column 1 is 2", "column 0 is unknown"]),
        (
            [[1, 2], [2, 1]],
            {"symmetric": True, "mask": [[1, 1], [0.5, 1]]},
            ["not symmetric", "row 0, column 1"],
        ),
    ],
)
def test_invalid_arrays_raise_with_row_and_column(X, options, parts):
    with pytest.raises(InputError) as error:
        Network.from_dense(X, **options)
    for part in parts:
        assert part in str(error.value)


@pytest.mark.parametrize("named", ["index", "columns"])
def test_either_side_of_a_symmetric_frame_names_the_nodes(named):
    frame = pandas.DataFrame([[np.nan, 1.0], [1.0, np.nan]]).set_axis(["a", "b"], axis=named)
    network = Network.from_dense(frame, symmetric=True)
    assert network.row_names.tolist() == network.col_names.tolist() == ["a", "b"]


@pytest.mark.parametrize("label", ["nnz", "toarray"])
def test_a_frame_with_a_column_named_as_an_attribute_is_not_sparse(label):
    network = Network.from_dense(pandas.DataFrame({label: [1.0, 2.0], "other": [3.0, 4.0]}))
    assert network.col_names.tolist() == [label, "other"]


def test_a_mask_without_labels_fits_a_frame():
    frame = pandas.DataFrame([[1.0, 2.0]], index=["a"], columns=["x", "y"])
    assert Network.from_dense(frame, mask=np.array([[1, 0]])).values.tolist() == [1]
