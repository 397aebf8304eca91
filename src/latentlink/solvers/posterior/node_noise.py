"""Relative precisions of rows and columns: some are noisier than others.

An entry has the precision tau r_i c_j w_ij, with

    r_i ~ Gamma(a, a)  of rows,   c_j ~ Gamma(b, b)  of columns,

so that their prior mean is 1, and a, b uniform on a grid from 1/2 (large differences) to 512 (hardly any).
Given all else, with the squared errors e_ij and n_i known entries of row i,

    r_i ~ Gamma(a + n_i / 2,  a + tau sum_j c_j w_ij e_ij^2 / 2),

and a has a probability for each value of the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from latentlink.kernels import Listed, aligned

__all__ = ["GRID", "NodeNoise"]

Array = NDArray[Any]

GRID = 2.0 ** np.linspace(-1, 9, 41)
_START = 4.0
_CONSTANTS = GRID * np.log(GRID) - gammaln(GRID)  # of the density of one draw


class NodeNoise:
    """Relative precisions of the nodes of one side, each chain with its own.

    Parameters
    ----------
    listed : Listed
        Entries by the nodes of this side.
    share : float, or array of shape (lanes,)
        How much of a fact a listed entry is: a half in undirected networks, which list it twice.
    chains : int
        Number of chains; the lanes beyond them repeat the last.
    """

    def __init__(self, listed: Listed, share: float | Array, chains: int) -> None:
        self.chains, self.share = chains, np.broadcast_to(share, listed.values.shape[1])
        known = ~np.isnan(listed.values)
        if listed.per_member:
            known &= listed.weights > 0
        else:
            known &= (listed.weights > 0)[:, None]
        sums = np.concatenate([np.zeros((1, known.shape[1])), np.cumsum(known, axis=0)])
        counts = np.diff(sums[listed.indptr], axis=0)
        self.halves = np.ascontiguousarray((self.share * counts / 2)[:, :chains].T)
        self.relative = aligned(counts.shape, listed.values.dtype)
        self.relative[...] = 1
        self.variances = np.zeros((len(counts), chains))
        self.sweeps = 0
        self.shapes = np.full(chains, _START)

    def draw(self, losses: Array, tau: Array, rngs: Sequence[np.random.Generator]) -> Array:
        """Draw the relative precisions and their shape; return the loss of each chain with them.

        Parameters
        ----------
        losses : array, shape (nodes, lanes)
            Weighted squared errors of each node, with the relative precisions of its partners.
        tau : array, shape (lanes,)
            Precision of an entry of weight 1.
        rngs : sequence of Generator
            Of each chain.
        """
        lanes = slice(len(rngs))
        # Contiguous, so that the order of sums over nodes does not depend on the number of lanes.
        loss = np.ascontiguousarray(losses[:, lanes].T, np.float64)
        a = self.shapes[:, None]
        shapes = a + self.halves
        drawn = np.stack([rng.standard_gamma(own) for own, rng in zip(shapes, rngs, strict=True)])
        precision = (tau * self.share)[lanes, None]
        drawn = np.maximum(drawn / (a + precision * loss / 2), np.finfo(np.float32).tiny)
        self.relative[:, lanes] = drawn.T
        self.shapes = _drawn_shapes(drawn, rngs)
        totals = np.empty(len(tau))
        totals[lanes] = np.sum(drawn * loss, axis=1)
        for part in (self.relative, totals):
            part[..., self.chains :] = part[..., self.chains - 1 : self.chains]
        return totals

    def record(self) -> None:
        """Add the relative variances of this sweep to their mean."""
        self.sweeps += 1
        self.variances += 1 / self.relative[:, : self.chains].astype(np.float64)

    def deviations(self, chain: int) -> Array:
        """Return the relative standard deviation of the noise of each node, over the recorded sweeps."""
        return np.sqrt(self.variances[:, chain] / max(1, self.sweeps))


def _drawn_shapes(precisions: Array, rngs: Sequence[np.random.Generator]) -> Array:
    """Draw the shape of a gamma distribution of mean 1 for each chain, given its draws (chains, nodes)."""
    terms = np.sum(np.log(precisions) - precisions, axis=1)
    density = precisions.shape[1] * _CONSTANTS + GRID * terms[:, None]
    steps = np.cumsum(np.exp(density - density.max(axis=1, keepdims=True)), axis=1)
    drawn = np.array([rng.random() for rng in rngs]) * steps[:, -1]
    return GRID[np.minimum(np.sum(steps < drawn[:, None], axis=1), len(GRID) - 1)]
