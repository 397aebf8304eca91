import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network, Step
from latentlink.network.compressed import index_dtype
from tests.network.strategies import networks


def small(**options):
    return Network([2, 0, 0], [1, 1, 0], [3.0, 0.0, 1.0], [1.0, 0.5, 0.0], shape=(3, 2), **options)


class TestRecord:
    def test_entries_stand_by_row_then_column_whatever_the_listing(self):
        assert small().rows.tolist() == [0, 0, 2]
        assert small().cols.tolist() == [0, 1, 1]
        assert small().values.tolist() == [1, 0, 3]
        assert small().weights.tolist() == [0, 0.5, 1]

    def test_a_symmetric_pair_is_one_fact(self):
        one = Network([0, 2], [1, 0], [1, 2], shape=(3, 3), symmetric=True)
        other = Network([0, 1], [2, 0], [2, 1], shape=(3, 3), symmetric=True)
        assert one == other
        assert one.n_pairs == 6

    def test_it_never_changes(self):
        network = small()
        with pytest.raises(AttributeError, match="never changes"):
            network.values = 1
        with pytest.raises(AttributeError, match="never changes"):
            del network.values
        for array in (network.rows, network.values, network.known, network.repeated, network.csr.indices):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    @pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda it: pickle.loads(pickle.dumps(it))])
    def test_a_copy_is_equal_and_as_immutable(self, copied):
        network = small(row_names=["a", "b", "c"])
        assert network.csr is not None
        again = copied(network)
        assert again == network
        assert not again.values.flags.writeable
        assert again.history == network.history

    def test_arrays_handed_in_are_neither_kept_nor_changed(self):
        rows, values, weights = np.array([1, 0]), np.array([1.0, 2.0]), np.broadcast_to(np.ones(1), (2,))
        network = Network(rows, rows, values, weights, shape=(2, 2))
        rows[:], values[:] = 0, 9
        weights.base[:] = 7
        assert network.rows.tolist() == [0, 1]
        assert network.values.tolist() == [2, 1]
        assert network.weights.tolist() == [1, 1]
        assert values.flags.writeable

    def test_equality_looks_at_everything_but_history(self):
        network = small()
        assert network == network.with_step(Step("x", 0, "Nothing."))
        for other in (
            network.with_background(1),
            network.with_values([1, 1, 1]),
            network.with_weights([1, 1, 1]),
            small(row_names=["a", "b", "c"]),
            network.transposed(),
            "something else",
        ):
            assert network != other
        square = Network([0], [1], shape=(2, 2))
        assert square != Network([0], [1], shape=(2, 2), square=True)

    def test_it_has_no_hash(self):
        with pytest.raises(TypeError):
            hash(small())


class TestCounts:
    def test_hidden_entries_are_listed_but_not_known(self):
        network = small()
        assert (network.n_listed, network.n_known, len(network)) == (3, 2, 3)
        assert network.hide([1]).n_known == 1
        assert network.hide(network.values == 3).n_known == 1

    def test_repeated_pairs_make_it_unclean(self):
        network = Network([0, 1, 0], [1, 0, 1], shape=(2, 2))
        assert not network.is_clean
        assert network.repeated.tolist() == [False, True, False]
        with pytest.raises(IncompatibleError, match=r"1 entry .* drop_duplicates"):
            network.require_clean("to_dense")

    def test_self_loops_need_one_kind_of_nodes(self):
        assert not Network([0], [0], shape=(2, 2)).has_self_loops
        assert Network([0], [0], shape=(2, 2), square=True).has_self_loops
        assert not Network([0], [1], shape=(2, 2), symmetric=True).has_self_loops

    def test_binary_asks_known_values_only(self):
        assert not small().is_binary
        assert small().hide([2]).is_binary


