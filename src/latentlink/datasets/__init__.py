"""Data sets: generated, with known rank and true factors, and published, fetched on request."""

from latentlink.datasets.bumps import bumps
from latentlink.datasets.catalogue import list_datasets as list
from latentlink.datasets.dataset import Dataset
from latentlink.datasets.dog import dog
from latentlink.datasets.fetched.fetch import fetch
from latentlink.datasets.gaussian import GaussianCase, gaussian, gaussian_cases
from latentlink.datasets.heavy_tailed import heavy_tailed
from latentlink.datasets.planted import planted_boolean
from latentlink.datasets.planted_blocks import planted_blocks
from latentlink.datasets.swimmer import swimmer

__all__ = [
    "Dataset",
    "GaussianCase",
    "bumps",
    "dog",
    "fetch",
    "gaussian",
    "gaussian_cases",
    "heavy_tailed",
    "list",
    "planted_blocks",
    "planted_boolean",
    "swimmer",
]
