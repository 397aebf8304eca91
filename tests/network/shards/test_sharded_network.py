"""Folders of Parquet files, divided into blocks of rows."""

from __future__ import annotations

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.network.shards import ShardedNetwork

PAIRS = [
    (f"u{i}", str(j), float(1 + (i * j) % 5), float((i + j) % 3)) for i in range(23) for j in range(i % 7)
]


def write_files(folder, pairs=PAIRS, files=3, labels=("user", "item", "rating", "weight")):
    """Write the pairs to several files, in which rows are mixed."""
    folder.mkdir(exist_ok=True)
    for number in range(files):
        columns = zip(*pairs[number::files], strict=True)
        table = pyarrow.table(dict(zip(labels, map(list, columns), strict=True)))
        parquet.write_table(table, folder / f"part-{number}.parquet")
    return folder


@pytest.fixture
def source(tmp_path):
    return write_files(tmp_path / "source")


def listed(network, columns):
    return {
        (str(network.row_names[i]), str(columns[j])): (value, weight)
        for i, j, value, weight in zip(*network.entries, strict=True)
    }


COLUMNS = ("user", "item", "rating", "weight")


@pytest.mark.parametrize("n_blocks", [1, 4, 100])
def test_blocks_have_all_entries_once_and_each_row_in_one_of_them(source, tmp_path, n_blocks):
    sharded = ShardedNetwork.from_parquet(source, tmp_path / "blocks", n_blocks=n_blocks, columns=COLUMNS)
    blocks = [sharded.block(at) for at in range(sharded.n_blocks)]
    whole = Network.from_edges([pair[:4] for pair in PAIRS])
    assert sharded.shape == whole.shape
    assert sharded.n_listed == whole.n_listed
    assert sharded.col_names.tolist() == whole.col_names.tolist()
    entries = {}
    for network, begin in blocks:
        assert begin == len({row for row, _ in entries})
        assert entries.keys().isdisjoint(listed(network, sharded.col_names))
        entries |= listed(network, sharded.col_names)
    assert entries == listed(whole, whole.col_names)
    names = [str(name) for network, _ in blocks for name in network.row_names]
    assert len(names) == len(set(names))
    assert not (tmp_path / "blocks" / "parts").exists()


def test_the_block_of_a_name_is_where_it_is(source, tmp_path):
    sharded = ShardedNetwork.from_parquet(source, tmp_path / "blocks", n_blocks=5, columns=COLUMNS)
    found = set()
    for position, which in sharded.blocks_of(["u8", "nobody", "u22", "u1"]):
        names = [] if position < 0 else sharded.block(position)[0].row_names.tolist()
        found |= {at for at in which.tolist() if ["u8", "nobody", "u22", "u1"][at] in names}
    assert found == {0, 2, 3}


def test_a_folder_opens_again_with_its_background(source, tmp_path):
    first = ShardedNetwork.from_parquet(
        source, tmp_path / "blocks", n_blocks=3, columns=COLUMNS, background=0.25
    )
    again = ShardedNetwork(tmp_path / "blocks")
    assert (again.shape, again.n_listed, again.identity) == (first.shape, first.n_listed, first.identity)
    assert again.background == again.block(0)[0].background == 0.25


def test_links_without_values_take_no_room_and_are_ones(tmp_path):
    source = write_files(tmp_path / "source", [pair[:2] for pair in PAIRS], labels=("a", "b"))
    sharded = ShardedNetwork.from_parquet(source, tmp_path / "blocks", n_blocks=2)
    assert np.all(sharded.block(0)[0].values == 1)


def test_files_without_rows_and_other_files_do_not_matter(source, tmp_path):
    schema = parquet.read_schema(source / "part-0.parquet")
    parquet.write_table(schema.empty_table(), source / "part-9.parquet")
    (source / "_SUCCESS").write_text("")
    sharded = ShardedNetwork.from_parquet(source, tmp_path / "blocks", n_blocks=3, columns=COLUMNS)
    assert sharded.n_listed == len(PAIRS)


def damaged(source):
    path = source / "part-1.parquet"
    content = bytearray(path.read_bytes())
    content[len(content) // 3 : len(content) // 3 + 20] = bytes(20)
    path.write_bytes(bytes(content))


def no_parquet(source):
    (source / "part-1.parquet").write_bytes(b"PAR1 not really PAR1")


def other_columns(source):
    write_files(source, PAIRS[:2], 1, labels=("item", "user", "rating", "weight"))


def nothing(source):
    for path in source.iterdir():
        path.unlink()


def rows_of_lists(source):
    table = pyarrow.table({"user": [["a"]], "item": ["b"], "rating": [1.0], "weight": [1.0]})
    parquet.write_table(table, source / "part-0.parquet")


def missing_names(source):
    table = pyarrow.table(
        {"user": ["a", None], "item": ["b", "c"], "rating": [1.0, 2.0], "weight": [1.0, 1.0]}
    )
    parquet.write_table(table, source / "part-0.parquet")


def negative_weights(source):
    write_files(source, [(*pair[:3], -1.0) for pair in PAIRS], 1)


def values_that_are_no_numbers(source):
    write_files(source, [(*pair[:2], float("nan"), 1.0) for pair in PAIRS], 1)


def long_names(source):
    write_files(source, [("x" * (2 * 10**6), "b", 1.0, 1.0)], 1)


def repeated_pairs(source):
    write_files(source, PAIRS[:1], 1, labels=("user", "item", "rating", "weight"))
    parquet.write_table(parquet.read_table(source / "part-0.parquet"), source / "part-8.parquet")


HOSTILE = [
    damaged, no_parquet, other_columns, nothing, rows_of_lists, missing_names, negative_weights,
    values_that_are_no_numbers, long_names, repeated_pairs,
]  # fmt: skip


@pytest.mark.parametrize("change", HOSTILE, ids=lambda change: change.__name__)
def test_hostile_contents_raise_and_leave_nothing(source, tmp_path, change):
    change(source)
    with pytest.raises(InputError):
        ShardedNetwork.from_parquet(source, tmp_path / "blocks", n_blocks=3, columns=COLUMNS)
    assert not list(tmp_path.glob("blocks/*"))


def test_a_file_that_takes_too_much_memory_raises(source, tmp_path):
    with pytest.raises(InputError, match="max_bytes"):
        ShardedNetwork.from_parquet(source, tmp_path / "blocks", columns=COLUMNS, max_bytes=100)


def test_other_folders_raise(source, tmp_path):
    with pytest.raises(InputError, match="no folder"):
        ShardedNetwork.from_parquet(tmp_path / "nowhere", tmp_path / "blocks")
    with pytest.raises(InputError, match="empty folder"):
        ShardedNetwork.from_parquet(source, source)
    with pytest.raises(InputError, match="no file"):
        ShardedNetwork(source)
    with pytest.raises(InputError, match="whole number"):
        ShardedNetwork.from_parquet(source, tmp_path / "blocks", n_blocks=0)
    with pytest.raises(InputError, match="background"):
        ShardedNetwork.from_parquet(source, tmp_path / "blocks", background=-1.0)


def test_damaged_blocks_raise(source, tmp_path):
    sharded = ShardedNetwork.from_parquet(source, tmp_path / "blocks", n_blocks=2, columns=COLUMNS)
    path = next((tmp_path / "blocks").glob("rows-*.npz"))
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 255
    path.write_bytes(bytes(content))
    with pytest.raises(InputError):
        [sharded.block(at) for at in range(sharded.n_blocks)]
