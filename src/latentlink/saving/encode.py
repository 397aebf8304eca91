"""Encoding of records, settings and arrays as plain JSON and a list of arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.strategy import Strategy

__all__ = ["DTYPES", "MAX_BITS", "MAX_DEPTH", "MAX_RANGES", "SAFE_INTEGER", "Encoder", "range_size"]

MAX_DEPTH = 64
# Bits of an integer: 617 decimal digits, which Python converts to text under any setting of its own limit.
MAX_BITS = 2048
# Numbers of all ranges of a tree together: a range is three numbers in a file, and any length in memory.
MAX_RANGES = 65_536
# Larger integers are written in hexadecimal: other JSON readers round them, and Python limits decimal digits.
SAFE_INTEGER = 2**53
# Bytes of one number by kind of array; text may have any width. Wider numbers differ between hosts.
DTYPES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8), "c": (8, 16)}


class Encoder:
    """Encoder of records, settings and arrays as JSON, in which the keys of an object name its kind.

    Parameters
    ----------
    store : callable
        Receives an array and returns its reference in the JSON: its number, or its digest.
    bounded : bool, default=False
        Raise InputError for integers above `MAX_BITS` and ranges above `MAX_RANGES`, which cannot be loaded.

    Notes
    -----
    ===================  ===============================================
    tree                 JSON
    ===================  ===============================================
    None, bool, str      themselves
    list                 list
    float                number; {"float": "nan"}, "inf" or "-inf"
    int                  number; {"int": "0x..."} beyond 2^53
    tuple                {"tuple": [...]}
    dict                 {"dict": {...}}
    range                {"range": [start, stop, step]}
    array                {"array": reference}
    frozen dataclass     {"record": class name, "fields": {...}}
    Strategy             {"settings": class name, "params": {...}}
    ===================  ===============================================
    """

    def __init__(self, store: Callable[[NDArray[Any]], int | str], *, bounded: bool = False) -> None:
        self._store = store
        self._bounded = bounded
        self._range_numbers = 0
        self._rules: dict[type, Callable[[Any, str, int], Any]] = {
            type(None): _unchanged,
            bool: _unchanged,
            str: _unchanged,
            int: self._integer,
            float: _float,
            list: self._list,
            tuple: lambda tree, location, depth: {"tuple": self._list(tree, location, depth)},
            dict: self._dict,
            range: self._range,
            np.ndarray: self._array,
            np.memmap: self._array,
        }

    def encode(self, tree: Any, location: str = "tree", depth: int = 0) -> Any:
        """Return the JSON of a tree; ``location`` is its position in a larger tree, for messages."""
        if depth > MAX_DEPTH:
            raise InputError(
                f"The tree is nested more than {MAX_DEPTH} levels deep at {location[:80]}...; it may contain "
                "itself. Save a flatter tree."
            )
        rule = self._rules.get(type(tree))
        if rule is not None:
            return rule(tree, location, depth)
        if isinstance(tree, np.generic):
            return self._scalar(tree, location, depth)
        if isinstance(tree, Strategy):
            params = {
                name: self.encode(value, f"{location}.{name}", depth + 1)
                for name, value in tree.get_params(deep=False).items()
            }
            return {"settings": type(tree).__name__, "params": params}
        if _is_record(tree):
            parts = {
                field.name: self.encode(getattr(tree, field.name), f"{location}.{field.name}", depth + 1)
                for field in fields(tree)
                if field.init
            }
            return {"record": type(tree).__name__, "fields": parts}
        raise _unsupported(tree, location)

    def _integer(self, tree: int, location: str, depth: int) -> Any:
        del depth
        if self._bounded and tree.bit_length() > MAX_BITS:
            raise InputError(
                f"{location} is a whole number of {tree.bit_length():,} bits; expected at most {MAX_BITS:,}. "
                "Save it as text."
            )
        return tree if abs(tree) <= SAFE_INTEGER else {"int": hex(tree)}

    def _range(self, tree: range, location: str, depth: int) -> dict[str, Any]:
        ends = self._list([tree.start, tree.stop, tree.step], location, depth)
        if self._bounded:
            self._range_numbers += min(range_size(tree), MAX_RANGES + 1)
            if self._range_numbers > MAX_RANGES:
                raise InputError(
                    f"With {location} the ranges of the tree have more than {MAX_RANGES:,} numbers in all, "
                    "too many to be loaded. Shorten them, or save an array."
                )
        return {"range": ends}

    def _list(self, tree: Any, location: str, depth: int) -> list[Any]:
        return [self.encode(item, f"{location}[{index}]", depth + 1) for index, item in enumerate(tree)]

    def _dict(self, tree: dict[Any, Any], location: str, depth: int) -> dict[str, Any]:
        for key in tree:
            if type(key) is not str:
                raise InputError(
                    f"{location} is a dict with the key {key!r} of type {type(key).__name__}; expected "
                    "strings as keys. Turn it into a list of pairs."
                )
        return {
            "dict": {
                key: self.encode(value, f"{location}[{key!r}]", depth + 1) for key, value in tree.items()
            }
        }

    def _scalar(self, tree: np.generic[Any], location: str, depth: int) -> Any:
        if tree.dtype.kind not in "biufU" or (tree.dtype.kind == "f" and tree.dtype.itemsize > 8):
            raise _unsupported(tree, location)
        return self.encode(tree.item(), location, depth)

    def _array(self, tree: NDArray[Any], location: str, depth: int) -> dict[str, int | str]:
        del depth
        return {"array": self._store(_plain_array(tree, location))}


def range_size(numbers: range) -> int:
    """Return the length of a range, which `len` does not where it exceeds the machine's integers.

    Examples
    --------
    >>> range_size(range(0, 10, 3)), range_size(range(5, 0)), range_size(range(2**70)) == 2**70
    (4, 0, True)
    """
    return max(0, -((numbers.start - numbers.stop) // numbers.step))


def _unchanged(tree: Any, location: str, depth: int) -> Any:
    del location, depth
    return tree


def _float(tree: float, location: str, depth: int) -> Any:
    del location, depth
    return tree if math.isfinite(tree) else {"float": str(tree)}


def _is_record(tree: Any) -> bool:
    return is_dataclass(tree) and not isinstance(tree, type) and tree.__dataclass_params__.frozen  # type: ignore[attr-defined]


def _plain_array(tree: NDArray[Any], location: str) -> NDArray[Any]:
    """Return an array of numbers or text, or raise InputError for any other."""
    dtype = tree.dtype
    if dtype.kind == "O":
        return _text(tree, location)
    if dtype.kind == "U":
        return np.asarray(tree) if dtype.itemsize else np.asarray(tree, "U1")
    if dtype.itemsize in DTYPES.get(dtype.kind, ()):
        return np.asarray(tree)
    raise InputError(
        f"{location} is an array of type {dtype}; expected numbers of at most 64 bits (complex: 128), bool "
        "or text. Convert it with astype."
    )


def _text(tree: NDArray[Any], location: str) -> NDArray[Any]:
    """Convert an array of Python strings to NumPy text, or raise InputError for other objects."""
    for index, item in enumerate(tree.flat):
        if not isinstance(item, str):
            raise InputError(
                f"{location} is an array of Python objects, and item {index} is of type "
                f"{type(item).__name__}; expected strings only. Convert it with astype."
            )
        if item.endswith("\0"):
            raise InputError(
                f"{location} is an array of strings, and item {index}, {item!r}, ends with a null "
                "character, which NumPy drops. Remove it."
            )
    return np.asarray(tree, "U")


def _unsupported(tree: Any, location: str) -> InputError:
    return InputError(
        f"{location} is an object of type {type(tree).__name__}, which cannot be saved; expected None, a "
        "bool, number, string, list, tuple, dict, range, array, settings object or frozen record."
    )
