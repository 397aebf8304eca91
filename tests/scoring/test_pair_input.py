"""Pairs as arrays, tuples or frames, by index or by name."""

from __future__ import annotations

import re

import numpy as np
import pandas
import polars
import pytest

from latentlink import Network
from latentlink.errors import DataWarning, InputError
from latentlink.scoring.pair_input import excluded_keys, known_pairs, one_pair, pair_columns, pair_indices
from latentlink.tables import Table
from latentlink.uncertainty import Prediction

UNNAMED = Network([0], [0], shape=(12, 9))
NAMED = Network(
    [0], [0], shape=(12, 9), row_names=[f"u{i}" for i in range(12)], col_names=[f"v{j}" for j in range(9)]
)


def indices(network, pairs):
    return [side.tolist() for side in pair_indices(network, pairs)]


@pytest.mark.parametrize(
    "pairs",
    [
        [(1, 2), (3, 4)],
        ([1, 2], [3, 4]),
        [[1, 2], [3, 4]],
        np.array([[1.0, 2.0], [3.0, 4.0]]),
        np.array([[1, 2], [3, 4]], dtype=object),
        np.array([[1, 2], [3, 4]], dtype=np.uint8),
        pandas.DataFrame({"a": [1, 3], "b": [2, 4]}),
        polars.DataFrame({"a": [1, 3], "b": [2, 4]}),
        zip([1, 3], [2, 4], strict=True),
    ],
    ids=lambda pairs: type(pairs).__name__,
)
def test_indices_in_every_form(pairs):
    assert indices(UNNAMED, pairs) == [[1, 3], [2, 4]]


@pytest.mark.parametrize(
    "pairs",
    [
        [("u1", "v2"), ("u3", "v4")],
        [("u1", 2), (3, "v4")],
        np.array([["u1", "v2"], ["u3", "v4"]]),
        pandas.DataFrame({"a": ["u1", "u3"], "b": ["v2", "v4"]}),
        pandas.DataFrame({"a": ["u1", "u3"], "b": ["v2", "v4"]}).astype("category"),
    ],
    ids=["tuples", "mixed", "array", "frame", "categories"],
)
def test_names_and_indices_may_be_mixed(pairs):
    assert indices(NAMED, pairs) == [[1, 3], [2, 4]]


