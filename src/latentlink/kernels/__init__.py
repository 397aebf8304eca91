"""Compiled functions on arrays, each with a NumPy twin of the same signature in `reference`.

Factors are arrays of shape (nodes, coordinates, members) with the members innermost: every arithmetic step of
a loop works on a vector of ensemble members, which share the listed entries and differ in values, weights and
start.
"""

from latentlink.kernels.dispatch import (
    background_rows,
    balance,
    boolean_disjoint,
    boolean_errors,
    boolean_gains,
    boolean_optimize,
    completed_products,
    divergence_moments,
    divergence_rows,
    extrapolate,
    gram,
    gram_rows,
    masked_rows,
    moments,
    multiplied_rows,
    penalties,
    times_gram,
    totals,
)
from latentlink.kernels.graphs import core_numbers, distances, path_sums, substitute, triangle_counts
from latentlink.kernels.lanes.compile import fixed_mode, lane_counts, mode
from latentlink.kernels.logistic_loss import logistic_loss
from latentlink.kernels.operands import (
    BiasStep,
    Coordinates,
    Lines,
    Listed,
    Mirror,
    NormalPrior,
    RandomNumbers,
    Unlisted,
    aligned,
)
from latentlink.kernels.posterior import (
    draw_normals,
    drawn_logistic_rows,
    drawn_nonnegative_rows,
    drawn_rows,
    feature_sums,
    feature_terms,
)
from latentlink.kernels.products.line_descent import summed_lines
from latentlink.kernels.products.line_sums import line_sums
from latentlink.kernels.stages import piecewise_linear_sum, tree_sum

__all__ = [
    "BiasStep",
    "Coordinates",
    "Lines",
    "Listed",
    "Mirror",
    "NormalPrior",
    "RandomNumbers",
    "Unlisted",
    "aligned",
    "background_rows",
    "balance",
    "boolean_disjoint",
    "boolean_errors",
    "boolean_gains",
    "boolean_optimize",
    "completed_products",
    "core_numbers",
    "distances",
    "divergence_moments",
    "divergence_rows",
    "draw_normals",
    "drawn_logistic_rows",
    "drawn_nonnegative_rows",
    "drawn_rows",
    "extrapolate",
    "feature_sums",
    "feature_terms",
    "fixed_mode",
    "gram",
    "gram_rows",
    "lane_counts",
    "line_sums",
    "logistic_loss",
    "masked_rows",
    "mode",
    "moments",
    "multiplied_rows",
    "path_sums",
    "penalties",
    "piecewise_linear_sum",
    "substitute",
    "summed_lines",
    "times_gram",
    "totals",
    "tree_sum",
    "triangle_counts",
]
