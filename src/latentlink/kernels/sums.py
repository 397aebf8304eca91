"""Sums over all nodes: totals, Gram matrices, and products with a Gram matrix.

They are compiled not only for speed: NumPy adds in an order that depends on the shape of its arrays, and the
sums of a member must not depend on how many members are in its batch.
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import add, broadcast, fma, load, store

__all__ = ["compiled_gram", "compiled_times_gram", "compiled_totals"]

BLOCK = 32  # nodes summed in the precision of the factors; blocks are summed in double precision


@cache
def compiled_gram(lanes):
    """Return the kernel that adds sum_j b_j b_j' of every member to ``G`` (size, size, lanes) in float64."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def gram(B, total, G):
        _ = edition
        n, size = B.shape[0], B.shape[1]
        zero = broadcast(B.dtype.type(0), lanes)
        for begin in range(0, n, BLOCK):
            end = min(n, begin + BLOCK)
            for c in range(size):
                for d in range(c + 1):
                    part = zero
                    for j in range(begin, end):
                        offset = j * size * width
                        part = fma(
                            load(B, offset + c * width, lanes), load(B, offset + d * width, lanes), part
                        )
                    store(total, 0, part)
                    for lane in range(width):
                        G[c, d, lane] += total[lane]
        for c in range(size):
            for d in range(c):
                for lane in range(width):
                    G[d, c, lane] = G[c, d, lane]

    return gram


@cache
def compiled_times_gram(lanes):
    """Return the kernel that writes A G of every member to ``P``, of the shape of ``A``."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def times_gram(A, G, P):
        _ = edition
        n, size = A.shape[0], A.shape[1]
        zero = broadcast(A.dtype.type(0), lanes)
        for i in range(n):
            a0 = i * size * width
            for c in range(size):
                product = zero
                for d in range(size):
                    product = fma(
                        load(A, a0 + d * width, lanes), load(G, (c * size + d) * width, lanes), product
                    )
                store(P, a0 + c * width, product)

    return times_gram


@cache
def compiled_totals(lanes):
    """Return the kernel that adds sum_j b_j of every member to ``S`` (size, lanes) in float64."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def totals(B, total, S):
        _ = edition
        n, size = B.shape[0], B.shape[1]
        zero = broadcast(B.dtype.type(0), lanes)
        for begin in range(0, n, BLOCK):
            for c in range(size):
                part = zero
                for j in range(begin, min(n, begin + BLOCK)):
                    part = add(load(B, (j * size + c) * width, lanes), part)
                store(total, 0, part)
                for lane in range(width):
                    S[c, lane] += total[lane]

    return totals
