"""Frames that list pairs, given to fit where a matrix is expected."""

from __future__ import annotations

import warnings

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from latentlink import LinkStack, Network, WNMFk
from latentlink.errors import DataWarning, InputError
from latentlink.network.readers.tables.edge_list_frames import raise_if_edge_list
from tests.helpers.fitted import SMALL, planted

RATINGS = {"user": [0, 0, 1, 2, 2], "item": [0, 1, 1, 0, 2], "rating": [5, 3, 4, 1, 2]}
WORDS = {"who": ["ann", "bob", "eve"], "what": ["tea", "tea", "milk"], "much": [1.0, 2.0, 3.0]}


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
@pytest.mark.parametrize("estimator", [WNMFk(**SMALL), LinkStack()], ids=["factorizer", "stack"])
def test_a_list_of_ratings_is_not_taken_for_a_matrix(library, estimator):
    frame = library(RATINGS)
    with pytest.raises(InputError, match="looks like a list of pairs: 'user' and 'item' are") as error:
        estimator.fit(frame)
    assert "fit(Network.from_edges(frame))" in str(error.value)
    assert "fit(numpy.asarray(frame))" in str(error.value)
    network = Network.from_edges(frame)
    assert network.n_listed == 5


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (pandas.DataFrame(WORDS), r"column 'who' has names, such as 'ann'.*fit\(frame.set_index\('who'\)\)"),
        (pandas.DataFrame(WORDS).astype({"who": "category"}), "column 'who' has names, such as 'ann'"),
        (polars.DataFrame(WORDS), "'who' has names, such as 'ann'.*matrix, leave out the column of names"),
        (
            pandas.DataFrame(RATINGS).rename(columns={"user": "reviewer", "item": "book"}),
            "no pair of its first two columns repeats, and 'rating' is the label of a value",
        ),
        (pandas.DataFrame(RATINGS).assign(time=7), r"columns=\('user', 'item', 'rating'\)"),
        (
            pandas.DataFrame(RATINGS)[["user", "item"]],
            "The frame of 5 lines with the columns 'user', 'item' ",
        ),
    ],
)
def test_other_lists_raise(frame, sentence):
    with pytest.raises(InputError, match=sentence):
        WNMFk(**SMALL).fit(frame)


def test_the_ways_out_work():
    frame = pandas.DataFrame(RATINGS).assign(time=7)
    columns = ("user", "item", "rating")
    assert (
        WNMFk((1,), n_perturbs=2, random_state=0).fit(Network.from_edges(frame, columns=columns)).rank_ == 1
    )
    assert WNMFk((1,), n_perturbs=2, random_state=0).fit(np.asarray(frame)).network_.shape == (5, 4)
    table = pyarrow.table(RATINGS)
    assert WNMFk((1,), n_perturbs=2, random_state=0).fit(np.asarray(table)).network_.shape == (5, 3)


def test_a_short_list_without_labels_warns():
    frame = pandas.DataFrame({"a": [1, 1, 2, 2, 3], "b": [1, 2, 1, 3, 3], "c": [5, 3, 4, 1, 2]})
    with pytest.warns(DataWarning, match="may be a list of pairs: in its first two columns numbers repeat"):
        WNMFk((1,), n_perturbs=2, random_state=0).fit(frame)


@pytest.mark.parametrize("columns", [3, 4])
def test_a_long_list_without_labels_raises(columns):
    """As ratings are read without a header: user, item, rating and a time, in any order."""
    rng = np.random.default_rng(0)
    pairs = rng.permutation(np.argwhere(rng.random((30, 40)) < 0.3))
    values = np.column_stack([rng.integers(1, 6, len(pairs)), rng.integers(10**8, 10**9, len(pairs))])
    frame = pandas.DataFrame(np.column_stack([pairs, values])[:, :columns])
    with pytest.raises(
        InputError, match="looks like a list of pairs: in its first two columns numbers repeat"
    ):
        WNMFk((1,)).fit(frame)


@pytest.mark.parametrize(
    "frame",
    [
        pandas.DataFrame(planted((12, 3))),
        pandas.DataFrame(np.random.default_rng(0).poisson(3, (30, 3)), columns=["tea", "milk", "juice"]),
        pandas.DataFrame(np.random.default_rng(0).poisson(300, (30, 3)), columns=["tea", "milk", "juice"]),
        pandas.DataFrame(np.arange(1, 16).reshape(5, 3)),
        pandas.DataFrame(planted((12, 5)), columns=["user", "item", "rating", "x", "y"]),
        polars.DataFrame(planted((12, 3))),
    ],
    ids=["real", "small counts", "large counts", "integers", "wide", "polars"],
)
def test_matrices_of_few_columns_are_fitted(frame):
    assert WNMFk((1,), n_perturbs=2, random_state=0).fit(frame).network_.shape == frame.shape


