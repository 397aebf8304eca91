"""Lengths of texts that are packed by LZF, read from their bytes."""

from __future__ import annotations

import pytest

from latentlink.network.readers.matrices.stored_chunks import lzf_length


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
