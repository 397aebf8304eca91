"""Kernels of the generalised Kullback-Leibler divergence, the loss of counts."""
