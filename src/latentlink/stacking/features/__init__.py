"""Features of pairs in a graph: groups of columns, each computed for the pairs that are given."""

from latentlink.stacking.features.pair_features import MOST_LINKS_FOR_WALKS, PairFeatures

__all__ = ["MOST_LINKS_FOR_WALKS", "PairFeatures"]
