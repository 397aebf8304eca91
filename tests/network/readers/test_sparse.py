"""Reader of SciPy sparse matrices."""

import numpy as np
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
    np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=numbers | st.just(0.0)
)


@settings(max_examples=25)
@given(matrices, st.sampled_from(["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]))
def test_the_network_of_a_matrix_gives_the_matrix_in_every_format(X, form):
    matrix = scipy.sparse.coo_array(X).asformat(form)
    network = Network.from_sparse(matrix, unstored="zero")
    np.testing.assert_array_equal(network.to_dense(), X)
    assert network.background == 1
    again = network.to_sparse(form)
    assert again.format == form
    np.testing.assert_array_equal(again.toarray(), X)


def test_unstored_entries_may_be_unknown_and_explicit_zeros_are_known():
    matrix = scipy.sparse.coo_array(([0.0, 5.0], ([0, 1], [0, 1])), shape=(2, 2))
    network = Network.from_sparse(matrix, unstored="unknown")
    np.testing.assert_array_equal(network.to_dense(), [[0, nan], [nan, 5]])
    assert network.to_sparse().nnz == 2


REPEATED = scipy.sparse.coo_array(([1.0, 2.0, 5.0, 1.0], ([0, 0, 1, 0], [1, 1, 0, 1])), shape=(2, 2))


def compressed(form):
    """Return the matrix with repeated entries in a format of its own, which SciPy's conversions would sum."""
    if form == "coo":
        return REPEATED
    if form == "csr":
        return scipy.sparse.csr_array(([1.0, 2.0, 1.0, 5.0], [1, 1, 1, 0], [0, 3, 4]), shape=(2, 2))
    return scipy.sparse.csc_array(([5.0, 1.0, 2.0, 1.0], [1, 0, 0, 0], [0, 1, 4]), shape=(2, 2))


@pytest.mark.parametrize("form", ["coo", "csr", "csc"])
@pytest.mark.parametrize("symmetric", [False, True])
def test_repeated_entries_raise(form, symmetric):
    matrix = compressed(form)
    with pytest.raises(InputError) as error:
        Network.from_sparse(matrix, unstored="zero", symmetric=symmetric)
    assert str(error.value) == (
        "The sparse matrix stores row 0, column 1 (counted from 0) more than once, as 1 and as 2; in the "
        "whole matrix 2 entries repeat another. Expected every entry once. To have them added, as "
        'SciPy does, call matrix.sum_duplicates() before; or read with duplicates="keep" and use '
        "drop_duplicates and resolve_conflicts of latentlink.network."
    )
    assert matrix.nnz == 4


@pytest.mark.parametrize("form", ["coo", "csr", "csc"])
def test_repeated_entries_are_kept_on_request_and_can_be_added_before(form):
    network = Network.from_sparse(compressed(form), unstored="zero", duplicates="keep")
    assert sorted(network.values.tolist()) == [1, 1, 2, 5]
    assert not network.is_clean
    added = compressed(form).copy()
    added.sum_duplicates()
    assert Network.from_sparse(added, unstored="zero").values.tolist() == [4, 5]
    with pytest.raises(InputError, match="duplicates is 'sum'; expected one of 'raise', 'keep'"):
        Network.from_sparse(added, unstored="zero", duplicates="sum")
    (step,) = Network.from_sparse(scipy.sparse.eye_array(2), unstored="zero").history
    assert step.sentence == "Read 2 entries."


def test_pairs_of_a_symmetric_matrix_are_listed_once():
    matrix = scipy.sparse.csr_matrix([[0, 2, 0], [2, 1, 0], [0, 0, 0]])
    network = Network.from_sparse(matrix, unstored="zero", symmetric=True, row_names=["a", "b", "c"])
    assert network.n_listed == 2
    assert network.col_names.tolist() == ["a", "b", "c"]
    np.testing.assert_array_equal(network.to_sparse().toarray(), matrix.toarray())
    named = Network.from_sparse(matrix, unstored="zero", col_names=["x", "y", "z"])
    assert named.col_names.tolist() == ["x", "y", "z"]


@pytest.mark.parametrize(
    ("matrix", "options", "parts"),
    [
        (scipy.sparse.eye_array(2), {}, ["unstored is None", 'unstored="zero"', 'unstored="unknown"']),
        (scipy.sparse.eye_array(2), {"unstored": "missing"}, ["'missing'"]),
        (np.eye(2), {"unstored": "zero"}, ["type ndarray", "from_dense"]),
        (scipy.sparse.coo_array([1.0, 2.0]), {"unstored": "zero"}, ["shape (2,)"]),
        (scipy.sparse.csr_array([[1j]]), {"unstored": "zero"}, ["complex"]),
        (scipy.sparse.csr_array([[0, nan]]), {"unstored": "zero"}, ["nan", "row 0, column 1"]),
        (scipy.sparse.csr_array([[1, 2]]), {"unstored": "zero", "symmetric": True}, ["shape (1, 2)"]),
        (
            scipy.sparse.csr_array([[0, 2], [0, 0]]),
            {"unstored": "zero", "symmetric": True},
            ["row 0, column 1 is 2", "row 1, column 0 is not stored", "triu"],
        ),
        (
            scipy.sparse.coo_array(([0.0], ([0], [1])), shape=(2, 2)),
            {"unstored": "unknown", "symmetric": True},
            ["row 0, column 1 is 0", "row 1, column 0 is not stored"],
        ),
    ],
)
def test_invalid_matrices_raise(matrix, options, parts):
    with pytest.raises(InputError) as error:
        Network.from_sparse(matrix, **options)
    for part in parts:
        assert part in str(error.value)


def test_an_explicit_zero_equals_an_unstored_one_if_unstored_entries_are_zeros():
    matrix = scipy.sparse.coo_array(([0.0], ([0], [1])), shape=(2, 2))
    assert Network.from_sparse(matrix, unstored="zero", symmetric=True).n_known == 1