# Columns in another order and among others: the names tell which is which.
COLUMNS = {"score": np.array([0.5, 0.7]), "column": np.array(["v2", "v4"]), "row": np.array(["u1", "u3"])}
TABLES = {
    "Table": Table(COLUMNS),
    "two columns": Table({name: COLUMNS[name] for name in ("column", "row")}),
    "dict": Table(COLUMNS).to_dict(),
    "pandas": Table(COLUMNS).to_frame("pandas"),
    "polars": Table(COLUMNS).to_frame("polars"),
    "pyarrow": Table(COLUMNS).to_frame("pyarrow"),
    "two columns of pandas": Table(COLUMNS).to_frame("pandas")[["column", "row"]],
    "Prediction": Prediction(
        COLUMNS["row"], COLUMNS["column"], np.ones(2), np.ones(2), np.ones(2, bool), 0.5
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_and_frames_with_columns_named_row_and_column(name):
    assert indices(NAMED, TABLES[name]) == [[1, 3], [2, 4]]
    rows, cols, values = known_pairs(NAMED, TABLES[name], [1.0, 0.0])
    assert (rows.tolist(), cols.tolist(), values.tolist()) == ([1, 3], [2, 4], [1.0, 0.0])
    assert excluded_keys(NAMED, TABLES[name]).tolist() == [1 * 9 + 2, 3 * 9 + 4]


def test_a_table_of_indices():
    table = Table({"row": np.array([1, 3]), "column": np.array([2, 4]), "score": np.array([0.1, 0.2])})
    assert indices(UNNAMED, table) == [[1, 3], [2, 4]]
    empty = Table({name: column[:0] for name, column in table.columns.items()})
    assert indices(UNNAMED, empty) == [[], []]


@pytest.mark.parametrize("pairs", [[], np.zeros((0, 2), int), np.zeros((0, 2))], ids=["list", "int", "float"])
def test_no_pairs_are_empty_arrays_of_indices(pairs):
    for side in pair_indices(UNNAMED, pairs):
        assert side.shape == (0,)
        assert side.dtype.kind == "i"
    assert [side.dtype.kind for side in pair_columns([])] == ["i", "i"]


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ((1, 2), r"A single pair goes into a list: \[\(1, 2\)\]"),
        (("ann", "tea"), r"Pair 0 is 'ann'.*A single pair goes into a list"),
        ([(1, 2, 3)], r"Pair 0 is \(1, 2, 3\)"),
        (np.ones((3, 3), int), r"array of shape \(3, 3\)"),
        (np.array([1, 2]), r"array of shape \(2,\)"),
        (np.array([[0.5, 1.0]]), "Pair 0 has 0.5 for a node"),
        (np.array([[np.nan, 1.0]]), "Pair 0 has nan for a node"),
        ([("ann", 1)], "the rows .*have no names"),
        ([(12, 0)], "There is no row 12"),
        ([(0, -1)], "There is no column -1"),
        ([(True, 0)], "A row is given as True"),
        ("pairs", "pairs are of type str"),
        (7, "pairs are of type int"),
        ({"a": 1}, "pairs are of type dict"),
        (
            pandas.DataFrame({"a": [1], "b": [2], "c": [3]}),
            r"frame of pairs has the columns 'a', 'b', 'c'; expected two columns, or row and column among",
        ),
        (pandas.DataFrame({"row": [1], "b": [2], "c": [3]}), "has the columns 'row', 'b', 'c'; expected two"),
        (pandas.DataFrame({"a": [1]}), "has the columns 'a'; expected two columns"),
        (
            Table({"row": [1], "score": [2]}),
            "table of pairs has the columns 'row', 'score'; expected row and",
        ),
        ({"row": [1, 2], "column": [2]}, "2 rows and 1 columns; expected as many"),
        ({"row": 1, "column": 2}, "'row' of the pairs is of type int; expected a list or an array"),
        (pandas.DataFrame({"a": [1.0, np.nan], "b": [2, 3]}), "no value in frame row 1"),
    ],
)
def test_invalid_pairs_raise(pairs, sentence):
    with pytest.raises(InputError, match=sentence):
        pair_indices(UNNAMED, pairs)


def test_an_unknown_name_raises():
    with pytest.raises(InputError, match="No row has the name 'nobody'"):
        pair_indices(NAMED, [("nobody", "v2")])


def test_one_pair_is_a_row_and_a_column():
    assert one_pair(NAMED, ("u3", 4)) == (3, 4)
    assert one_pair(UNNAMED, np.array([1, 2])) == (1, 2)
    one = {name: column[1:] for name, column in COLUMNS.items()}
    assert one_pair(NAMED, Table(one)) == one_pair(NAMED, Table(one).to_frame("polars")) == (3, 4)
    for several in (Table(COLUMNS), Table(COLUMNS).to_frame("pandas")):
        with pytest.raises(InputError, match=r"2 pairs are given; expected one, such as \(row, column\)"):
            one_pair(NAMED, several)


def test_known_pairs_of_a_network_are_its_known_entries():
    other = Network([0, 1, 2], [0, 1, 1], [1.0, 0.0, 1.0], shape=(3, 2)).hide([1])
    rows, cols, values = known_pairs(UNNAMED, other)
    assert (rows.tolist(), cols.tolist(), values.tolist()) == ([0, 2], [0, 1], [1.0, 1.0])


