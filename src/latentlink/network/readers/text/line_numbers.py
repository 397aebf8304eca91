"""Numbers of the lines on which the records of a text file begin."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["LineNumbers"]


class LineNumbers:
    """Line numbers of all records, stored as the few positions at which they skip lines."""

    def __init__(self) -> None:
        self._count = 0
        self._starts: list[int] = []
        self._shifts: list[int] = []

    @property
    def count(self) -> int:
        """Number of records so far."""
        return self._count

    @property
    def n_bytes(self) -> int:
        """Bytes of memory of the positions: two numbers, and their places in two lists."""
        return 88 * len(self._starts)

    def add(self, lines: NDArray[np.int64]) -> None:
        """Append the lines of the next records."""
        shifts = lines - np.arange(self._count, self._count + len(lines))
        last = self._shifts[-1:] or [-1]
        for index in np.flatnonzero(np.diff(shifts, prepend=last)).tolist():
            self._starts.append(self._count + index)
            self._shifts.append(int(shifts[index]))
        self._count += len(lines)

    def __call__(self, position: int) -> str:
        """Describe for a message on which line the record of a position begins."""
        segment = int(np.searchsorted(self._starts, position, side="right")) - 1
        return f"line {position + self._shifts[segment]}"
