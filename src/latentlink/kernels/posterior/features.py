"""Dispatch of the products of features to their forms: compiled with or without lanes, or NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import PLAIN, mode
from latentlink.kernels.operands import aligned
from latentlink.kernels.posterior.feature_products import compiled_feature_sums, compiled_feature_terms

__all__ = ["feature_sums", "feature_terms"]

Array = NDArray[Any]


def feature_sums(F: Array, A: Array) -> Array:
    """Return sum_i f_i a_i' of every member, shape (features, size, members), in double precision.

    Parameters
    ----------
    F : array, shape (nodes, features) or (nodes, features, members)
        Features of the nodes, shared by all members or of each, of the data type of the factors.
    A : array, shape (nodes, size, members)
        Factors of the nodes.
    """
    if mode() == "reference":
        return reference.feature_sums(F, A)
    S = np.zeros((F.shape[1], *A.shape[1:]))
    compiled_feature_sums(_lanes(A), F.ndim == 2)(F, A, np.empty(2 * A.shape[2], A.dtype), S)
    return S


def feature_terms(F: Array, C: Array, linear: Array) -> Array:
    """Return linear_c + sum_f F_if C_fc of every member, shape (nodes, coordinates, members).

    Parameters
    ----------
    F : array
        As for `feature_sums`.
    C : array, shape (features, coordinates, members)
        Coefficients.
    linear : array, shape (coordinates, members)
    """
    if mode() == "reference":
        return reference.feature_terms(F, C, linear)
    out = aligned((len(F), *linear.shape), F.dtype)
    coefficients, constant = (np.ascontiguousarray(part, F.dtype) for part in (C, linear))
    compiled_feature_terms(_lanes(out), F.ndim == 2)(F, coefficients, constant, out)
    return out


def _lanes(A: Array) -> int:
    return PLAIN if mode() == "plain" else A.shape[2]
