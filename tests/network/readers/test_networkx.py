"""Reader of NetworkX graphs."""

import networkx
import pytest

from latentlink.errors import InputError
from latentlink.network import Network


def test_an_undirected_graph_is_symmetric():
    graph = networkx.Graph([("b", "a"), ("b", "c")])
    graph.add_node("alone")
    network = Network.from_networkx(graph, background=0.5)
    assert network.row_names.tolist() == ["a", "alone", "b", "c"]
    assert network == Network(
        [0, 2], [2, 3], shape=(4, 4), symmetric=True, background=0.5, row_names=["a", "alone", "b", "c"]
    )


def test_a_directed_graph_keeps_directions_and_values():
    graph = networkx.DiGraph()
    graph.add_edge(1, 10, weight=2.5)
    graph.add_edge(10, 1, weight=0.0)
    network = Network.from_networkx(graph, value="weight")
    assert not network.symmetric
    assert network.square
    assert network.values[network.position("1", "10")] == 2.5
    assert network.values[network.position("10", "1")] == 0.0
    assert network.row_names.tolist() == ["1", "10"]


def test_parallel_edges_are_duplicates():
    graph = networkx.MultiGraph([("a", "b"), ("a", "b")])
    with pytest.raises(InputError, match=r"\('a', 'b'\) is listed more than once"):
        Network.from_networkx(graph)
    assert Network.from_networkx(graph, duplicates="keep").n_listed == 2


@pytest.mark.parametrize(
    ("graph", "value", "message"),
    [
        (networkx.Graph([("a", "b")]), "weight", r"edge \('a', 'b'\) has no attribute 'weight'; it has none"),
        (networkx.Graph([("a", "b", {"w": "x"})]), "w", "attribute 'w' of edge .* is 'x'"),
        (networkx.Graph([(1, "1")]), None, "same name as text, '1'"),
        (networkx.Graph(), None, "no nodes"),
        ([(1, 2)], None, "type list"),
    ],
)
def test_invalid_graphs_raise(graph, value, message):
    with pytest.raises(InputError, match=message):
        Network.from_networkx(graph, value=value)
