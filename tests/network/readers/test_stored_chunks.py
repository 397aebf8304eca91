"""Whether stored chunks have all bytes: every filter, chunks that are too short or too long, texts."""

from __future__ import annotations

import zlib
from types import SimpleNamespace

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.network.readers.matrices.stored_chunks import check_stored_bytes, lzf_length

h5py = pytest.importorskip("h5py")


@pytest.fixture
def stored(tmp_path):
    """Return a function that stores an array, and checks what is stored of it after a change."""

    def check(data, change=lambda dataset: None, **options):
        with h5py.File(tmp_path / "a.h5", "w") as file:
            change(file.create_dataset("x", data=data, **options))
        with h5py.File(tmp_path / "a.h5") as file:
            check_stored_bytes(file["x"], "x")

    return check


FILTERS = [
    {},
    {"chunks": (4,)},
    {"chunks": (5,), "compression": "gzip"},
    {"chunks": (4,), "compression": "lzf"},
    {"chunks": (4,), "shuffle": True},
    {"chunks": (4,), "fletcher32": True},
    {"chunks": (3,), "fletcher32": True, "shuffle": True, "compression": "gzip"},
    {"chunks": (3,), "fletcher32": True, "compression": "lzf"},
]


@pytest.mark.parametrize(
    ("options", "dtype"),
    [
        (options, dtype)
        for options in FILTERS
        for dtype in (np.float64, np.int8, "S3", h5py.string_dtype())
        if dtype != h5py.string_dtype() or "fletcher32" not in options  # HDF5 has none of such texts
    ],
)
def test_whole_chunks_have_all_of_their_bytes(stored, options, dtype):
    text = np.dtype(dtype).kind in "SO"
    data = np.array(["ab", "", "c", "d", "e"]) if text else np.arange(5)
    assert stored(data.astype("S3") if dtype == "S3" else data.tolist(), dtype=dtype, **options) is None


@pytest.mark.parametrize(("numbers", "found"), [(0, 0), (3, 24), (5, 33), (50, 33)])
def test_chunks_of_another_length_raise(stored, numbers, found):
    """No more is unpacked than one byte too many."""
    raw = zlib.compress(np.arange(numbers, dtype=np.float64).tobytes())
    with pytest.raises(
        InputError, match=f"x stores {found} bytes where its type and shape need 32; the file"
    ):
        stored(
            np.arange(8.0),
            lambda dataset: dataset.id.write_direct_chunk((4,), raw),
            chunks=(4,),
            compression="gzip",
        )


def test_a_chunk_that_cannot_be_unpacked_raises(stored):
    def change(dataset):
        dataset.id.write_direct_chunk((0,), b"not packed")

    with pytest.raises(InputError, match="x stores 0 bytes where its type and shape need 64"):
        stored(np.arange(8.0), change, chunks=(8,), compression="gzip")


def test_filters_that_were_skipped_for_a_chunk_are_not_undone(stored):
    def change(dataset):
        dataset.id.write_direct_chunk((0,), np.arange(8.0).tobytes(), filter_mask=0b10)  # gzip is the second

    assert stored(np.arange(8.0), change, chunks=(8,), shuffle=True, compression="gzip") is None

    def first(dataset):
        dataset.id.write_direct_chunk((0,), np.arange(8.0).tobytes(), filter_mask=0b01)

    with pytest.raises(InputError, match="x stores 0 bytes"):
        stored(np.arange(8.0), first, chunks=(8,), shuffle=True, compression="gzip")


def test_a_fill_value_alone_is_stored_as_nothing(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        for options in ({}, {"chunks": (2,)}):
            dataset = file.create_dataset(f"x{len(options)}", (6,), "f8", fillvalue=2.0, **options)
            assert check_stored_bytes(dataset, "x") is None


@pytest.mark.parametrize("address", [4, 8])
def test_where_a_text_is_stored_takes_the_bytes_of_an_address_and_eight_more(tmp_path, address):
    properties = h5py.h5p.create(h5py.h5p.FILE_CREATE)
    properties.set_sizes(address, 8)
    path = tmp_path / "a.h5"
    with h5py.File(h5py.h5f.create(bytes(path), fcpl=properties)) as file:
        file.create_dataset("x", data=["a", "b"], chunks=(2,))
    with h5py.File(path) as file:
        assert check_stored_bytes(file["x"], "x") is None
        assert len(file["x"].id.read_direct_chunk((0,))[1]) == 2 * (8 + address)


@pytest.mark.parametrize(("found", "raises"), [(0, False), (16, True), (32, False), (40, True)])
def test_arrays_in_one_piece_have_all_of_their_bytes_or_none(found, raises):
    stored = SimpleNamespace(
        get_storage_size=lambda: found, get_type=lambda: SimpleNamespace(get_size=lambda: 8)
    )
    dataset = SimpleNamespace(dtype=np.dtype("f8"), chunks=None, size=4, id=stored)
    if raises:
        with pytest.raises(InputError, match=f"x stores {found} bytes where its type and shape need 32"):
            check_stored_bytes(dataset, "x")
    else:
        assert check_stored_bytes(dataset, "x") is None


@pytest.mark.parametrize(
    "options", [{"scaleoffset": 0}, {"compression": "gzip", "scaleoffset": 0}], ids=["alone", "beside gzip"]
)
def test_other_filters_raise(stored, options):
    with pytest.raises(InputError, match=r"x is packed by 'scaleoffset', of which.*gzip, lzf or none"):
        stored(np.arange(8), chunks=(8,), **options)


@pytest.mark.parametrize(
    ("raw", "length"),
    [
        ([], 0),
        ([0, 97], 1),
        ([31, *[97] * 32], 32),
        ([31, *[97] * 31], 0),
        ([1, 97, 98, 0b00100000, 1], 5),
        ([1, 97, 98, 0b11000000, 1], 10),
        ([1, 97, 98, 0b11100000, 0, 1], 11),
        ([1, 97, 98, 0b11100000, 255, 1], 266),
        ([1, 97, 98, 0b11100000], 0),
        ([1, 97, 98, 0b11100000, 255], 0),
        ([1, 97, 98, 0b00100000], 0),
    ],
)
def test_lengths_of_texts_packed_by_lzf(raw, length):
    assert lzf_length(bytes(raw)) == length
