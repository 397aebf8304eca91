"""A fit that fails leaves nothing half done."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["whole_or_not"]


@contextmanager
def whole_or_not(estimator: Any) -> Iterator[None]:
    """Give an estimator back what it was if the block fails; half fitted, it would answer for another."""
    before = estimator.__dict__.copy()
    try:
        yield
    except BaseException:
        estimator.__dict__.clear()
        estimator.__dict__.update(before)
        raise
