"""Ensembles cut into shards of rows."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from latentlink.cluster import SerialParts
from latentlink.network import Ensemble, Network
from latentlink.solvers.shards.row_shard import RowShard


def row_shards(ensemble, begins):
    """Return shards that begin at these rows, and end where the next one does."""
    network, bounds = ensemble.network, [*begins, ensemble.network.shape[0]]
    shards = []
    for begin, end in pairwise(bounds):
        own = np.flatnonzero((network.rows >= begin) & (network.rows < end))
        part = Network(
            network.rows[own] - begin,
            network.cols[own],
            network.values[own],
            network.weights[own],
            shape=(end - begin, network.shape[1]),
            background=network.background,
        )
        values, weights = (np.ascontiguousarray(each[own]) for each in (ensemble.values, ensemble.weights))
        shards.append(RowShard(Ensemble(part, values, weights), begin))
    return shards


def serial_shards(ensemble, begins):
    """Return the same shards in this process."""
    return SerialParts(row_shards(ensemble, begins))
