"""Sweeps of Gibbs sampling over the factors of a block of chains, one chain a lane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, NormalPrior, aligned, drawn_rows, gram, totals
from latentlink.network import Network
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.normal_wishart import NormalWishart

__all__ = ["NOISE_RATE", "NOISE_SHAPE", "GibbsSweeps", "factor_units", "monitored_pairs"]

Array = NDArray[Any]

# The prior of the noise, as a share of the variance of the data: its inverse is Gamma(1, 0.01).
NOISE_SHAPE, NOISE_RATE = 1.0, 0.01
_CHUNK = 128  # nodes whose random numbers are drawn at once
_FACTOR_UNIT = 0.5  # of the root of the data's spread


def factor_units(rank: int, spread: Array) -> Array:
    """Return the units of bias and factors, shape (rank + 1, members), for data of some spreads.

    A product of two factors has the unit of the values, and so has a bias. With smaller units a component
    that explains little is shrunk further, but a chain takes longer to find one that explains much.
    """
    spread = np.where(spread > 0, spread, 1.0)
    return np.concatenate([spread[None], np.repeat(_FACTOR_UNIT * np.sqrt(spread)[None], rank, axis=0)])


class GibbsSweeps:
    """The state of a block of chains; a sweep draws rows, columns and noise, each given all else.

    Parameters
    ----------
    block : Block
        The data of the chains.
    rows, cols : arrays, shape (nodes, rank + 2, chains)
        Packed factors with biases (`latentlink.solvers.descent.packing`), which sweeps replace.
    offsets : array, shape (chains,)
        The offset of each chain.
    spreads : array, shape (chains,)
        The standard deviation of each chain's data, to which the priors are scaled.
    known : two arrays, shape (chains,)
        Number of known entries of each chain, unlisted zeros included, and their total weight.
    rngs : sequence of Generator
        The generators of the first lanes; the others repeat the last of these.
    """

    def __init__(
        self,
        block: Block,
        rows: Array,
        cols: Array,
        offsets: Array,
        spreads: Array,
        known: tuple[Array, Array],
        rngs: Sequence[np.random.Generator],
    ) -> None:
        self.block, self.rows, self.cols, self.rngs = block, rows, cols, rngs
        units = factor_units(rows.shape[1] - 2, spreads)
        self.counts, weights = known
        self.shape = NOISE_SHAPE + self.counts / 2
        self.rate = NOISE_RATE * units[0] ** 2 * np.where(self.counts > 0, weights / self.counts, 1.0)
        # Begin as if nothing was explained: the first draws then stay near the prior.
        self.tau = (NOISE_SHAPE + self.counts / 2) / (self.rate + units[0] ** 2 * weights / 2)
        self.priors = [
            [NormalWishart.prior(*self._centre(units, offsets, lane, side)) for lane in range(len(rngs))]
            for side in (0, 1)
        ]

    @staticmethod
    def _centre(units: Array, offsets: Array, lane: int, side: int) -> tuple[Array, Array]:
        """Return centre and units of the free coordinates; the bias is the first of rows, last of columns."""
        centre = np.zeros(len(units))
        centre[0] = offsets[lane] / 2
        order = slice(None, None, -1) if side else slice(None)
        return centre[order], units[order, lane]

    def sweep(self) -> Array:
        """Draw rows, columns and noise; return the weighted squared error of each chain."""
        self._draw_side(0)
        loss = self._draw_side(1)
        if self.block.has_background:
            products = gram(self.rows) * gram(self.cols)
            # Chain by chain, since the order of a sum over an array depends on the number of chains.
            unlisted = [float(np.ascontiguousarray(products[..., lane]).sum()) for lane in range(len(loss))]
            loss = loss + self.block.background * np.array(unlisted)
        # Of a background the loss is a difference, which rounding may leave below 0.
        loss = np.maximum(loss * self.block.share, 0.0)
        for lane, rng in enumerate(self.rngs):
            self.tau[lane] = rng.gamma(self.shape[lane]) / (self.rate[lane] + loss[lane] / 2)
        self._fill(self.tau)
        return loss

    def _draw_side(self, side: int) -> Array:
        """Draw the prior and the nodes of one side given the other; return the listed loss."""
        A, B = (self.rows, self.cols) if side == 0 else (self.cols, self.rows)
        listed: Listed = self.block.rows if side == 0 else self.block.cols
        nodes, size, width = A.shape
        first, last = (0, size - 1) if side == 0 else (1, size)
        total, squares = totals(A), gram(A)
        free = slice(first, last)
        precision, linear = np.empty((size - 1, size - 1, width)), np.empty((size - 1, width))
        Z = aligned((nodes, size - 1, width), A.dtype)
        given = [
            prior.given(nodes, total[free, lane], squares[free, free, lane])
            for lane, prior in enumerate(self.priors[side])
        ]
        means, own = NormalWishart.draw_each(given, self.rngs)
        precision[..., : len(given)] = own.transpose(1, 2, 0)
        linear[:, : len(given)] = (own @ means[..., None])[..., 0].T
        for part in (precision, linear):
            self._fill(part)
        self._draw_normals(Z)
        base = self.block.background
        G = gram(B) if self.block.has_background else np.zeros((size, size, width))
        # An undirected pair is listed in both directions, with half its weight in each.
        prior = NormalPrior(first, last, precision, linear, self.tau * self.block.share)
        return drawn_rows(listed, A, B, G, base, prior, Z)

    def _draw_normals(self, Z: Array) -> None:
        """Fill an array (nodes, coordinates, chains), each chain from its own generator."""
        nodes, size, _ = Z.shape
        numbers = np.empty((len(self.rngs), min(_CHUNK, nodes), size))
        # In chunks that stay in the cache, since the numbers of a chain are far apart in the array.
        for begin in range(0, nodes, _CHUNK):
            drawn = numbers[:, : min(_CHUNK, nodes - begin)]
            for lane, rng in enumerate(self.rngs):
                rng.standard_normal(out=drawn[lane])
            Z[begin : begin + _CHUNK, :, : len(self.rngs)] = drawn.transpose(1, 2, 0)
        self._fill(Z)

    def _fill(self, part: Array) -> None:
        """Repeat the last chain in the lanes that are left."""
        part[..., len(self.rngs) :] = part[..., len(self.rngs) - 1 : len(self.rngs)]

    def scores(self, pairs: tuple[Array, Array], symmetric: bool) -> Array:
        """Return the scores of some pairs, shape (pairs, chains)."""
        i, j = pairs
        scores = np.einsum("pcm,pcm->pm", self.rows[i], self.cols[j])
        if symmetric:
            scores = (scores + np.einsum("pcm,pcm->pm", self.rows[j], self.cols[i])) / 2
        return scores


def monitored_pairs(network: Network, most: int) -> tuple[Array, Array]:
    """Return pairs whose scores are monitored: a known row with a known column, drawn at random."""
    rng = np.random.default_rng(0)  # the same pairs for all chains
    known = np.flatnonzero(network.known)
    return network.rows[rng.choice(known, most)], network.cols[rng.choice(known, most)]
