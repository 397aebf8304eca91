"""Small example data sets with known rank and true factors."""

from latentlink.datasets.bumps import bumps
from latentlink.datasets.dataset import Dataset
from latentlink.datasets.dog import dog
from latentlink.datasets.gaussian import gaussian
from latentlink.datasets.planted import planted_boolean
from latentlink.datasets.swimmer import swimmer

__all__ = ["Dataset", "bumps", "dog", "gaussian", "planted_boolean", "swimmer"]
