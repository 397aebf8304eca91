"""Sweeps of Gibbs sampling of non-negative factors, one chain a lane."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, NormalPrior, aligned, drawn_nonnegative_rows, totals
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.chain_sweeps import NoisySweeps
from latentlink.solvers.posterior.noise_level import NoiseLevel

__all__ = ["CYCLES", "NonnegativeSweeps"]

Array = NDArray[Any]

CYCLES = 2
"""How often the coordinates of a row are drawn before the next row; the sums over its entries serve all."""


class NonnegativeSweeps(NoisySweeps):
    """The state of a block of chains; a sweep draws the scales of components, rows, columns and noise.

        W_ic ~ Exponential(a_c),   H_cj ~ Exponential(b_c),   a_c, b_c ~ Gamma(1, unit),

    Parameters
    ----------
    block, rngs
        As for `ChainSweeps`.
    sides : two arrays, shape (nodes, rank, chains)
        Rows and columns, packed without biases.
    level : NoiseLevel
    units : array, shape (chains,)
        The size of factors whose products have the size of the values.
    """

    def __init__(
        self,
        block: Block,
        sides: tuple[Array, Array],
        rngs: Sequence[np.random.Generator],
        level: NoiseLevel,
        units: Array,
    ) -> None:
        super().__init__(block, *sides, rngs)
        self.level, self.units = level, units

    def sweep(self) -> None:
        """Draw scales, rows, columns and noise."""
        self._draw_side(0)
        self.squares = self.squared_error(self._draw_side(1))
        self.level.draw(self.squares, self.rngs)

    def _draw_side(self, side: int) -> Array:
        """Draw the scales and the nodes of one side given the other; return the loss of listed entries."""
        A, B = (self.rows, self.cols) if side == 0 else (self.cols, self.rows)
        listed: Listed = self.block.rows if side == 0 else self.block.cols
        nodes, rank, width = A.shape
        total, rates = totals(A), np.empty((rank, width))
        for lane, rng in enumerate(self.rngs):
            rates[:, lane] = rng.standard_gamma(1.0 + nodes, rank) / (self.units[lane] + total[:, lane])
        self.fill(rates)
        Z = aligned((nodes, CYCLES, rank, width), A.dtype)
        self.draw_uniforms(Z.reshape(nodes, CYCLES * rank, width))
        tau = self.tau * self.block.share
        prior = NormalPrior(0, rank, np.zeros((rank, rank, width)), -rates[None], tau)
        wanted = side == 1 and not self.pairs_are_facts
        loss, _ = drawn_nonnegative_rows(listed, A, B, prior, Z, self.unlisted(B), wanted)
        return loss
