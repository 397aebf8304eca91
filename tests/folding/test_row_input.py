"""New rows given by names and values, and what their result can be asked."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from latentlink import Network, WNMFk
from latentlink.errors import InputError
from latentlink.folding import known_rows
from tests.helpers.fitted import SMALL, friends, planted

COLUMNS = list("abcdefghi")
NEW = {"a": 0.4, "c": 0.2, "i": 0.9}
PAIRS = [(0, j) for j in range(9)]


@pytest.fixture(scope="module")
def named():
    edges = [(f"u{i}", COLUMNS[j], planted()[i, j]) for i in range(12) for j in range(9) if (i + j) % 5]
    return WNMFk(**SMALL).fit(Network.from_edges(edges))


def whole_row(*rows):
    """The same rows as a frame, NaN where a value is unknown."""
    return pandas.DataFrame([{name: row.get(name, np.nan) for name in COLUMNS} for row in rows])


NO_ROWS = {
    "a list of names": (["a", "c"], "type list with 'a', which is neither a number nor in a pair"),
    "a tuple of names": (("a", "c"), "type tuple with 'a'"),
    "a set of names": ({"a"}, "type set with 'a'"),
    "a name": ("a", "type str with 'a'"),
    "an array of names": (np.array(["a", "c"]), "type ndarray with 'a'"),
    "names of several rows": ([["a", "c", "d"], ["b"]], "type list with 'a'"),
    "a pair and a name": ([("a", 1.0), "c"], "type list with 'c'"),
    "a pair without a value": ([("a", 1.0), ("b",)], "type list with 'b'"),
    "a triple": ([("a", 1.0, 2.0)], "type list with 'a'"),
    "one pair": (["a", 1.0], "type list with 'a'"),
    "a row and a name": ([{"a": 1.0}, "b"], "type list with 'b'"),
    "an index of pandas": (pandas.Index(["a", "c"]), "type Index with 'a'"),
    "a frame of names": (pandas.DataFrame({"name": ["a"]}), "Column 'name' of the frame has 'a' in row 0"),
    "nothing": ([], "Expected rows of 9 columns, as in the fit"),
    "none": (None, "Expected rows of 9 columns, as in the fit"),
    "a number": (5, "Expected rows of 9 columns, as in the fit"),
    "an object": (object(), "X is no matrix of numbers: .* Expected rows of 9 columns"),
    "too few numbers": ([[1.0, 2.0]], "X has 2 features, but WNMFk is expecting 9 .* Expected rows of 9"),
    "a short row": ([1.0] * 8, "The new row has 8 numbers; expected 9, one for each column of the fit"),
    "a short array": (np.ones(1), "The new row has 1 number; expected 9, one for each column"),
    "a short row with a name": ({"x": np.ones(8)}, "The new row 'x' has 8 numbers; expected 9"),
    "rows of two lengths": ([[1.0] * 9, [1.0] * 8], "X is no matrix of numbers: .* Expected rows of 9"),
}


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
class TestNoRows:
    @pytest.mark.parametrize("what", NO_ROWS)
    def test_what_is_no_row_raises_a_sentence_with_what_is_expected(self, named, what):
        X, sentence = NO_ROWS[what]
        for method in (named.fold_in, named.transform, named.score):
            if X is None and method == named.score:
                continue  # scores by the entries that were held out
            if "short" in what and method != named.fold_in:
                continue  # a single row is for fold_in alone
            with pytest.raises(InputError, match=sentence) as error:
                method(X)
            assert "{name: value}" in str(error.value)
            assert str(error.value).endswith(".")

    def test_the_way_out_for_names_of_links(self, named):
        expected = named.transform({"a": 1.0, "c": 1.0})
        np.testing.assert_array_equal(named.transform(dict.fromkeys(["a", "c"], 1.0)), expected)

    def test_numbers_as_text_are_numbers(self, named):
        row = [str(number) for number in planted()[0]]
        np.testing.assert_array_equal(named.transform([row]), named.transform(planted()[:1]))


class TestForms:
    @pytest.mark.parametrize(
        "row",
        [
            NEW,
            list(NEW.items()),
            [list(pair) for pair in NEW.items()],
            tuple(NEW.items()),
            {0: 0.4, 2: 0.2, 8: 0.9},
            [(0, 0.4), (2, 0.2), (8, 0.9)],
            NEW | {"b": np.nan},
            [NEW],
            pandas.Series(NEW),
        ],
        ids=[
            "dict",
            "pairs",
            "lists",
            "tuple",
            "indices",
            "pairs of indices",
            "nan",
            "list of dicts",
            "series",
        ],
    )
    def test_one_row_equals_the_whole_row(self, named, row):
        expected = named.fold_in(whole_row(NEW)).predict_links(PAIRS, return_std=True)
        np.testing.assert_allclose(named.fold_in(row).predict_links(PAIRS, return_std=True), expected)
        np.testing.assert_allclose(named.transform(row), named.transform(whole_row(NEW)))

    def test_several_rows_with_and_without_names(self, named):
        other = {"b": 0.5, "c": 0.1}
        expected = named.transform(whole_row(NEW, other))
        for rows in ([NEW, other], {"x": NEW, "y": other}, {"x": NEW, "y": list(other.items())}):
            np.testing.assert_allclose(named.transform(rows), expected)
        by_name = named.fold_in({"x": NEW, "y": other})
        np.testing.assert_array_equal(by_name.predict_links([("y", "a")]), by_name.predict_links([(1, 0)]))

    def test_new_nodes_of_an_undirected_network(self):
        network = friends()
        model = WNMFk(**SMALL).fit(network)
        known = {1: 1.0, 4: 0.0, 6: 1.0}
        row = np.full((1, network.shape[1]), np.nan)
        row[0, list(known)] = list(known.values())
        expected = model.fold_in(row).predict_links([(0, j) for j in range(10)])
        np.testing.assert_allclose(model.fold_in(known).predict_links([(0, j) for j in range(10)]), expected)

    @pytest.mark.slow
    def test_unlisted_entries_count_as_in_the_fit(self):
        links = [(i, j) for i in range(12) for j in range(9) if (i % 2) == (j % 2)]
        model = WNMFk(**SMALL).fit(Network.from_edges(links, background=0.5))
        rows = model.fold_in({0: 1.0, 2: 1.0})
        assert rows.network.background == 0.5
        assert rows.predict_links([(0, 4)]) > rows.predict_links([(0, 5)])

    def test_a_matrix_of_two_columns_stays_a_matrix(self):
        model = WNMFk((1,), n_perturbs=2, random_state=0).fit([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
        assert model.fold_in([(1, 2), (3, 6)]).network.shape == (2, 2)
        assert model.fold_in([[1.0, 2.0]]).network.shape == (1, 2)

    @pytest.mark.parametrize(
        ("row", "sentence"),
        [
            ({"a": 1.0, "bb": 2.0}, r"1 of 2 column names is unknown: 'bb' \(nearest: 'b'\)"),
            ({"u1": 1.0}, "It is the name of a row"),
            ({9: 1.0}, "There is no column 9"),
            ({"a": "much"}, r"new row 0 has 'much' for column 'a'; expected a finite number"),
            ({"a": np.inf}, "new row 0 has inf"),
            ({"x": {"a": None}}, "new row 'x' has None for column 'a'"),
            ([("a", 1.0), ("a", 2.0)], "column 'a' occurs more than once"),
            ([("a", 1.0), (0, 2.0)], "occurs more than once"),
            ({}, "new row 0 is empty"),
            ({"x": NEW, "y": {}}, "new row 'y' is empty"),
        ],
    )
    def test_invalid_rows_raise(self, named, row, sentence):
        with pytest.raises(InputError, match=sentence):
            named.fold_in(row)
        with pytest.raises(InputError, match="need no mask"):
            named.fold_in(NEW, mask=np.ones((1, 9)))


class TestQuestions:
    def test_the_repr_is_short(self, named):
        rows = named.fold_in({"x": NEW, "y": {"b": 1.0}})
        text = repr(rows)
        assert text.startswith("NewRows: 2 new rows ('x', 'y') x 9 columns, 4 known entries, rank 2, ")
        assert "\n" not in text
        many = named.fold_in([NEW] * 100)
        assert len(repr(many)) < 120

    @pytest.mark.parametrize("by", ["model", "ensemble"])
    def test_top_links_are_the_best_unknown_pairs(self, named, by):
        rows = named.fold_in({"x": NEW, "y": {"b": 1.0}})
        pairs = [(row, col) for row in ("x", "y") for col in COLUMNS]
        known = {("x", name) for name in NEW} | {("y", "b")}
        score, spread = rows.predict_links(pairs, return_std=True, by=by)
        best = sorted((-score[k], pair, spread[k]) for k, pair in enumerate(pairs) if pair not in known)
        table = rows.top_links(5, by=by)
        assert list(zip(table["row"].tolist(), table["column"].tolist(), strict=True)) == [
            p for _, p, _ in best[:5]
        ]
        np.testing.assert_allclose(table["score"], [-s for s, _, _ in best[:5]])
        np.testing.assert_allclose(table["spread"], [s for _, _, s in best[:5]])
        per_node = rows.top_links(2, per_node=True, by=by)
        for row in ("x", "y"):
            one = rows.recommend(row, 2, by)
            assert one["column"].tolist() == per_node["column"][per_node["row"] == row].tolist()

    def test_excluded_columns_are_left_out(self, named):
        rows = named.fold_in(NEW)
        best = rows.recommend(n=1)["column"][0]
        assert best not in rows.recommend(n=9, exclude=[(0, str(best))])["column"]
        assert best not in rows.top_links(9, exclude=[(0, str(best))])["column"]

    def test_new_nodes_of_an_undirected_network_are_linked_to_fitted_ones(self, undirected):
        rows = undirected.fold_in({1: 1.0, 4: 0.0})
        table = rows.recommend(0, 100)
        assert sorted(table["column"].tolist()) == [
            j for j in range(undirected.network_.shape[1]) if j not in (1, 4)
        ]
        pairs = [(0, int(col)) for col in table["column"]]
        np.testing.assert_allclose(table["score"], rows.predict_links(pairs))
        assert (np.diff(table["score"]) <= 1e-12).all()

    def test_unknown_nodes(self, named):
        rows = named.fold_in({"x": NEW})
        with pytest.raises(InputError, match="No row has the name 'z'"):
            rows.predict_links([("z", "a")])
        assert np.isnan(rows.predict_links([("x", "q"), ("x", "b")], unknown="nan")).tolist() == [True, False]
        with pytest.raises(InputError, match="expected 'error' or 'nan'"):
            rows.predict_links([("x", "q")], unknown="average")


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
class TestWholeRows:
    ROW = np.array([NEW.get(name, np.nan) for name in COLUMNS])

    @pytest.mark.parametrize(
        "row",
        [ROW, ROW.tolist(), tuple(ROW), [None if np.isnan(each) else each for each in ROW]],
        ids=["array", "list", "tuple", "none"],
    )
    def test_one_row_of_numbers_is_a_row_with_or_without_a_name(self, named, row):
        expected = named.fold_in(NEW)
        alone, by_name = named.fold_in(row), named.fold_in({"new": row, "same": NEW})
        np.testing.assert_array_equal(alone.W, expected.W)
        np.testing.assert_array_equal(by_name.W, expected.W[[0, 0]])
        assert by_name.network.row_names.tolist() == ["new", "same"]
        assert alone.network.n_known == 3
        with pytest.raises(InputError, match="Expected 2D array"):  # as scikit-learn has it
            named.transform(row)

    def test_an_infinite_value_raises(self, named):
        with pytest.raises(InputError, match="The new row 'x' has inf for column 0; expected a finite"):
            named.fold_in({"x": [np.inf] * 9})

    def test_a_mask_of_one_row_says_what_is_known(self, named):
        rows = named.fold_in(np.nan_to_num(self.ROW), mask=~np.isnan(self.ROW))
        np.testing.assert_array_equal(rows.W, named.fold_in(NEW).W)

    def test_unknown_values_are_no_zeros_of_the_background(self):
        edges = [(f"u{i}", COLUMNS[j]) for i in range(12) for j in range(9) if (i + j) % 3]
        model = WNMFk(**SMALL).fit(Network.from_edges(edges, background=0.5))
        rows = model.fold_in({"new": [1.0, np.nan, *[0.0] * 7]})
        assert (rows.network.n_known, rows.network.n_listed) == (8, 9)
        assert known_rows(model.fold_in({"new": {"a": np.nan}}).network).all()