class TestViews:
    @given(networks())
    def test_views_hold_every_entry_where_it_belongs(self, network):
        for view, major, minor in (
            (network.csr, network.rows, network.cols),
            (network.csc, network.cols, network.rows),
        ):
            line = np.repeat(np.arange(len(view.indptr) - 1), np.diff(view.indptr))
            found = {(i, j, p) for i, j, p in zip(line, view.indices, view.position, strict=True)}
            places = range(network.n_listed)
            expected = {(i, j, p) for i, j, p in zip(major, minor, places, strict=True)}
            if network.symmetric:
                expected |= {(j, i, p) for i, j, p in expected}
            assert found == expected
            assert len(view) == len(found)
            inner = np.diff(view.indices)[np.diff(line) == 0]
            assert (inner >= 0).all()

    def test_symmetric_views_are_one_object_and_cached(self):
        network = Network([0], [1], shape=(2, 2), symmetric=True)
        assert network.csr is network.csc
        assert network.with_values([5]).csr is network.csr

    def test_indices_are_int32_until_they_do_not_fit(self):
        assert small().csr.indices.dtype == np.int32
        assert small().rows.dtype == np.int32
        assert index_dtype(2**31 - 1) is np.int32
        assert index_dtype(5, 2**31) is np.int64
        # A shape past 2^31 costs nothing as long as nobody asks for its row pointer.
        wide = Network([0], [2**31], shape=(1, 2**31 + 1))
        assert wide.cols.dtype == np.int64
        assert wide.csr.indices.dtype == np.int64
        assert wide.cols.tolist() == [2**31]

    def test_a_pair_number_past_int64_still_sorts(self):
        n = 2**40
        network = Network([n - 1, 0, n - 1], [0, n - 1, n - 1], [1, 2, 3], shape=(n, n))
        assert network.values.tolist() == [2, 1, 3]


class TestDerived:
    def test_subset_keeps_names_and_background(self):
        network = small(background=1.0, col_names=["x", "y"])
        part = network.subset(network.values > 0)
        assert part.n_listed == 2
        assert part.background == 1
        assert part.col_names is network.col_names
        assert network.subset([]).n_listed == 0

    def test_transposing_twice_changes_nothing(self):
        network = small(row_names=["a", "b", "c"], col_names=["x", "y"])
        assert network.transposed().shape == (2, 3)
        assert network.transposed().row_names.tolist() == ["x", "y"]
        assert network.transposed().transposed() == network
        symmetric = Network([0], [1], shape=(2, 2), symmetric=True)
        assert symmetric.transposed() is symmetric

    @pytest.mark.parametrize(
        ("which", "message"),
        [
            ([0.5], "type float64"),
            ([3], "no listed entry 3"),
            ([-1], "no listed entry -1"),
            ([[True]], "shape"),
        ],
    )
    def test_a_wrong_choice_is_refused(self, which, message):
        with pytest.raises(InputError, match=message):
            small().subset(which)


class TestRepr:
    @pytest.mark.parametrize(
        ("network", "expected"),
        [
            (small(), "Network: 3 x 2, 2 values from 0 to 3, 1 hidden, rest unknown"),
            (small(background=1).hide([2]), "Network: 3 x 2, 0 links, 1 non-link, 2 hidden, rest zero"),
            (
                Network([0, 0], [1, 1], shape=(2, 2), background=0.25, square=True),
                "Network: 2 x 2, directed, 2 links, 0 non-links, 1 listed again, rest zero with weight 0.25",
            ),
            (Network([0], [0], shape=(1, 1)), "Network: 1 x 1, 1 link, 0 non-links, nothing else"),
            (Network([], [], shape=(1000, 2)), "Network: 1,000 x 2, nothing known, rest unknown"),
            (
                Network([0], [1], shape=(2, 2), symmetric=True, background=1),
                "Network: 2 x 2, symmetric, 1 link, 0 non-links, nothing else",
            ),
        ],
    )
    def test_it_says_what_is_known_in_one_line(self, network, expected):
        assert repr(network) == expected