def test_a_mask_says_that_it_is_a_matrix():
    frame = pandas.DataFrame(RATINGS)
    model = WNMFk((1,), n_perturbs=2, random_state=0).fit(frame, mask=np.ones(frame.shape))
    assert model.network_.shape == (5, 3)


WIDE = {"a": np.repeat(np.arange(5), 2), "b": np.tile(np.arange(2), 5), "score": np.arange(10) % 4 + 1}
NO_LISTS = {
    "fractions": {"a": WIDE["a"] + 0.5},
    "a negative number": {"a": WIDE["a"] - 1},
    "a pair twice": {"b": np.zeros(10, int)},
}


@pytest.mark.parametrize("change", NO_LISTS.values(), ids=NO_LISTS.keys())
def test_columns_that_are_no_distinct_pairs_of_indices_are_a_matrix(change):
    with pytest.raises(InputError, match=r"The frame of 10 lines .* and 'score' is the label of a value"):
        raise_if_edge_list(pandas.DataFrame(WIDE))
    assert raise_if_edge_list(pandas.DataFrame(WIDE | change)) is None


LABELS = [
    ["gene", "disease", "score"],
    ["GeneID", "DiseaseID", "n"],
    ["drugs", "proteins", "year"],
    ["author", "paper"],
    ["customer_no", "product_no", "bought"],
    ["drug", "target"],
    ["miRNA", "target", "n"],
    ["kinase", "substrate", "weight"],
]


