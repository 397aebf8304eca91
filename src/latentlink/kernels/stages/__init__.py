"""Compiled values of the functions that a last stage is made of, each with a NumPy twin."""

from latentlink.kernels.stages.piecewise_linear import piecewise_linear_sum
from latentlink.kernels.stages.tree_sum import tree_sum

__all__ = ["piecewise_linear_sum", "tree_sum"]
