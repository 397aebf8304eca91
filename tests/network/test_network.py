"""Network: construction, immutability, counts, derived networks, text representation."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network, Step
from latentlink.network.network import require_network
from tests.network.strategies import networks, networks_with_duplicates


def small(**options):
    return Network([2, 0, 0], [1, 1, 0], [3.0, 0.0, 1.0], [1.0, 0.5, 0.0], shape=(3, 2), **options)


class TestConstruction:
    def test_entries_are_sorted_by_row_then_column(self):
        assert small().rows.tolist() == [0, 0, 2]
        assert small().cols.tolist() == [0, 1, 1]
        assert small().values.tolist() == [1, 0, 3]
        assert small().weights.tolist() == [0, 0.5, 1]

    def test_entries_are_the_four_arrays(self):
        network = small()
        rows, cols, values, weights = network.entries
        assert rows is network.rows
        assert cols is network.cols
        assert values is network.values
        assert weights is network.weights
        assert network.entries.weights is network.weights

    def test_both_directions_of_a_symmetric_pair_are_the_same_entry(self):
        one = Network([0, 2], [1, 0], [1, 2], shape=(3, 3), symmetric=True)
        other = Network([0, 1], [2, 0], [2, 1], shape=(3, 3), symmetric=True)
        assert one == other
        assert one.n_pairs == 6

    def test_arguments_are_copied_and_unchanged(self):
        rows, values, weights = np.array([1, 0]), np.array([1.0, 2.0]), np.broadcast_to(np.ones(1), (2,))
        network = Network(rows, rows, values, weights, shape=(2, 2))
        rows[:], values[:] = 0, 9
        weights.base[:] = 7
        assert network.rows.tolist() == [0, 1]
        assert network.values.tolist() == [2, 1]
        assert network.weights.tolist() == [1, 1]
        assert values.flags.writeable


class TestImmutability:
    def test_attributes_and_arrays_cannot_be_changed(self):
        network = small()
        with pytest.raises(AttributeError, match="is immutable, so its 'values' cannot be set"):
            network.values = 1
        with pytest.raises(AttributeError, match="is immutable, so its 'values' cannot be deleted"):
            del network.values
        for array in (network.rows, network.values, network.known, network.repeated, network.csr.indices):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1

    @pytest.mark.parametrize("copied", [copy.deepcopy, copy.copy, lambda it: pickle.loads(pickle.dumps(it))])
    def test_a_copy_is_equal_and_immutable(self, copied):
        network = small(row_names=["a", "b", "c"])
        assert network.csr is not None
        again = copied(network)
        assert again == network
        assert not again.values.flags.writeable
        assert again.history == network.history

    def test_networks_are_not_hashable(self):
        with pytest.raises(TypeError):
            hash(small())

    def test_equality_compares_everything_but_history(self):
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


class TestCounts:
    def test_hidden_entries_are_listed_but_not_known(self):
        network = small()
        assert (network.n_listed, network.n_known, len(network)) == (3, 2, 3)
        assert network.hide([1]).n_known == 1
        assert network.hide(network.values == 3).n_known == 1

    @settings(max_examples=25)
    @given(networks_with_duplicates())
    def test_repeated_entries_are_those_whose_pair_was_listed_before(self, network):
        pairs = list(zip(network.rows.tolist(), network.cols.tolist(), strict=True))
        expected = [pair in pairs[:position] for position, pair in enumerate(pairs)]
        assert network.repeated.tolist() == expected
        assert network.is_clean == (not any(expected))

    def test_repeated_pairs_raise_where_each_must_be_listed_once(self):
        network = Network([0, 1, 0], [1, 0, 1], shape=(2, 2))
        with pytest.raises(IncompatibleError, match=r"^to_dense needs .* 1 entry repeats .* drop_duplicates"):
            network.require_clean("to_dense")

    def test_only_square_networks_have_self_loops(self):
        assert not Network([0], [0], shape=(2, 2)).has_self_loops
        assert Network([0], [0], shape=(2, 2), square=True).has_self_loops
        assert not Network([0], [1], shape=(2, 2), symmetric=True).has_self_loops

    def test_hidden_values_need_not_be_binary(self):
        assert not small().is_binary
        assert small().hide([2]).is_binary


class TestDerivedNetworks:
    def test_subset_keeps_names_and_background(self):
        network = small(background=1.0, col_names=["x", "y"])
        part = network.subset(network.values > 0)
        assert part.n_listed == 2
        assert part.background == 1
        assert part.col_names is network.col_names
        assert network.subset([]).n_listed == 0

    def test_relisted_changes_only_what_is_given(self):
        network = small(background=1.0, row_names=["a", "b", "c"])
        other = network.relisted([1], [0], background=0.5)
        assert other == Network([1], [0], shape=(3, 2), background=0.5, row_names=["a", "b", "c"])
        assert other.history == network.history

    @settings(max_examples=25)
    @given(networks(named=True))
    def test_transposing_twice_changes_nothing(self, network):
        transposed = network.transposed()
        assert transposed.transposed() == network
        assert transposed.shape == network.shape[::-1]
        np.testing.assert_array_equal(transposed.to_dense(), network.to_dense().T)
        assert (transposed is network) == network.symmetric
        np.testing.assert_array_equal(transposed.row_names, network.col_names)

    @pytest.mark.parametrize(
        ("which", "message"),
        [
            ([0.5], "type float64"),
            ([3], "no listed entry 3"),
            ([-1], "no listed entry -1"),
            ([[True]], "shape"),
        ],
    )
    def test_an_invalid_selection_of_entries_raises(self, which, message):
        with pytest.raises(InputError, match=message):
            small().subset(which)
        with pytest.raises(InputError, match=message):
            small().hide(which)


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
            Network([0, 0, 0], [0, 1, 1], [2, 3, 3], shape=(1, 2)),
            "Network: 1 x 2, 3 values from 2 to 3, 1 listed again, nothing else",
        ),
        (
            Network([0, 0], [1, 1], shape=(1, 3), background=1),
            "Network: 1 x 3, 2 links, 0 non-links, 1 listed again, rest zero",
        ),
        (
            Network([0, 0, 1], [0, 1, 1], shape=(2, 2), symmetric=True),
            "Network: 2 x 2, symmetric, 3 links, 0 non-links, nothing else",
        ),
        (
            Network([0, 0], [0, 1], shape=(2, 2), symmetric=True),
            "Network: 2 x 2, symmetric, 2 links, 0 non-links, rest unknown",
        ),
        (
            Network([0], [1], shape=(2, 2), symmetric=True, background=1),
            "Network: 2 x 2, symmetric, 1 link, 0 non-links, nothing else",
        ),
    ],
)
def test_repr_describes_shape_counts_and_unlisted_pairs(network, expected):
    assert repr(network) == expected


def test_anything_but_a_network_raises_with_the_function_that_got_it():
    require_network(small(), "binarize")
    with pytest.raises(InputError, match="binarize was given an object of type ndarray; expected a Network"):
        require_network(np.eye(2), "binarize")


@pytest.mark.slow
def test_importing_networks_imports_no_heavy_package():
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
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
