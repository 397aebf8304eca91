"""What metrics are given: one number, label, probability or mark a pair, or a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network.numbers import plain_numbers

__all__ = ["amounts_of", "labels_of", "marks_of", "numbers_of", "probabilities_of", "series_of", "weights_of"]

Array = NDArray[np.float64]


def numbers_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None) -> Array:
    """Return finite numbers, as many as ``like`` has, at least one."""
    count = np.size(found) if like is None else len(like)
    if not count:
        raise InputError(f"There are no {what}s; expected at least one.")
    return plain_numbers(found, count, what, lambda place: f"pair {place}")


def amounts_of(found: ArrayLike, what: str, like: NDArray[Any] | None = None) -> Array:
    """Return numbers >= 0."""
    numbers = numbers_of(found, what, like)
    if numbers.min() < 0:
        place = int(np.argmin(numbers))
        raise InputError(f"The {what} of pair {place} is {numbers[place]:g}; expected 0 or more.")
    return numbers


def series_of(found: ArrayLike, what: str, each: str, like: Array | None = None) -> Array:
    """Return one number for each experiment or repeat, NaN where it has none."""
    given = np.array(found)
    missing = np.isnan(given) if given.dtype.kind == "f" else np.zeros(given.shape, bool)
    given[missing] = 0
    count = given.size if like is None else len(like)
    numbers = plain_numbers(given, count, what, lambda place: f"{each} {place}")
    return np.where(missing, np.nan, numbers)


def labels_of(found: ArrayLike, what: str = "label", like: NDArray[Any] | None = None) -> Array:
    """Return labels, 0 or 1."""
    labels = numbers_of(found, what, like)
    other = (labels != 0) & (labels != 1)
    if other.any():
        place = int(np.argmax(other))
        raise InputError(f"The {what} of pair {place} is {labels[place]:g}; expected 0 or 1.")
    return labels


def marks_of(found: ArrayLike, what: str, like: NDArray[Any]) -> NDArray[np.bool_]:
    """Return truth values."""
    return labels_of(found, what, like) == 1


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
