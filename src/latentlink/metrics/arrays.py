"""What metrics are given: one number, label, probability or mark a pair, or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network import columns
from latentlink.network.columns import Array

__all__ = [
    "Array",
    "amounts_of",
    "labels_of",
    "marks_of",
    "numbers_of",
    "probabilities_of",
    "series_of",
    "weights_of",
]


def numbers_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None) -> Array:
    """Return finite numbers, as many as ``like`` has, at least one."""
    return columns.numbers_of(_some(found, what, like), what, like)


def amounts_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None) -> Array:
    """Return numbers >= 0, at least one."""
    return columns.amounts_of(_some(found, what, like), what, like)


def series_of(found: ArrayLike, what: str, each: str, like: Array | None = None) -> Array:
    """Return one number for each experiment or repeat, NaN where it has none."""
    columns.refuse_masked(found, what, each)
    given = np.array(found)
    missing = np.isnan(given) if given.dtype.kind == "f" else np.zeros(given.shape, bool)
    given[missing] = 0
    return np.where(missing, np.nan, columns.numbers_of(given, what, like, each=each))


def labels_of(found: ArrayLike, what: str = "label", like: NDArray[Any] | None = None) -> Array:
    """Return labels, 0 or 1, at least one."""
    return marks_of(found, what, like).astype(np.float64)


def marks_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None) -> NDArray[np.bool_]:
    """Return truth values, at least one."""
    return columns.binary_of(_some(found, what, like), what, like)


def probabilities_of(found: ArrayLike, like: NDArray[Any]) -> Array:
    """Return numbers from 0 to 1."""
    numbers = numbers_of(found, "probability value", like)
    outside = (numbers < 0) | (numbers > 1)
    if outside.any():
        place = int(np.argmax(outside))
        raise InputError(
            f"The probability of pair {place} is {numbers[place]:g}; expected a number from 0 to 1. Scores "
            "become probabilities by Platt, Isotonic or Beta of latentlink.uncertainty."
        )
    return numbers


def weights_of(found: ArrayLike | None, labels: Array) -> Array | None:
    """Return weights >= 0, if any, that leave something of links and of non-links."""
    weights = None if found is None else numbers_of(found, "weight", labels)
    for label, what in ((1.0, "link"), (0.0, "non-link")):
        here = labels == label
        if not here.any():
            raise InputError(
                f"All {len(labels):,} labels are {1 - label:g}; expected links (1) and non-links (0), at "
                "least one of each."
            )
        if weights is not None and not weights[here].any():
            raise InputError(f"Every {what} has weight 0; expected a positive weight for at least one.")
    return weights


def _some(found: ArrayLike, what: str, like: NDArray[Any] | None) -> ArrayLike:
    """Return what was found, or refuse nothing at all: it has no mean."""
    if not (np.size(found) if like is None else len(like)):
        raise InputError(f"There are no {what}s; expected at least one.")
    return found