@pytest.mark.parametrize("labels", LABELS, ids=" ".join)
def test_sparse_pairs_of_numbers_are_not_a_matrix_in_silence(labels):
    """However few they are: where chance would repeat none, the labels tell."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        pairs = np.unique(rng.integers(0, [rng.integers(50, 5_000)] * 2, (rng.integers(2, 300), 2)), axis=0)
        values = rng.integers(0, 9, (len(pairs), len(labels) - 2))
        frame = pandas.DataFrame(np.column_stack([rng.permutation(pairs), values]), columns=labels)
        with warnings.catch_warnings():
            warnings.simplefilter("error", DataWarning)
            with pytest.raises((InputError, DataWarning), match=r"(looks like|may be) a list of pairs"):
                raise_if_edge_list(frame)


@pytest.mark.parametrize("third", [None, "whole", "fractions"])
@pytest.mark.parametrize("lines", [19, 20])
def test_sparse_pairs_without_labels_warn_if_no_third_column_of_whole_numbers_follows(third, lines):
    rng = np.random.default_rng(0)
    rows = np.minimum(np.arange(lines), lines - 2)  # one number repeats on each side, and no pair
    frame = pandas.DataFrame({"x": 40 * rows, "y": 30 * (rows[::-1] + 1)})
    if third is not None:
        frame["z"] = rng.integers(0, 9, lines) + (0.5 if third == "fractions" else 0)
    if third == "whole" or lines < 20:
        assert raise_if_edge_list(frame) is None
    else:
        with pytest.warns(DataWarning, match=r"may be a list of pairs: its first two columns have whole"):
            raise_if_edge_list(frame)


def test_one_row_or_labels_of_a_table_are_a_matrix():
    assert raise_if_edge_list(pandas.DataFrame([[1, 2, 3]], columns=["gene", "disease", "score"])) is None
    rows = [[61, 3], [75, 0], [82, 5]]
    assert raise_if_edge_list(pandas.DataFrame(rows, columns=["height", "gene"])) is None


def numbered(lines, rows, cols):
    """A frame of distinct pairs of so many numbers, in which each number occurs."""
    pairs = np.array([(k % rows, (k + k // np.lcm(rows, cols)) % cols) for k in range(lines)])
    assert len(np.unique(pairs, axis=0)) == lines
    return pandas.DataFrame({0: pairs[:, 0], 1: pairs[:, 1], 2: np.ones(lines)})


def test_chance_would_repeat_five_pairs_of_a_list_or_one():
    """Of n lines with r and c numbers, n (n - 1) / 2 / (r c) pairs."""
    with pytest.raises(InputError, match="looks like a list of pairs: in its first"):
        raise_if_edge_list(numbered(16, 4, 6))  # 5
    with pytest.warns(DataWarning, match="may be a list of pairs: in its first"):
        raise_if_edge_list(numbered(15, 4, 6))  # 4.4
    with pytest.warns(DataWarning, match="may be a list of pairs: in its first"):
        raise_if_edge_list(numbered(9, 6, 6))  # 1
    assert raise_if_edge_list(numbered(8, 6, 6)) is None  # 0.8
    assert raise_if_edge_list(numbered(6, 2, 6)) is None  # all numbers of a column differ


def test_whole_messages_about_lists():
    labels = ["source", "target_id", "weight", "abcdefghijklmnopqrstuvw"]
    with pytest.raises(InputError) as error:
        raise_if_edge_list(pandas.DataFrame([[1, 2, 3.0, 4.0]], columns=labels))
    assert str(error.value) == (
        "The frame of 1 line with the columns 'source', 'target_id', 'weight', 'abcdefghijklmnopqrst... "
        "looks like a list of pairs: 'source' and 'target_id' are labels of nodes; expected a matrix, with a "
        "line for each row and a column for each column. If it is a list: fit(Network.from_edges(frame, "
        "columns=('source', 'target_id', 'weight'))). If it is a matrix: fit(numpy.asarray(frame))."
    )


def test_a_long_label_is_shortened_in_the_example():
    labels = ["source", "target_id", "abcdefghijklmnopqrstuvw", "w"]
    with pytest.raises(InputError, match=r"columns=\('source', 'target_id', 'abcdefghijklmnopqrst\.\.\.\)\)"):
        raise_if_edge_list(pandas.DataFrame([[1, 2, 3.0, 4.0]], columns=labels))


@pytest.mark.parametrize("place", [19, 20])
def test_names_are_looked_for_in_the_first_20_lines(place):
    column = [1.5] * place + ["ann"] + [1.5] * 5
    frame = pandas.DataFrame({"a": column, "b": np.arange(len(column)), "c": 1.0})
    if place < 20:
        with pytest.raises(InputError, match="its column 'a' has names"):
            raise_if_edge_list(frame)
    else:
        assert raise_if_edge_list(frame) is None


def test_a_name_among_the_first_twenty_lines_tells():
    for numbers in (19, 20):
        frame = pandas.DataFrame({"a": [*range(numbers), "x"], "b": range(numbers + 1), "c": 1.0})
        if numbers < 20:
            with pytest.raises(InputError, match="its column 'a' has names"):
                raise_if_edge_list(frame)
        else:
            assert raise_if_edge_list(frame) is None


def test_two_columns_of_numbers_are_a_matrix():
    assert raise_if_edge_list(pandas.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})) is None


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_short_labels_of_users_items_and_ratings(library):
    """Labels that say nothing: what the columns hold says it, in a sentence that can be read."""
    rng = np.random.default_rng(0)
    pairs = rng.permutation(np.argwhere(rng.random((30, 40)) < 0.3))
    columns = {"u": pairs[:, 0], "i": pairs[:, 1], "r": rng.integers(1, 6, len(pairs))}
    with pytest.raises(InputError) as error:
        WNMFk((1,)).fit(library(columns))
    assert str(error.value) == (
        f"The frame of {len(pairs)} lines with the columns 'u', 'i', 'r' looks like a list of pairs: in its "
        "first two columns numbers repeat, but no pair does; expected a matrix, with a line for each row and "
        "a column for each column. If it is a list: fit(Network.from_edges(frame)). If it is a matrix: "
        "fit(numpy.asarray(frame))."
    )
    names = columns | {"u": [f"ann {u}" for u in columns["u"]]}
    with pytest.raises(
        InputError, match=r"list of pairs: its column 'u' has names, such as 'ann [0-9]+'; exp"
    ):
        WNMFk((1,)).fit(library(names))


def test_a_matrix_with_a_column_of_names_is_fitted_by_its_index():
    frame = pandas.DataFrame(WORDS)[["who", "much"]].assign(more=[2.0, 1.0, 3.0])
    with pytest.raises(InputError, match=r"If it is a matrix with names: fit\(frame.set_index\('who'\)\)"):
        WNMFk((1,)).fit(frame)
    model = WNMFk((1,), n_perturbs=2, random_state=0).fit(frame.set_index("who"))
    assert model.row_names_.tolist() == ["ann", "bob", "eve"]


# ---------------------------------------------------------------- from_dense, lists, and wide frames


def triples(seed=0):
    """Pairs of 30 x 40 nodes with a rating and a time, as a list of tuples."""
    rng = np.random.default_rng(seed)
    pairs = rng.permutation(np.argwhere(rng.random((30, 40)) < 0.3)).tolist()
    return [(row, col, int(rng.integers(1, 6)), int(rng.integers(10**8, 10**9))) for row, col in pairs]


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_from_dense_refuses_a_list_of_ratings_too(library):
    frame = library(RATINGS)
    with pytest.raises(InputError) as error:
        Network.from_dense(frame)
    assert str(error.value) == (
        "The frame of 5 lines with the columns 'user', 'item', 'rating' looks like a list of pairs: 'user' "
        "and 'item' are labels of nodes; expected a matrix, with a line for each row and a column for each "
        "column. If it is a list: Network.from_edges(frame). If it is a matrix: "
        "Network.from_dense(numpy.asarray(frame))."
    )
    assert Network.from_edges(frame).n_listed == 5
    assert Network.from_dense(np.asarray(frame)).shape == (5, 3)
    assert Network.from_dense(frame, mask=np.ones((5, 3))).shape == (5, 3)


@pytest.mark.parametrize("read", [Network.from_dense, WNMFk((1,)).fit], ids=["from_dense", "fit"])
@pytest.mark.parametrize("columns", [3, 4])
@pytest.mark.parametrize("kind", [tuple, list])
def test_a_list_of_integer_triples_is_not_taken_for_a_matrix(read, columns, kind):
    listed = [kind(row[:columns]) for row in triples()]
    with pytest.raises(InputError) as error:
        read(listed)
    message = str(error.value)
    assert (
        f"The list of {len(listed)} rows of {columns} numbers looks like a list of pairs: in its" in message
    )
    assert "Network.from_edges(X)" in message
    assert "(numpy.asarray(X))." in message
    assert Network.from_dense(np.asarray(listed)).shape == (len(listed), columns)
    assert Network.from_edges([row[:3] for row in listed]).n_listed == len(listed)


def test_a_short_list_of_tuples_warns_and_one_of_lists_is_a_matrix():
    rows = [(1, 1, 5), (1, 2, 3), (2, 1, 4), (2, 3, 1), (3, 3, 2)]
    with pytest.warns(DataWarning, match="The list of 5 rows of 3 numbers may be a list of pairs: in its"):
        Network.from_dense(rows)
    assert Network.from_dense([list(row) for row in rows]).shape == (5, 3)


@pytest.mark.parametrize(
    "rows",
    [
        np.random.default_rng(0).poisson(3, (60, 3)).tolist(),
        np.random.default_rng(0).poisson(300, (60, 3)).tolist(),
        list(map(tuple, np.random.default_rng(0).integers(0, 2, (60, 3)).tolist())),
        np.random.default_rng(0).random((60, 3)).tolist(),
        [[k, k % 3, 1] for k in range(60)],
        [[*row, 1] for row in triples()],
        np.random.default_rng(0).poisson(3, (60, 2)).tolist(),
        list(map(tuple, np.random.default_rng(0).integers(1, 6, (200, 2)).tolist())),
        np.random.default_rng(0).integers(1, 6, (200, 3)).astype(float).tolist(),
        [(1, 2), (1, 3), (2, 3)],
        [[-1, col, 2] for _, col, *_ in triples()[:5]],
        [[2**70, 1, 2], [1, 2, 3]],
        [(True, False, True), (False, True, True), (True, True, False), (False, False, True)],
        [[1, 2, 3]],
    ],
    ids=[
        "small counts", "large counts", "0 and 1", "real", "a number for each row", "five columns",
        "two columns", "ratings of two", "whole floats", "three pairs", "negative", "huge",
        "truth values", "one row",
    ],
)  # fmt: skip
def test_lists_that_are_matrices_are_read(rows):
    assert Network.from_dense(rows).shape == (len(rows), len(rows[0]))


WIDE_LABELS = ["user", "item", "rating", "timestamp", "device"]


@pytest.mark.parametrize("read", [Network.from_dense, WNMFk((1,)).fit], ids=["from_dense", "fit"])
def test_a_wide_list_with_labels_of_nodes_raises(read):
    frame = pandas.DataFrame([(*row, 1) for row in triples()], columns=WIDE_LABELS)
    message = (
        r"'device' looks like a list of pairs: 'user' and 'item' are labels of nodes.*"
        r"columns=\('user', 'item', 'rating'\)"
    )
    with pytest.raises(InputError, match=message):
        read(frame)
    with pytest.raises(InputError, match="'user' and 'item' are labels of nodes"):
        read(frame.assign(user=[f"u{user}" for user in frame["user"]]))


def test_wide_matrices_are_read():
    """Columns of a matrix may be called so: real numbers, and pairs that occur twice, are no nodes."""
    frame = pandas.DataFrame(planted((12, 5)), columns=WIDE_LABELS)
    assert Network.from_dense(frame).shape == (12, 5)
    counts = pandas.DataFrame(np.random.default_rng(0).poisson(2, (40, 5)), columns=WIDE_LABELS)
    assert Network.from_dense(counts).shape == (40, 5)
    listed = pandas.DataFrame([(*row, 1) for row in triples()], columns=["a", "b", "rating", "d", "e"])
    assert Network.from_dense(listed).shape == (len(listed), 5)