def test_models_take_the_same_pairs(weighted):
    expected = weighted.predict_links(np.array([[1, 2], [3, 4]]))
    np.testing.assert_array_equal(weighted.predict_links([(1, 2), (3, 4)]), expected)
    assert weighted.predict_links([]).shape == (0,)
    assert weighted.predict_links(np.zeros((0, 2), int), return_std=True)[1].shape == (0,)
    with pytest.raises(InputError, match="There is no row 12"):
        weighted.predict_links([(12, 0)])


def test_the_hint_for_a_single_pair_is_given_for_two_nodes_alone(weighted):
    for given, hint in (((0, 1), True), ([0, 1, 2], False), ([(0, 1), 3], False), ([3, (0, 1)], False)):
        with pytest.raises(InputError) as caught:
            weighted.predict_links(given)
        assert ("A single pair goes into a list" in str(caught.value)) == hint


@pytest.mark.parametrize("named", [(False, True), (True, False), (True, True)], ids=str)
@pytest.mark.parametrize("own", [(False, False), (False, True), (True, False)], ids=str)
def test_networks_are_matched_by_index_where_one_of_them_has_no_names(own, named):
    """Rows and columns alone, too; the names are in another order than the indices."""
    names = [[f"{side}{i}" for i in range(size)] for side, size in (("u", 12), ("v", 9))]
    network = Network([0], [0], shape=(12, 9), row_names=names[0] if own[0] else None,
                      col_names=names[1] if own[1] else None)  # fmt: skip
    other = Network([1, 3], [2, 4], shape=(12, 9), row_names=names[0][::-1] if named[0] else None,
                    col_names=names[1][::-1] if named[1] else None)  # fmt: skip
    rows, cols, _ = known_pairs(network, other)
    assert rows.tolist() == ([10, 8] if own[0] and named[0] else [1, 3])
    assert cols.tolist() == ([6, 4] if own[1] and named[1] else [2, 4])


# -------------------------------------------------------------------- excluded pairs


@pytest.mark.filterwarnings("ignore:Of . pairs in exclude")
def test_excluded_pairs_of_nodes_that_the_network_does_not_have_are_ignored():
    known, width = ("u1", "v2"), NAMED.shape[1]
    others = [known, known, ("u1", "nobody"), ("nobody", "v2")]
    assert excluded_keys(NAMED, others).tolist() == [width + 2]
    assert excluded_keys(NAMED, np.array([[1, 2], [1, 2], [1, 10**6], [10**6, 2]])).tolist() == [width + 2]
    other = Network.from_edges([(*known, 1.0), ("u1", "nobody", 1.0)])
    assert excluded_keys(NAMED, other).tolist() == [width + 2]
    assert excluded_keys(NAMED, []).tolist() == []


def test_excluded_pairs_with_unknown_nodes_warn():
    message = (
        "Of 3 pairs in exclude, 2 have a node that the model does not have and are ignored. 1 of 2 row names "
        "is unknown: 'U1' (nearest: 'u1')"
    )
    with pytest.warns(DataWarning, match=re.escape(message)):
        assert excluded_keys(NAMED, [("u1", "v2"), ("U1", "v2"), ("u1", "V2")]).tolist() == [11]
    with pytest.warns(DataWarning, match="Of 3 pairs in exclude, 2 have a node"):
        excluded_keys(NAMED, np.array([[1, 2], [1, 10**6], [10**6, 2]]))
    with pytest.warns(DataWarning, match="Of 50 pairs in exclude, 1 has a node .* and is ignored"):
        excluded_keys(NAMED, [("u1", "v1")] * 49 + [("U1", "v1")])
    with pytest.warns(
        DataWarning, match="Of 2 pairs in exclude, 1 has .* ignored. Rows and columns are swapped"
    ):
        excluded_keys(NAMED, [("u1", "v2"), ("v2", "u1")])


WAYS = (
    "If these are indices of the model, give its shape: shape=(12, 9); if they are not, give names to both "
    "networks."
)


def shaped(*shape):
    return Network([0], [1], [1.0], shape=shape)


