"""Published data sets: where they come from, how they are found, verified and read."""

from latentlink.datasets.fetched.fetch import fetch, load_published
from latentlink.datasets.fetched.published_dataset import Contents, PublishedDataset, PublishedFile, Size
from latentlink.datasets.fetched.registry import PUBLISHED

__all__ = ["PUBLISHED", "Contents", "PublishedDataset", "PublishedFile", "Size", "fetch", "load_published"]
