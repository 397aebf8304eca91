"""Checked inputs of metrics: columns of at least one number, label, mark, probability or weight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.validation.columns import (
    Floats,
    amount_column,
    binary_column,
    number_column,
    probability_column,
    raise_if_masked,
)

__all__ = [
    "amount_input",
    "label_input",
    "mark_input",
    "number_input",
    "probability_input",
    "series_input",
    "weight_input",
]


def number_input(values: ArrayLike, what: str, like: NDArray[Any] | None = None) -> Floats:
    """Return finite numbers, as many as ``like`` has, at least one; raise InputError for others."""
    return number_column(values, what, like, empty=False)


def amount_input(values: ArrayLike, what: str, like: NDArray[Any] | None = None) -> Floats:
    """Return numbers >= 0, at least one."""
    return amount_column(values, what, like, empty=False)


def mark_input(values: ArrayLike, what: str, like: NDArray[Any] | None = None) -> NDArray[np.bool_]:
    """Return truth values, given as such or as 0 and 1, at least one."""
    return binary_column(values, what, like, empty=False)


def label_input(values: ArrayLike, what: str = "label", like: NDArray[Any] | None = None) -> Floats:
    """Return labels, 0 or 1, at least one."""
    return mark_input(values, what, like).astype(np.float64)


def probability_input(values: ArrayLike, like: NDArray[Any]) -> Floats:
    """Return probabilities from 0 to 1, as many as ``like`` has."""
    expected = (
        "a number from 0 to 1. Calibrate scores to probabilities with Platt, Isotonic or Beta of "
        "latentlink.uncertainty"
    )
    return probability_column(values, "probability", like, expected=expected, empty=False)


def series_input(values: ArrayLike, what: str, each: str, like: Floats | None = None) -> Floats:
    """Return one number for each experiment or repeat (``each``); NaN is allowed where there is none."""
    raise_if_masked(values, what, each)
    copied = np.array(values)
    missing = np.isnan(copied) if copied.dtype.kind == "f" else np.zeros(copied.shape, bool)
    copied[missing] = 0
    return np.where(missing, np.nan, number_column(copied, what, like, each=each))


def weight_input(values: ArrayLike | None, labels: Floats) -> Floats | None:
    """Return weights >= 0, or None; raise unless links and non-links exist and have a positive weight."""
    weights = None if values is None else number_input(values, "weight", labels)
    for label, what in ((1.0, "link"), (0.0, "non-link")):
        of_class = labels == label
        if not of_class.any():
            raise InputError(
                f"All {len(labels):,} labels are {1 - label:g}; expected links (1) and non-links (0), at "
                "least one of each."
            )
        if weights is not None and not weights[of_class].any():
            raise InputError(f"Every {what} has weight 0; expected a positive weight for at least one.")
    return weights
