"""From records, settings and arrays to plain JSON and a list of arrays."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.strategy import Strategy

__all__ = ["DEEPEST", "DTYPES", "SAFE_INTEGER", "Encoder"]

DEEPEST = 64
# JSON readers elsewhere keep whole numbers exactly up to here; Python itself limits the decimal digits.
SAFE_INTEGER = 2**53
# Kinds of arrays and bytes of one number; text may have any width. Wider numbers differ between hosts.
DTYPES = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8), "c": (8, 16)}


class Encoder:
    """Turns a tree into what JSON can hold; every JSON object names its kind by its keys.

    Parameters
    ----------
    keep : callable
        Takes an array and returns what stands for it in the JSON: its number, or its digest.

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

    def __init__(self, keep: Callable[[NDArray[Any]], int | str]) -> None:
        self._keep = keep
        self._rules: dict[type, Callable[[Any, str, int], Any]] = {
            type(None): _itself,
            bool: _itself,
            str: _itself,
            int: _integer,
            float: _float,
            list: self._list,
            tuple: lambda tree, place, depth: {"tuple": self._list(tree, place, depth)},
            dict: self._dict,
            range: lambda tree, place, depth: {
                "range": self._list([tree.start, tree.stop, tree.step], place, depth)
            },
            np.ndarray: self._array,
            np.memmap: self._array,
        }

    def encode(self, tree: Any, place: str = "tree", depth: int = 0) -> Any:
        """Return the JSON of a tree; ``place`` says in messages where it stands."""
        if depth > DEEPEST:
            raise InputError(
                f"The tree is nested more than {DEEPEST} levels deep at {place[:80]}...; it may hold itself. "
                "Save a flatter one."
            )
        rule = self._rules.get(type(tree))
        if rule is not None:
            return rule(tree, place, depth)
        if isinstance(tree, np.generic):
            return self._scalar(tree, place, depth)
        if isinstance(tree, Strategy):
            params = {
                name: self.encode(value, f"{place}.{name}", depth + 1)
                for name, value in tree.get_params(deep=False).items()
            }
            return {"settings": type(tree).__name__, "params": params}
        if _is_record(tree):
            parts = {
                field.name: self.encode(getattr(tree, field.name), f"{place}.{field.name}", depth + 1)
                for field in fields(tree)
                if field.init
            }
            return {"record": type(tree).__name__, "fields": parts}
        raise _unknown(tree, place)

    def _list(self, tree: Any, place: str, depth: int) -> list[Any]:
        return [self.encode(one, f"{place}[{index}]", depth + 1) for index, one in enumerate(tree)]

    def _dict(self, tree: dict[Any, Any], place: str, depth: int) -> dict[str, Any]:
        for key in tree:
            if type(key) is not str:
                raise InputError(
                    f"{place} is a dict with the key {key!r} of type {type(key).__name__}; expected strings "
                    "as keys. Turn it into a list of pairs."
                )
        return {
            "dict": {key: self.encode(value, f"{place}[{key!r}]", depth + 1) for key, value in tree.items()}
        }

    def _scalar(self, tree: np.generic[Any], place: str, depth: int) -> Any:
        if tree.dtype.kind not in "biufU" or (tree.dtype.kind == "f" and tree.dtype.itemsize > 8):
            raise _unknown(tree, place)
        return self.encode(tree.item(), place, depth)

    def _array(self, tree: NDArray[Any], place: str, depth: int) -> dict[str, int | str]:
        del depth
        return {"array": self._keep(_plain_array(tree, place))}


def _itself(tree: Any, place: str, depth: int) -> Any:
    del place, depth
    return tree


def _integer(tree: int, place: str, depth: int) -> Any:
    del place, depth
    return tree if abs(tree) <= SAFE_INTEGER else {"int": hex(tree)}


def _float(tree: float, place: str, depth: int) -> Any:
    del place, depth
    return tree if math.isfinite(tree) else {"float": str(tree)}


def _is_record(tree: Any) -> bool:
    return is_dataclass(tree) and not isinstance(tree, type) and tree.__dataclass_params__.frozen  # type: ignore[attr-defined]


def _plain_array(tree: NDArray[Any], place: str) -> NDArray[Any]:
    """Return an array of numbers or text; refuse any other."""
    dtype = tree.dtype
    if dtype.kind == "O":
        return _text(tree, place)
    if dtype.kind == "U":
        return np.asarray(tree) if dtype.itemsize else np.asarray(tree, "U1")
    if dtype.itemsize in DTYPES.get(dtype.kind, ()):
        return np.asarray(tree)
    raise InputError(
        f"{place} is an array of type {dtype}; expected numbers of at most 64 bits (complex: 128), bool or "
        "text. Convert it with astype."
    )


def _text(tree: NDArray[Any], place: str) -> NDArray[Any]:
    """Turn an array of Python strings into one of text."""
    for index, one in enumerate(tree.flat):
        if not isinstance(one, str):
            raise InputError(
                f"{place} is an array of Python objects, and number {index} in it is of type "
                f"{type(one).__name__}; expected strings only. Convert it with astype."
            )
        if one.endswith("\0"):
            raise InputError(
                f"{place} is an array of strings, and number {index} in it, {one!r}, ends with a null "
                "character, which NumPy does not keep. Remove it."
            )
    return np.asarray(tree, "U")


def _unknown(tree: Any, place: str) -> InputError:
    return InputError(
        f"{place} is an object of type {type(tree).__name__}, which cannot be saved; expected None, a bool, "
        "number, string, list, tuple, dict, range, array, settings object or frozen record."
    )
