"""Settings objects with keyword-only parameters, known to scikit-learn's get_params and set_params."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

from sklearn.base import BaseEstimator

__all__ = ["Strategy", "strategy"]


T = TypeVar("T")


class Strategy(BaseEstimator):
    """Base class of settings objects; the decorator `strategy` turns annotated fields into parameters."""


@dataclass_transform(kw_only_default=True, eq_default=False)
def strategy(cls: type[T]) -> type[T]:
    """Turn the annotated fields of a class into keyword-only parameters of a settings object.

    The constructor stores its arguments and does nothing else; they are checked when the object is used.

    Examples
    --------
    >>> @strategy
    ... class Blur(Strategy):
    ...     width: float = 0.5
    >>> Blur(width=2.0).set_params(width=3.0)
    Blur(width=3.0)
    """
    return dataclass(kw_only=True, eq=False, repr=False)(cls)
