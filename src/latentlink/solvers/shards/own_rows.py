"""A random generator that keeps some rows of its first array, and draws the others in passing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["AT_ONCE", "OwnRows"]

AT_ONCE = 1 << 20  # numbers


class OwnRows:
    """A generator for the start of some rows, whose numbers are those of the start of all rows.

    A start draws the factors of all rows first, and then those of all columns. Here the rows of others are
    drawn in parts and dropped, so that no more than the own ones are in memory.

    Parameters
    ----------
    rng : numpy.random.Generator
    rows : slice
        The rows that are kept.

    Examples
    --------
    >>> rng = OwnRows(np.random.default_rng(0), slice(1, 3))
    >>> every = np.random.default_rng(0)
    >>> bool((rng.random((5, 2)) == every.random((5, 2))[1:3]).all())
    True
    >>> bool(rng.random((1, 1)) == every.random((1, 1)))
    True
    """

    def __init__(self, rng: np.random.Generator, rows: slice) -> None:
        self._rng, self._rows = rng, rows
        self._is_first = True

    def random(self, shape: tuple[int, int]) -> NDArray[Any]:
        """Return uniform numbers."""
        return self._drawn(self._rng.random, shape)

    def standard_normal(self, shape: tuple[int, int]) -> NDArray[Any]:
        """Return normal numbers."""
        return self._drawn(self._rng.standard_normal, shape)

    def _drawn(self, draw: Callable[..., NDArray[Any]], shape: tuple[int, int]) -> NDArray[Any]:
        if not self._is_first:
            return draw(shape)
        self._is_first = False
        rows, columns = shape
        self._drop(draw, self._rows.start * columns)
        kept = draw((self._rows.stop - self._rows.start, columns))
        self._drop(draw, (rows - self._rows.stop) * columns)
        return kept

    def _drop(self, draw: Callable[..., NDArray[Any]], numbers: int) -> None:
        for begin in range(0, numbers, AT_ONCE):
            draw(min(AT_ONCE, numbers - begin))
