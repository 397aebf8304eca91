"""Compiled draws of factors from their conditional normal distributions, each with a NumPy twin."""

from latentlink.kernels.posterior.drawn_rows import (
    drawn_logistic_rows,
    drawn_nonnegative_rows,
    drawn_rows,
    exponentials,
)

__all__ = ["drawn_logistic_rows", "drawn_nonnegative_rows", "drawn_rows", "exponentials"]
