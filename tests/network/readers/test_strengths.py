"""Links with strengths: a weight and no value, in tuples, frames and files."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from latentlink import Network
from latentlink.errors import InputError

LINKS = [("ann", "bob"), ("bob", "eve"), ("eve", "joe")]
STRENGTHS = [3.0, 1.5, 7.0]
LABELS = ("source", "target", None, "weight")


@pytest.fixture
def links():
    return Network.from_edges(LINKS, weights=STRENGTHS, symmetric=True)


def frame():
    return pandas.DataFrame(LINKS, columns=["source", "target"]).assign(weight=STRENGTHS, time=[7, 8, 9])


def test_tuples_without_a_value(links):
    listed = [(*pair, None, weight) for pair, weight in zip(LINKS, STRENGTHS, strict=True)]
    assert Network.from_edges(listed, symmetric=True) == links
    with pytest.raises(InputError, match="value of listed entry 1"):
        Network.from_edges([(*listed[0][:2], 1.0, 3.0), *listed[1:]], symmetric=True)


def test_frames(links):
    assert Network.from_edges(frame(), columns=LABELS, symmetric=True) == links
    indexed = frame().set_index(
        pandas.MultiIndex.from_arrays([[0, 0, 1], [1, 2, 3]])
    )  # of levels without names
    assert Network.from_edges(indexed, columns=LABELS, symmetric=True) == links


@pytest.mark.parametrize("columns", [LABELS, (0, 1, None, 2)])
def test_text(links, columns, tmp_path):
    path = tmp_path / "links.csv"
    frame().to_csv(path, index=False)
    network = Network.from_file(path, columns=columns, symmetric=True, header=True)
    assert network == links
    sentence = network.history[0].sentence
    assert "row: 'source', column: 'target', value: 1 for all, weight: 'weight'" in sentence
    assert "Not read: 'time'" in sentence


def test_text_without_a_header(links, tmp_path):
    path = tmp_path / "links.tsv"
    frame().to_csv(path, index=False, header=False, sep="\t")
    assert Network.from_file(path, columns=(0, 1, None, 2), symmetric=True) == links


def test_parquet(links, tmp_path):
    frame().to_parquet(tmp_path / "links.parquet")
    assert Network.from_file(tmp_path / "links.parquet", columns=LABELS, symmetric=True) == links


@pytest.mark.parametrize(
    "columns",
    [
        ("source", None),
        ("source", "target", None),
        (None, "target", None, "weight"),
        ("source", "target", None, None),
    ],
)
def test_none_stands_for_the_value_before_a_weight_alone(columns, tmp_path):
    path = tmp_path / "links.csv"
    frame().to_csv(path, index=False)
    for read in (
        lambda: Network.from_file(path, columns=columns),
        lambda: Network.from_edges(frame(), columns=columns),
    ):
        with pytest.raises(InputError, match=r"\(row, column, None, weight\)|different column"):
            read()


def test_an_invalid_strength_names_its_place(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("source,target,weight\nann,bob,3\nbob,eve,strong\n")
    with pytest.raises(
        InputError, match="line 3, column 'weight': found 'strong'; expected a finite number, the weight"
    ):
        Network.from_file(path, columns=LABELS)
    path.write_text("source,target,weight\nann,bob,3\nbob,eve,-1\n")
    with pytest.raises(InputError, match="line 3, column 'weight'"):
        Network.from_file(path, columns=LABELS)


def test_a_zero_strength_is_an_unknown_pair():
    network = Network.from_edges(LINKS, weights=[1.0, 0.0, 2.0], symmetric=True)
    assert (network.n_listed, network.n_known) == (3, 2)
    np.testing.assert_array_equal(network.values, 1.0)
