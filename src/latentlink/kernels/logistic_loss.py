"""The cross-entropy of listed links, without any update."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.chunks import add_up
from latentlink.kernels.lanes.compile import EDITION, PLAIN, kernel, mode
from latentlink.kernels.lanes.vector import broadcast, fma, load, store, where_known
from latentlink.kernels.logistic import logistic_parts
from latentlink.kernels.operands import Listed

__all__ = ["compiled_logistic_loss", "logistic_loss"]

Array = NDArray[Any]


@cache
def compiled_logistic_loss(lanes: int, per_member: bool, mirror: bool) -> Any:
    """Return the kernel for this number of lanes, with weights shared by the members or one for each.

    With ``mirror`` rows and partners are the same nodes, and every pair is listed in both directions, which
    have the same logit: it is computed in one of them. ``begin`` is the number of the first row, and
    ``total`` has a number for each lane.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def logistic_loss(indptr, indices, X, U, A, B, begin, total, loss):
        _ = edition
        size = A.shape[1]
        line = size * width
        zero = broadcast(A.dtype.type(0), lanes)
        two = broadcast(A.dtype.type(2), lanes)
        for i in range(len(indptr) - 1):
            a0 = i * line
            once, twice = zero, zero
            for e in range(indptr[i], indptr[i + 1]):
                j = indices[e]
                if mirror and j < begin + i:
                    continue
                z = zero
                for c in range(size):
                    z = fma(load(A, a0 + c * width, lanes), load(B, j * line + c * width, lanes), z)
                x = load(X, e * width, lanes)
                if per_member:
                    weight = where_known(x, load(U, e * width, lanes), zero)
                else:
                    weight = where_known(x, broadcast(U[e], lanes), zero)
                part, _slope, _curvature = logistic_parts(z, where_known(x, x, zero))
                if mirror and j > begin + i:
                    twice = fma(weight, part, twice)
                else:
                    once = fma(weight, part, once)
            store(total, 0, fma(two, twice, once))
            for lane in range(width):
                loss[lane] += total[lane]

    return logistic_loss


def logistic_loss(listed: Listed, A: Array, B: Array, mirrored: bool = False) -> Array:
    """Return the cross-entropy of links whose logits are the products of A and B, for each member.

    If ``mirrored``, rows and partners are the same nodes, and pairs are listed in both directions, which have
    the same product.
    """
    if mode() == "reference":
        return reference.logistic_loss(listed, A, B, mirrored)
    run = compiled_logistic_loss(PLAIN if mode() == "plain" else A.shape[2], listed.per_member, mirrored)

    def part(rows: slice, loss: Array) -> None:
        run(*listed.entries_of(rows), A[rows], B, rows.start, np.empty(A.shape[2], A.dtype), loss)

    return add_up(part, listed.chunks, A.shape[2:])
