import networkx
import numpy as np
import pandas
import polars
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

from latentlink.errors import InputError
from latentlink.network import Network
from tests.network.strategies import edge_lists

EDGES = [("ann", "tea", 1), ("bob", "tea", 0), ("bob", "milk", 1)]


class TestForms:
    def test_every_form_of_the_same_edges_is_the_same_network(self):
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
            Network.from_edges(
                polars.DataFrame(table).with_columns(polars.col("a").cast(polars.Categorical))
            ),
            Network.from_edges(pyarrow.table(table)),
            Network.from_edges(pyarrow.table(table | {"d": rows}), columns=("a", "b", "c")),
        ]
        for network in forms:
            assert network == expected

    def test_two_columns_are_links(self):
        network = Network.from_edges([("a", "b"), ("b", "c")], symmetric=True)
        assert network.values.tolist() == [1, 1]
        assert network.shape == (3, 3)

    def test_integers_are_indices(self):
        network = Network.from_edges([(0, 3), (2, 1)])
        assert network.shape == (3, 4)
        assert network.row_names is None
        assert Network.from_edges([(0, 3), (2, 1)], square=True).shape == (4, 4)
        assert Network.from_edges([(0, 3)], shape=(9, 9)).shape == (9, 9)
        assert Network.from_edges(np.array([[0.0, 3.0, 0.5]])).values.tolist() == [0.5]
        assert Network.from_edges(pandas.DataFrame({"a": [0, 1], "b": [1, 2]})).row_names is None

    def test_a_side_may_have_names_and_the_other_indices(self):
        network = Network.from_edges([("a", 3), ("b", 0)])
        assert network.row_names.tolist() == ["a", "b"]
        assert network.col_names is None
        assert network.shape == (2, 4)
        turned = Network.from_edges([(3, "a"), (0, "b")])
        assert turned.transposed() == network

    def test_nothing_listed_needs_a_shape(self):
        assert Network.from_edges([], shape=(2, 3)).n_listed == 0
        with pytest.raises(InputError, match="Give shape"):
            Network.from_edges([])

    def test_weights_and_background_arrive(self):
        network = Network.from_edges([(0, 1, 5.0, 0.0)], background=0.5)
        assert network.weights.tolist() == [0]
        assert network.background == 0.5

    def test_history_counts_what_was_read(self):
        (step,) = Network.from_edges(EDGES).history
        assert (step.name, step.touched) == ("from_edges", 3)


class TestNames:
    def test_numbers_are_ordered_as_numbers_only_if_all_are(self):
        assert Network.from_edges([("10", "x"), ("9", "x")]).row_names.tolist() == ["9", "10"]
        assert Network.from_edges([("10", "x"), ("9", "x"), ("007", "x")]).row_names.tolist() == [
            "007",
            "10",
            "9",
        ]

    def test_leading_zeros_matter(self):
        assert Network.from_edges([("007", "x"), ("7", "x")]).shape == (2, 1)

    @given(edge_lists(), st.randoms(use_true_random=False))
    def test_the_order_of_listing_does_not_matter(self, edges, random):
        shuffled = random.sample(edges, len(edges))
        assert Network.from_edges(edges) == Network.from_edges(shuffled)
        turned = [(other, one, value) for one, other, value in shuffled]
        one = Network.from_edges(edges, symmetric=True, duplicates="keep")
        other = Network.from_edges(turned, symmetric=True, duplicates="keep")
        assert (one.rows.tolist(), one.cols.tolist()) == (other.rows.tolist(), other.cols.tolist())
        assert sorted(one.values) == sorted(other.values)

    @given(edge_lists())
    def test_every_value_is_found_under_its_names(self, edges):
        network = Network.from_edges(edges)
        for one, other, value in edges:
            assert network.values[network.position(one, other)] == value


