"""Compiled counts, distances and linear systems of graphs, each with a NumPy twin."""

from latentlink.kernels.graphs.breadth_first import distances
from latentlink.kernels.graphs.core_peeling import core_numbers
from latentlink.kernels.graphs.substitution import substitute
from latentlink.kernels.graphs.triangle_counting import triangle_counts

__all__ = ["core_numbers", "distances", "substitute", "triangle_counts"]
