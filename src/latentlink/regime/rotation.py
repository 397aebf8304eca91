"""Alignment of draws from a posterior: factors rotated towards those of the posterior mean.

A model of real-valued factors does not change if its components are rotated, and draws are rotated at random.
So components cannot be matched one by one. The centre is the best approximation of the mean score matrix,

    centre = the product W H of this rank nearest to  (1 / D) sum_d W_d H_d,

by subspace iteration on the factors, and each draw is rotated towards it (orthogonal Procrustes problem).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.regime.align import Aligned, CosineAlign
from latentlink.strategy import strategy

__all__ = ["RotationAlign"]

Array = NDArray[Any]

_TOLERANCE = 1e-6  # of the largest singular value, by which the others may still change


@strategy
class RotationAlign(CosineAlign):
    """Align draws from a posterior by rotation; the centre is the model nearest to their mean.

    Components of the centre are ordered by their size and orthogonal, those of W and H of equal length.

    Parameters
    ----------
    max_rounds : int, default=100
        Largest number of rounds of subspace iteration.
    centres : {"mean", "median"}, default="mean"
        Central value of the biases.
    silhouettes : {"cosine", "angle"}, default="cosine"
        As for `CosineAlign`.
    """

    centres: str = "mean"

    rotates: ClassVar[bool] = True

    def align(self, members: Sequence[Factors]) -> Aligned:
        """Rotate the components of every member towards those of the centre.

        The scores of a member do not change, except for rounding.
        """
        self.check(members)
        U, sizes, V, rounds = _mean_components(members, self.max_rounds)
        first = members[0]
        biases: dict[str, Any] = {
            name: self.central(np.stack([getattr(member, name).astype(np.float64) for member in members]))[0]
            for name in ("row_bias", "col_bias")
            if getattr(first, name) is not None
        }
        root = np.sqrt(sizes)
        offset = float(np.mean([member.offset for member in members]))
        centre = replace(first, W=U * root, H=np.ascontiguousarray((V * root).T), offset=offset, **biases)
        return Aligned(tuple(_rotated(member, centre) for member in members), centre, rounds, 0)


def _mean_components(members: Sequence[Factors], max_rounds: int) -> tuple[Array, Array, Array, int]:
    """Return the leading singular vectors and values of the mean of the products, and the rounds taken."""
    rank, (n, m) = members[0].rank, members[0].shape
    # Twice as many directions as are wanted, where there are as many: the wanted ones then converge soon.
    begin = np.vstack([member.H for member in members[:2]]).T.astype(np.float64)
    basis = np.linalg.qr(begin)[0][:, : min(n, m)]
    most = basis.shape[1]
    before, rounds, converged = np.zeros(most), 0, False
    while rounds < max_rounds and not converged:
        rounds += 1
        left = np.linalg.qr(sum(each.W @ (each.H @ basis) for each in members))[0]
        basis, triangle = np.linalg.qr(sum(each.H.T @ (each.W.T @ left) for each in members))
        inner, sizes, outer = np.linalg.svd(triangle)
        converged = bool(np.abs(sizes - before)[:rank].max() <= _TOLERANCE * sizes[0])
        before = sizes
    # The product is left triangle' basis', approximately; with the decomposition of the triangle:
    U, V = left @ outer.T, basis @ inner
    missing = max(0, rank - most)
    U, V = (np.pad(side[:, :rank], ((0, 0), (0, missing))) for side in (U, V))
    signs = np.where(U.sum(axis=0) < 0, -1.0, 1.0)
    return U * signs, np.pad(sizes[:rank], (0, missing)) / len(members), V * signs, rounds


def _rotated(member: Factors, centre: Factors) -> Factors:
    """Return a member with components of equal length in W and H, rotated towards the centre."""
    (left, of_left), (right, of_right) = (
        np.linalg.qr(side.astype(np.float64)) for side in (member.W, member.H.T)
    )
    inner, sizes, outer = np.linalg.svd(of_left @ of_right.T, full_matrices=False)
    root = np.sqrt(sizes)
    W, V = _padded(left @ inner * root, member.rank), _padded(right @ outer.T * root, member.rank)
    u, _, v = np.linalg.svd(W.T @ centre.W + V.T @ centre.H.T)
    rotation = u @ v
    dtype = member.W.dtype
    H = np.ascontiguousarray((V @ rotation).T, dtype)
    return replace(member, W=(W @ rotation).astype(dtype), H=H)


def _padded(side: Array, rank: int) -> Array:
    """Return factors with empty components where there are fewer nodes than components."""
    return np.pad(side, ((0, 0), (0, max(0, rank - side.shape[1]))))
