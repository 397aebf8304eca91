"""Proximity of two nodes in a graph: degrees, short paths, random walks and spectra, as scores of pairs."""

from latentlink.proximity.link_graph import LinkGraph
from latentlink.proximity.node_measures import (
    clustering,
    component_sizes,
    core_numbers,
    neighbour_degrees,
)
from latentlink.proximity.short_paths import (
    adamic_adar,
    common_neighbours,
    degree_product,
    jaccard,
    paths_of_three,
    resource_allocation,
    shared_sources,
    shared_targets,
)
from latentlink.proximity.spectral import svd_product
from latentlink.proximity.walks import katz, local_walks, personalized_pagerank

__all__ = [
    "LinkGraph",
    "adamic_adar",
    "clustering",
    "common_neighbours",
    "component_sizes",
    "core_numbers",
    "degree_product",
    "jaccard",
    "katz",
    "local_walks",
    "neighbour_degrees",
    "paths_of_three",
    "personalized_pagerank",
    "resource_allocation",
    "shared_sources",
    "shared_targets",
    "svd_product",
]