class TestDuplicates:
    def test_a_duplicate_is_refused_with_both_places(self):
        with pytest.raises(InputError) as error:
            Network.from_edges([("a", "b", 1), ("c", "b", 1), ("b", "a", 1)], symmetric=True)
        for part in ("('a', 'b')", "listed entry 0", "listed entry 2", "values agree", "drop_duplicates"):
            assert part in str(error.value)

    def test_a_conflict_is_shown_before_a_duplicate(self):
        edges = [(0, 0, 1), (0, 0, 1), (1, 0, 1), (1, 0, 1), (1, 0, 0)]
        with pytest.raises(InputError) as error:
            Network.from_edges(edges)
        for part in (
            "(1, 0)",
            "entry 2 has the value 1",
            "entry 4 has 0",
            "values differ",
            "3 entries repeat",
        ):
            assert part in str(error.value)

    @pytest.mark.parametrize(
        ("edges", "parts"),
        [
            ([(0, 0, 0, 1), (0, 0, 1, 0)], ["listed entry 1 is hidden", "no conflict"]),
            ([(0, 0, 0, 0), (0, 0, 1, 0)], ["both are hidden", "no conflict"]),
            (
                [(0, 0, 0, 1), (0, 0, 1, 0), (1, 0, 0, 1), (1, 0, 5, 0), (1, 0, 1, 1)],
                ["(1, 0)", "entry 2 has the value 0 and listed entry 4 has 1", "values differ", "3 entries"],
            ),
        ],
    )
    def test_hidden_listings_contradict_nobody(self, edges, parts):
        with pytest.raises(InputError) as error:
            Network.from_edges(edges)
        for part in parts:
            assert part in str(error.value)

    def test_directed_pairs_are_two_facts(self):
        network = Network.from_edges([("a", "b", 1), ("b", "a", 0)], square=True)
        assert network.is_clean
        assert network.n_listed == 2

    def test_kept_duplicates_stand_in_the_order_of_listing(self):
        network = Network.from_edges([(1, 0, 5), (0, 1, 7)], symmetric=True, duplicates="keep")
        assert network.values.tolist() == [5, 7]

    def test_the_choice_is_checked(self):
        with pytest.raises(InputError, match="duplicates is 'drop'"):
            Network.from_edges(EDGES, duplicates="drop")


FRAME = pandas.DataFrame({"a": ["x", "y"], "b": ["z", "z"], "c": [1.0, np.nan], "d": [1.0, 2.0]})


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
        ([("a", 1), (2, 1)], {}, ["row of listed entry 1 is 2 (int)", "strings"]),
        ([(1, "a"), ("b", "c")], {}, ["row of listed entry 1 is 'b' (str)"]),
        ([(True, 1)], {}, ["row of listed entry 0 is True"]),
        ([(None, 1)], {}, ["row of listed entry 0 is None"]),
        ([(0.5, 1)], {}, ["row of listed entry 0 is 0.5"]),
        ([("", "a")], {}, ["row of listed entry 0", "empty name"]),
        ([(-1, 1)], {}, ["row of listed entry 0 is -1", "string"]),
        ([(0, 10**20)], {}, [str(10**20), "strings"]),
        (np.array([[0.0, 1.5, 1.0]]), {}, ["column of listed entry 0 is 1.5"]),
        (np.array([[0.0, np.nan, 1.0]]), {}, ["column of listed entry 0 is nan"]),
        ([(0, 5_000_000)], {}, ["largest column index is 5,000,000", "strings", "shape="]),
        ([(i, 30_000 * (i % 2)) for i in range(4000)], {}, ["column index is 30,000", "2 different"]),
        ([(0, 1)], {"shape": (1, 1)}, ["column index of listed entry 0 is 1"]),
        ([("a", "b")], {"shape": (1, 1)}, ["shape=(1, 1)", "names"]),
        ([("a", 1)], {"symmetric": True}, ["same nodes", "strings"]),
        ([("a", "b", "one")], {}, ["value of listed entry 0 is 'one'"]),
        ([("a", "b", "1_000")], {}, ["value of listed entry 0 is '1_000'"]),
        ([("a", "b", None)], {}, ["value of listed entry 0 is None"]),
        ([("a", "b", 10**400)], {}, ["value of listed entry 0 is a whole number of 1,329 bits", "too large"]),
        ([("a", "b", [1, 2]), ("a", "c", 1)], {}, ["values are no column of numbers"]),
        ([(0, 1)], {"shape": 5}, ["shape is 5", "two integers"]),
        ([(0, 1)], {"shape": (2, "x")}, ["shape is (2, 'x')"]),
        ([("a", "b")], {"background": "x"}, ["background weight is 'x'"]),
        (FRAME, {"columns": 5}, ["columns is 5", "expected two to four"]),
        (FRAME, {"columns": {"a", "b"}}, ["expected two to four"]),
        (FRAME.set_axis(["a", "b", "a", "d"], axis=1), {}, ["label 'a' in columns 0 and 2", "Rename"]),
        (pyarrow.table([["x"], ["y"]], names=["a", "a"]), {}, ["label 'a' in columns 0 and 1"]),
        (
            pandas.DataFrame([range(1001)]),
            {},
            ["1001 columns: 0, 1, 2,", "9 and 991 more", "columns=(0, 1, 2)"],
        ),
        (pandas.DataFrame([["a", None]]), {}, ["Column 1 (the column) has no value"]),
        ([("a", "b", float("nan"), 0)], {}, ["nan", "Leave an unknown pair out"]),
        ([("a", "b", float("nan"))], {}, ["value of listed entry 0 is nan"]),
        ([("a", "b", float("-inf"))], {}, ["value of listed entry 0 is -inf"]),
        ([("a", "b", 1j)], {}, ["value of listed entry 0 is 1j"]),
        ([("a", "b", 1, -1)], {}, ["weight of listed entry 0 is -1"]),
        ([("a", "b", 1)], {"values": [1]}, ["values already"]),
        ([("a", "b")], {"values": [1, 2]}, ["shape (2,)", "expected (1,)"]),
        (["a", "b"], {"cols": ["c"]}, ["2 rows but 1 columns"]),
        ([("a", "b")], {"columns": ("x", "y")}, ["columns=('x', 'y')", "frame"]),
        (FRAME, {}, ["4 columns", "'a', 'b', 'c', 'd'", "columns=('a', 'b', 'c')"]),
        (FRAME[["a"]], {}, ["no two columns", "'a'"]),
        (FRAME, {"columns": ("a", "b", "c")}, ["Column 'c' (the value)", "frame row 1"]),
        (FRAME, {"columns": ("a", "b", "e")}, ["no column 'e'", "'a', 'b', 'c', 'd'"]),
        (FRAME, {"columns": ("a",)}, ["expected two to four"]),
        (FRAME, {"columns": "ab"}, ["expected two to four"]),
        (FRAME, {"columns": ("a", "a")}, ["a different column"]),
        (FRAME[["a", "b"]], {"cols": ["x"]}, ["frame", "cols="]),
        (polars.DataFrame({"a": ["x", None], "b": ["y", "y"]}), {}, ["Column 'a' (the row)", "row 1"]),
        (polars.DataFrame({"a": ["x"], "b": ["y"]}).lazy(), {}, ["lazy"]),
        (pandas.DataFrame({"a": ["x"], "b": ["y"], "c": ["text"]}), {}, ["frame row 0", "'text'"]),
        (pandas.DataFrame({"a": [True], "b": ["y"]}), {}, ["row of frame row 0", "True"]),
    ],
)
def test_wrong_edges_are_refused_with_their_place(edges, options, parts):
    with pytest.raises(InputError) as error:
        Network.from_edges(edges, **options)
    for part in parts:
        assert part in str(error.value)


