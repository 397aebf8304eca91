"""Data to try the methods on, each with what is known of its making."""

from latentlink.datasets.dataset import Dataset
from latentlink.datasets.dog import dog

__all__ = ["Dataset", "dog"]
