"""Sweeps of Gibbs sampling over the factors of a block of chains, one chain a lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, NormalPrior, aligned, draw_normals, drawn_rows
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.chain_sweeps import NoisySweeps
from latentlink.solvers.posterior.node_noise import NodeNoise
from latentlink.solvers.posterior.node_prior import NodePrior
from latentlink.solvers.posterior.noise_level import NoiseLevel
from latentlink.solvers.posterior.normal_wishart import NormalWishart
from latentlink.solvers.posterior.pattern_features import Features

__all__ = ["ChainData", "GibbsSweeps", "factor_units"]

Array = NDArray[Any]

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


class GibbsSweeps(NoisySweeps):
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
        super().__init__(block, rows, cols, rngs)
        self.state = self.generators()
        units = factor_units(rows.shape[1] - 2, data.spreads)
        self.level = NoiseLevel(units[0], data.counts, data.weights)
        self.priors = [self._prior(side, units, offsets, data.features) for side in (0, 1)]
        self.normals = [aligned((len(A), A.shape[1] - 1, block.width), A.dtype) for A in (rows, cols)]
        # Of an undirected network rows and columns are the same nodes, whose noises could not be told apart.
        differing = data.node_noise and not block.has_background and not self.pairs_are_facts
        sides = (block.rows, block.cols) if differing else ()
        self.noise = [NodeNoise(side, block.share, len(rngs)) for side in sides]

    def _prior(self, side: int, units: Array, offsets: Array, features: Sequence[Features]) -> NodePrior:
        """Return the prior of the nodes of a side; the bias is the first of rows, last of columns."""
        chains = len(self.rngs)
        order = slice(None, None, -1) if side else slice(None)
        centres = np.zeros((chains, len(units)))
        centres[:, 0] = offsets[:chains] / 2
        prior = NormalWishart.prior(centres[:, order], units[order, :chains].T)
        return NodePrior(prior, [each[side] for each in features[:chains]], self.block.width, self.rows.dtype)

    def sweep(self) -> None:
        """Draw rows, columns and noise."""
        self._draw_side(0)
        loss, relative = self._draw_side(1)
        self.squares = self.squared_error(loss)
        self.level.draw(self.squares if relative is None else relative * self.block.share, self.rngs)

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

    def _draw_side(self, side: int) -> tuple[Array, Array | None]:
        """Draw the prior, the nodes and the noise of one side given the other; return the losses.

        The first is the weighted squared error of the listed entries; the second has the relative precisions
        of the nodes in it, None where there are none.
        """
        A, B = (self.rows, self.cols) if side == 0 else (self.cols, self.rows)
        listed: Listed = self.block.rows if side == 0 else self.block.cols
        size = A.shape[1]
        first, last = (0, size - 1) if side == 0 else (1, size)
        precision, linear = self.priors[side].draw(A, slice(first, last), self.rngs)
        draw_normals(self.state, self.normals[side])
        relative = (self.noise[side].relative, self.noise[1 - side].relative) if self.noise else None
        # An undirected pair is listed in both directions, with half its weight in each.
        tau = self.tau * self.block.share
        prior = NormalPrior(first, last, precision, linear, tau, relative)
        # The loss of the rows alone serves their noise, if they have one each.
        wanted = bool(self.noise) or (side == 1 and not self.pairs_are_facts)
        loss, losses = drawn_rows(listed, A, B, prior, self.normals[side], self.unlisted(B), wanted)
        return loss, None if losses is None else self.noise[side].draw(losses, self.tau, self.rngs)
