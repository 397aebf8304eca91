"""From JSON and a list of arrays back to records, settings and arrays, made of known classes only."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from inspect import signature
from typing import Any

from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.saving.encode import DEEPEST
from latentlink.strategy import Strategy
from latentlink.validation.wording import names, shortened

__all__ = ["Decoder", "checked_records"]

_HEX = re.compile(r"-?0x[0-9a-f]+")
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}


def checked_records(records: Mapping[str, type]) -> dict[str, type]:
    """Refuse classes that are neither records nor settings: nothing else is ever called."""
    for name, cls in records.items():
        if not (isinstance(cls, type) and (is_dataclass(cls) or issubclass(cls, Strategy))):
            raise InputError(f"records[{name!r}] is {cls!r}; expected a dataclass or a class of settings.")
    return dict(records)


class Decoder:
    """Turns what `Encoder` made back into a tree.

    Parameters
    ----------
    source : str
        What is read, for messages.
    records : mapping of str to type
        The classes that may occur, by name.
    arrays : list of arrays
        What references stand for. Each is used once, so that a small file cannot grow large.
    """

    def __init__(self, source: str, records: Mapping[str, type], arrays: list[NDArray[Any]]) -> None:
        self._source = source
        self._records = records
        self._arrays = dict(enumerate(arrays))
        self._rules: dict[frozenset[str], Callable[[Any, str, int], Any]] = {
            frozenset({"float"}): self._float,
            frozenset({"int"}): self._integer,
            frozenset({"tuple"}): lambda node, place, depth: tuple(self._list(node["tuple"], place, depth)),
            frozenset({"dict"}): self._dict,
            frozenset({"range"}): self._range,
            frozenset({"array"}): self._array,
            frozenset({"record", "fields"}): self._record,
            frozenset({"settings", "params"}): self._settings,
        }

    def decode(self, node: Any) -> Any:
        """Return the tree of a JSON; every array must have been used."""
        tree = self._decode(node, "tree", 0)
        if self._arrays:
            raise self._broken(f"has {len(self._arrays)} arrays that nothing refers to")
        return tree

    def _decode(self, node: Any, place: str, depth: int) -> Any:
        if depth > DEEPEST:
            raise self._broken(f"is nested more than {DEEPEST} levels deep")
        if isinstance(node, list):
            return self._list(node, place, depth)
        if not isinstance(node, dict):
            return node
        rule = self._rules.get(frozenset(node))
        if rule is None:
            raise self._broken(f"has an object of unknown kind at {place}, with the keys {names(node)}")
        return rule(node, place, depth)

    def _broken(self, what: str) -> InputError:
        return InputError(f"{self._source} {what}. It is damaged, or was made by something else.")

    def _list(self, node: Any, place: str, depth: int) -> list[Any]:
        if not isinstance(node, list):
            raise self._broken(f"has no list where {place} should be one")
        return [self._decode(one, f"{place}[{index}]", depth + 1) for index, one in enumerate(node)]

    def _named(self, node: Any, place: str, depth: int) -> dict[str, Any]:
        if not isinstance(node, dict):
            raise self._broken(f"has no names where {place} should have some")
        return {name: self._decode(value, f"{place}.{name[:40]}", depth + 1) for name, value in node.items()}

    def _dict(self, node: Any, place: str, depth: int) -> dict[str, Any]:
        return self._named(node["dict"], place, depth)

    def _float(self, node: Any, place: str, depth: int) -> float:
        del depth
        if not isinstance(node["float"], str) or node["float"] not in _FLOATS:
            raise self._broken(f"has {shortened(node['float'])} at {place}; expected nan, inf or -inf")
        return _FLOATS[node["float"]]

    def _integer(self, node: Any, place: str, depth: int) -> int:
        del depth
        if not isinstance(node["int"], str) or not _HEX.fullmatch(node["int"]):
            raise self._broken(f"has {shortened(node['int'])} at {place}; expected a hexadecimal number")
        return int(node["int"], 16)

    def _range(self, node: Any, place: str, depth: int) -> range:
        ends = self._list(node["range"], place, depth)
        if len(ends) != 3 or any(type(end) is not int for end in ends) or ends[2] == 0:
            raise self._broken(f"has {shortened(ends)} at {place}; expected begin, end and step of a range")
        return range(*ends)

    def _array(self, node: Any, place: str, depth: int) -> NDArray[Any]:
        del depth
        number = node["array"]
        if type(number) is not int or number not in self._arrays:
            raise self._broken(
                f"refers at {place} to array {shortened(number)}, which is not there or stands elsewhere too"
            )
        return self._arrays.pop(number)

    def _record(self, node: Any, place: str, depth: int) -> Any:
        cls = self._class(node["record"], place, settings=False)
        return self._made(cls, self._named(node["fields"], place, depth), place)

    def _settings(self, node: Any, place: str, depth: int) -> Any:
        cls = self._class(node["settings"], place, settings=True)
        return self._made(cls, self._named(node["params"], place, depth), place)

    def _class(self, name: Any, place: str, *, settings: bool) -> type:
        """Look a class up among those that were allowed."""
        cls = self._records.get(name) if isinstance(name, str) else None
        if cls is None or issubclass(cls, Strategy) != settings:
            allowed = [one for one, known in self._records.items() if issubclass(known, Strategy) == settings]
            raise self._broken(
                f"names the class {shortened(name)} at {place}; expected one of {names(allowed) or 'none'}"
            )
        return cls

    def _made(self, cls: type, parts: dict[str, Any], place: str) -> Any:
        """Call a known class with exactly the fields that it has."""
        expected = set(signature(cls).parameters)
        strange, missing = parts.keys() - expected, expected - parts.keys()
        if strange or missing:
            raise InputError(
                f"{self._source} has a {cls.__name__} at {place} whose fields differ from what is expected: "
                f"unknown are {names(strange) or 'none'}, missing are {names(missing) or 'none'}. It is "
                "damaged, or belongs to another version of latentlink."
            )
        try:
            return cls(**parts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            raise self._broken(f"has a {cls.__name__} at {place} that makes no sense ({error})") from error
