"""What the twins of kernels in NumPy have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.operands import Coordinates, Listed

__all__ = ["bounded_minimum", "logistic_parts", "row_entries"]

Array = NDArray[Any]


def logistic_parts(z: Array, y: Array) -> tuple[Array, Array, Array]:
    """Return the loss at logit z for label y, y - sigmoid(z), and the curvature omega."""
    e = np.exp(-np.abs(z))
    loss = np.maximum(z, 0) + np.log1p(e) - y * z
    probability = np.where(z > 0, 1, e) / (1 + e)
    near = np.abs(z) < 1e-2
    curvature = np.where(near, 0.25 - z * z / 48, (probability - 0.5) / np.where(near, 1, z))
    return loss, y - probability, curvature


def row_entries(listed: Listed, i: int, B: Array) -> tuple[Array, Array, Array]:
    """Return the partners' factors (degree, size, members), values and weights of row i; NaN has weight 0."""
    entries = slice(listed.indptr[i], listed.indptr[i + 1])
    values = listed.values[entries]
    weights = listed.weights[entries] if listed.per_member else listed.weights[entries, None]
    known = ~np.isnan(values)
    return B[listed.indices[entries]], np.where(known, values, 0), np.where(known, weights, 0)


def bounded_minimum(
    moments: tuple[Array, Array], old: Array, i: int, c: int, coordinates: Coordinates
) -> Array:
    """Return the bounded minimum of a coordinate's parabola; without curvature the old value stays."""
    num, den = moments
    ridge = coordinates.ridge[c]
    if coordinates.growth is not None and coordinates.counts is not None:
        ridge = ridge + coordinates.growth[c] * coordinates.counts[i]
    den_total = den + ridge
    with np.errstate(divide="ignore", invalid="ignore"):
        new = np.maximum((old * den + num + ridge * coordinates.centre[c]) / den_total, coordinates.lower[c])
    return np.where(den_total > 0, new, old)
