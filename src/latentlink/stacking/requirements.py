"""Requirements of models that learn the weights of scores: links and non-links, enough of both."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import IncompatibleError, warn_user
from latentlink.network import Network
from latentlink.validation.wording import counted

__all__ = ["raise_if_not_links", "raise_if_too_few_links", "warn_of_nodes_without_links"]

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


def raise_if_too_few_links(estimator: Any, network: Network, drawn: int = 0) -> None:
    """Raise for a network with too few links or non-links to learn the weights of scores from.

    Parameters
    ----------
    estimator : estimator
        Named in the message.
    network : Network
    drawn : int
        How many of its non-links were drawn, and are not known.
    """
    values = network.values[network.known]
    links, nonlinks = int((values == 1).sum()), int((values == 0).sum())
    if links >= _FEWEST and (nonlinks >= _FEWEST or network.background):
        return
    name = type(estimator).__name__
    if links >= _FEWEST and not nonlinks and name != "LinkStack":
        remedy = (
            "For a list of links alone use LinkStack().fit(network), which draws non-links by itself. Or "
            "list some non-links with value 0, or give the network a background, if unlisted pairs are not "
            "links."
        )
    else:
        remedy = (
            "List more of them (or give the network a background, if unlisted pairs are not links), or "
            "choose a model without such weights: RankedFactorizer(solver=LMF())."
        )
    known = f"{links:,} and {nonlinks:,} are known"
    if drawn:
        known = f"{links:,} links are known, and {counted(nonlinks, 'unlisted pair')} were drawn"
    raise IncompatibleError(
        f"{name} learns the weights of scores from pairs that are held out in turn, and needs at least "
        f"{_FEWEST} links and {_FEWEST} non-links for that; {known}. {remedy}"
    )


def warn_of_nodes_without_links(network: Network, row: int, col: int) -> None:
    """Warn if a node of a pair has no known link: the score then rests on its partner alone."""
    links = network.known & (network.values != 0)
    ends = [network.rows[links], network.cols[links]]
    if network.square:
        ends = [np.concatenate(ends)] * 2
    names = zip(*network.node_names(np.array([row]), np.array([col])), strict=True)
    for name, node, linked in zip(*names, (row, col), ends, strict=True):
        if node not in linked:
            warn_user(
                f"{name.item()!r} has no known link, so that nothing but its partner tells one pair from "
                "another: it is scored like nodes whose links were all hidden in training."
            )
