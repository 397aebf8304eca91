"""The kind of data that a network holds, which decides what is held out and how it is measured."""

from __future__ import annotations

import numpy as np

from latentlink.errors import IncompatibleError, warn_user
from latentlink.network import Network
from latentlink.network.names import same_names
from latentlink.network.network import require_network
from latentlink.network.transforms.symmetry import as_symmetric
from latentlink.validation.wording import percent

__all__ = ["kind_of", "raise_if_cut_by_cells"]

_BOTH_WAYS = 0.5  # share of the entries whose reverse is known too, from which a matrix may be undirected
_AGREEING = 0.9  # share of telling pairs with the same value both ways, from which it looks undirected


def kind_of(network: Network) -> str:
    """Return "labelled" (links and non-links are listed), "links" (links alone) or "values".

    Examples
    --------
    >>> kind_of(Network.from_edges([(0, 1), (1, 2)])), kind_of(Network.from_edges([(0, 1, 4.5)]))
    ('links', 'values')
    """
    require_network(network, "evaluate")
    network.require_clean("evaluate")
    values = network.values[network.known]
    if not network.is_binary:
        return "values"
    if not (values == 1).any():
        raise IncompatibleError(
            f"None of {len(values):,} known entries is a link (1); expected links, links and non-links, or "
            "values. List the links."
        )
    return "labelled" if (values == 0).any() else "links"


def raise_if_cut_by_cells(network: Network) -> None:
    """Raise for an undirected network given as a matrix, whose cells (i, j) and (j, i) would be split.

    Warn if nearly all pairs have the same value in both directions, as with holes or a few errors.
    """
    off_diagonal = bool(np.any(network.rows != network.cols))
    if not network.symmetric and off_diagonal and as_symmetric(network).symmetric:
        raise IncompatibleError(
            f"The network of {network.shape[0]:,} x {network.shape[1]:,} equals its transpose, but is not "
            "marked as symmetric: a split by cells would leave (j, i) in the training part where (i, j) is "
            "tested. Read it with symmetric=True."
        )
    if not network.symmetric and network.shape[0] == network.shape[1]:
        _warn_if_nearly_symmetric(network)


def _warn_if_nearly_symmetric(network: Network) -> None:
    """Warn if most values are known in both directions, and agree where they are not the usual value.

    Zeros of a sparse matrix agree by chance; so only pairs count of which one direction has another value.
    """
    if network.row_names is not None and not same_names(network.row_names, network.col_names):
        return
    entries = network.subset(network.known & (network.rows != network.cols))
    reverse = entries.positions(entries.cols, entries.rows)
    both = reverse >= 0
    if not both.any() or both.mean() < _BOTH_WAYS:
        return
    here, there = entries.values[both], entries.values[reverse[both]]
    values, counts = np.unique(here, return_counts=True)
    usual = values[np.argmax(counts)]
    telling = (here != usual) | (there != usual)
    agreeing = float(np.mean((here == there)[telling])) if telling.any() else 0.0
    if agreeing >= _AGREEING:
        warn_user(
            f"Of the pairs that are known in both directions and are not both {usual:g}, {percent(agreeing)} "
            "have the same value in both: a model that copies (j, i) from the training part where (i, j) is "
            "tested looks good. If the network is undirected, read it with symmetric=True; if it is not, "
            "compare with the value of the reverse direction."
        )
