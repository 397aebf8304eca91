"""Decoding of JSON and a list of arrays to records, settings and arrays of allowed classes only."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from inspect import signature
from typing import Any

from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.saving.encode import MAX_BITS, MAX_DEPTH, MAX_RANGES, range_size
from latentlink.saving.field_types import wrong_field
from latentlink.strategy import Strategy
from latentlink.validation.wording import counted, names, shortened

__all__ = ["Decoder", "checked_records"]

_HEX = re.compile(r"-?0x[0-9a-f]+")
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def checked_records(records: Mapping[str, type]) -> dict[str, type]:
    """Return the allowed classes, or raise InputError for one that is neither a dataclass nor a Strategy."""
    for name, cls in records.items():
        if not (isinstance(cls, type) and (is_dataclass(cls) or issubclass(cls, Strategy))):
            raise InputError(f"records[{name!r}] is {cls!r}; expected a dataclass or a subclass of Strategy.")
    return dict(records)


class Decoder:
    """Decoder of the JSON that `Encoder` returns.

    Parameters
    ----------
    source : str
        Description of the file, for messages.
    records : mapping of str to type
        The allowed classes by name.
    arrays : list of arrays
        The arrays that the JSON refers to. Each is used once, so that a small file cannot grow large.
    """

    def __init__(self, source: str, records: Mapping[str, type], arrays: list[NDArray[Any]]) -> None:
        self._source = source
        self._records = records
        self._arrays = dict(enumerate(arrays))
        self._range_numbers = 0
        self._rules: dict[frozenset[str], Callable[[Any, str, int], Any]] = {
            frozenset({"float"}): self._float,
            frozenset({"int"}): self._integer,
            frozenset({"tuple"}): lambda node, location, depth: tuple(
                self._list(node["tuple"], location, depth)
            ),
            frozenset({"dict"}): self._dict,
            frozenset({"range"}): self._range,
            frozenset({"array"}): self._array,
            frozenset({"record", "fields"}): self._record,
            frozenset({"settings", "params"}): self._settings,
        }

    def decode(self, node: Any) -> Any:
        """Return the tree of a JSON; raise InputError unless every array is used."""
        tree = self._decode(node, "tree", 0)
        if self._arrays:
            raise self._damaged(f"has {counted(len(self._arrays), 'array')} without a reference")
        return tree

    def _decode(self, node: Any, location: str, depth: int) -> Any:
        if depth > MAX_DEPTH:
            raise self._damaged(f"is nested more than {MAX_DEPTH} levels deep")
        if isinstance(node, list):
            return self._list(node, location, depth)
        if not isinstance(node, dict):
            return self._bounded(node, location) if type(node) is int else node
        rule = self._rules.get(frozenset(node))
        if rule is None:
            raise self._damaged(f"has an object of unknown kind at {location}, with the keys {names(node)}")
        return rule(node, location, depth)

    def _damaged(self, what: str) -> InputError:
        return InputError(f"{self._source} {what}. It is damaged, or was made by something else.")

    def _list(self, node: Any, location: str, depth: int) -> list[Any]:
        if not isinstance(node, list):
            raise self._damaged(f"has no list at {location}; expected one")
        return [self._decode(item, f"{location}[{index}]", depth + 1) for index, item in enumerate(node)]

    def _named(self, node: Any, location: str, depth: int) -> dict[str, Any]:
        if not isinstance(node, dict):
            raise self._damaged(f"has no named values at {location}; expected some")
        return {
            name: self._decode(value, f"{location}.{name[:40]}", depth + 1) for name, value in node.items()
        }

    def _dict(self, node: Any, location: str, depth: int) -> dict[str, Any]:
        return self._named(node["dict"], location, depth)

    def _float(self, node: Any, location: str, depth: int) -> float:
        del depth
        if not isinstance(node["float"], str) or node["float"] not in _FLOATS:
            raise self._damaged(f"has {shortened(node['float'])} at {location}; expected nan, inf or -inf")
        return _FLOATS[node["float"]]

    def _integer(self, node: Any, location: str, depth: int) -> int:
        del depth
        if not isinstance(node["int"], str) or not _HEX.fullmatch(node["int"]):
            raise self._damaged(f"has {shortened(node['int'])} at {location}; expected a hexadecimal number")
        if len(node["int"]) > MAX_BITS:  # long before: a digit has four bits
            raise self._damaged(f"has a whole number of {len(node['int']):,} characters at {location}")
        return self._bounded(int(node["int"], 16), location)

    def _bounded(self, number: int, location: str) -> int:
        if number.bit_length() > MAX_BITS:
            raise self._damaged(
                f"has {shortened(number)} at {location}; expected a whole number of at most {MAX_BITS:,} bits"
            )
        return number

    def _range(self, node: Any, location: str, depth: int) -> range:
        ends = self._list(node["range"], location, depth)
        if len(ends) != 3 or any(type(end) is not int for end in ends) or ends[2] == 0:
            raise self._damaged(
                f"has {shortened(ends)} at {location}; expected begin, end and step of a range"
            )
        numbers = range(*ends)
        self._range_numbers += min(range_size(numbers), MAX_RANGES + 1)
        if self._range_numbers > MAX_RANGES:
            raise self._damaged(
                f"has ranges of more than {MAX_RANGES:,} numbers in all, up to that at {location}"
            )
        return numbers

    def _array(self, node: Any, location: str, depth: int) -> NDArray[Any]:
        del depth
        number = node["array"]
        if type(number) is not int or number not in self._arrays:
            raise self._damaged(
                f"refers at {location} to array {shortened(number)}, which is missing or already referred to"
            )
        return self._arrays.pop(number)

    def _record(self, node: Any, location: str, depth: int) -> Any:
        cls = self._class(node["record"], location, settings=False)
        parts = self._named(node["fields"], location, depth)
        wrong = wrong_field(cls, parts)
        if wrong is not None:
            name, expected = wrong
            raise self._damaged(
                f"has a {cls.__name__} at {location} whose {name} is {shortened(parts[name])}; "
                f"expected {expected}"
            )
        return self._made(cls, parts, location)

    def _settings(self, node: Any, location: str, depth: int) -> Any:
        cls = self._class(node["settings"], location, settings=True)
        return self._made(cls, self._named(node["params"], location, depth), location)

    def _class(self, name: Any, location: str, *, settings: bool) -> type:
        """Return an allowed class by its name."""
        cls = self._records.get(name) if isinstance(name, str) else None
        if cls is None or issubclass(cls, Strategy) != settings:
            allowed = [
                known for known, kind in self._records.items() if issubclass(kind, Strategy) == settings
            ]
            raise self._damaged(
                f"names the class {shortened(name)} at {location}; expected one of {names(allowed) or 'none'}"
            )
        return cls

    def _made(self, cls: type, parts: dict[str, Any], location: str) -> Any:
        """Construct an object of an allowed class from exactly its fields."""
        expected = set(signature(cls).parameters)
        unknown, missing = parts.keys() - expected, expected - parts.keys()
        if unknown or missing:
            raise InputError(
                f"{self._source} has a {cls.__name__} at {location} whose fields are not the expected ones: "
                f"unknown are {names(unknown) or 'none'}, missing are {names(missing) or 'none'}. It is "
                "damaged, or belongs to another version of latentlink."
            )
        try:
            return cls(**parts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise self._damaged(
                f"has a {cls.__name__} at {location} that is invalid ({str(error)[:300]})"
            ) from error
