"""What kernels are told: the listed entries, and how each coordinate of a row may move."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Coordinates", "Lines", "Listed", "Mirror", "aligned"]

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.integer[Any]]


def aligned(shape: tuple[int, ...], dtype: Any) -> Floats:
    """Return an empty array that begins at a multiple of 64 bytes: vectors never straddle two lines."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    raw = np.empty(size + 64, np.uint8)
    offset = -raw.ctypes.data % 64
    return raw[offset : offset + size].view(dtype).reshape(shape)


@dataclass(frozen=True, slots=True)
class Listed:
    """Listed entries line by line, for all members of a block.

    Attributes
    ----------
    indptr, indices : arrays of int
        Compressed rows.
    values : array, shape (entries, members)
        NaN where a member does not see the entry.
    weights : array, shape (entries,) or (entries, members)
        One weight an entry, or one an entry and member.
    largest_degree : int
        Number of entries of the longest line.
    """

    indptr: Integers
    indices: Integers
    values: Floats
    weights: Floats
    largest_degree: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "largest_degree", int(np.diff(self.indptr).max(initial=0)))

    @property
    def per_member(self) -> bool:
        """Whether members have weights of their own."""
        return self.weights.ndim == 2


@dataclass(frozen=True, slots=True)
class Lines:
    """Entries row by row or column by column, which stand elsewhere in an order of their own.

    Attributes
    ----------
    indptr, indices : arrays of int
        Compressed lines.
    where : array of int, shape (entries,)
        The place of each entry in arrays that rows and columns share.
    """

    indptr: Integers
    indices: Integers
    where: Integers


@dataclass(frozen=True, slots=True)
class Coordinates:
    """How the coordinates of a row may move.

    Attributes
    ----------
    first, last : int
        Coordinates ``first`` to ``last - 1`` are updated; the others stay.
    ridge : array, shape (size, members)
        Penalty ``ridge * (a - centre)^2`` of each coordinate.
    centre : array, shape (size, members)
        Where the penalty pulls to.
    lower : array, shape (size,)
        Least value of each coordinate; minus infinity leaves it free.
    """

    first: int
    last: int
    ridge: Floats
    centre: Floats
    lower: Floats


@dataclass(frozen=True, slots=True)
class Mirror:
    """Rows and partners are the same nodes: ``B[i, partner[c]] = sign[c] * A[i, c]`` after each row.

    Attributes
    ----------
    partner : array of int, shape (size,)
        The partner coordinate that shows coordinate c.
    sign : array, shape (size,)
        The factor with which it shows.
    """

    partner: Integers
    sign: Floats
