"""One short string for any settings and data, the same in every process and on every host."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.saving.encode import Encoder

__all__ = ["fingerprint"]


def fingerprint(*parts: Any) -> str:
    """Return the SHA-256 of settings and data, to tell whether two runs are about the same thing.

    Parameters
    ----------
    *parts : objects
        Whatever can be saved: None, bools, numbers, strings, arrays, ranges, lists, tuples, dicts, settings
        and frozen records. Anything else is refused.

    Returns
    -------
    str
        64 hexadecimal digits.

    Notes
    -----
    Settings and records count by the name of their class and by all that they hold. The order of a dict,
    the memory order and byte order of an array and the width of its text do not count; its type and shape do.
    A list is not a tuple, 1 is not 1.0, 0.0 is not -0.0, but NumPy's scalars are Python's.

    Examples
    --------
    >>> fingerprint("ranks", (2, 3))[:8] == fingerprint("ranks", (2, np.int64(3)))[:8]
    True
    >>> fingerprint(2, 3) == fingerprint((2, 3))
    False
    """
    node = Encoder(_digest).encode(parts, "parts")
    return sha256(json.dumps(node, sort_keys=True, allow_nan=False).encode("ascii")).hexdigest()


def _digest(array: NDArray[Any]) -> str:
    """Return the SHA-256 of an array: its type, its shape and its numbers, in the order of C."""
    if array.dtype.kind == "U":
        longest = int(np.strings.str_len(array).max(initial=1))
        array = array.astype(f"<U{longest}")
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    found = sha256(f"{plain.dtype.kind}{plain.dtype.itemsize}{array.shape}".encode("ascii"))
    found.update(plain.reshape(-1).view(np.uint8).data)
    return found.hexdigest()
