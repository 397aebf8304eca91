"""Short lists of whole numbers, told by labels of identifiers, and by the order of their lines."""

from __future__ import annotations

import warnings
from contextlib import suppress

import numpy as np
import pandas
import polars
import pyarrow
import pytest

from latentlink import Network, WNMFk
from latentlink.errors import DataWarning, InputError
from latentlink.network.readers.tables.edge_list_frames import raise_if_edge_list
from latentlink.network.readers.tables.pairs_in_order import are_pairs_in_order

SORTED = [(1, 3, 5), (1, 7, 1), (1, 8, 4), (2, 4, 2), (2, 12, 5)]
SHORT = [["customer_id", "sku", "stars"], ["u", "i", "r"], ["a", "b", "c"], ["x", "y", "value"], [0, 1, 2],
         ["Nutzer", "Artikel", "Bewertung"], ["who", "what", "n"]]  # fmt: skip
RAISES = [
    ["customer_id", "sku", "stars"],
    ["customerId", "x", "score"],
    ["songid", "y", "count"],
    ["ID", "z", "grade"],
    ["ISBN", "reader", "rating"],
]


@pytest.mark.parametrize(
    "read", [Network.from_dense, WNMFk([1], n_perturbs=2).fit], ids=["from_dense", "fit"]
)
@pytest.mark.parametrize("library", [pandas.DataFrame, polars.DataFrame, pyarrow.table])
@pytest.mark.parametrize("labels", SHORT, ids=str)
@pytest.mark.filterwarnings("ignore:No rank", "ignore:Rank", "ignore::sklearn.exceptions.ConvergenceWarning")
def test_five_sorted_lines_are_not_a_matrix_in_silence(read, library, labels):
    columns = {label: [line[at] for line in SORTED] for at, label in enumerate(labels)}
    if library is not pandas.DataFrame:
        columns = {str(label): side for label, side in columns.items()}
    frame = library(columns)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=DataWarning)
        with pytest.raises((InputError, DataWarning), match=r"(looks like|may be) a list of pairs"):
            read(frame)


@pytest.mark.parametrize("labels", RAISES, ids=" ".join)
def test_identifiers_that_repeat_beside_a_value_raise(labels):
    rows = [(9, 4, 5), (3, 7, 1), (9, 2, 4), (3, 4, 2), (5, 4, 5)]  # in no order
    with pytest.raises(InputError, match=f"'{labels[2]}' is the label of a value"):
        raise_if_edge_list(pandas.DataFrame(rows, columns=labels))


@pytest.mark.parametrize(
    "labels", [["customer_id", "x", "n"], ["x", "sku", "n"], ["doi", "x", "y"]], ids=" ".join
)
def test_identifiers_that_repeat_warn_without_a_value(labels):
    rows = [(9, 40, 5), (3, 71, 1), (9, 23, 4), (3, 40, 2), (5, 19, 5)]
    with pytest.warns(DataWarning, match="may be a list of pairs: its first two columns have whole numbers"):
        raise_if_edge_list(pandas.DataFrame(rows, columns=labels))


def test_identifiers_that_do_not_repeat_may_be_those_of_the_rows():
    frame = pandas.DataFrame({"x": [3, 3, 1], "sample_id": [4, 5, 6], "score": [5, 3, 1]})
    assert raise_if_edge_list(frame) is None
    with pytest.raises(InputError, match="may have the names of its rows in the column 'sample_id'"):
        Network.from_dense(frame)


def test_the_whole_warning_and_the_ways_out():
    frame = pandas.DataFrame(SORTED, columns=["u", "i", "r"])
    with pytest.warns(DataWarning) as warned:
        assert Network.from_dense(frame).shape == (5, 3)
    assert str(warned[0].message) == (
        "The frame of 5 lines with the columns 'u', 'i', 'r' may be a list of pairs: its first two columns "
        "ascend as sorted pairs do, and none repeats; expected a matrix, with a line for each row and a "
        "column for each column. If it is a list: Network.from_edges(frame). If it is a matrix: "
        "Network.from_dense(numpy.asarray(frame))."
    )
    assert Network.from_edges(frame).n_listed == 5
    assert Network.from_dense(np.asarray(frame)).shape == (5, 3)
    assert Network.from_dense(list(map(list, SORTED))).shape == (5, 3)
    with pytest.warns(DataWarning, match="The list of 5 rows .* ascend as sorted pairs"):
        Network.from_dense(SORTED)


def changed(line, column, number):
    rows = [list(each) for each in SORTED]
    rows[line][column] = number
    return np.array(rows)


NO_LISTS = {
    "out of order": np.array([SORTED[1], *SORTED[:1], *SORTED[2:]]),
    "one number twice": np.array([(1, 3, 5), (1, 7, 1), (2, 8, 4), (3, 3, 2), (4, 12, 5)]),
    "a value above ten": changed(2, 2, 11),
    "a negative value": changed(2, 2, -1),
    "a pair twice": changed(1, 1, 3),
    "four lines": np.array(SORTED[:4]),
}


@pytest.mark.parametrize("rows", NO_LISTS.values(), ids=NO_LISTS)
def test_other_orders_and_values_are_a_matrix(rows):
    assert are_pairs_in_order(list(np.array(SORTED).T), False)
    assert not are_pairs_in_order(list(rows.T), False)
    assert are_pairs_in_order(list(rows.T), True) == (abs(rows[2, 2]) in {1, 11})  # as the label says
    assert raise_if_edge_list(pandas.DataFrame(rows, columns=["a", "b", "c"])) is None


def test_a_value_by_its_label_may_be_large():
    rows = changed(2, 2, 4000)
    with pytest.warns(DataWarning, match="ascend as sorted pairs do"):
        raise_if_edge_list(pandas.DataFrame(rows, columns=["x", "y", "value"]))


def test_a_fourth_column_changes_nothing_and_fractions_do():
    frame = pandas.DataFrame([(*line, 8 * 10**8) for line in SORTED])
    with pytest.warns(DataWarning, match="ascend as sorted pairs do"):
        raise_if_edge_list(frame)
    assert raise_if_edge_list(frame.astype(float)) is None


def test_rows_with_names_are_a_matrix():
    frame = pandas.DataFrame(SORTED, columns=["a", "b", "c"], index=list("vwxyz"))
    assert Network.from_dense(frame).row_names.tolist() == list("vwxyz")


LABELS = [["wins", "draws", "losses"], ["age", "visits", "children"], ["jan", "feb", "mar"]]


@pytest.mark.parametrize("labels", LABELS, ids=" ".join)
def test_ordinary_counts_are_read_without_a_word(labels):
    """In their order, or sorted by a column: 5 to 40 lines of counts of different sizes."""
    warned = 0
    for seed in range(300):
        rng = np.random.default_rng(seed)
        counts = rng.poisson(rng.choice([3, 10, 30]), (rng.integers(5, 40), 3)) + rng.integers(0, 100, 3)
        frame = pandas.DataFrame(counts, columns=labels)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            with suppress(InputError):  # chance repeats many of the smallest counts
                raise_if_edge_list(frame.sort_values(labels[0]) if seed % 2 else frame)
        warned += any("ascend" in str(each.message) for each in found)
    assert warned <= 3  # of 300; the rest of the rules is tested elsewhere
