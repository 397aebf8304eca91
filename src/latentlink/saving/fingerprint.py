"""Hashes of settings and data that are the same in every process and on every host."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.saving.encode import Encoder

__all__ = ["fingerprint"]


def fingerprint(*parts: Any) -> str:
    """Return the SHA-256 of settings and data, by which two runs can be compared.

    Parameters
    ----------
    *parts : objects
        Anything that can be saved: None, bools, numbers, strings, arrays, ranges, lists, tuples, dicts,
        settings and frozen records. Other objects raise InputError.

    Returns
    -------
    str
        64 hexadecimal digits.

    Notes
    -----
    Settings and records are hashed by the name of their class and by their fields. The order of a dict, and
    the memory order, byte order and text width of an array make no difference; its type and shape do. A list
    differs from a tuple, 1 from 1.0 and 0.0 from -0.0, but NumPy's scalars are equal to Python's.

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
    """Return the SHA-256 of an array: its type, its shape and its values in C order."""
    if array.dtype.kind == "U":
        longest = int(np.strings.str_len(array).max(initial=1))
        array = array.astype(f"<U{longest}")
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
    digest = sha256(f"{plain.dtype.kind}{plain.dtype.itemsize}{array.shape}".encode("ascii"))
    digest.update(plain.reshape(-1).view(np.uint8).data)
    return digest.hexdigest()