class TestNames:
    def test_nodes_are_found_by_index_and_by_name(self):
        network = small(row_names=["10", "b", "c"])
        assert network.row_index("10") == 0
        assert network.row_index(1) == 1
        assert network.row_index(np.int32(2)) == 2
        assert network.row_indices(["c", "10", "c"]).tolist() == [2, 0, 2]
        assert network.row_indices(np.array(["b"])).tolist() == [1]
        assert network.col_indices(np.array([1, 0])).tolist() == [1, 0]
        assert network.col_indices([]).tolist() == []
        assert network.position("c", 1) == 2

    def test_a_symmetric_network_finds_a_pair_in_either_direction(self):
        network = Network([0], [1], shape=(2, 2), symmetric=True, row_names=["a", "b"])
        assert network.position("b", "a") == network.position("a", "b") == 0
        assert network.col_indices(["b"]).tolist() == [1]

    @pytest.mark.parametrize(
        ("ask", "message"),
        [
            (lambda it: it.row_index("z"), "No row has the name 'z'"),
            (lambda it: it.row_index(3), "no row 3: the network has 3 rows"),
            (lambda it: it.row_index(True), "expected an index"),
            (lambda it: it.row_index(1.0), "expected an index"),
            (lambda it: it.col_index("x"), "columns have no names"),
            (lambda it: it.row_indices(["a", "zz"]), "No row has the name 'zz'"),
            (lambda it: it.row_indices([0, -1]), "no row -1"),
            (lambda it: it.row_indices(np.array([0, 5])), "no row 5"),
            (lambda it: it.row_indices([["a"]]), "expected one dimension"),
            (lambda it: it.position("a", 5), "no column 5"),
            (lambda it: it.position("b", 1), r"\('b', 1\) is not listed"),
        ],
    )
    def test_unknown_nodes_and_pairs_are_refused_by_name(self, ask, message):
        with pytest.raises(InputError, match=message):
            ask(small(row_names=["a", "b", "c"]))

    def test_one_kind_of_nodes_has_one_set_of_names(self):
        network = Network([0], [1], shape=(2, 2), square=True, row_names=["a", "b"], col_names=["a", "b"])
        assert network.col_names is network.row_names
        with pytest.raises(InputError, match="one set of names"):
            Network([0], [1], shape=(2, 2), symmetric=True, row_names=["a", "b"], col_names=["b", "a"])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([0], [0]), {"shape": (0, 1)}, "at least one row"),
        (([0], [0]), {"shape": (2, 3), "symmetric": True}, "2 x 3"),
        (([0], [0]), {"shape": 3}, "expected two integers"),
        (([0], [0]), {"shape": (2.5, 3)}, "expected two integers"),
        (([0, 4], [0, 0]), {"shape": (3, 3)}, "row index of listed entry 1 is 4"),
        (([0, 1], [0, -1]), {"shape": (3, 3)}, "column index of listed entry 1 is -1"),
        (([0.5], [0]), {"shape": (3, 3)}, "float64"),
        (([0, 1], [0]), {"shape": (3, 3)}, "2 row indices but 1 column"),
        (([0], [0], [np.nan]), {"shape": (3, 3)}, "value of listed entry 0 is nan"),
        (([0], [0], [np.inf]), {"shape": (3, 3)}, "value of listed entry 0 is inf"),
        (([0], [0], ["x"]), {"shape": (3, 3)}, "expected real numbers"),
        (([0], [0], [1, 2]), {"shape": (3, 3)}, r"shape \(2,\)"),
        (([0], [0], [1], [-1]), {"shape": (3, 3)}, "weight of listed entry 0 is -1"),
        (([0], [0]), {"shape": (3, 3), "background": -1}, "background weight is -1"),
        (([0], [0]), {"shape": (3, 3), "background": np.nan}, "background weight is nan"),
        (([0], [0]), {"shape": (2, 1), "row_names": ["a"]}, "1 row names for 2 rows"),
        (([0], [0]), {"shape": (2, 1), "row_names": ["a", "a"]}, "'a' stands 2 times"),
        (([0], [0]), {"shape": (2, 1), "row_names": ["a", ""]}, "place 1 is ''"),
        (([0], [0]), {"shape": (2, 1), "row_names": np.array(["a", ""])}, "place 1 is ''"),
        (([0], [0]), {"shape": (2, 1), "row_names": ["a", 7]}, "place 1 is 7"),
        (([0], [0]), {"shape": (1, 2), "col_names": ["a", "a\0"]}, "null character"),
    ],
)
def test_parts_that_make_no_sense_are_refused(arguments, options, message):
    with pytest.raises(InputError, match=message):
        Network(*arguments, **options)


def test_one_endless_name_among_many_is_refused_before_it_fills_the_memory():
    names = ["x" * 10**6, *map(str, range(1000))]
    with pytest.raises(InputError, match="1,000,000 characters"):
        Network([0], [0], shape=(1001, 1), row_names=names)


def test_importing_it_is_light():
    heavy = [
        "scipy",
        "sklearn",
        "numba",
        "narwhals",
        "pandas",
        "polars",
        "pyarrow",
        "networkx",
        "gzip",
        "csv",
    ]
    code = f"import sys, latentlink.network; print([name for name in {heavy} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
