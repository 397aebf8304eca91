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
) -> tuple[Array, Array]:
    """Draw the free coordinates of the rows of A given B, with the standard normal Z; return the losses.

    With Z = 0 the rows are their conditional means.

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

    Returns
    -------
    loss : array, shape (members,)
        After the draw, sum over listed u (x - z)^2 - base z^2.
    losses : array, shape (rows, members)
        Of each row, sum over listed s u (x - z)^2 with the relative precisions s of the partners.
    """
    if mode() == "reference":
        return reference.drawn_rows(listed, A, B, G, base, prior, Z)
    members, dtype, free = A.shape[2], A.dtype, prior.last - prior.first
    loss, losses = np.zeros(members), aligned((len(A), members), dtype)
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
        _relative(prior, len(A), len(B), dtype),
        (prior.first, prior.last, free * members if len(prior.linear) > 1 else 0), Z, scratch, loss, losses,
    )  # fmt: skip
    return loss, losses


def _relative(prior: NormalPrior, rows: int, partners: int, dtype: Any) -> tuple[Array, Array]:
    """Return the relative precisions of rows and partners, 1 where there are none."""
    if prior.relative is not None:
        return prior.relative
    members = len(prior.tau)
    return np.ones((rows, members), dtype), np.ones((partners, members), dtype)
