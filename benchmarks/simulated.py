"""A network with the size and heavy-tailed degrees of a large protein network, made from a seed."""

from __future__ import annotations

import numpy as np

from latentlink.network import Network

__all__ = ["simulated_network"]


def simulated_network(nodes: int, pairs: int, seed: int = 0, tail: float = 0.6) -> Network:
    """Return an undirected network; node r is drawn with a chance proportional to r^-tail, half are links."""
    rng = np.random.default_rng(seed)
    chance = np.cumsum(np.arange(1, nodes + 1) ** -tail)
    chance /= chance[-1]
    codes = np.zeros(0, np.int64)
    while len(codes) < pairs:
        draw = np.searchsorted(chance, rng.random((2, int(1.3 * (pairs - len(codes))) + 1000)))
        low, high = draw.min(0), draw.max(0)
        fresh = (low * nodes + high)[low < high]
        codes = np.unique(np.concatenate([codes, fresh]))
    codes = np.sort(rng.permutation(codes)[:pairs])
    values = (rng.random(pairs) < 0.5).astype(np.float64)
    index = np.int32 if nodes < 2**31 else np.int64
    rows, cols = (codes // nodes).astype(index), (codes % nodes).astype(index)
    return Network(rows, cols, values, shape=(nodes, nodes), symmetric=True)
