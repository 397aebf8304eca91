"""Lists of pairs that are hard to tell: numbers as floats, pairs alone, values in front of the nodes."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from latentlink import Network, WNMFk
from latentlink.errors import DataWarning, InputError
from latentlink.network.readers.tables.edge_list_frames import raise_if_edge_list
from tests.helpers.fitted import planted

READERS = {"from_dense": Network.from_dense, "fit": WNMFk((1,)).fit}
TWO = "looks like a list of pairs: in its first two columns numbers repeat, but no pair does"


def ratings(seed=0):
    """Six of 20 items for each of 30 users, with ratings 1 to 5, as integers."""
    rng = np.random.default_rng(seed)
    pairs = [(user, item) for user in range(30) for item in rng.choice(20, 6, replace=False)]
    return np.column_stack([pairs, rng.integers(1, 6, len(pairs))])


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.parametrize("kind", [int, float, object])
class TestOfNumbers:
    def test_a_frame(self, read, width, kind):
        """As ``pandas.DataFrame(numpy.loadtxt(path))`` is, and ``read_csv`` without a header."""
        frame = pandas.DataFrame(ratings()[:, :width].astype(kind))
        with pytest.raises(InputError, match=f"The frame of 180 lines with the columns 0, 1.* {TWO}"):
            read(frame)
        assert Network.from_edges(frame).n_listed == 180
        assert Network.from_dense(np.asarray(frame)).shape == (180, width)

    @pytest.mark.parametrize("row", [tuple, list])
    def test_a_list(self, read, width, kind, row):
        listed = list(map(row, ratings()[:, :width].astype(kind).tolist()))
        with pytest.raises(InputError, match=f"The list of 180 rows of {width} numbers {TWO}"):
            read(listed)
        assert Network.from_dense(np.asarray(listed, float)).shape == (180, width)


def test_pairs_are_read_as_the_sentence_says():
    pairs = list(map(tuple, ratings()[:, :2].tolist()))
    with pytest.raises(InputError, match=r"If it is a list: fit\(Network.from_edges\(X\)\)\."):
        WNMFk((1,)).fit(pairs)
    assert Network.from_edges(pairs).n_listed == 180


@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize(
    "labels",
    [("rating", "user", "item"), ("user", "rating", "item"), ("timestamp", "user", "item", "rating")],
)
def test_labels_of_nodes_in_other_places(library, read, labels):
    columns = dict(zip(("user", "item", "rating"), ratings().T, strict=True))
    frame = library({label: columns.get(label, np.arange(180) + 88 * 10**7) for label in labels})
    with pytest.raises(InputError) as error:
        read(frame)
    assert "looks like a list of pairs: 'user' and 'item' are labels of nodes" in str(error.value)
    assert "Network.from_edges(frame, columns=('user', 'item', 'rating'))" in str(error.value)
    assert Network.from_edges(frame, columns=("user", "item", "rating")).n_listed == 180


def test_a_label_of_a_value_in_front_of_numbers():
    frame = pandas.DataFrame(ratings()[:, [2, 0, 1]], columns=["rating", "reviewer", "book"])
    with pytest.raises(InputError) as error:
        Network.from_dense(frame)
    assert str(error.value) == (
        "The frame of 180 lines with the columns 'rating', 'reviewer', 'book' looks like a list of pairs: in "
        "its columns 1 and 2 (counted from 0) numbers repeat, but no pair does; expected a matrix, with a "
        "line for each row and a column for each column. If it is a list: Network.from_edges(frame, "
        "columns=('reviewer', 'book', 'rating')). If it is a matrix: "
        "Network.from_dense(numpy.asarray(frame))."
    )
    few = pandas.DataFrame({"rating": [5, 5, 4, 5, 5], "a": [1, 1, 2, 2, 3], "b": [1, 2, 1, 3, 3]})
    with pytest.warns(DataWarning, match="may be a list of pairs: in its columns 1 and 2"):
        raise_if_edge_list(few)
    assert raise_if_edge_list(few.rename(columns={"rating": "c"})) is None


def test_values_in_front_of_numbers_without_labels():
    table = ratings()[:, [2, 0, 1]]
    with pytest.raises(InputError, match=r"columns 1 and 2 .*from_edges\(frame, columns=\(1, 2, 0\)\)"):
        Network.from_dense(pandas.DataFrame(table))
    with pytest.raises(InputError) as error:
        Network.from_dense(table.tolist())
    assert "Network.from_edges([(row[1], row[2], row[0]) for row in X])" in str(error.value)
    X = table.tolist()
    assert Network.from_edges([(row[1], row[2], row[0]) for row in X]).n_listed == 180


RNG = np.random.default_rng(0)
MATRICES = {
    "ratings": pandas.DataFrame(RNG.integers(1, 6, (200, 3)), columns=["Alien", "Heat", "Up"]),
    "ratings of four": pandas.DataFrame(RNG.integers(1, 6, (40, 4)), columns=list("abcd")),
    "ratings as floats": pandas.DataFrame(RNG.integers(1, 6, (200, 3)).astype(float)),
    "counts": pandas.DataFrame(RNG.poisson(4, (60, 3)), columns=["wins", "draws", "losses"]),
    "counts as floats": pandas.DataFrame(RNG.poisson(4, (60, 4)).astype(float)),
    "large counts": pandas.DataFrame(RNG.integers(0, 1000, (300, 3)), columns=["jan", "feb", "mar"]),
    "two columns": pandas.DataFrame(RNG.poisson(4, (60, 2)), columns=["wins", "losses"]),
    "0 and 1": pandas.DataFrame(RNG.integers(0, 2, (100, 3)).astype(float)),
    "truth values": pandas.DataFrame(RNG.random((50, 2)) < 0.5),
    "few 0 and 1": pandas.DataFrame([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]),
    "named rows": pandas.DataFrame(RNG.integers(1, 6, (9, 3)), index=list("abcdefghi"), columns=list("xyz")),
    "unknown entries": pandas.DataFrame(np.where(RNG.random((50, 3)) < 0.5, np.nan, 3.0)),
    "a score first": pandas.DataFrame(RNG.poisson(4, (30, 3)), columns=["score", "goals", "fouls"]),
    "real": pandas.DataFrame(planted((30, 3))),
    "small": pandas.DataFrame([[5, 3, 1], [4, 3, 1], [1, 1, 5], [1, 2, 4]]),
    "small floats": pandas.DataFrame([[5.0, 3.0, 1.0], [4.0, 3.0, 1.0], [5.0, 1.0, 5.0], [4.0, 1.0, 4.0]]),
}


@pytest.mark.parametrize("frame", MATRICES.values(), ids=MATRICES)
def test_honest_matrices_are_read_without_a_word(frame):
    assert Network.from_dense(frame).shape == frame.shape
    assert Network.from_dense(frame.to_numpy().tolist()).shape == frame.shape


@pytest.mark.parametrize("seed", range(300))
def test_integers_drawn_at_random_are_no_list(seed):
    """With two to four columns of few or many different values."""
    rng = np.random.default_rng(seed)
    shape = rng.integers(5, 120), rng.integers(2, 5)
    values = (
        rng.poisson(rng.choice([1, 4, 20]), shape)
        if seed % 2
        else rng.integers(0, rng.choice([2, 6, 11]), shape)
    )
    frame = pandas.DataFrame(values.astype(float), columns=list("abcd")[: shape[1]])
    assert raise_if_edge_list(frame) is None


INDEXED = pandas.DataFrame(
    {"user": [0, 0, 1], "item": [0, 1, 1], "rating": [5.0, 3.0, 4.0], "timestamp": [7, 8, 9]}
).set_index(["user", "item"])


@pytest.mark.parametrize("call", ["fit", "Network.from_dense"])
@pytest.mark.parametrize(
    ("X", "edges"),
    [
        (INDEXED[["rating"]], r"frame\.reset_index\(\)"),
        (INDEXED[["rating"]].groupby(["user", "item"]).mean(), r"frame\.reset_index\(\)"),
        (INDEXED[["rating"]].rename_axis(["who", None]), r"frame\.reset_index\(\)"),
        (INDEXED, r"frame\.reset_index\(\), columns=\('user', 'item', 'rating'\)"),
        (INDEXED["rating"], r"series\.reset_index\(\)"),
    ],
)
def test_pairs_in_an_index_of_two_levels_raise(call, X, edges):
    fit = {"fit": WNMFk((1,)).fit, "Network.from_dense": Network.from_dense}[call]
    with pytest.raises(InputError, match=rf"looks like a list of pairs: its index .*from_edges\({edges}\)"):
        fit(X)
    with pytest.raises(InputError, match=rf"in its index.*Make columns.*from_edges\({edges}\)\."):
        Network.from_edges(X)


def test_columns_that_are_in_the_index_are_made_columns():
    columns = ("user", "item", "rating")
    with pytest.raises(InputError, match=r"from_edges\(frame\.reset_index\(\), columns=\('user', 'item'"):
        Network.from_edges(INDEXED, columns=columns)
    assert Network.from_edges(INDEXED.reset_index(), columns=columns).n_listed == 3


def test_a_matrix_with_an_index_of_two_levels_is_a_matrix():
    index = pandas.MultiIndex.from_product([["at", "de"], [2001, 2002, 2003]], names=["country", "year"])
    frame = pandas.DataFrame(planted((6, 4)), index=index, columns=list("abcd"))
    assert raise_if_edge_list(frame) is None


@pytest.mark.parametrize(
    "labels",
    [
        ("height", "shoe", "weight"),
        ("clicks", "views", "score"),
        ("math", "reading", "rating"),
        ("q1", "q2", "score"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_the_label_of_a_value_alone_makes_no_list(labels):
    """Numbers of a hundred hardly repeat as pairs by chance, so that nothing follows if none does."""
    for seed in range(20):
        numbers = np.random.default_rng(seed).integers(1, 101, (20, 3))
        assert raise_if_edge_list(pandas.DataFrame(numbers, columns=labels)) is None


def test_the_label_of_one_node_beside_that_of_a_value_makes_a_list():
    frame = pandas.DataFrame({"user": [1, 2, 3], "product": [7, 8, 9], "rating": [5, 3, 4]})
    with pytest.raises(InputError, match="'rating' is the label of a value"):
        raise_if_edge_list(frame)
