"""Reader of edge lists: tuples, arrays and separate columns."""

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from latentlink.errors import InputError
from latentlink.network import Network

EDGES = [("ann", "tea", 1), ("bob", "tea", 0), ("bob", "milk", 1)]


def test_every_form_of_the_same_edges_is_the_same_network():
    expected = Network.from_edges(EDGES)
    rows, cols, values = (list(column) for column in zip(*EDGES, strict=True))
    table = {"a": rows, "b": cols, "c": values}
    forms = [
        Network.from_edges(iter(EDGES)),
        Network.from_edges(rows, cols, values),
        Network.from_edges(np.array(rows), np.array(cols), np.array(values)),
        Network.from_edges(np.array(EDGES, dtype=object)),
        Network.from_edges(np.array(EDGES)),
        Network.from_edges([edge[:2] for edge in EDGES], values=values),
        Network.from_edges([(*edge, 1.0) for edge in EDGES]),
        Network.from_edges(pandas.DataFrame(table)),
        Network.from_edges(pandas.DataFrame(table).astype({"a": "category", "b": object})),
        Network.from_edges(polars.DataFrame(table)),
        Network.from_edges(polars.DataFrame(table).with_columns(polars.col("a").cast(polars.Categorical))),
        Network.from_edges(pyarrow.table(table)),
        Network.from_edges(pyarrow.table(table | {"d": rows}), columns=("a", "b", "c")),
    ]
    for network in forms:
        assert network == expected


def test_pairs_without_values_are_links():
    network = Network.from_edges([("a", "b"), ("b", "c")], symmetric=True)
    assert network.values.tolist() == [1, 1]
    assert network.shape == (3, 3)


def test_an_empty_list_needs_a_shape():
    assert Network.from_edges([], shape=(2, 3)).n_listed == 0
    with pytest.raises(InputError, match="Give shape"):
        Network.from_edges([])


def test_weights_and_background_are_those_of_the_network():
    network = Network.from_edges([(0, 1, 5.0, 0.0)], background=0.5)
    assert network.weights.tolist() == [0]
    assert network.background == 0.5


def test_the_history_counts_the_entries():
    (step,) = Network.from_edges(EDGES).history
    assert (step.name, step.touched) == ("from_edges", 3)


@pytest.mark.parametrize(
    ("edges", "options", "parts"),
    [
        ([("a", "b"), ("a",)], {}, ["Listed entry 1", "('a',)"]),
        ([("a", "b"), ("a", "c", 1)], {}, ["Listed entry 1", "3 parts"]),
        ([("a", "b", 1, 1, 1)], {}, ["Listed entry 0", "expected tuples"]),
        (["ab", "cd"], {}, ["Listed entry 0", "'ab'"]),
        ([1, 2], {}, ["Listed entry 0 is 1"]),
        ("ab", {}, ["type str"]),
        ({("a", "b"): 1}, {}, ["type dict"]),
        (7, {}, ["type int"]),
        (np.zeros((2, 5)), {}, ["shape (2, 5)", "from_dense"]),
        (np.zeros(3), {}, ["shape (3,)"]),
        ([("a", "b", "one")], {}, ["value of listed entry 0 is 'one'"]),
        ([("a", "b", "1_000")], {}, ["value of listed entry 0 is '1_000'"]),
        ([("a", "b", None)], {}, ["value of listed entry 0 is None"]),
        ([("a", "b", 10**400)], {}, ["value of listed entry 0 is a whole number of 1,329 bits", "too large"]),
        ([("a", "b", [1, 2]), ("a", "c", 1)], {}, ["values are not a column of numbers"]),
        ([(0, 1)], {"shape": 5}, ["shape is 5", "two integers"]),
        ([(0, 1)], {"shape": (2, "x")}, ["shape is (2, 'x')"]),
        ([("a", "b")], {"background": "x"}, ["background weight is 'x'"]),
        ([("a", "b", float("nan"), 0)], {}, ["nan", "Leave an unknown pair out"]),
        ([("a", "b", float("nan"))], {}, ["value of listed entry 0 is nan"]),
        ([("a", "b", float("-inf"))], {}, ["value of listed entry 0 is -inf"]),
        ([("a", "b", 1j)], {}, ["value of listed entry 0 is 1j"]),
        ([("a", "b", 1, -1)], {}, ["weight of listed entry 0 is -1"]),
        ([("a", "b", 1)], {"values": [1]}, ["values already"]),
        ([("a", "b")], {"values": [1, 2]}, ["shape (2,)", "expected (1,)"]),
        (["a", "b"], {"cols": ["c"]}, ["2 rows but 1 columns"]),
        ([("a", "b")], {"columns": ("x", "y")}, ["columns=('x', 'y')", "frame"]),
    ],
)
def test_invalid_edges_raise_with_their_position(edges, options, parts):
    with pytest.raises(InputError) as error:
        Network.from_edges(edges, **options)
    for part in parts:
        assert part in str(error.value)


@pytest.mark.parametrize("edge", [("a", 1), (1, "a"), ("a", "b")])
def test_a_shape_beside_names_of_either_side_raises(edge):
    with pytest.raises(InputError, match=r"shape=\(2, 2\)"):
        Network.from_edges([edge], shape=(2, 2))


@pytest.mark.parametrize("width", [2, 3, 4])
def test_arrays_of_two_to_four_columns(width):
    array = np.array([[0, 1, 5, 2], [1, 0, 7, 3]])[:, :width]
    assert Network.from_edges(array) == Network.from_edges([tuple(edge) for edge in array.tolist()])


@pytest.mark.parametrize(
    ("relation", "number", "are_triples"), [("r1", 20, True), ("r1", 19, False), ("7", 20, False)]
)
def test_names_for_the_first_twenty_values_are_triples(relation, number, are_triples):
    """Unless the relation is a number; a number among the values further down does not count."""
    edges = [("a", f"{relation}{k}", 5.0 if k == number else f"t{k}") for k in range(21)]
    with pytest.raises(InputError, match="value of listed entry 0 is 't0'") as error:
        Network.from_edges(edges)
    assert ("triples of head, relation" in str(error.value)) is are_triples


@pytest.mark.parametrize("edges", [[("a", 1)], [(1, "a")], [("a", "b")]])
def test_a_shape_beside_names_raises(edges):
    with pytest.raises(InputError, match=r"shape=\(3, 4\) is given, but the nodes are names"):
        Network.from_edges(edges, shape=(3, 4))


def test_the_shape_of_indices_is_the_one_given():
    assert Network.from_edges([(0, 1)], shape=(3, 4)).shape == (3, 4)
    assert Network.from_edges([(0, 1)]).shape == (1, 2)
    with pytest.raises(InputError, match="Give shape="):
        Network.from_edges([])


@pytest.mark.parametrize(
    ("values", "triples"),
    [
        (["pain"] * 19 + ["5"], False),
        (["pain"] * 20 + ["5"], True),
        (["p5"], True),
        (["5p"], False),
        (["nan"], False),
        (["inf"], False),
    ],
)
def test_words_in_place_of_the_first_twenty_values_are_called_triples(values, triples):
    with pytest.raises(InputError) as error:
        Network.from_edges([(f"a{k}", "treats", value) for k, value in enumerate(values)])
    assert ("triples of head, relation and tail" in str(error.value)) is triples
