"""Holdout of whole nodes: every entry of a random share of the nodes is held out, as if they were new."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.splitting.holdout import Seed, require_known
from latentlink.splitting.split import Split, split_at
from latentlink.validation.numbers import checked_share
from latentlink.validation.seeds import checked_rng

__all__ = ["node_holdout"]


def node_holdout(network: Network, share: float, rng: Seed = None) -> Split:
    """Split the known entries so that some nodes have none in the training part.

    Parameters
    ----------
    network : Network
        Every pair listed once. Hidden entries stay hidden and are in no part.
    share : float
        Share of the nodes with known entries that are held out, above 0 and below 1; where rows and columns
        are different nodes, of the rows and of the columns.
    rng : int, Generator or None
        Seed or generator of the random choice.

    Returns
    -------
    Split
        All known entries of the chosen nodes are in the test part.

    Examples
    --------
    >>> from latentlink.network import Network
    >>> network = Network.from_dense([[1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]])
    >>> node_holdout(network, 0.3, rng=0).train.n_known
    6
    """
    require_known(network, "node_holdout")
    checked_share(share, "share")
    generator = checked_rng(rng)
    rows, cols = network.rows[network.known], network.cols[network.known]
    if network.square:
        chosen = _chosen(np.concatenate([rows, cols]), share, generator)
        held_out = np.isin(network.rows, chosen) | np.isin(network.cols, chosen)
    else:
        of_rows, of_cols = (_chosen(side, share, generator) for side in (rows, cols))
        held_out = np.isin(network.rows, of_rows) | np.isin(network.cols, of_cols)
    held_out &= network.known
    if held_out.sum() == network.n_known:
        raise InputError(
            f"share={share} of the nodes have all {network.n_known:,} known entries, which leaves none to "
            "train. Choose a smaller share."
        )
    return split_at(network, "node_holdout", np.flatnonzero(held_out))


def _chosen(
    nodes: NDArray[np.integer[Any]], share: float, rng: np.random.Generator
) -> NDArray[np.integer[Any]]:
    """Return a random share of the distinct nodes, at least one."""
    distinct = np.unique(nodes)
    return rng.permutation(distinct)[: max(1, round(share * len(distinct)))]
