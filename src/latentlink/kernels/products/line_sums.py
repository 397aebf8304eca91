"""Sums over the entries of each line, from which it can be updated where its entries are not.

Near its coordinates a, the loss of a line with the partners b is at most

    loss(a + d) <= loss(a) - 2 q d + d G d',   q = sum_j p_j b_j,   G = sum_j g_j b_j b_j',

with equality under squared error: there p = u x - (u - base) z and g = u - base, where unlisted entries are
zeros of weight ``base`` and are not in the sums. Under the logistic loss p and g are slope and curvature of
its bound (see `logistic`). Sums of parts of a line add up, so that each part can be summed where it is
stored.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.chunks import over_chunks
from latentlink.kernels.lanes.compile import EDITION, PLAIN, kernel, mode
from latentlink.kernels.lanes.vector import broadcast, fma, load, mul, store, sub, where_known
from latentlink.kernels.logistic import logistic_parts
from latentlink.kernels.operands import Listed, aligned
from latentlink.kernels.posterior.row_sums import CHUNK, add_products, padded
from latentlink.kernels.products.line_twins import line_sums as twin

__all__ = ["compiled_line_sums", "line_sums"]

Array = NDArray[Any]


@cache
def compiled_line_sums(lanes: int, per_member: bool, logistic: bool) -> Any:
    """Return the kernel that writes the sums of each line to ``S``, see `line_sums`.

    ``scratch`` is (sums, weighted, gathered), whose padding is 0.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def line_sums(indptr, indices, X, U, A, B, base, span, scratch, S):
        _ = edition
        size = A.shape[1]
        first, last = span
        free = last - first
        wide, tall = padded(free)
        pairs = free * (free + 1) // 2
        P, weighted, gathered = scratch
        zero = broadcast(A.dtype.type(0), lanes)
        rest = load(base, 0, lanes)
        for i in range(len(indptr) - 1):
            a0 = i * size * width
            for c in range(0, tall * wide * width, width):
                store(P, c, zero)
            for begin in range(indptr[i], indptr[i + 1], CHUNK):
                end = min(begin + CHUNK, indptr[i + 1])
                for e in range(begin, end):
                    b0 = indices[e] * size * width
                    v0 = ((e - begin) * tall - first) * width
                    z = zero
                    for c in range(0, size * width, width):
                        z = fma(load(A, a0 + c, lanes), load(B, b0 + c, lanes), z)
                    x = load(X, e * width, lanes)
                    if per_member:
                        weight = where_known(x, load(U, e * width, lanes), zero)
                    else:
                        weight = where_known(x, broadcast(U[e], lanes), zero)
                    x = where_known(x, x, zero)
                    if logistic:
                        _loss, slope, curvature = logistic_parts(z, x)
                        p, g = mul(weight, slope), mul(weight, curvature)
                    else:
                        p, g = fma(rest, z, mul(weight, sub(x, z))), sub(weight, rest)
                    for c in range(first * width, last * width, width):
                        b = load(B, b0 + c, lanes)
                        store(gathered, v0 + c, b)
                        store(weighted, v0 + c, mul(g, b))
                    store(weighted, v0 + last * width, p)
                add_products(P, weighted, gathered, end - begin, free, width, zero)
            s0 = i * (pairs + free)
            for c in range(free):
                for d in range(c + 1):
                    number = load(P, (c * wide + d) * width, lanes)
                    store(S, (s0 + c * (c + 1) // 2 + d) * width, number)
                store(S, (s0 + pairs + c) * width, load(P, (free * wide + c) * width, lanes))

    return line_sums


def line_sums(
    listed: Listed,
    A: Array,
    B: Array,
    span: tuple[int, int],
    base: float | Array = 0.0,
    logistic: bool = False,
) -> Array:
    """Return the sums over the listed entries of each line, shape (lines, k (k + 1) / 2 + k, members).

    Parameters
    ----------
    listed : Listed
        Entries of the lines.
    A, B : arrays, shape (nodes, size, members)
        The lines, and their partners.
    span : (int, int)
        First and last + 1 of the k coordinates of the lines that are to be updated.
    base : float, or array of shape (members,)
        Weight of unlisted entries; 0 under the logistic loss.
    logistic : bool

    Returns
    -------
    array
        The lower triangle of G row by row, then q.
    """
    if mode() == "reference":
        return twin(listed, A, B, span, base, logistic)
    free, members = span[1] - span[0], A.shape[2]
    S = aligned((len(A), free * (free + 1) // 2 + free, members), A.dtype)
    bases = np.full(members, base, A.dtype)
    run = compiled_line_sums(PLAIN if mode() == "plain" else members, listed.per_member, logistic)
    even = free + 2 - free % 2  # an even number, more than the free coordinates

    def allocated() -> tuple[Array, ...]:
        scratch = tuple(aligned((n * even * members,), A.dtype) for n in (even, CHUNK, CHUNK))
        for part in scratch:
            part[...] = 0
        return scratch

    def part(rows: slice) -> None:
        with listed.lent(("line sums", free, members, A.itemsize), allocated) as scratch:
            run(*listed.entries_of(rows), A[rows], B, bases, span, scratch, S[rows])

    over_chunks(part, listed.chunks)
    return S
