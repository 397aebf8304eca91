"""Blocks of ensemble members in the layout of the kernels, members innermost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, aligned, lane_counts
from latentlink.network import Ensemble, View
from latentlink.parallel import run_parts
from latentlink.solvers.descent.known_weight import known_weight

__all__ = ["Block", "make_block", "member_groups"]

_CHUNK = 1 << 16  # entries copied at once


@dataclass(frozen=True)
class Block:
    """Some members of an ensemble, one per lane of the kernels.

    Attributes
    ----------
    ensemble : Ensemble
        The data; a symmetric network with a background lists its whole diagonal.
    members : list of int
        The member of each lane; the last one is repeated to fill the block.
    rows, cols : Listed
        Entries by row and by column. A symmetric pair is listed in both directions, a self loop once with
        twice its weight, so that half of the loss counts every pair once.
    scale : float, or array of shape (members,)
        The number that all weights were divided by, that of the background included.
    """

    ensemble: Ensemble
    members: list[int]
    rows: Listed
    cols: Listed
    scale: float | NDArray[np.float64] = 1.0

    @property
    def width(self) -> int:
        """Number of lanes."""
        return len(self.members)

    @cached_property
    def background(self) -> float | NDArray[np.float64]:
        """Weight of unlisted entries."""
        return self.ensemble.network.background / self.scale

    @property
    def has_background(self) -> bool:
        """Whether unlisted entries are zeros of some weight."""
        return self.ensemble.network.background > 0

    @cached_property
    def share(self) -> float | NDArray[np.float64]:
        """Factor of the loss of a listed entry: a symmetric pair is listed twice and counted once."""
        return self.scale * (0.5 if self.ensemble.network.symmetric else 1.0)

    @cached_property
    def all_known(self) -> bool:
        """Whether every entry of the matrix is known with weight 1 to all members."""
        n, m = self.ensemble.network.shape
        listed_all = len(self.rows.indices) == n * m
        unlisted_known = self.background == 1 or (self.background == 0 and listed_all)
        unit_weights = not self.rows.per_member and bool(np.all(self.rows.weights == 1))
        return bool(unlisted_known) and unit_weights and not np.isnan(self.rows.values).any()

    def known_weight(self, side: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the weight of the known entries of each row (side 0) or column (1), and its mean.

        Their shapes are (lines, members) and (members,).
        """
        listed, others = (self.rows, self.cols)[side], self.ensemble.network.shape[1 - side]
        name = ("known weight", side, self.rows.values.dtype.name, *self.members)
        weight = self.ensemble.derived(name, lambda: known_weight(listed, others, self.background))
        # NumPy adds along rows of a copy in an order that does not depend on the number of members.
        return weight, np.ascontiguousarray(weight.T).mean(axis=1)

    def of_members(self, value: float | tuple[float, ...]) -> float | NDArray[Any]:
        """Return a number for all members, or an array with one for each of this block."""
        return np.array(value)[self.members] if isinstance(value, tuple) else value

    def with_weights_up_to_one(self) -> Block:
        """Return the block with each member's weights divided by their maximum, where that exceeds 1."""
        weights = self.rows.weights
        largest = np.broadcast_to(
            weights.max(axis=0, initial=max(1.0, self.ensemble.network.background)), self.width
        )
        if np.all(largest == 1):
            return self
        divisor = (largest if self.rows.per_member else largest[:1]).astype(weights.dtype)
        rows, cols = (replace(side, weights=side.weights / divisor) for side in (self.rows, self.cols))
        return replace(self, rows=rows, cols=cols, scale=largest.astype(np.float64))


def member_groups(members: int, precision: str) -> list[range]:
    """Return the members in groups of as many as a kernel call has lanes."""
    full = max(1, lane_counts(np.dtype(precision).itemsize)[-1])
    return [range(begin, min(begin + full, members)) for begin in range(0, members, full)]


def make_block(ensemble: Ensemble, group: range, precision: str, padded: bool = True) -> Block:
    """Return the block of a group of members, padded to the least number of lanes that holds them."""
    dtype = np.dtype(precision)
    members = list(group)
    if padded:
        lanes = min(max(1, count) for count in lane_counts(dtype.itemsize) if max(1, count) >= len(group))
        members += members[-1:] * (lanes - len(group))
    network = ensemble.network
    rows = _listed(ensemble, network.csr, members, dtype)
    cols = rows if network.symmetric else _listed(ensemble, network.csc, members, dtype)
    return Block(ensemble, members, rows, cols)


def _listed(ensemble: Ensemble, view: View, members: list[int], dtype: np.dtype[Any]) -> Listed:
    """Return values and weights of these members in the order of a view."""
    network, position = ensemble.network, view.position
    doubled = np.ones(network.n_listed)
    if network.symmetric:
        doubled[network.rows == network.cols] = 2.0
    weights = ensemble.weights * (doubled if ensemble.weights.ndim == 1 else doubled[:, None])
    if weights.ndim == 1:
        # A hidden value has zero weight, and must not overflow in single precision either.
        values = _columns(ensemble.values, members, position, dtype, weights[:, None] == 0)
        return Listed(view.indptr, view.indices, values, weights[position].astype(dtype))
    values = _columns(ensemble.values, members, position, dtype, weights == 0)
    return Listed(view.indptr, view.indices, values, _columns(weights, members, position, dtype))


def _columns(
    source: NDArray[Any],
    members: list[int],
    position: NDArray[Any],
    dtype: np.dtype[Any],
    hidden: NDArray[np.bool_] | None = None,
) -> NDArray[Any]:
    """Return ``source[position][:, members]``, 0 where hidden, aligned, without a copy of that size."""
    out = aligned((len(position), len(members)), dtype)
    if source.strides[1] == 0:  # a broadcast view of a single column
        source = source[:, :1]
    everyone = source.shape[1] == 1 or members == list(range(source.shape[1]))

    def copy(index: int) -> None:
        here = slice(index * _CHUNK, (index + 1) * _CHUNK)
        entries = source.take(position[here], axis=0)
        if hidden is not None:
            entries = np.where(hidden.take(position[here], axis=0), 0, entries)
        out[here] = entries if everyone else entries.take(members, axis=1)

    run_parts(copy, -(-len(position) // _CHUNK))
    return out