class TestNetworkX:
    def test_an_undirected_graph_is_symmetric(self):
        graph = networkx.Graph([("b", "a"), ("b", "c")])
        graph.add_node("alone")
        network = Network.from_networkx(graph, background=0.5)
        assert network.symmetric
        assert network.row_names.tolist() == ["a", "alone", "b", "c"]
        assert network == Network.from_edges(
            [(0, 2), (2, 3)], shape=(4, 4), symmetric=True, background=0.5
        ).relisted([0, 2], [2, 3], row_names=network.row_names, col_names=network.row_names)

    def test_a_directed_graph_keeps_its_directions_and_values(self):
        graph = networkx.DiGraph()
        graph.add_edge(1, 10, weight=2.5)
        graph.add_edge(10, 1, weight=0.0)
        network = Network.from_networkx(graph, value="weight")
        assert not network.symmetric
        assert network.square
        assert network.values[network.position("1", "10")] == 2.5
        assert network.row_names.tolist() == ["1", "10"]

    def test_parallel_edges_are_duplicates(self):
        graph = networkx.MultiGraph([("a", "b"), ("a", "b")])
        with pytest.raises(InputError, match=r"\('a', 'b'\) is listed more than once"):
            Network.from_networkx(graph)
        assert Network.from_networkx(graph, duplicates="keep").n_listed == 2

    @pytest.mark.parametrize(
        ("graph", "value", "message"),
        [
            (
                networkx.Graph([("a", "b")]),
                "weight",
                r"edge \('a', 'b'\) has no attribute 'weight'; it has none",
            ),
            (networkx.Graph([("a", "b", {"w": "x"})]), "w", "attribute 'w' of edge .* is 'x'"),
            (networkx.Graph([(1, "1")]), None, "same name as text, '1'"),
            (networkx.Graph(), None, "no nodes"),
            ([(1, 2)], None, "type list"),
        ],
    )
    def test_wrong_graphs_are_refused(self, graph, value, message):
        with pytest.raises(InputError, match=message):
            Network.from_networkx(graph, value=value)
