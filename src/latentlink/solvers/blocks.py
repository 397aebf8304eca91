"""Members side by side: an ensemble cut into blocks, in the layout that the kernels want."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import Listed, aligned, lane_counts
from latentlink.network import Ensemble, View

__all__ = ["Block", "blocks_of"]

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
    """

    ensemble: Ensemble
    members: list[int]
    count: int
    rows: Listed
    cols: Listed

    @property
    def width(self) -> int:
        """Number of lanes."""
        return len(self.members)

    @property
    def background(self) -> float:
        """Weight of unlisted entries."""
        return self.ensemble.network.background

    @property
    def share(self) -> float:
        """What one listed direction counts: a symmetric pair stands twice and counts once."""
        return 0.5 if self.ensemble.network.symmetric else 1.0


def blocks_of(ensemble: Ensemble, precision: str) -> Iterator[Block]:
    """Cut an ensemble into blocks of as many members as the kernels take at once."""
    dtype = np.dtype(precision)
    single, full = (max(1, lanes) for lanes in lane_counts(dtype.itemsize))
    ensemble = with_meant_diagonal(ensemble)
    for begin in range(0, ensemble.n_members, full):
        members = list(range(begin, min(begin + full, ensemble.n_members)))
        count = len(members)
        width = single if count == 1 else full
        members += members[-1:] * (width - count)
        rows = _listed(ensemble, ensemble.network.csr, members, dtype)
        symmetric = ensemble.network.symmetric
        cols = rows if symmetric else _listed(ensemble, ensemble.network.csc, members, dtype)
        yield Block(ensemble, members, count, rows, cols)


def with_meant_diagonal(ensemble: Ensemble) -> Ensemble:
    """List the diagonal of a symmetric network with a background, so that it counts as it should.

    Without self loops the diagonal is hidden: weight 0. With some, the others are known zeros, each a pair
    counted once, while the background of both directions would count it half.
    """
    network = ensemble.network
    if not network.symmetric or network.background == 0:
        return ensemble
    loops = network.rows[network.rows == network.cols]
    missing = np.setdiff1d(np.arange(network.shape[0]), loops)
    weight = network.background if len(loops) else 0.0
    return ensemble.with_listed(missing, missing, np.full(len(missing), weight), network.background)


def _listed(ensemble: Ensemble, view: View, members: list[int], dtype: np.dtype[Any]) -> Listed:
    """Lay out values and weights of these members in the order of a view."""
    network, position = ensemble.network, view.position
    doubled = np.ones(network.n_listed)
    if network.symmetric:
        doubled[network.rows == network.cols] = 2.0
    values = _columns(ensemble.values, members, position, dtype)
    if ensemble.weights.ndim == 1:
        weights = (ensemble.weights * doubled)[position].astype(dtype)
    else:
        weights = _columns(ensemble.weights * doubled[:, None], members, position, dtype)
    return Listed(view.indptr, view.indices, values, weights)


def _columns(
    source: NDArray[Any], members: list[int], position: NDArray[Any], dtype: np.dtype[Any]
) -> NDArray[Any]:
    """Return ``source[position][:, members]``, aligned, without an intermediate of that size."""
    out = aligned((len(position), len(members)), dtype)
    shared = source.strides[1] == 0
    for begin in range(0, len(position), _CHUNK):
        part = slice(begin, begin + _CHUNK)
        lines = source[position[part]] if not shared else source[position[part], :1]
        out[part] = lines if shared else lines[:, members]
    return out
