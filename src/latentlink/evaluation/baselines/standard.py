"""The baselines of each kind of data, by name."""

from __future__ import annotations

from typing import Any

from latentlink.evaluation.baselines.biases import Biases
from latentlink.evaluation.baselines.item_neighbours import ItemNeighbours
from latentlink.evaluation.baselines.means import ColumnMean, GlobalMean, RowMean
from latentlink.evaluation.baselines.proximity_scores import ProximityScores
from latentlink.evaluation.baselines.residual_svd import ResidualSVD
from latentlink.proximity import (
    adamic_adar,
    common_neighbours,
    degree_product,
    jaccard,
    katz,
    paths_of_three,
    personalized_pagerank,
    resource_allocation,
    svd_product,
)

__all__ = ["standard_baselines"]


def standard_baselines(kind: str) -> dict[str, Any]:
    """Return unfitted baselines by name, for "labelled" and "links" or for "values".

    Examples
    --------
    >>> list(standard_baselines("values"))
    ['global mean', 'row mean', 'item mean', 'biases only', 'KNN', 'SVD']
    """
    if kind == "values":
        return {
            "global mean": GlobalMean(),
            "row mean": RowMean(),
            "item mean": ColumnMean(),
            "biases only": Biases(),
            "KNN": ItemNeighbours(),
            "SVD": ResidualSVD(),
        }
    return {
        "degree product": ProximityScores(proximity=degree_product),
        "biases only": Biases(),
        "common neighbours": ProximityScores(proximity=common_neighbours),
        "Jaccard": ProximityScores(proximity=jaccard),
        "Adamic-Adar": ProximityScores(proximity=adamic_adar),
        "resource allocation": ProximityScores(proximity=resource_allocation),
        "L3": ProximityScores(proximity=paths_of_three),
        "Katz": ProximityScores(proximity=katz),
        "personalized PageRank": ProximityScores(proximity=personalized_pagerank),
        "SVD": ProximityScores(proximity=svd_product),
    }
