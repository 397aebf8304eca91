"""Features of pairs in a graph: groups of columns, each computed for the pairs that are given."""

from latentlink.stacking.features.pair_features import PairFeatures, walks_are_affordable

__all__ = ["PairFeatures", "walks_are_affordable"]
