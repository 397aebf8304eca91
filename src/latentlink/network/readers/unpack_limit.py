"""Limit on the memory that the contents of a file may take once they are unpacked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from latentlink.errors import InputError
from latentlink.validation.wording import shortened

__all__ = ["LONGEST_FIELD", "UnpackLimit", "raise_if_field_too_long", "unpack_limit"]

LONGEST_FIELD = (
    10**6
)  # characters of a name or number; detecting what a longer one is took a second per million
_TIMES = 100
_SPARE_BYTES = 64 * 2**20
_LARGEST_BYTES = 4 * 2**30
_USUAL_TIMES = 25  # in memory, a gzipped list of pairs takes about 10 times its size, one of Parquet 20
# Measured peaks of reading: 44 to 56 bytes for each entry, 300 to 450 for each name.
_ENTRY_BYTES = 56
_NAME_BYTES = 400


@dataclass(frozen=True, slots=True)
class UnpackLimit:
    """Most bytes that the contents of a file may take.

    Attributes
    ----------
    path : Path
        The file, for messages.
    n_bytes : int
    n_held : int or None
        Most bytes of memory for the entries and names of a file that is unpacked, by default ``n_bytes``.
    """

    path: Path
    n_bytes: int
    n_held: int | None = None

    def check(self, needed: int, what: str) -> None:
        """Raise InputError if ``what``, a plural in messages, needs more bytes than are allowed."""
        self._check(needed, what, self.n_bytes)

    def check_held(self, entries: int, names: int = 0, others: int = 0) -> None:
        """Raise InputError if reading so many entries, names and other bytes takes too much memory.

        Lines of a few bytes, or repeated numbers of one, take many times as much once they are read.
        """
        needed = _ENTRY_BYTES * entries + _NAME_BYTES * names + others
        what = f"in memory, its first {entries:,} entries and their names"
        self._check(needed, what, self.n_bytes if self.n_held is None else self.n_held)

    def _check(self, needed: int, what: str, allowed: int) -> None:
        if needed > allowed:
            raise InputError(
                f"{self.path}: {what} take {needed:,} bytes or more, out of proportion to the size "
                f"of the file; expected at most {allowed:,}. If the file is what you expect, raise the "
                "limit with max_bytes=."
            )

    def check_shape(self, shape: tuple[int, int]) -> None:
        """Raise InputError for more rows and columns than indices of them (8 bytes each) are allowed."""
        rows, cols = shape
        self.check(8 * (rows + cols), f"the indices of {rows:,} rows and {cols:,} columns")


def raise_if_field_too_long(longest: int, where: str) -> None:
    """Raise InputError for a field of more characters than any name has; ``where`` is its file and line."""
    if longest > LONGEST_FIELD:
        raise InputError(
            f"{where}: found a field of {longest:,} characters; expected at most {LONGEST_FIELD:,} in a name "
            "or number. Check the delimiter and the quotes, or give long names a short key."
        )


def unpack_limit(path: Path, max_bytes: int | None) -> UnpackLimit:
    """Return the limit of a file: ``max_bytes``, or by default a multiple of the size of the file.

    The default is 100 times the size of the file and 64 MiB, but at most 4 GiB. What large files take in
    memory is limited to 25 times their size, if that is more than 4 GiB.
    """
    if max_bytes is None:
        size = path.stat().st_size
        most = _TIMES * size + _SPARE_BYTES
        largest = max(_LARGEST_BYTES, _USUAL_TIMES * size)
        return UnpackLimit(path, min(most, _LARGEST_BYTES), min(most, largest))
    if isinstance(max_bytes, bool) or not isinstance(max_bytes, int | np.integer) or max_bytes < 1:
        raise InputError(
            f"max_bytes is {shortened(max_bytes)}; expected a whole number of bytes, 1 or more, or None (100 "
            "times the size of the file and 64 MiB, at most 4 GiB)."
        )
    return UnpackLimit(path, int(max_bytes))
