"""Baselines that are evaluated beside all models: proximities of links, means and neighbours of values."""

from latentlink.evaluation.baselines.biases import Biases
from latentlink.evaluation.baselines.item_neighbours import ItemNeighbours
from latentlink.evaluation.baselines.means import ColumnMean, GlobalMean, RowMean
from latentlink.evaluation.baselines.proximity_scores import ProximityScores
from latentlink.evaluation.baselines.residual_svd import ResidualSVD
from latentlink.evaluation.baselines.standard import standard_baselines

__all__ = [
    "Biases",
    "ColumnMean",
    "GlobalMean",
    "ItemNeighbours",
    "ProximityScores",
    "ResidualSVD",
    "RowMean",
    "standard_baselines",
]
