"""Proximity of two nodes in a graph: degrees, short paths, random walks and spectra, as scores of pairs."""

from latentlink.proximity.link_graph import LinkGraph
from latentlink.proximity.short_paths import (
    adamic_adar,
    common_neighbours,
    degree_product,
    jaccard,
    paths_of_three,
    resource_allocation,
)
from latentlink.proximity.spectral import svd_product
from latentlink.proximity.walks import katz, personalized_pagerank

__all__ = [
    "LinkGraph",
    "adamic_adar",
    "common_neighbours",
    "degree_product",
    "jaccard",
    "katz",
    "paths_of_three",
    "personalized_pagerank",
    "resource_allocation",
    "svd_product",
]
