"""Simulated networks with the heavy-tailed degrees of protein networks."""

from __future__ import annotations

import numpy as np

from latentlink.network import Network

__all__ = ["simulated_network"]


def simulated_network(nodes: int, pairs: int, seed: int = 0, tail: float = 0.6) -> Network:
    """Return an undirected network of which half the pairs are links.

    Both nodes of a pair are drawn with probability proportional to r^-tail for node r = 1, 2, ...
    """
    rng = np.random.default_rng(seed)
    cumulative = np.cumsum(np.arange(1, nodes + 1) ** -tail)
    cumulative /= cumulative[-1]
    codes = np.zeros(0, np.int64)
    while len(codes) < pairs:
        drawn = np.searchsorted(cumulative, rng.random((2, int(1.3 * (pairs - len(codes))) + 1000)))
        low, high = drawn.min(0), drawn.max(0)
        new = (low * nodes + high)[low < high]
        codes = np.unique(np.concatenate([codes, new]))
    codes = np.sort(rng.permutation(codes)[:pairs])
    values = (rng.random(pairs) < 0.5).astype(np.float64)
    index = np.int32 if nodes < 2**31 else np.int64
    rows, cols = (codes // nodes).astype(index), (codes % nodes).astype(index)
    return Network(rows, cols, values, shape=(nodes, nodes), symmetric=True)
