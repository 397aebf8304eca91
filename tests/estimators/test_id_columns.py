"""Frames with a column of identifiers, given where a matrix of values is expected."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from latentlink import Network, WNMFk
from latentlink.errors import DataWarning, InputError
from latentlink.network.readers.tables.id_columns import raise_if_id_column

RNG = np.random.default_rng(0)
VALUES = pandas.DataFrame(RNG.integers(1, 6, (30, 6)).astype(float), columns=list("abcdef"))
READERS = {"from_dense": Network.from_dense, "fit": WNMFk((1,)).fit}


def with_ids(label, numbers=None, at=0):
    frame = VALUES.copy()
    frame.insert(at, label, RNG.permutation(np.arange(100, 130)) if numbers is None else numbers)
    return frame


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize(
    "label",
    ["user", "userId", "user_id", "customer id", "ID", "Unnamed: 0", "index", "level_0", "", "patient"],
)
@pytest.mark.parametrize("kind", [int, float])
def test_a_column_of_identifiers_is_not_taken_for_values(read, label, kind):
    frame = with_ids(label).astype({label: kind})
    with pytest.raises(
        InputError, match=f"names of its rows in the column {label!r}, which has another whole"
    ):
        read(frame)
    network = Network.from_dense(frame.set_index(label))
    assert network.row_names[0] == str(frame[label][0])
    assert Network.from_dense(np.asarray(frame)).shape == (30, 7)


@pytest.mark.parametrize("label", ["Unnamed: 0", "user_id", "index"])
def test_identifiers_may_be_in_any_column(label):
    with pytest.raises(InputError, match=f"names of its rows in the column {label!r}"):
        Network.from_dense(with_ids(label, at=4))


def test_a_mask_says_that_it_is_a_matrix():
    frame = with_ids("user")
    assert Network.from_dense(frame, mask=np.ones(frame.shape)).shape == (30, 7)


def test_a_frame_whose_index_became_a_column():
    frame = VALUES.reset_index()
    with pytest.raises(InputError) as error:
        WNMFk((1,)).fit(frame)
    assert str(error.value) == (
        "The frame of 30 lines with the columns 'index', 'a', 'b', 'c', 'd', 'e', 'f' may have the names of "
        "its rows in the column 'index', which has another whole number in each line; expected values in "
        "every column. If they are names: fit(frame.set_index('index')). If they are values: "
        "fit(numpy.asarray(frame))."
    )
    assert WNMFk((1,), n_perturbs=2, random_state=0).fit(frame.set_index("index")).network_.shape == (30, 6)


@pytest.mark.parametrize("library", [polars.DataFrame, pyarrow.table])
def test_frames_without_an_index_name_another_way(library):
    columns = with_ids("user").to_dict("list")
    with pytest.raises(InputError, match="leave the column out, and give it to Network"):
        Network.from_dense(library(columns))
    names = list(map(str, columns.pop("user")))
    assert Network.from_dense(library(columns), row_names=names).row_names.tolist() == names


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("names", [list(map(str, range(30))), [f"ann {k}" for k in range(30)]])
def test_a_column_of_text_beside_numbers(read, names):
    """Also if it could be read as numbers."""
    with pytest.raises(InputError, match=r"column 'who', which has names, such as .*set_index\('who'\)\)\.$"):
        read(with_ids("who", names))


@pytest.mark.parametrize("numbers", [np.arange(30), np.cumsum(RNG.integers(1, 9, 30))])
@pytest.mark.parametrize("label", ["buyer", 0])
def test_numbers_that_ascend_warn_under_any_label(numbers, label):
    """As after a pivot of a table, which sorts its rows."""
    frame = with_ids(label, numbers)
    with pytest.warns(
        DataWarning, match=f"column {label!r}, which has whole numbers in ascending order; expected"
    ):
        assert Network.from_dense(frame).shape == (30, 7)
    assert Network.from_dense(frame.set_index(label)).shape == (30, 6)


GRID = np.arange(60)
MATRICES = {
    "values": VALUES,
    "counts of users": with_ids("user", RNG.poisson(4, 30)),
    "real numbers": with_ids("user_id", RNG.random(30)),
    "unknown entries": with_ids("user", np.where(np.arange(30) % 7, np.arange(30.0), np.nan)),
    "a node in another column": with_ids("user", at=3),
    "words that end alike": with_ids("acid"),
    "an arithmetic sequence": pandas.DataFrame(GRID.reshape(20, 3), columns=list("abc")),
    "sums over time": pandas.DataFrame(
        np.cumsum(RNG.poisson((9, 3, 3, 3), (20, 4)) + np.eye(1, 4, dtype=int), axis=0)
    ),
    "few lines": with_ids("a line", np.arange(30))[:9],
    "two lines": with_ids("user")[:2],
    "one column": pandas.DataFrame({"user": np.arange(30)}),
    "named rows": VALUES.set_axis([f"u{k}" for k in range(30)]),
    "0 and 1": pandas.DataFrame(RNG.integers(0, 2, (30, 5))),
    "ratings": pandas.DataFrame(RNG.integers(1, 6, (30, 5)), columns=list("vwxyz")),
    "large counts": pandas.DataFrame(RNG.integers(0, 10**6, (30, 5)), columns=list("vwxyz")),
    "truth values": pandas.DataFrame(RNG.random((30, 5)) < 0.5),
    "a square": pandas.DataFrame(np.eye(12, dtype=int)),
}


@pytest.mark.parametrize("frame", MATRICES.values(), ids=MATRICES)
def test_honest_matrices_are_read_without_a_word(frame):
    assert Network.from_dense(frame).shape == frame.shape


def test_other_objects_have_no_columns():
    for X in (np.arange(40).reshape(20, 2), [[1, 2], [2, 3], [3, 4]], None, "text"):
        assert raise_if_id_column(X) is None