@pytest.mark.parametrize(
    ("model", "shape", "sentence"),
    [
        (
            NAMED,
            (4, 5),
            "is 4 x 5, the model 12 x 9, and only the model has names of rows; expected names in ",
        ),
        (NAMED, (12, 5), "is 12 x 5, the model 12 x 9, and only the model has names of columns; expected "),
        (
            UNNAMED,
            (40, 9),
            "is 40 x 9, the model 12 x 9, and neither has names of rows; expected names in bo",
        ),
    ],
)
def test_networks_of_other_shapes_are_not_matched_by_index(model, shape, sentence):
    with pytest.raises(
        InputError, match=f"^exclude cannot be used. The excluded network {sentence}"
    ) as error:
        excluded_keys(model, shaped(*shape))
    assert WAYS in str(error.value)
    with pytest.raises(InputError, match=f"^The given network {sentence}"):
        known_pairs(model, shaped(*shape))
    assert excluded_keys(model, shaped(12, 9)).tolist() == [1]


def test_a_named_network_of_another_shape_is_not_matched_by_index():
    named = Network.from_edges([("a", "b", 1.0)])
    with pytest.raises(InputError, match="and only it has names of rows; expected names in both"):
        excluded_keys(UNNAMED, named)
    assert excluded_keys(NAMED, Network.from_edges([("u1", "v2", 1.0)])).tolist() == [11]


def test_a_smaller_network_without_names_is_a_list_of_indices_with_a_warning():
    message = (
        "The excluded network is 4 x 5, the model 12 x 9, and neither has names of rows, so that indices are "
        f"taken for those of the model. {WAYS}"
    )
    with pytest.warns(DataWarning, match=re.escape(message)) as caught:
        assert excluded_keys(UNNAMED, shaped(4, 5)).tolist() == [1]
    assert len(caught) == 1
    assert excluded_keys(UNNAMED, [(0, 1)]).tolist() == [1]


def test_excluded_pairs_none_of_which_can_be_a_candidate_warn():
    message = (
        "exclude has 2 pairs, but none of two nodes that the model has, so that nothing is left out "
        r"\(first: 'x', 'v2'\)\. If that is not intended, compare the names, or the indices"
    )
    with pytest.warns(DataWarning, match=message):
        assert excluded_keys(NAMED, [("x", "v2"), ("y", "v2")]).tolist() == []


@pytest.mark.parametrize(
    ("exclude", "message"),
    [
        ("names", "The pairs are of type str; expected pairs"),
        ([("u1", "v2"), ("u1",)], r"Pair 1 is \('u1',\); expected pairs"),
        (np.ones((2, 3)), r"The pairs are an array of shape \(2, 3\); expected pairs"),
        ([("u1", 0.5)], "0.5"),
        ([("v2", "u1")], "Rows and columns are swapped"),
        ([("u1", -1)], "-1"),
    ],
)
def test_other_faults_of_excluded_pairs_name_exclude(exclude, message):
    with pytest.raises(InputError, match=f"^exclude cannot be used\\. .*{message}"):
        excluded_keys(NAMED, exclude)


def test_names_of_numpy_are_shown_as_those_of_python():
    network = Network.from_edges([("ann", "tea", 1), ("bob", "milk", 0)])
    for pair in ((np.str_("ann"), np.str_("tea"), 1), np.array(["ann", "tea", "x"]), [np.int64(3)]):
        for take in (one_pair, lambda network, pair: pair_indices(network, [pair])):
            with pytest.raises(InputError, match=r"is [\[(]('ann', 'tea'|3)") as error:
                take(network, pair)
            assert "np." not in str(error.value)
    with pytest.warns(DataWarning, match=r"first: 'eve', 'tea'\)"):
        excluded_keys(network, [(np.str_("eve"), np.str_("tea"))])
    with pytest.warns(DataWarning, match="Of 3 pairs in exclude, 2 .* 1 of 2 row names is unknown: 'eve';"):
        excluded_keys(network, np.array([["ann", "milk"], ["eve", "milk"], ["eve", "tea"]]))
