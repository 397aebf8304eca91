"""Conversions of a Network to dense arrays, sparse matrices and data frames."""

import builtins

import narwhals as nw
import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from tests.network.strategies import edge_lists, networks

BACKENDS = ["pandas", "polars", "pyarrow"]


class TestDense:
    @settings(max_examples=30)
    @given(networks())
    def test_cells_are_values_zeros_or_unknown(self, network):
        X = network.to_dense()
        for i in range(network.shape[0]):
            for j in range(network.shape[1]):
                position = int(network.positions([i], [j])[0])
                if position >= 0:
                    expected = network.values[position] if network.known[position] else np.nan
                else:
                    loop = network.symmetric and i == j and not network.has_self_loops
                    expected = 0.0 if network.background and not loop else np.nan
                np.testing.assert_equal(X[i, j], expected)

    def test_fill_is_the_value_of_unknown_cells(self):
        np.testing.assert_array_equal(Network([0], [0], shape=(1, 2)).to_dense(fill=-1), [[1, -1]])

    def test_more_cells_than_the_limit_raise(self):
        network = Network([0], [0], shape=(10_000, 1_001))
        with pytest.raises(InputError, match=r"10,010,000 cells, more than the limit of 10,000,000"):
            network.to_dense()
        assert Network([0], [0], shape=(3, 3)).to_dense(limit=9).shape == (3, 3)
        with pytest.raises(InputError, match="limit of 8"):
            Network([0], [0], shape=(3, 3)).to_dense(limit=8)


class TestSparse:
    @settings(max_examples=30)
    @given(networks())
    def test_known_values_are_stored_in_both_directions(self, network):
        stored = network.to_sparse("coo")
        dense = network.with_background(0).to_dense()
        assert stored.nnz == np.count_nonzero(~np.isnan(dense))
        np.testing.assert_array_equal(stored.data, dense[stored.row, stored.col])

    def test_duplicates_and_unknown_formats_raise(self):
        network = Network([0, 0], [1, 1], shape=(2, 2))
        with pytest.raises(IncompatibleError, match="to_dense needs every pair listed once"):
            network.to_dense()
        with pytest.raises(IncompatibleError, match="to_sparse needs every pair listed once"):
            network.to_sparse()
        with pytest.raises(InputError, match="format is 'xyz'"):
            Network([0], [0], shape=(1, 1)).to_sparse("xyz")


class TestFrame:
    @settings(max_examples=30)
    @given(edge_lists(), st.sampled_from([None, *BACKENDS]))
    def test_a_named_network_equals_that_of_its_frame(self, edges, backend):
        network = Network.from_edges(edges)
        frame = network.to_frame(backend)
        assert nw.from_native(frame).columns == ["row", "column", "value", "weight"]
        assert Network.from_edges(frame, columns=("row", "column", "value", "weight")) == network

    @settings(max_examples=30)
    @given(networks(), st.sampled_from(BACKENDS))
    def test_a_network_of_indices_equals_that_of_its_frame(self, network, backend):
        again = Network.from_edges(
            network.to_frame(backend),
            columns=("row", "column", "value", "weight"),
            shape=network.shape,
            background=network.background,
            symmetric=network.symmetric,
            square=network.square,
        )
        assert again == network

    def test_pandas_is_the_default(self):
        assert isinstance(Network([0], [0], shape=(1, 1)).to_frame(), pandas.DataFrame)

    def test_an_unknown_backend_raises(self):
        with pytest.raises(InputError, match="backend is 'excel'"):
            Network([0], [0], shape=(1, 1)).to_frame("excel")

    def test_a_missing_package_is_named(self, monkeypatch):
        network = Network([0], [0], shape=(1, 1))
        monkeypatch.setattr("latentlink.tables.find_spec", lambda name: None)
        with pytest.raises(InputError, match="needs narwhals and pandas, polars or pyarrow: pip install"):
            network.to_frame()
        imported = builtins.__import__

        def without_polars(name, *arguments, **options):
            if name.split(".")[0] in {"narwhals", "polars"}:
                raise ImportError(name)
            return imported(name, *arguments, **options)

        monkeypatch.setattr(builtins, "__import__", without_polars)
        with pytest.raises(InputError, match=r"narwhals and polars: pip install"):
            network.to_frame("polars")
