"""Sweeps of Gibbs sampling over the factors of a block of chains, one chain a lane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, NormalPrior, aligned, drawn_rows, gram, totals
from latentlink.network import Ensemble
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.chain_sweeps import ChainSweeps
from latentlink.solvers.posterior.normal_wishart import NormalWishart

__all__ = ["NOISE_RATE", "NOISE_SHAPE", "GibbsSweeps", "drawn_prior", "factor_units", "known_counts"]

Array = NDArray[Any]

# The prior of the noise, as a share of the variance of the data: its inverse is Gamma(1, 0.01).
NOISE_SHAPE, NOISE_RATE = 1.0, 0.01
_FACTOR_UNIT = 0.5  # of the root of the data's spread


def factor_units(rank: int, spread: Array) -> Array:
    """Return the units of bias and factors, shape (rank + 1, members), for data of some spreads.

    A product of two factors has the unit of the values, and so has a bias. With smaller units a component
    that explains little is shrunk further, but a chain takes longer to find one that explains much.
    """
    spread = np.where(spread > 0, spread, 1.0)
    return np.concatenate([spread[None], np.repeat(_FACTOR_UNIT * np.sqrt(spread)[None], rank, axis=0)])


class GibbsSweeps(ChainSweeps):
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
        super().__init__(block, rows, cols, rngs)
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
        self.fill(self.tau)
        return loss

    def _draw_side(self, side: int) -> Array:
        """Draw the prior and the nodes of one side given the other; return the listed loss."""
        A, B = (self.rows, self.cols) if side == 0 else (self.cols, self.rows)
        listed: Listed = self.block.rows if side == 0 else self.block.cols
        nodes, size, width = A.shape
        first, last = (0, size - 1) if side == 0 else (1, size)
        total, squares = totals(A), gram(A)
        free = slice(first, last)
        given = [
            prior.given(nodes, total[free, lane], squares[free, free, lane])
            for lane, prior in enumerate(self.priors[side])
        ]
        precision, linear = drawn_prior(self, given, width)
        Z = aligned((nodes, size - 1, width), A.dtype)
        self.draw_numbers(Z)
        base = self.block.background
        G = gram(B) if self.block.has_background else np.zeros((size, size, width))
        # An undirected pair is listed in both directions, with half its weight in each.
        prior = NormalPrior(first, last, precision, linear, self.tau * self.block.share)
        return drawn_rows(listed, A, B, G, base, prior, Z)

    def begin_loss(self, offsets: Array) -> Array:
        """Return the weighted sum of squares of each chain's values minus its offset."""
        lanes = zip(self.block.members, offsets.tolist(), strict=True)
        return np.array([self.block.ensemble.member_squares(member, offset) for member, offset in lanes])

    def noise(self) -> Array:
        """Return the standard deviation of an entry of weight 1 around its score."""
        return 1 / np.sqrt(self.tau)

    def monitored(self) -> Array:
        """Return the logarithm of the noise."""
        return np.log(self.noise())


def drawn_prior(sweeps: ChainSweeps, given: Sequence[NormalWishart], width: int) -> tuple[Array, Array]:
    """Draw mean and precision of the nodes of one side; return the precisions, and these times the means."""
    means, own = NormalWishart.draw_each(given, sweeps.rngs)
    size = means.shape[1]
    precision, linear = np.empty((size, size, width)), np.empty((size, width))
    precision[..., : len(given)] = own.transpose(1, 2, 0)
    linear[:, : len(given)] = (own @ means[..., None])[..., 0].T
    for part in (precision, linear):
        sweeps.fill(part)
    return precision, linear


def known_counts(ensemble: Ensemble, members: Sequence[int]) -> tuple[Array, Array]:
    """Return the number of known entries of some members and their total weight, unlisted zeros included."""
    network = ensemble.network
    unlisted = network.n_pairs - network.n_listed if network.background else 0
    weights = [ensemble.member_entries(member)[1] for member in members]
    counts = np.array([float(np.count_nonzero(own) + unlisted) for own in weights])
    return counts, np.array([float(own.sum() + network.background * unlisted) for own in weights])
