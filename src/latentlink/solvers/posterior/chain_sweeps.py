"""The state of a block of chains, one chain a lane, and what all kinds of sweeps share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import NormalPrior, Unlisted, drawn_rows, gram
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.noise_level import NoiseLevel

__all__ = ["ChainSweeps", "NoisySweeps"]

Array = NDArray[Any]

_CHUNK = 128  # nodes whose random numbers are drawn at once


class ChainSweeps(ABC):
    """The state of a block of chains; a sweep draws all that is unknown, each part given all else.

    Parameters
    ----------
    block : Block
        The data of the chains.
    rows, cols : arrays, shape (nodes, coordinates, chains)
        Packed factors (`latentlink.solvers.descent.packing`), which sweeps replace.
    rngs : sequence of Generator
        The generators of the first lanes; the others repeat the last of these.
    """

    def __init__(self, block: Block, rows: Array, cols: Array, rngs: Sequence[np.random.Generator]) -> None:
        self.block, self.rows, self.cols, self.rngs = block, rows, cols, rngs

    @abstractmethod
    def sweep(self) -> None:
        """Draw all that is unknown."""

    @abstractmethod
    def loss(self) -> Array:
        """Return the loss of each chain after the last sweep."""

    @abstractmethod
    def begin_loss(self, offsets: Array) -> Array:
        """Return the loss of each chain if nothing but the offset was known."""

    @abstractmethod
    def noise_level(self) -> Array:
        """Return the standard deviation of an entry of weight 1 around its score, of each chain."""

    @abstractmethod
    def monitored(self) -> Array:
        """Return the last of the quantities that tell whether chains have mixed, of each chain."""

    def generators(self) -> Array:
        """Return states of a generator for each lane, shape (4, chains), seeded by those of the chains."""
        seeds = [rng.integers(0, 1 << 64, 4, np.uint64) for rng in self.rngs]
        return np.stack([*seeds, *seeds[-1:] * (self.block.width - len(seeds))], axis=1)

    def draw_numbers(self, out: Array) -> None:
        """Fill an array (items, numbers, chains) with standard normal numbers, each chain from its own."""
        self._draw(out, lambda lane, part, chunk: self.rngs[lane].standard_normal(out=part))

    def draw_uniforms(self, out: Array) -> None:
        """Fill an array (items, numbers, chains) with uniform numbers, above 0 and up to 1."""

        def draw(lane: int, part: Array, chunk: slice) -> None:
            self.rngs[lane].random(out=part)
            np.subtract(1.0, part, out=part)

        self._draw(out, draw)

    def draw_gammas(self, out: Array, shapes: Array) -> None:
        """Fill an array (items, numbers, chains) with gamma variables.

        Parameters
        ----------
        out : array
        shapes : array, shape (items, 1) or (items, chains)
            Shapes of the variables of each item.
        """

        def draw(lane: int, part: Array, chunk: slice) -> None:
            own = shapes[chunk, min(lane, shapes.shape[1] - 1), None]
            part[...] = self.rngs[lane].standard_gamma(own, part.shape)

        self._draw(out, draw)

    def _draw(self, out: Array, draw: Callable[[int, Array, slice], object]) -> None:
        items, size, _ = out.shape
        numbers = np.empty((len(self.rngs), min(_CHUNK, items), size))
        # In chunks that stay in the cache, since the numbers of a chain are far apart in the array.
        for begin in range(0, items, _CHUNK):
            chunk = slice(begin, min(begin + _CHUNK, items))
            drawn = numbers[:, : chunk.stop - begin]
            for lane in range(len(self.rngs)):
                draw(lane, drawn[lane], chunk)
            out[chunk, :, : len(self.rngs)] = drawn.transpose(1, 2, 0)
        self.fill(out)

    def fill(self, part: Array) -> None:
        """Repeat the last chain in the lanes that are left."""
        part[..., len(self.rngs) :] = part[..., len(self.rngs) - 1 : len(self.rngs)]

    def record(self) -> None:  # noqa: B027  (nothing to record is the usual case)
        """Add what this sweep tells of nodes to means over the sweeps after the burn-in."""

    def node_noise(self, chain: int) -> tuple[Array, Array] | None:
        """Return the relative deviations of rows and columns of a chain, where these differ."""
        del chain
        return None

    def scores(self, pairs: tuple[Array, Array], symmetric: bool) -> Array:
        """Return the scores of some pairs before any link, shape (pairs, chains)."""
        i, j = pairs
        scores = np.einsum("pcm,pcm->pm", self.rows[i], self.cols[j])
        if symmetric:
            scores = (scores + np.einsum("pcm,pcm->pm", self.rows[j], self.cols[i])) / 2
        return scores


class NoisySweeps(ChainSweeps):
    """The state of a block of chains of values with normal noise.

    Attributes
    ----------
    level : NoiseLevel
        The noise of entries of weight 1.
    squares : array, shape (lanes,)
        Weighted squared error of each chain after the last sweep.
    """

    level: NoiseLevel
    squares: Array

    def loss(self) -> Array:
        """Return the weighted squared error of each chain."""
        return self.squares

    @property
    def tau(self) -> Array:
        """Precision of an entry of weight 1, of each chain."""
        return self.level.tau

    def unlisted(self, partners: Array) -> Unlisted | None:
        """Return the unlisted zeros of a background with some partners, None if there are none."""
        return Unlisted(self.block.background, gram(partners)) if self.block.has_background else None

    @property
    def pairs_are_facts(self) -> bool:
        """Whether two entries of the matrix are one fact: in undirected networks."""
        return self.block.ensemble.network.symmetric

    def squared_error(self, listed: Array) -> Array:
        """Return the weighted squared error of all facts, given that of the listed entries.

        Of an undirected pair the fact is its value, and its score the mean of the scores of two entries. How
        far these differ is no error; the squared errors of the entries have it too, and take it for noise.
        """
        if not self.pairs_are_facts:
            return self._of_all(listed, (self.rows, self.cols))
        A, B = (
            np.concatenate([self.rows, self.cols], axis=1) / 2,
            np.concatenate([self.cols, self.rows], axis=1),
        )
        # Without free coordinates nothing is drawn, and the loss is that of the factors as they are.
        nothing = np.zeros((0, 0, self.block.width)), np.zeros((1, 0, self.block.width))
        prior = NormalPrior(0, 0, *nothing, np.ones(self.block.width))
        Z = np.zeros((len(A), 0, self.block.width), A.dtype)
        loss, _ = drawn_rows(self.block.rows, A, B, prior, Z, self.unlisted(B))
        return self._of_all(loss, (A, B))

    def _of_all(self, loss: Array, sides: tuple[Array, Array]) -> Array:
        """Return the loss of all entries, with that of unlisted zeros, each pair counted once."""
        if self.block.has_background:
            products = gram(sides[0]) * gram(sides[1])
            # Chain by chain, since the order of a sum over an array depends on the number of chains.
            unlisted = [float(np.ascontiguousarray(products[..., lane]).sum()) for lane in range(len(loss))]
            loss = loss + self.block.background * np.array(unlisted)
        # Of a background the loss is a difference, which rounding may leave below 0.
        return np.maximum(loss * self.block.share, 0.0)

    def begin_loss(self, offsets: Array) -> Array:
        """Return the weighted sum of squares of each chain's values minus its offset."""
        lanes = zip(self.block.members, offsets.tolist(), strict=True)
        return np.array([self.block.ensemble.member_squares(member, offset) for member, offset in lanes])

    def noise_level(self) -> Array:
        """Return the standard deviation of an entry of weight 1 around its score."""
        return 1 / np.sqrt(self.tau)

    def monitored(self) -> Array:
        """Return the logarithm of the noise."""
        return np.log(self.noise_level())
