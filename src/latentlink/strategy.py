"""Settings objects: keyword-only, searchable by scikit-learn, changed by nobody but their owner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

from sklearn.base import BaseEstimator

__all__ = ["Strategy", "strategy"]


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
