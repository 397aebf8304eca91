"""Parquet files whose columns are of different lengths within a row group."""

from __future__ import annotations

import pyarrow
import pytest
from pyarrow import parquet

from latentlink.errors import InputError
from latentlink.network import Network

COLUMNS = {"u": list(range(17)), "v": [each % 5 for each in range(17)], "r": [float(x) for x in range(17)]}
# In the footer: the path of column v, no compression, and its number of values, 10, as a zigzag integer.
TEN_VALUES_OF_V = b"\x19\x18\x01v\x15\x00\x16\x14"


def written(path):
    """A file of 17 rows in two row groups."""
    parquet.write_table(
        pyarrow.table(COLUMNS), path, row_group_size=10, compression="none", use_dictionary=False
    )
    return path.read_bytes()


@pytest.mark.parametrize("count", [0, 1, 7, 9, 11, 17])
def test_a_column_that_is_short_or_long_in_a_row_group_raises(tmp_path, count):
    """Values of the next row group would take the places of those that are missing."""
    path = tmp_path / "a.parquet"
    content = written(path)
    assert content.count(TEN_VALUES_OF_V) == 1
    path.write_bytes(content.replace(TEN_VALUES_OF_V, TEN_VALUES_OF_V[:-1] + bytes([2 * count])))
    with pytest.raises(InputError, match=r"a\.parquet"):
        Network.from_file(path)


@pytest.mark.parametrize("columns", [None, ("v", "u"), ("u", "v", None, "r")])
def test_whole_row_groups_are_read_in_their_order(tmp_path, columns):
    path = tmp_path / "a.parquet"
    written(path)
    network = Network.from_file(path, columns=columns)
    assert network.n_listed == 17
    if columns is None:
        assert network.values[network.position("16", "1")] == 16


def test_names_with_dots_and_other_columns_do_not_matter(tmp_path):
    path = tmp_path / "a.parquet"
    table = pyarrow.table(
        {"a.b": ["x", "y"], "nested": [{"c": 1}, {"c": 2}], "v": [1, 2], "list": [[1, 2], []]}
    )
    parquet.write_table(table, path)
    assert Network.from_file(path, columns=("a.b", "v")).n_listed == 2
