"""Members side by side: an ensemble cut into blocks, in the layout that the kernels want."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, aligned, lane_counts
from latentlink.network import Ensemble, View

__all__ = ["Block", "groups_of", "make_block"]

_CHUNK = 1 << 20  # entries copied at once


@dataclass(frozen=True)
class Block:
    """Some members of an ensemble, side by side.

    Attributes
    ----------
    ensemble : Ensemble
        Where they come from; a symmetric one with a background lists its whole diagonal.
    members : list of int
        Which members stand in the lanes; the last one is repeated to fill the block.
    count : int
        How many of them are meant.
    rows, cols : Listed
        Entries by row and by column. A symmetric pair stands in both directions, a self loop once with
        twice its weight, so that halving the loss counts every pair once.
    scale : float, or array of shape (members,)
        What all weights were divided by, the background's too.
    """

    ensemble: Ensemble
    members: list[int]
    count: int
    rows: Listed
    cols: Listed
    scale: float | NDArray[np.float64] = 1.0

    @property
    def width(self) -> int:
        """Number of lanes."""
        return len(self.members)

    @property
    def background(self) -> float | NDArray[np.float64]:
        """Weight of unlisted entries."""
        return self.ensemble.network.background / self.scale

    @property
    def share(self) -> float | NDArray[np.float64]:
        """What one listed direction counts: a symmetric pair stands twice and counts once."""
        return self.scale * (0.5 if self.ensemble.network.symmetric else 1.0)

    def with_weights_up_to_one(self) -> Block:
        """Divide each member's weights by its largest, where that exceeds 1."""
        weights = self.rows.weights
        largest = np.broadcast_to(
            weights.max(axis=0, initial=max(1.0, self.ensemble.network.background)), self.width
        )
        if np.all(largest == 1):
            return self
        by = (largest if self.rows.per_member else largest[:1]).astype(weights.dtype)
        rows, cols = (replace(side, weights=side.weights / by) for side in (self.rows, self.cols))
        return replace(self, rows=rows, cols=cols, scale=largest.astype(np.float64))


def groups_of(members: int, precision: str) -> list[range]:
    """Cut members into groups of as many as the kernels take at once."""
    full = max(1, lane_counts(np.dtype(precision).itemsize)[1])
    return [range(begin, min(begin + full, members)) for begin in range(0, members, full)]


def make_block(ensemble: Ensemble, group: range, precision: str) -> Block:
    """Lay the members of a group side by side."""
    dtype = np.dtype(precision)
    single, full = (max(1, lanes) for lanes in lane_counts(dtype.itemsize))
    members = list(group)
    members += members[-1:] * ((single if len(group) == 1 else full) - len(group))
    network = ensemble.network
    rows = _listed(ensemble, network.csr, members, dtype)
    cols = rows if network.symmetric else _listed(ensemble, network.csc, members, dtype)
    return Block(ensemble, members, len(group), rows, cols)


def _listed(ensemble: Ensemble, view: View, members: list[int], dtype: np.dtype[Any]) -> Listed:
    """Lay out values and weights of these members in the order of a view."""
    network, position = ensemble.network, view.position
    doubled = np.ones(network.n_listed)
    if network.symmetric:
        doubled[network.rows == network.cols] = 2.0
    weights = ensemble.weights * (doubled if ensemble.weights.ndim == 1 else doubled[:, None])
    if weights.ndim == 1:
        # A hidden value has no say, not even one that overflows.
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
    if source.strides[1] == 0:  # one column shown many times
        source = source[:, :1]
    for begin in range(0, len(position), _CHUNK):
        here = position[begin : begin + _CHUNK]
        lines = source[here] if hidden is None else np.where(hidden[here], 0, source[here])
        out[begin : begin + _CHUNK] = lines if lines.shape[1] == 1 else lines[:, members]
    return out
