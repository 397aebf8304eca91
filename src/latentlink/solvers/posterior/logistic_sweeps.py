"""Sweeps of Gibbs sampling of logistic factorizations, by augmentation, one chain a lane."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import (
    Listed,
    Mirror,
    NormalPrior,
    RandomNumbers,
    aligned,
    drawn_logistic_rows,
    logistic_loss,
)
from latentlink.kernels.posterior.augmentation import TERMS
from latentlink.solvers.descent.blocks import Block
from latentlink.solvers.posterior.chain_sweeps import ChainSweeps
from latentlink.solvers.posterior.node_prior import NodePrior
from latentlink.solvers.posterior.normal_wishart import NormalWishart

__all__ = ["LogisticSweeps", "logit_units"]

Array = NDArray[Any]

_ENTRIES = 1 << 14  # whose gamma variables are drawn at once: 4 MB of eight chains, whatever their number is


def logit_units(rank: int, bias_scale: float, product_scale: float) -> Array:
    """Return the prior deviations of bias and factors, for a product of all components of some deviation.

    Examples
    --------
    >>> logit_units(4, 1.0, 4.0)
    array([1.        , 1.41421356, 1.41421356, 1.41421356, 1.41421356])
    """
    return np.concatenate([[bias_scale], np.full(rank, np.sqrt(product_scale / np.sqrt(rank)))])


class LogisticSweeps(ChainSweeps):
    """The state of a block of chains of a logistic model; a sweep draws rows and columns, or all nodes.

    Parameters
    ----------
    block, rows, cols, rngs
        As for `ChainSweeps`; factors are packed with biases.
    offsets : array, shape (chains,)
        The offset of each chain, half of which is the prior mean of a bias.
    units : array, shape (rank + 1,)
        Prior deviations of bias and factors.
    mirror : Mirror or None
        If rows and columns are the same nodes, how the column of a node is a copy of its row.
    learned : bool
        Whether mean and covariance of the nodes are unknown, with a normal-Wishart prior of these units.
    """

    def __init__(
        self,
        block: Block,
        sides: tuple[Array, Array],
        rngs: Sequence[np.random.Generator],
        offsets: Array,
        units: Array,
        mirror: Mirror | None,
        learned: bool,
    ) -> None:
        super().__init__(block, *sides, rngs)
        self.mirror, self.learned, self.units, self.offsets = mirror, learned, units, offsets
        # A mirrored pair enters the distribution of both of its nodes as one whole entry.
        share = np.broadcast_to(1.0 if mirror else block.share, block.width)
        self.share = np.ascontiguousarray(share, np.float64)
        weights = block.rows.weights
        plain = not np.any(weights[weights != 0] != 1) and np.all(self.share == 1)
        self.shaped = not plain
        self.state = self.generators()
        self.priors = [self._learned_prior(side) for side in (0, 1)] if learned else []

    def _learned_prior(self, side: int) -> NodePrior:
        """Return the prior of the nodes of a side, without features; the bias is the last of columns."""
        order = slice(None, None, -1) if side else slice(None)
        centres = np.zeros((len(self.rngs), len(self.units)))
        centres[:, 0] = self.offsets[: len(self.rngs)] / 2
        units = np.broadcast_to(self.units[order], centres.shape)
        A = self.cols if side else self.rows
        features = [np.zeros((len(A), 0))] * len(self.rngs)
        return NodePrior(NormalWishart.prior(centres[:, order], units), features, self.block.width, A.dtype)

    def sweep(self) -> None:
        """Draw rows and columns, or all nodes."""
        self._draw_side(0)
        if self.mirror is None:
            self._draw_side(1)

    def _draw_side(self, side: int) -> None:
        A, B = (self.rows, self.cols) if side == 0 else (self.cols, self.rows)
        listed: Listed = self.block.rows if side == 0 else self.block.cols
        first, last = (0, A.shape[1] - 1) if side == 0 else (1, A.shape[1])
        prior = NormalPrior(first, last, *self._prior(A, side), self.share)
        if self.shaped:
            for begin, end in _chunks(listed.indptr, _ENTRIES):
                drawn_logistic_rows(listed, A, B, prior, self._numbers(listed, begin, end, A), self.mirror)
        else:
            normals = self._normals(len(A), A)
            drawn_logistic_rows(
                listed, A, B, prior, RandomNumbers(0, len(A), normals, state=self.state), self.mirror
            )

    def _prior(self, A: Array, side: int) -> tuple[Array, Array]:
        """Return the precision of the nodes of a side, and this times their mean, drawn if it is learned."""
        if self.learned:
            free = slice(1, None) if side else slice(0, -1)
            return self.priors[side].draw(A, free, self.rngs)
        order = slice(None, None, -1) if side else slice(None)  # the bias is the last of columns
        precision = np.repeat(np.diag(self.units[order] ** -2.0)[..., None], A.shape[2], axis=2)
        linear = np.zeros((1, len(self.units), A.shape[2]))
        linear[0, -1 if side else 0] = self.offsets / 2 / self.units[0] ** 2
        return precision, linear

    def _normals(self, rows: int, A: Array) -> Array:
        """Draw the standard normal numbers of some rows."""
        normals = aligned((rows, A.shape[1] - 1, A.shape[2]), A.dtype)
        self.draw_numbers(normals)
        return normals

    def _numbers(self, listed: Listed, begin: int, end: int, A: Array) -> RandomNumbers:
        """Draw the random numbers of some rows whose entries have weights other than 1."""
        normals = self._normals(end - begin, A)
        entries = slice(int(listed.indptr[begin]), int(listed.indptr[end]))
        count = entries.stop - entries.start
        gammas = aligned((count, TERMS, A.shape[2]), A.dtype)
        weights = listed.weights[entries].reshape(count, -1)
        self.draw_gammas(gammas, (weights * self.share[: weights.shape[1]]).astype(np.float64))
        return RandomNumbers(begin, end, normals, gammas)

    def loss(self) -> Array:
        """Return the cross-entropy of the known entries of each chain."""
        mirrored = self.mirror is not None
        return self.block.share * logistic_loss(self.block.rows, self.rows, self.cols, mirrored)

    def begin_loss(self, offsets: Array) -> Array:
        """Return the cross-entropy of the known entries if all had the logit of the offset."""
        losses = []
        for member, offset in zip(self.block.members, offsets.tolist(), strict=True):
            values, weights = self.block.ensemble.member_entries(member)
            losses.append(float(np.sum(weights * (np.logaddexp(0, offset) - values * offset))))
        return np.array(losses)

    def noise_level(self) -> Array:
        """Return 0: a link varies around its probability p by sqrt(p (1 - p)), which p tells."""
        return np.zeros(self.block.width)

    def monitored(self) -> Array:
        """Return the logarithm of the mean square of rows, on which the sizes of all logits depend."""
        return np.log(np.einsum("ncm,ncm->m", self.rows, self.rows) / len(self.rows))


def _chunks(indptr: Array, most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of rows with at most so many entries, at least one row each."""
    begin, rows = 0, len(indptr) - 1
    while begin < rows:
        end = int(np.searchsorted(indptr, indptr[begin] + most, side="right")) - 1
        end = min(rows, max(begin + 1, end))
        yield begin, end
        begin = end
