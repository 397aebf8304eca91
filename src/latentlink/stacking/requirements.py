"""Requirements of models that learn the weights of scores: links and non-links, enough of both."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.network import Network

__all__ = ["raise_if_not_links", "raise_if_too_few_links"]

_FEWEST = 20  # with fewer of a class, the held-out part often holds only the other class


def raise_if_not_links(estimator: Any, network: Network) -> None:
    """Raise unless known values are 0 and 1, which a logistic model of scores needs."""
    values = network.values[network.known]
    other = ~np.isin(values, (0, 1))
    if other.any():
        raise IncompatibleError(
            f"{type(estimator).__name__} is for links and non-links, values 1 and 0, but "
            f"{int(other.sum()):,} known values are others (first: {values[other][0]:g}). Binarize them "
            "first, or choose WNMFk or RNMFk."
        )


def raise_if_too_few_links(estimator: Any, network: Network) -> None:
    """Raise for a network with too few links or non-links to learn the weights of scores from."""
    values = network.values[network.known]
    links, nonlinks = int((values == 1).sum()), int((values == 0).sum())
    if links < _FEWEST or (nonlinks < _FEWEST and not network.background):
        raise IncompatibleError(
            f"{type(estimator).__name__} learns the weights of scores from pairs that are held out in turn, "
            f"and needs at least {_FEWEST} links and {_FEWEST} non-links for that; {links:,} and "
            f"{nonlinks:,} are known. List more of them (or give the network a background, if unlisted pairs "
            "are not links), or choose a model without such weights: RankedFactorizer(solver=LMF())."
        )
