"""Names of all nodes beside a list of pairs: nodes without links are part of the network."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from latentlink import WNMFk, load
from latentlink.errors import InputError
from latentlink.network import Network

NODES = ["eve", "bob", "ann", "zoe"]
EDGES = [("ann", "bob", 1), ("bob", "eve", 0)]


@pytest.mark.parametrize("kind", ["symmetric", "square"])
def test_nodes_are_in_the_order_given_with_or_without_links(kind):
    network = Network.from_edges(EDGES, nodes=NODES, **{kind: True})
    assert network.shape == (4, 4)
    assert network.row_names.tolist() == network.col_names.tolist() == NODES
    assert network.values[network.position("ann", "bob")] == 1
    assert network.values[network.position("bob", "eve")] == 0
    assert network.n_listed == 2


def test_rows_and_columns_have_names_of_their_own():
    pairs = [("ann", "tea"), ("bob", "milk")]
    network = Network.from_edges(
        pairs, row_names=iter(["zoe", "bob", "ann"]), col_names=np.array(["tea", "milk"])
    )
    assert network.row_names.tolist() == ["zoe", "bob", "ann"]
    assert network.col_names.tolist() == ["tea", "milk"]
    assert network.positions(["ann", "bob"], ["tea", "milk"]).min() >= 0
    one_side = Network.from_edges(pairs, row_names=["zoe", "bob", "ann"])
    assert one_side.col_names.tolist() == ["milk", "tea"]


def test_indices_get_names():
    network = Network.from_edges([(0, 2), (1, 0)], symmetric=True, nodes=NODES)
    assert network.position("eve", "ann") == 1
    assert Network.from_edges([], symmetric=True, nodes=NODES, background=1.0).shape == (4, 4)
    with pytest.raises(InputError, match="index of listed entry 0 is 7, but the network has 4"):
        Network.from_edges([(7, 0)], symmetric=True, nodes=NODES)
    with pytest.raises(InputError, match=r"nodes= has 4 names for 9 rows"):
        Network.from_edges([(0, 1)], shape=(9, 9), symmetric=True, nodes=NODES)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"symmetric": True, "nodes": ["ann", "bab"]},
            r"nodes= lacks names of the pairs, the first in listed ",
        ),
        (
            {"symmetric": True, "nodes": ["ann", "bab"]},
            r"2 of 3 node names are unknown: 'bob' \(nearest: 'bab'\)",
        ),
        ({"row_names": ["ann"]}, r"row_names= lacks names of the pairs, the first in listed entry 1\."),
        ({"nodes": NODES}, r"Give row_names= and col_names=, or symmetric=True"),
        ({"square": True, "row_names": NODES}, "Give nodes= instead"),
        ({"symmetric": True, "nodes": "ann"}, "nodes is of type str; expected a list of names"),
        ({"symmetric": True, "nodes": []}, "nodes is empty"),
        ({"symmetric": True, "nodes": [*NODES, "ann"]}, "name 'ann' occurs 2 times"),
        ({"symmetric": True, "nodes": [*NODES, 7]}, "name at position 4 is 7"),
    ],
)
def test_names_that_do_not_fit_raise(options, sentence):
    with pytest.raises(InputError, match=sentence):
        Network.from_edges(EDGES, **options)


def test_nodes_of_files(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text("source,target,value\nann,bob,1\nbob,eve,0\n")
    network = Network.from_file(path, symmetric=True, nodes=NODES)
    assert network == Network.from_edges(EDGES, symmetric=True, nodes=NODES)
    with pytest.raises(InputError, match=r"links\.csv.*nodes= lacks names of the pairs, the first in line 3"):
        Network.from_file(path, symmetric=True, nodes=["ann", "bob"])
    np.save(tmp_path / "matrix.npy", np.eye(2))
    assert Network.from_file(tmp_path / "matrix.npy", row_names=["a", "b"]).row_index("b") == 1


def test_frames_and_their_nodes_go_round():
    network = Network.from_edges(EDGES, symmetric=True, nodes=NODES)
    frame = network.to_frame("pandas")
    again = Network.from_edges(
        frame, symmetric=True, nodes=network.row_names, columns=("row", "column", "value", "weight")
    )
    assert again == network
    assert isinstance(frame, pandas.DataFrame)


@pytest.mark.filterwarnings("ignore")
def test_nodes_without_links_are_scored_and_saved(tmp_path):
    rng = np.random.default_rng(0)
    edges = [(f"u{i}", f"v{j}", rng.random() + 0.1) for i in range(8) for j in range(6)]
    network = Network.from_edges(edges, row_names=["new", *(f"u{i}" for i in range(8))])
    model = WNMFk((1,), n_perturbs=2, random_state=0).fit(network)
    assert np.isfinite(model.predict_links([("new", "v0")])).all()
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").network_.row_names.tolist() == network.row_names.tolist()


def test_a_missing_name_of_a_column_is_found_where_it_is_listed():
    """Whatever the order of the names that are given."""
    for nodes in (["ann", "bob"], ["bob", "ann"]):
        with pytest.raises(
            InputError, match=r"nodes= lacks names of the pairs, the first in listed entry 1\."
        ):
            Network.from_edges(EDGES, symmetric=True, nodes=nodes)
    with pytest.raises(
        InputError, match=r"col_names= lacks names of the pairs, the first in listed entry 1\. "
    ):
        Network.from_edges(EDGES, col_names=["bob", "zoe"])


@pytest.mark.parametrize(
    ("edges", "where"),
    [
        ([("eve", "bob"), ("bob", "eve"), ("ann", "kim")], 2),
        ([("eve", "bob"), ("kim", "eve"), ("ann", "eve")], 1),
        ([("eve", "kim"), ("bob", "eve")], 0),
    ],
)
@pytest.mark.parametrize("kind", ["symmetric", "square"])
def test_the_first_pair_with_a_name_that_is_lacking_is_shown(edges, where, kind):
    with pytest.raises(InputError, match=rf"lacks names of the pairs, the first in listed entry {where}\."):
        Network.from_edges(edges, nodes=NODES, **{kind: True})
