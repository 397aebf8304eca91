"""Dispatch of the draws of rows to their forms: compiled with lanes, compiled as scalar code, or NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import PLAIN, mode
from latentlink.kernels.operands import Listed, NormalPrior, aligned
from latentlink.kernels.posterior.row_draw import CHUNK, compiled_drawn_rows

__all__ = ["drawn_rows"]

Array = NDArray[Any]


def drawn_rows(
    listed: Listed, A: Array, B: Array, G: Array, base: float | Array, prior: NormalPrior, Z: Array
) -> Array:
    """Draw the free coordinates of the rows of A given B, with the standard normal Z; return the listed loss.

    The loss is that after the draw, sum over listed u (x - z)^2 - base z^2. With Z = 0 the rows are their
    conditional means.

    Parameters
    ----------
    listed : Listed
        Entries of the rows.
    A, B : arrays, shape (nodes, size, members)
        Rows, of which the free coordinates are replaced, and their partners.
    G : array, shape (size, size, members)
        Gram matrix of the partners, used where ``base`` is not 0.
    base : float, or array of shape (members,)
        Weight of unlisted zeros.
    prior : NormalPrior
        Free coordinates, their prior, and the precision of an entry of weight 1.
    Z : array, shape (rows, free, members)
        Independent standard normal numbers.
    """
    if mode() == "reference":
        return reference.drawn_rows(listed, A, B, G, base, prior, Z)
    members, dtype, free = A.shape[2], A.dtype, prior.last - prior.first
    loss = np.zeros(members)
    even = free + 2 - free % 2  # an even number, more than the free coordinates
    scratch = tuple(
        aligned((size * members,), dtype) for size in (even * even, CHUNK * even, CHUNK * even, 1)
    )
    for part in scratch:
        part[...] = 0  # the padding is added to and never used, but must not be NaN by chance
    run = compiled_drawn_rows(PLAIN if mode() == "plain" else members, listed.per_member)
    run(
        listed.indptr, listed.indices, listed.values, listed.weights, A, B,
        np.ascontiguousarray(G, dtype), np.full(members, base, dtype),
        tuple(np.ascontiguousarray(part, dtype) for part in (prior.precision, prior.linear, prior.tau)),
        (prior.first, prior.last), Z, scratch, loss,
    )  # fmt: skip
    return loss
