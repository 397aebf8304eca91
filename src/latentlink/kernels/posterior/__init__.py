"""Compiled draws of factors from their conditional distributions, each with a NumPy twin."""

from latentlink.kernels.posterior.drawn_rows import (
    draw_normals,
    drawn_logistic_rows,
    drawn_nonnegative_rows,
    drawn_rows,
)
from latentlink.kernels.posterior.features import feature_sums, feature_terms

__all__ = [
    "draw_normals",
    "drawn_logistic_rows",
    "drawn_nonnegative_rows",
    "drawn_rows",
    "feature_sums",
    "feature_terms",
]
