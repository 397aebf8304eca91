"""Chunks of rows that threads share, and sums over them in a fixed order.

Rows of a half sweep are independent of each other, so that chunks of them run on all idle threads
(`latentlink.parallel.run_parts`). The chunks depend on the data alone, and their sums are added in their
order: the bits of a result depend neither on the number of threads nor on which of them was first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.parallel import run_parts

__all__ = ["CHUNK", "add_up", "balanced_chunks", "equal_chunks", "over_chunks"]

Array = NDArray[Any]

CHUNK = 1 << 15
"""Entries and rows of a chunk: some milliseconds of work, beside which waking a thread costs little."""


def balanced_chunks(indptr: Array) -> tuple[slice, ...]:
    """Return consecutive slices of compressed rows with about `CHUNK` entries and rows each.

    Examples
    --------
    >>> import numpy as np
    >>> balanced_chunks(np.array([0, 19_000, 40_000, 40_001]))
    (slice(0, 2, None), slice(2, 3, None))
    """
    rows = len(indptr) - 1
    work = indptr[1:] + np.arange(1, rows + 1)
    ends = 1 + np.searchsorted(work, np.arange(CHUNK, work[-1] if rows else 0, CHUNK))
    return _slices(np.unique([0, *ends, rows]))


def equal_chunks(rows: int) -> tuple[slice, ...]:
    """Return consecutive slices of at most `CHUNK` rows each.

    Examples
    --------
    >>> equal_chunks(40_000)
    (slice(0, 32768, None), slice(32768, 40000, None))
    """
    return _slices([*range(0, rows, CHUNK), rows])


def _slices(bounds: Sequence[int] | Array) -> tuple[slice, ...]:
    return tuple(slice(int(begin), int(end)) for begin, end in pairwise(bounds))


def over_chunks(part: Callable[[slice], None], chunks: Sequence[slice]) -> None:
    """Call ``part(rows)`` for each chunk."""
    run_parts(lambda index: part(chunks[index]), len(chunks))


def add_up(part: Callable[[slice, Array], None], chunks: Sequence[slice], shape: tuple[int, ...]) -> Array:
    """Return the sum, in the order of the chunks, of what ``part(rows, total)`` adds to zeros of a shape."""
    totals = np.zeros((len(chunks), *shape))
    run_parts(lambda index: part(chunks[index], totals[index]), len(chunks))
    total = totals[0] if len(chunks) else np.zeros(shape)
    for further in totals[1:]:
        total += further
    return total
