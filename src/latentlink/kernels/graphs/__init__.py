"""Compiled counts on the neighbours of an undirected graph, each with a NumPy twin."""

from latentlink.kernels.graphs.core_peeling import core_numbers
from latentlink.kernels.graphs.triangle_counting import triangle_counts

__all__ = ["core_numbers", "triangle_counts"]
