"""Reader of data frames: columns of edges, and the names that labels give to a matrix."""

import builtins
import re

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from latentlink import WNMFk
from latentlink.errors import DataWarning, InputError
from latentlink.network import Network
from latentlink.network.readers.tables.frames import frame_names, frame_of

EDGES = pandas.DataFrame({"a": ["x", "y"], "b": ["z", "z"], "c": [1.0, np.nan], "d": [1.0, 2.0]})


class TestEdges:
    def test_column_labels_may_be_integers_or_tuples(self):
        expected = Network.from_edges([("a", "b", 1.0)])
        assert Network.from_edges(pandas.DataFrame([["a", "b", 1.0]])) == expected
        reordered = pandas.DataFrame([[1.0, "b", "a"]], columns=[1, 2, 0])
        assert Network.from_edges(reordered, columns=(0, 2, 1)) == expected
        tuples = pandas.MultiIndex.from_tuples([("who", 1), ("who", 2), ("much", 1)])
        assert Network.from_edges(pandas.DataFrame([["a", "b", 1.0]], columns=tuples)) == expected

    @pytest.mark.parametrize(
        ("frame", "options", "parts"),
        [
            (EDGES, {"columns": 5}, ["columns is 5", "expected two to four"]),
            (EDGES, {"columns": {"a", "b"}}, ["expected two to four"]),
            (EDGES, {"columns": ("a",)}, ["expected two to four"]),
            (EDGES, {"columns": "ab"}, ["expected two to four"]),
            (EDGES, {"columns": ("a", "a")}, ["a different column"]),
            (EDGES, {"columns": ("a", "b", "c")}, ["Column 'c' (the value)", "frame row 1"]),
            (EDGES, {"columns": ("a", "b", "c", "d", "e")}, ["expected two to four"]),
            (
                pandas.DataFrame({"a": ["x"], "b": ["y"], "c": pandas.to_datetime(["2024-01-01"])}),
                {},
                ["The value of frame row 0", "Timestamp", "expected a finite number"],
            ),
            (EDGES, {"columns": ("a", "b", "e")}, ["no column 'e'", "'a', 'b', 'c', 'd'"]),
            (EDGES, {}, ["4 columns", "'a', 'b', 'c', 'd'", "columns=('a', 'b', 'c')"]),
            (EDGES[["a"]], {}, ["no two columns", "'a'"]),
            (EDGES[["a", "b"]], {"cols": ["x"]}, ["frame", "cols="]),
            (EDGES.set_axis(["a", "b", "a", "d"], axis=1), {}, ["label 'a' in columns 0 and 2", "Rename"]),
            (pyarrow.table([["x"], ["y"]], names=["a", "a"]), {}, ["label 'a' in columns 0 and 1"]),
            (
                pandas.DataFrame([range(1001)]),
                {},
                ["1001 columns: 0, 1, 2,", "9 and 991 more", "columns=(0, 1, 2)"],
            ),
            (pandas.DataFrame([["a", None]]), {}, ["Column 1 (the column) has no value"]),
            (polars.DataFrame({"a": ["x", None], "b": ["y", "y"]}), {}, ["Column 'a' (the row)", "row 1"]),
            (polars.DataFrame({"a": ["x"], "b": ["y"]}).lazy(), {}, ["lazy"]),
            (pandas.DataFrame({"a": ["x"], "b": ["y"], "c": ["text"]}), {}, ["frame row 0", "'text'"]),
            (pandas.DataFrame({"a": [True], "b": ["y"]}), {}, ["row of frame row 0", "True"]),
        ],
    )
    def test_invalid_frames_raise(self, frame, options, parts):
        with pytest.raises(InputError) as error:
            Network.from_edges(frame, **options)
        for part in parts:
            assert part in str(error.value)

    def test_a_missing_package_is_named(self, monkeypatch):
        imported = builtins.__import__

        def without_narwhals(name, *arguments, **options):
            if name.split(".")[0] == "narwhals":
                raise ImportError(name)
            return imported(name, *arguments, **options)

        monkeypatch.setattr(builtins, "__import__", without_narwhals)
        with pytest.raises(
            InputError, match=r'DataFrame\) needs narwhals: pip install "latentlink\[frames\]"'
        ):
            Network.from_edges(EDGES)


def matrix(index=None, columns=None):
    values = np.arange(12.0).reshape(4, 3) % 5
    return pandas.DataFrame(values, index=index, columns=columns)


LABELS = {
    "strings": (["p", "q", "r", "s"], ["x", "y", "z"], ["p", "q", "r", "s"], ["x", "y", "z"]),
    "integers": ([7, 9, 1, 0], [7, 9, 11], ["7", "9", "1", "0"], ["7", "9", "11"]),
    "positions": (None, None, None, None),
    "positions in another order": ([1, 0, 2, 3], [0, 2, 1], ["1", "0", "2", "3"], ["0", "2", "1"]),
    "numbers as text": (["0", "1", "2", "3"], ["0", "1", "2"], ["0", "1", "2", "3"], ["0", "1", "2"]),
    "repeated rows": (["p", "p", "r", "s"], ["x", "y", "z"], None, ["x", "y", "z"]),
    "rows of the same text": ([1, "1", 2, 3], ["x", "y", "z"], None, ["x", "y", "z"]),
    "an empty row label": (["", "q", "r", "s"], ["x", "y", "z"], None, ["x", "y", "z"]),
}


