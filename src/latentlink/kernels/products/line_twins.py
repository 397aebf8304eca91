"""The kernels of sums over lines in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.operands import Coordinates, Listed, Unlisted
from latentlink.kernels.twin_parts import bounded_minimum, logistic_parts, row_entries

__all__ = ["line_sums", "summed_lines"]

Array = NDArray[Any]


def line_sums(
    listed: Listed,
    A: Array,
    B: Array,
    span: tuple[int, int],
    base: float | Array = 0.0,
    logistic: bool = False,
) -> Array:
    """Return the sums over the listed entries of each line, shape (lines, k (k + 1) / 2 + k, members)."""
    inner, lower = slice(*span), np.tril_indices(span[1] - span[0])
    S = np.zeros((len(A), len(lower[0]) + span[1] - span[0], A.shape[2]), A.dtype)
    for i in range(len(A)):
        b, x, weight = row_entries(listed, i, B)
        z = np.einsum("cm,ecm->em", A[i], b)
        p, g = weight * (x - z) + base * z, weight - base
        if logistic:
            _, slope, curvature = logistic_parts(z, x)
            p, g = weight * slope, weight * curvature
        free = b[:, inner]
        G = np.einsum("em,ecm,edm->cdm", np.broadcast_to(g, p.shape), free, free)
        S[i] = np.concatenate([G[lower], np.einsum("em,ecm->cm", p, free)])
    return S


def summed_lines(
    S: Array,
    A: Array,
    coordinates: Coordinates,
    cycles: int,
    degrees: Array,
    unlisted: Unlisted | None = None,
) -> None:
    """Update the lines of A by coordinate descent, given the sums over their entries."""
    inner = slice(coordinates.first, coordinates.last)
    free = coordinates.last - coordinates.first
    lower = np.tril_indices(free)
    size, members = A.shape[1:]
    every = np.zeros((size, size, members)) if unlisted is None else unlisted.weight * unlisted.gram
    for i in range(len(A)):
        G = np.zeros((free, free, members))
        G[lower] = S[i, : len(lower[0])]
        G[lower[::-1]] = G[lower]
        G = G + every[inner, inner]
        q = S[i, len(lower[0]) :] - np.einsum("dm,cdm->cm", A[i], every[inner])
        noise = np.finfo(A.dtype).eps * (16 + 4 * np.sqrt(degrees[i]))
        for c in list(range(free)) * cycles:
            own = coordinates.first + c
            significant = G[c, c] > noise * every[own, own]
            num, den = np.where(significant, q[c], 0), np.where(significant, G[c, c], 0)
            new = bounded_minimum((num, den), A[i, own], i, own, coordinates)
            q = q - (new - A[i, own]) * G[c]
            A[i, own] = new
