"""Sweeps of Gibbs sampling over the factors of a block of chains, one chain a lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, NormalPrior, aligned, drawn_rows, gram
from latentlink.network import Network
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.node_noise import NodeNoise
from latentlink.solvers.posterior.node_prior import NodePrior
from latentlink.solvers.posterior.normal_wishart import NormalWishart
from latentlink.solvers.posterior.pattern_features import Features

__all__ = ["NOISE_RATE", "NOISE_SHAPE", "ChainData", "GibbsSweeps", "factor_units", "monitored_pairs"]

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


@dataclass(frozen=True, eq=False)
class ChainData:
    """What the priors of the chains of a block depend on.

    Attributes
    ----------
    spreads : array, shape (lanes,)
        The standard deviation of each chain's data, to which the priors are scaled.
    counts, weights : arrays, shape (lanes,)
        Number of known entries of each chain, unlisted zeros included, and their total weight.
    features : sequence of two arrays, shape (nodes, features)
        Features of rows and columns, for each chain.
    node_noise : bool
        Whether the noise of rows and of columns differs.
    """

    spreads: Array
    counts: Array
    weights: Array
    features: Sequence[Features]
    node_noise: bool = False


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
    data : ChainData
    rngs : sequence of Generator
        The generators of the first lanes; the others repeat the last of these.
    """

    def __init__(
        self,
        block: Block,
        rows: Array,
        cols: Array,
        offsets: Array,
        data: ChainData,
        rngs: Sequence[np.random.Generator],
    ) -> None:
        self.block, self.rows, self.cols, self.rngs = block, rows, cols, rngs
        units = factor_units(rows.shape[1] - 2, data.spreads)
        counts, weights = data.counts, data.weights
        self.shape = NOISE_SHAPE + counts / 2
        self.rate = NOISE_RATE * units[0] ** 2 * np.where(counts > 0, weights / counts, 1.0)
        # Begin as if nothing was explained: the first draws then stay near the prior.
        self.tau = (NOISE_SHAPE + counts / 2) / (self.rate + units[0] ** 2 * weights / 2)
        lanes = range(len(rngs))
        self.priors = [
            NodePrior(
                [NormalWishart.prior(*self._centre(units, offsets, lane, side)) for lane in lanes],
                [data.features[lane][side] for lane in lanes],
            )
            for side in (0, 1)
        ]
        sides = (block.rows, block.cols) if data.node_noise and not block.has_background else ()
        self.noise = [NodeNoise(side, block.share, len(rngs)) for side in sides]

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
        loss, relative = self._draw_side(1)
        for lane, rng in enumerate(self.rngs):
            self.tau[lane] = rng.gamma(self.shape[lane]) / (self.rate[lane] + relative[lane] / 2)
        self._fill(self.tau)
        return loss

    def record(self) -> None:
        """Add the noise of the nodes in this sweep to their means."""
        for side in self.noise:
            side.record()

    def node_noise(self, chain: int) -> tuple[Array, Array] | None:
        """Return the relative deviations of rows and columns of a chain, where these differ."""
        if not self.noise:
            return None
        rows, cols = (side.deviations(chain) for side in self.noise)
        return rows, cols

    def _draw_side(self, side: int) -> tuple[Array, Array]:
        """Draw the prior, the nodes and the noise of one side given the other; return the losses.

        The first is the weighted squared error, the second has the relative precisions of the nodes in it.
        """
        A, B = (self.rows, self.cols) if side == 0 else (self.cols, self.rows)
        listed: Listed = self.block.rows if side == 0 else self.block.cols
        nodes, size, width = A.shape
        first, last = (0, size - 1) if side == 0 else (1, size)
        precision, linear = self.priors[side].draw(A, slice(first, last), self.rngs)
        Z = aligned((nodes, size - 1, width), A.dtype)
        self._draw_normals(Z)
        G = gram(B) if self.block.has_background else np.zeros((size, size, width))
        relative = (self.noise[side].relative, self.noise[1 - side].relative) if self.noise else None
        # An undirected pair is listed in both directions, with half its weight in each.
        tau = self.tau * self.block.share
        prior = NormalPrior(first, last, self._filled(precision), self._filled(linear), tau, relative)
        loss, losses = drawn_rows(listed, A, B, G, self.block.background, prior, Z)
        if self.noise:
            return self._counted_once(loss), self.noise[side].draw(
                losses, self.tau, self.rngs
            ) * self.block.share
        loss = self._counted_once(loss)
        return loss, loss

    def _counted_once(self, loss: Array) -> Array:
        """Return the loss of all entries, with that of unlisted zeros, each pair counted once."""
        if self.block.has_background:
            products = gram(self.rows) * gram(self.cols)
            # Chain by chain, since the order of a sum over an array depends on the number of chains.
            unlisted = [float(np.ascontiguousarray(products[..., lane]).sum()) for lane in range(len(loss))]
            loss = loss + self.block.background * np.array(unlisted)
        # Of a background the loss is a difference, which rounding may leave below 0.
        return np.maximum(loss * self.block.share, 0.0)

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

    def _filled(self, part: Array) -> Array:
        """Return an array of all lanes, of which the first are given."""
        width = self.rows.shape[2]
        if part.shape[-1] == width:
            return part
        filled = np.empty((*part.shape[:-1], width))
        filled[..., : part.shape[-1]] = part
        self._fill(filled)
        return filled

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
