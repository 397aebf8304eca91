"""The kind of data that a network holds, which decides what is held out and how it is measured."""

from __future__ import annotations

import numpy as np

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.network.network import require_network
from latentlink.network.transforms.symmetry import as_symmetric

__all__ = ["kind_of", "raise_if_cut_by_cells"]


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
    """Raise for an undirected network given as a matrix, whose cells (i, j) and (j, i) would be split."""
    off_diagonal = bool(np.any(network.rows != network.cols))
    if not network.symmetric and off_diagonal and as_symmetric(network).symmetric:
        raise IncompatibleError(
            f"The network of {network.shape[0]:,} x {network.shape[1]:,} equals its transpose, but is not "
            "marked as symmetric: a split by cells would leave (j, i) in the training part where (i, j) is "
            "tested. Read it with symmetric=True."
        )