class TestNames:
    @pytest.mark.filterwarnings("ignore:.*so that its rows have no names")
    @pytest.mark.parametrize(
        ("index", "columns", "row_names", "col_names"), LABELS.values(), ids=LABELS.keys()
    )
    def test_labels_other_than_positions_are_names_as_text(self, index, columns, row_names, col_names):
        frame = matrix(index, columns)
        assert frame_names(frame) == (row_names, col_names)
        network = Network.from_dense(frame)
        for names, expected in ((network.row_names, row_names), (network.col_names, col_names)):
            assert (None if names is None else names.tolist()) == expected

    @pytest.mark.parametrize("read", [Network.from_dense, WNMFk((1,), n_perturbs=2, random_state=0).fit])
    @pytest.mark.parametrize(
        ("labels", "sentence"),
        [
            (
                {"index": ["p", "q", "q", "p"]},
                "The label 'q' of the frame is that of rows 1 and 2 (counted from 0)",
            ),
            (
                {"index": [1, "1", 2, 3]},
                "The label '1' of the frame is that of rows 0 and 1 (counted from 0)",
            ),
            ({"index": [7, 9, 7, 1]}, "The label 7 of the frame is that of rows 0 and 2 (counted from 0)"),
            ({"index": ["p", "", "r", "s"]}, "The label of row 1 (counted from 0) of the frame is empty"),
        ],
    )
    def test_labels_that_cannot_be_names_warn(self, read, labels, sentence):
        message = (
            f"{sentence}, so that its rows have no names; expected different labels. If they are names, make "
            "them different, or merge the rows that are the same; if they are not, say so: "
            "frame.reset_index(drop=True)."
        )
        with pytest.warns(DataWarning, match=re.escape(message)) as caught:
            read(matrix(**labels, columns=["x", "y", "z"]))
        assert len(caught) == 1

    def test_column_labels_that_are_the_same_text_warn(self):
        with pytest.warns(
            DataWarning, match=r"The label '1' of the frame is that of columns 0 and 1.*asarray"
        ):
            Network.from_dense(matrix(columns=[1, "1", 2]))

    @pytest.mark.parametrize("index", [[0, 1, 0, 1], [0, 0, 1, 2], [0, 1, 2, 3], None, list("pqrs")], ids=str)
    def test_positions_that_begin_again_are_no_names(self, index):
        names = Network.from_dense(matrix(index)).row_names
        assert (None if names is None else names.tolist()) == (index if index == list("pqrs") else None)

    def test_names_that_are_given_make_up_for_labels_that_repeat(self):
        network = Network.from_dense(matrix(["p", "p", "r", "s"]), row_names=list("abcd"))
        assert network.row_names.tolist() == list("abcd")
        frame = matrix(["p", "p", "r", "s"]).reset_index(drop=True)
        assert Network.from_dense(frame).row_names is None

    def test_labels_of_mixed_types_are_names_too(self):
        assert frame_names(matrix(columns=["a", 5, 2.5])) == (None, ["a", "5", "2.5"])

    def test_frames_without_an_index_name_only_columns(self):
        columns = {"x": [1.0], "y": [2.0]}
        for frame in (polars.DataFrame(columns), pyarrow.table(columns)):
            network = Network.from_dense(frame)
            assert network.row_names is None
            assert network.col_names.tolist() == ["x", "y"]
            assert network.values.tolist() == [1, 2]

    def test_objects_that_are_no_frames_have_no_names(self):
        assert frame_names([["a"]]) == frame_names(np.eye(2)) == (None, None)

    @pytest.mark.parametrize(
        "frame", [matrix(columns=["x", "y", "x"]), pyarrow.table([[1.0], [2.0]], names=["x", "x"])]
    )
    def test_repeated_column_labels_raise(self, frame):
        with pytest.raises(InputError, match="The frame has the label 'x' in columns 0 and"):
            Network.from_dense(frame)

    @pytest.mark.parametrize("side", ["index", "columns"])
    def test_labels_of_a_mask_must_equal_those_of_the_data(self, side):
        labels = ["a", "b", "c", "d"][: 4 if side == "index" else 3]
        frame = matrix(**{side: labels})
        mask = matrix(**{side: labels[::-1]}) * 0 + 1
        with pytest.raises(InputError, match=f"The {side} of the data and of the mask differ"):
            Network.from_dense(frame, mask=mask)
        aligned = mask.reindex_like(frame)
        assert Network.from_dense(frame, mask=aligned) == Network.from_dense(frame)

    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
    @pytest.mark.filterwarnings("ignore:.*so that its rows have no names")
    @pytest.mark.parametrize("case", ["strings", "integers", "positions", "repeated rows"])
    def test_fit_and_from_dense_give_the_same_names(self, case):
        index, columns, *_ = LABELS[case]
        frame = matrix(index, columns)
        network = Network.from_dense(frame)
        model = WNMFk((1,), n_perturbs=2, random_state=0).fit(frame)
        for ours, fitted in ((network.row_names, model.row_names_), (network.col_names, model.col_names_)):
            np.testing.assert_array_equal(fitted, ours)
            assert (fitted is None) == (ours is None)
        assert model.network_ == network


def test_an_object_with_columns_that_is_no_frame_is_none():
    class Table:
        columns = ("a", "b")

    assert frame_of(Table()) is None
    assert frame_of(np.zeros((2, 2))) is None
