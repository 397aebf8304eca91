import builtins

import narwhals as nw
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from tests.network.strategies import edge_lists, networks

BACKENDS = ["pandas", "polars", "pyarrow"]


def without(monkeypatch, *missing):
    """Make some modules impossible to import."""
    real = builtins.__import__

    def fake(name, *rest, **more):
        if name.split(".")[0] in missing:
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", fake)


@given(edge_lists(), st.sampled_from([None, *BACKENDS]))
def test_names_there_and_back(edges, backend):
    network = Network.from_edges(edges)
    frame = network.to_frame(backend)
    assert nw.from_native(frame).columns == ["row", "column", "value", "weight"]
    assert Network.from_edges(frame, columns=("row", "column", "value", "weight")) == network


@given(networks(), st.sampled_from(BACKENDS))
def test_indices_there_and_back(network, backend):
    back = Network.from_edges(
        network.to_frame(backend),
        columns=("row", "column", "value", "weight"),
        shape=network.shape,
        background=network.background,
        symmetric=network.symmetric,
        square=network.square,
    )
    assert back == network


def test_labels_need_not_be_strings():
    expected = Network.from_edges([("a", "b", 1.0)])
    assert Network.from_edges(pandas.DataFrame([["a", "b", 1.0]])) == expected
    turned = pandas.DataFrame([[1.0, "b", "a"]], columns=[1, 2, 0])
    assert Network.from_edges(turned, columns=(0, 2, 1)) == expected
    pairs = pandas.MultiIndex.from_tuples([("who", 1), ("who", 2), ("much", 1)])
    assert Network.from_edges(pandas.DataFrame([["a", "b", 1.0]], columns=pairs)) == expected


def test_pandas_comes_first():
    assert isinstance(Network([0], [0], shape=(1, 1)).to_frame(), pandas.DataFrame)


def test_an_unknown_backend_is_refused():
    with pytest.raises(InputError, match="backend is 'excel'"):
        Network([0], [0], shape=(1, 1)).to_frame("excel")


def test_what_is_not_installed_is_named(monkeypatch):
    frame = pandas.DataFrame({"a": ["x"], "b": ["y"]})
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r'pip install "latentlink\[frames\]"'):
        Network([0], [0], shape=(1, 1)).to_frame()
    without(monkeypatch, "narwhals", "polars")
    with pytest.raises(InputError, match=r"narwhals and polars: pip install"):
        Network([0], [0], shape=(1, 1)).to_frame("polars")
    with pytest.raises(InputError, match=r'DataFrame\) needs narwhals: pip install "latentlink\[frames\]"'):
        Network.from_edges(frame)


def test_parquet_without_pyarrow_is_refused(monkeypatch, tmp_path):
    path = tmp_path / "links.parquet"
    path.write_bytes(b"PAR1")
    without(monkeypatch, "pyarrow")
    with pytest.raises(InputError, match=r'needs pyarrow: pip install "latentlink\[parquet\]"'):
        Network.from_file(path)
