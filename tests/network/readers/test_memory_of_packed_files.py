"""What is held of a packed file counts against its limit, not only the bytes that it unpacks to."""

from __future__ import annotations

import gzip

import numpy as np
import pyarrow
import pytest
import scipy.sparse
from pyarrow import parquet

from latentlink.errors import InputError
from latentlink.network import Network

HEADER = b"source,target,value\n"
ARRAY = b"%%MatrixMarket matrix array integer general\n"
PAIRS = b"%%MatrixMarket matrix coordinate pattern "
ENTRY, NAME, CELL = 56, 400, 16


def lines(count):
    """Pairs of a thousand nodes, each of them once."""
    return b"".join(b"u%d,p%d,1\n" % divmod(number, 1000) for number in range(count))


PACKED = {
    # suffix, contents, options, bytes of memory
    "list": (".csv.gz", HEADER + b"u,p,1\n" * 999, {"duplicates": "keep"}, 999 * ENTRY + 2 * NAME + 88),
    "list that raises": (".csv.gz", HEADER + b"u,p,1\n" * 999, {}, 999 * ENTRY + 2 * NAME + 88),
    "one set of names": (
        ".csv.gz",
        HEADER + b"u,p,1\n" * 99,
        {"duplicates": "keep", "square": True},
        99 * ENTRY + 2 * NAME + 88,
    ),
    "blank lines": (
        ".csv.gz",
        HEADER + b"u,p,1\n\n" * 99,
        {"duplicates": "keep"},
        99 * ENTRY + 2 * NAME + 99 * 88,
    ),
    "names": (".csv.gz", HEADER + lines(2000), {}, 2000 * ENTRY + 1002 * NAME + 88),
    "values": (".mtx.gz", ARRAY + b"30 30\n" + b"1\n" * 900, {}, 900 * ENTRY),
    "triangle": (
        ".mtx.gz",
        PAIRS + b"symmetric\n99 99 98\n" + b"".join(b"%d 1\n" % row for row in range(2, 100)),
        {"unstored": "zero"},
        2 * 98 * ENTRY,
    ),
    "cells": (
        ".csv.gz",
        (b"1," * 29 + b"1\n") * 30,
        {"matrix": True, "header": False},
        900 * (ENTRY + CELL) + 88,
    ),
    "unknown cells": (
        ".csv.gz",
        b"1" + b",1" * 29 + b"\n" + (b"," * 29 + b"\n") * 29,
        {"matrix": True, "header": False},
        30 * ENTRY + 900 * CELL + 88,
    ),
}


@pytest.mark.parametrize(("suffix", "content", "options", "needed"), PACKED.values(), ids=PACKED)
def test_entries_names_and_cells_of_gzipped_text_are_counted(file, suffix, content, options, needed):
    path = file(gzip.compress(content), f"packed{suffix}")
    allowed = max(needed, len(content))
    with pytest.raises(InputError, match=rf"entries and their names take {needed:,} bytes or.*max_bytes="):
        Network.from_file(path, max_bytes=needed - 1, **options)
    if options or "u,p" not in content.decode():
        assert Network.from_file(path, max_bytes=allowed, **options).n_listed
    plain = file(content, f"plain{suffix.removesuffix('.gz')}")
    if "u,p" in content.decode() and not options:
        with pytest.raises(InputError, match="is listed more than once"):
            Network.from_file(plain, max_bytes=1000)
    else:  # what is not packed has no such limit
        assert Network.from_file(plain, max_bytes=max(2000, len(content)), **options).n_listed


def test_entries_of_an_archive_are_counted(tmp_path):
    matrix = scipy.sparse.coo_array((np.ones(500, np.int8), divmod(np.arange(500), 25)), shape=(20, 25))
    scipy.sparse.save_npz(tmp_path / "x.npz", matrix)
    with pytest.raises(InputError, match="its first 500 entries and their names take 28,000 bytes"):
        Network.from_file(tmp_path / "x.npz", unstored="zero", max_bytes=500 * ENTRY - 1)
    assert Network.from_file(tmp_path / "x.npz", unstored="zero", max_bytes=500 * ENTRY).n_listed == 500


def test_one_line_counts_by_its_characters(file):
    """One of four bytes makes all characters of the line take as many."""
    content = b"a,b,1\n" + "\N{GRINNING FACE}".encode() + b"a" * 3_000_000 + b",b,1\n"
    path = file(gzip.compress(content), "long.csv.gz")
    with pytest.raises(InputError, match=r"the characters of a line of \d,\d+,\d+ bytes take 1\d,\d+,\d+ b"):
        Network.from_file(path, max_bytes=10_000_000)
    with pytest.raises(InputError, match="found a field of 3,000,001 characters"):
        Network.from_file(path)


@pytest.mark.parametrize("end", [b"\n", b"\r"], ids=repr)
def test_many_short_lines_are_no_long_one(file, end):
    path = file(
        gzip.compress(HEADER.replace(b"\n", end) + lines(200_000).replace(b"\n", end)), "short.csv.gz"
    )
    network = Network.from_file(path, max_bytes=200_000 * (ENTRY + 4))
    assert network.n_listed == 200_000


def test_default_limits_refuse_short_lines_and_accept_ordinary_lists(file):
    path = file(gzip.compress(HEADER + b"u,p,1\n" * 2_000_000), "short.csv.gz")
    with pytest.raises(InputError, match="entries and their names take"):
        Network.from_file(path, duplicates="keep")
    assert Network.from_file(path, duplicates="keep", max_bytes=10**9).n_listed == 2_000_000
    rng = np.random.default_rng(0)
    pairs = np.unique(rng.integers(0, 5000, (150_000, 2)), axis=0)
    ordinary = b"".join(b"user%d,item%d,3\n" % tuple(pair) for pair in pairs.tolist())
    path = file(gzip.compress(HEADER + ordinary, 9), "ordinary.csv.gz")
    needed = ENTRY * len(pairs) + NAME * 10_000 + 88
    assert needed < 25 * path.stat().st_size  # so that no size is too large
    assert Network.from_file(path).n_listed == len(pairs)


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint64, float])
def test_whole_numbers_of_parquet_are_shared_texts(tmp_path, kind):
    source, target = np.array([7, 7, 2, 10]).astype(kind), np.array([3, 1, 3, 3]).astype(kind)
    table = pyarrow.table({"source": source, "target": target, "value": np.arange(4.0)})
    parquet.write_table(table, tmp_path / "x.parquet")
    network = Network.from_file(tmp_path / "x.parquet")
    assert network.row_names.tolist() == ["2", "7", "10"]
    assert network.col_names.tolist() == ["1", "3"]
    assert network.values.tolist() == [2.0, 1.0, 0.0, 3.0]
