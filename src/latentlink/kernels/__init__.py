"""Compiled functions on arrays, each with a NumPy twin of the same signature.

Factors are arrays (nodes, coordinates, members) with the members innermost: every arithmetic step of a loop
works on a vector of members, which share the listed entries and differ in values, weights and start.
"""

from latentlink.kernels.dispatch import (
    background_rows,
    boolean_change,
    boolean_disjoint,
    boolean_gains,
    boolean_settle,
    completed_products,
    gram,
    gram_rows,
    masked_rows,
    moments,
    path_sums,
    quadratic_form,
    squares,
    times_gram,
)
from latentlink.kernels.lanes.compile import lane_counts, mode
from latentlink.kernels.operands import Coordinates, Lines, Listed, Mirror, aligned

__all__ = [
    "Coordinates",
    "Lines",
    "Listed",
    "Mirror",
    "aligned",
    "background_rows",
    "boolean_change",
    "boolean_disjoint",
    "boolean_gains",
    "boolean_settle",
    "completed_products",
    "gram",
    "gram_rows",
    "lane_counts",
    "masked_rows",
    "mode",
    "moments",
    "path_sums",
    "quadratic_form",
    "squares",
    "times_gram",
]
