"""Patterns of Boolean factors: the components of each row or column, packed into words of 64 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["column_of", "distinct", "flip", "packed", "unpacked", "without"]

Words = NDArray[np.uint64]


def packed(side: NDArray[Any]) -> Words:
    """Return the rows of an array of 0 and 1 as words of 64 bits: column c is bit c % 64 of word c // 64.

    Examples
    --------
    >>> packed(np.array([[1, 0, 0], [1, 1, 0]]))
    array([[1],
           [3]], dtype=uint64)
    """
    bits = np.packbits(side > 0, axis=1, bitorder="little")
    padded = np.zeros((len(side), 8 * -(-side.shape[1] // 64)), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view("<u8").astype(np.uint64)


def unpacked(patterns: Words, rank: int) -> NDArray[np.uint8]:
    """Return the array of 0 and 1 of so many columns that these words are made of."""
    return np.unpackbits(patterns.astype("<u8").view(np.uint8), axis=1, count=rank, bitorder="little")


def column_of(patterns: Words, c: int) -> NDArray[np.bool_]:
    """Return which patterns contain component c."""
    return (patterns[:, c // 64] & _bit(c)) != 0


def flip(patterns: Words, c: int, where: NDArray[np.bool_]) -> None:
    """Add component c to these patterns if they do not contain it, else take it out, in place."""
    patterns[where, c // 64] ^= _bit(c)


def without(patterns: Words, c: int) -> Words:
    """Return the patterns with component c taken out of each."""
    rest = patterns.copy()
    rest[:, c // 64] &= ~_bit(c)
    return rest


def distinct(patterns: Words) -> tuple[Words, NDArray[np.intp], NDArray[np.int64]]:
    """Return the distinct patterns, the index of the pattern of each line, and their counts."""
    words = patterns.shape[1]
    axis = None if words == 1 else 0  # single words are sorted as numbers, 10 times as fast as rows
    found, pattern_of, counts = np.unique(patterns, axis=axis, return_inverse=True, return_counts=True)
    return np.ascontiguousarray(found).reshape(-1, words), pattern_of.reshape(-1), counts.astype(np.int64)


def _bit(c: int) -> np.uint64:
    return np.uint64(1) << np.uint64(c % 64)
