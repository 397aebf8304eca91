"""Options of a command in groups: a parameter that is a record becomes the options that its fields are."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, get_type_hints

__all__ = ["grouped"]


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command for Typer, which takes plain parameters only.

    Parameters
    ----------
    command : callable
        Its parameters are annotated as Typer needs them, or with a dataclass whose fields are: these become
        options in its place, and the command receives the record of what was given.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Size:
    ...     rows: int = 2
    ...     columns: int = 3
    >>> def show(file: str, size: Size) -> None:
    ...     print(file, size)
    >>> grouped(show)(file="x.csv", rows=5, columns=3)
    x.csv Size(rows=5, columns=3)
    """
    hints = get_type_hints(command, include_extras=True)
    signature = inspect.signature(command)
    groups = {name: hints[name] for name in signature.parameters if is_dataclass(hints[name])}
    flat: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        flat += _options(groups[name]) if name in groups else [_keyword(name, hints[name], parameter.default)]

    @functools.wraps(command)
    def flattened(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    # Versions of Typer differ in where they look: at the signature, or at the annotations.
    del flattened.__wrapped__
    flattened.__signature__ = _checked_signature(flat)  # type: ignore[attr-defined]
    flattened.__annotations__ = {each.name: each.annotation for each in flat} | {"return": None}
    return flattened


def _options(group: Any) -> list[inspect.Parameter]:
    """Return the fields of a group as parameters."""
    hints = get_type_hints(group, include_extras=True)
    by_name = inspect.signature(group).parameters
    return [_keyword(each.name, hints[each.name], by_name[each.name].default) for each in fields(group)]


def _keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)


def _checked_signature(parameters: list[inspect.Parameter]) -> inspect.Signature:
    """Return a signature, or raise TypeError if two groups have an option of one name."""
    names = [each.name for each in parameters]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise TypeError(f"{', '.join(twice)} is an option of two groups; expected one.")
    return inspect.Signature(parameters)
