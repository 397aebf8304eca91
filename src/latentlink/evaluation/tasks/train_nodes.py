"""Subsets of pairs by what the training part says about their nodes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.proximity import LinkGraph

__all__ = ["node_subsets", "occurring_nodes"]

Array = NDArray[Any]


def occurring_nodes(train: Network) -> tuple[Array, Array]:
    """Return which rows and which columns have a known entry; of a square network on either side."""
    rows, cols = (np.zeros(size, bool) for size in train.shape)
    rows[train.rows[train.known]] = True
    cols[train.cols[train.known]] = True
    return (rows | cols, rows | cols) if train.square else (rows, cols)


def node_subsets(train: Network, rows: Array, cols: Array, components: bool) -> dict[str, NDArray[np.bool_]]:
    """Return masks of pairs: "warm", "new nodes" and, of networks of links, "one component".

    Parameters
    ----------
    train : Network
        The training part of the data, without drawn non-links.
    rows, cols : arrays of int, shape (pairs,)
    components : bool
        Whether known entries are links, so that there are components.

    Examples
    --------
    >>> train = Network.from_edges([(0, 1), (2, 3)], shape=(5, 5), symmetric=True)
    >>> node_subsets(train, np.array([0, 0]), np.array([2, 4]), components=True)["warm"]
    array([ True, False])
    """
    known_rows, known_cols = occurring_nodes(train)
    warm = known_rows[rows] & known_cols[cols]
    subsets = {"warm": warm, "new nodes": ~warm}
    if components:
        graph = LinkGraph.of(train)
        one, other = graph.node_pairs(rows, cols)
        subsets["one component"] = graph.components[one] == graph.components[other]
    return subsets
