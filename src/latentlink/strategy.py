"""Settings objects: keyword-only, searchable by scikit-learn, changed by nobody but their owner."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, TypeVar, dataclass_transform

from sklearn.base import BaseEstimator

from latentlink.errors import IncompatibleError

__all__ = ["Strategy", "check_choice", "check_number", "check_switch", "strategy"]


T = TypeVar("T")


class Strategy(BaseEstimator):
    """A settings object: what `strategy` makes of a class with annotated fields."""


@dataclass_transform(kw_only_default=True, eq_default=False)
def strategy(cls: type[T]) -> type[T]:
    """Turn annotated fields into keyword-only parameters, known to ``get_params`` and ``set_params``.

    The constructor stores and nothing else; whoever uses the object checks it then.

    Examples
    --------
    >>> @strategy
    ... class Blur(Strategy):
    ...     width: float = 0.5
    >>> Blur(width=2.0).set_params(width=3.0)
    Blur(width=3.0)
    """
    return dataclass(kw_only=True, eq=False, repr=False)(cls)


def check_number(
    owner: object, name: str, low: float = -math.inf, *, whole: bool = False, above: bool = False
) -> None:
    """Refuse a setting that is not a finite number >= ``low`` (or > ``low``), or not a whole one."""
    value: Any = getattr(owner, name)
    kind: Any = Integral if whole else Real
    fits = isinstance(value, kind) and not isinstance(value, bool) and math.isfinite(value)
    if not fits or value < low or (above and value == low):
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={value!r}; expected a {'whole ' if whole else ''}number "
            f"{'>' if above else '>='} {low:g}."
        )


def check_switch(owner: object, name: str) -> None:
    """Refuse a setting that is neither True nor False."""
    value = getattr(owner, name)
    if type(value).__name__ not in {"bool", "bool_"}:  # NumPy's own too
        raise IncompatibleError(f"{type(owner).__name__} has {name}={value!r}; expected True or False.")


def check_choice(owner: object, name: str, choices: Iterable[str]) -> None:
    """Refuse a setting that is not one of ``choices``."""
    value, known = getattr(owner, name), list(choices)
    if not isinstance(value, str) or value not in known:
        raise IncompatibleError(
            f"{type(owner).__name__} has {name}={value!r}; expected one of {', '.join(map(repr, known))}."
        )
