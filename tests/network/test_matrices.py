import numpy as np
import pandas
import polars
import pyarrow
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from tests.network.strategies import networks, numbers

nan = np.nan
cells = numbers | st.just(nan)


def matrices(elements=cells):
    return hnp.arrays(np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=6), elements=elements)


class TestDense:
    @given(matrices())
    def test_there_and_back(self, X):
        network = Network.from_dense(X)
        assert network.background == 0
        np.testing.assert_array_equal(network.to_dense(), X)

    @given(matrices())
    def test_a_symmetric_matrix_lists_each_pair_once(self, X):
        side = min(X.shape)
        X = X[:side, :side]
        X = np.where(np.tri(side, dtype=bool), X, X.T)
        network = Network.from_dense(X, symmetric=True)
        np.testing.assert_array_equal(network.to_dense(), X)
        assert network.n_listed == np.count_nonzero(~np.isnan(np.triu(X)) & np.triu(np.ones_like(X, bool)))

    def test_mask_hides_and_weighs(self):
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
    def test_other_forms_mean_the_same(self, X):
        assert Network.from_dense(X) == Network.from_dense(np.array([[1, 0], [nan, 1]]))

    def test_labels_that_are_strings_become_names(self):
        frame = pandas.DataFrame([[1.0, 2.0]], index=["a"], columns=["x", "y"])
        network = Network.from_dense(frame)
        assert network.row_names.tolist() == ["a"]
        assert network.col_names.tolist() == ["x", "y"]
        for other in (polars.DataFrame({"x": [1.0], "y": [2.0]}), pyarrow.table({"x": [1.0], "y": [2.0]})):
            assert Network.from_dense(other).col_names.tolist() == ["x", "y"]
            assert Network.from_dense(other).values.tolist() == [1, 2]

    def test_an_empty_row_and_a_single_cell_are_fine(self):
        assert Network.from_dense([[nan, nan], [1, nan]]).n_known == 1
        assert repr(Network.from_dense([[1]])) == "Network: 1 x 1, 1 link, 0 non-links, nothing else"
        assert Network.from_dense([[nan]]).n_known == 0

    @pytest.mark.parametrize(
        ("X", "options", "parts"),
        [
            ([[1, np.inf]], {}, ["inf", "row 0, column 1"]),
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
            ([[1, 2]], {"symmetric": True}, ["shape (1, 2)"]),
            ([[1, 2], [3, 1]], {"symmetric": True}, ["row 0, column 1 is 2", "row 1, column 0 is 3"]),
            ([[1, 2], [nan, 1]], {"symmetric": True}, ["column 1 is 2", "column 0 is unknown"]),
            (
                [[1, 2], [2, 1]],
                {"symmetric": True, "mask": [[1, 1], [0.5, 1]]},
                ["not symmetric", "row 0, column 1"],
            ),
            (pandas.DataFrame([[1.0]], index=[5]), {}, ["index", "5", "strings"]),
            (pandas.DataFrame([[1.0, 2.0]], columns=["a", 5]), {}, ["columns", "'a'"]),
            (
                pandas.DataFrame([[1.0]], index=["a"]),
                {"mask": pandas.DataFrame([[1.0]], index=["b"])},
                ["index"],
            ),
        ],
    )
    def test_wrong_matrices_are_refused_with_the_place(self, X, options, parts):
        with pytest.raises(InputError) as error:
            Network.from_dense(X, **options)
        for part in parts:
            assert part in str(error.value)


class TestSparse:
    @given(matrices(numbers), st.sampled_from(["csr", "csc", "coo", "lil", "dok", "bsr", "dia"]))
    def test_there_and_back_in_every_format(self, X, form):
        matrix = scipy.sparse.coo_array(X).asformat(form)
        network = Network.from_sparse(matrix, unstored="zero")
        np.testing.assert_array_equal(network.to_dense(), X)
        assert network.background == 1
        back = network.to_sparse(form)
        assert back.format == form
        np.testing.assert_array_equal(back.toarray(), X)

    def test_unstored_may_be_unknown_and_stored_zeros_stay(self):
        matrix = scipy.sparse.coo_array(([0.0, 5.0], ([0, 1], [0, 1])), shape=(2, 2))
        network = Network.from_sparse(matrix, unstored="unknown")
        np.testing.assert_array_equal(network.to_dense(), [[0, nan], [nan, 5]])
        assert network.to_sparse().nnz == 2

    def test_repeated_entries_are_added_up_and_told(self):
        matrix = scipy.sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
        network = Network.from_sparse(matrix, unstored="zero")
        assert network.values.tolist() == [3]
        assert "1 stored entries repeat" in network.history[0].sentence
        assert matrix.nnz == 2

    def test_symmetric_matrices_list_each_pair_once(self):
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
            (scipy.sparse.eye_array(2), {}, ['unstored="zero"', 'unstored="unknown"']),
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
    def test_wrong_sparse_matrices_are_refused(self, matrix, options, parts):
        with pytest.raises(InputError) as error:
            Network.from_sparse(matrix, **options)
        for part in parts:
            assert part in str(error.value)


class TestOut:
    @given(networks())
    def test_dense_shows_what_each_pair_means(self, network):
        X = network.to_dense()
        for i in range(network.shape[0]):
            for j in range(network.shape[1]):
                try:
                    place = network.position(i, j)
                except InputError:
                    loop = network.symmetric and i == j and not network.has_self_loops
                    expected = 0.0 if network.background and not loop else nan
                else:
                    expected = network.values[place] if network.known[place] else nan
                assert X[i, j] == expected or np.isnan([X[i, j], expected]).all()

    @given(networks())
    def test_sparse_holds_known_values_in_both_directions(self, network):
        stored = network.to_sparse("coo")
        known = network.to_dense(fill=nan)
        listed = network.with_background(0).to_dense()
        assert stored.nnz == np.count_nonzero(~np.isnan(listed))
        np.testing.assert_array_equal(stored.data, known[stored.row, stored.col])

    def test_a_large_dense_array_is_refused_with_the_limit(self):
        network = Network([0], [0], shape=(10_000, 1_001))
        with pytest.raises(InputError, match=r"10,010,000 cells, more than the limit of 10,000,000"):
            network.to_dense()
        assert Network([0], [0], shape=(3, 3)).to_dense(limit=9).shape == (3, 3)
        with pytest.raises(InputError, match="limit of 8"):
            Network([0], [0], shape=(3, 3)).to_dense(limit=8)

    def test_fill_stands_where_nothing_is_known(self):
        np.testing.assert_array_equal(Network([0], [0], shape=(1, 2)).to_dense(fill=-1), [[1, -1]])

    def test_unclean_networks_and_odd_formats_are_refused(self):
        network = Network([0, 0], [1, 1], shape=(2, 2))
        with pytest.raises(IncompatibleError, match="to_dense needs every pair listed once"):
            network.to_dense()
        with pytest.raises(IncompatibleError, match="to_sparse needs every pair listed once"):
            network.to_sparse()
        with pytest.raises(InputError, match="format is 'xyz'"):
            Network([0], [0], shape=(1, 1)).to_sparse("xyz")
