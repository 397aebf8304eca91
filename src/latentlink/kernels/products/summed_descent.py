"""Coordinate descent on the rows of a factor by sums of products, where unlisted entries are unknown.

The same steps as in `masked_descent`, under squared error. Here the entries of a row are read once, for the
products of all pairs of coordinates of its partners and with the residual,

    G_cd = sum_j u_j b_jc b_jd,   q_c = sum_j u_j r_j b_jc,   r_j = x_j - sum_c a_c b_jc,

after which a step costs one operation for each coordinate instead of three for each entry:

    a_c <- max(lower_c, (a_c G_cc + q_c + ridge_c centre_c) / (G_cc + ridge_c)),   q <- q - G_c (step of a_c).

The residual is that of the factors before the update, so that nothing cancels on data that are fitted
exactly. The work for an entry grows with the square of the rank: see `saves_work`.
"""

from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import (
    add,
    at_least,
    broadcast,
    div,
    fma,
    fnma,
    load,
    mul,
    prefetch,
    root,
    store,
    sub,
    where_known,
    where_positive,
)
from latentlink.kernels.products.outer_products import TILE, add_outer_products

__all__ = ["compiled_summed_rows", "saves_work", "summed_scratch"]

BLOCK = 16  # entries whose vectors stay in the fastest cache
AHEAD = 8  # entries between the prefetch of a partner's factors and their use

_MOST_COORDINATES = 16


def saves_work(coordinates: int, cycles: int, mean_degree: float) -> bool:
    """Return whether sums of products take less time than steps along the entries.

    Examples
    --------
    >>> saves_work(10, 3, 80.0), saves_work(30, 3, 80.0), saves_work(10, 1, 80.0), saves_work(10, 3, 2.0)
    (True, False, False, False)
    """
    return 0 < coordinates <= _MOST_COORDINATES and cycles > 1 and 2 * mean_degree >= coordinates


def _vectors(coordinates):
    """Return the number of vectors of an entry: its coordinates and residual, padded to whole tiles."""
    return -(-(coordinates + 1) // TILE) * TILE


def summed_scratch(coordinates: int) -> tuple[int, int, int, int, int]:
    """Return how many vectors the parts of ``scratch`` have: entries, sums, inverses, pulls and a total."""
    size = _vectors(coordinates)
    return BLOCK * size, size * size, size, size, 1


@cache
def compiled_summed_rows(lanes, per_member):
    """Return the kernel for this number of lanes, with weights shared by the members or one for each.

    Its arguments are those of the masked kernel; ``scratch`` is (vectors, G, inverse, shift, total).
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def summed_rows(indptr, indices, X, U, A, B, penalty, lower, span, cycles, scratch, loss):
        _ = edition
        line, entries = A.shape[1] * width, len(indices)
        cache_line = 64 // A.itemsize
        first, last = span[0] * width, span[1] * width
        inner = last - first  # also where the residual of an entry is, after its coordinates
        ridge, growth, counts, step_of_counts, centre = penalty
        vectors, G, inverse, shift, total = scratch
        zero = broadcast(A.dtype.type(0), lanes)
        one = broadcast(A.dtype.type(1), lanes)
        size = (inner // width + TILE) // TILE * TILE
        row = size * width
        q = inner * size
        for e in range(0, BLOCK * row, row):
            for c in range(inner + width, row, width):
                store(vectors, e + c, zero)
        for i in range(len(indptr) - 1):
            a0 = i * line
            for c in range(0, size * row, width):
                store(G, c, zero)
            for begin in range(indptr[i], indptr[i + 1], BLOCK):
                end = min(begin + BLOCK, indptr[i + 1])
                for e in range(begin, end):
                    b0, v0 = indices[e] * line, (e - begin) * row - first
                    ahead = indices[min(e + AHEAD, entries - 1)] * line
                    for offset in range(0, line, cache_line):
                        prefetch(B, ahead + offset)
                    x = load(X, e * width, lanes)
                    if per_member:
                        scale = where_known(x, root(load(U, e * width, lanes)), zero)
                    else:
                        scale = where_known(x, broadcast(np.sqrt(U[e]), lanes), zero)
                    r = mul(scale, where_known(x, x, zero))
                    for c in range(0, first, width):
                        r = fnma(load(A, a0 + c, lanes), mul(scale, load(B, b0 + c, lanes)), r)
                    for c in range(first, last, width):
                        b = mul(scale, load(B, b0 + c, lanes))
                        store(vectors, v0 + c, b)
                        r = fnma(load(A, a0 + c, lanes), b, r)
                    for c in range(last, line, width):
                        r = fnma(load(A, a0 + c, lanes), mul(scale, load(B, b0 + c, lanes)), r)
                    store(vectors, v0 + last, r)
                add_outer_products(vectors, end - begin, size, width, zero, G)
            store(total, 0, load(G, q + inner, lanes))
            for lane in range(width):
                loss[lane] += total[lane]
            count = load(counts, i * step_of_counts, lanes)
            for c in range(0, inner, width):
                pull = fma(count, load(growth, first + c, lanes), load(ridge, first + c, lanes))
                den = add(load(G, c * size + c, lanes), pull)
                store(inverse, c, where_positive(den, div(one, den), zero))
                store(shift, c, mul(pull, load(centre, first + c, lanes)))
                for d in range(c + width, inner, width):
                    store(G, c * size + d, load(G, d * size + c, lanes))
            for _cycle in range(cycles):
                for c in range(0, inner, width):
                    a, g = a0 + first + c, c * size
                    old, factor = load(A, a, lanes), load(inverse, c, lanes)
                    num = fma(old, load(G, g + c, lanes), load(G, q + c, lanes))
                    new = mul(add(num, load(shift, c, lanes)), factor)
                    new = at_least(new, broadcast(lower[(first + c) // width], lanes))
                    new = where_positive(factor, new, old)
                    store(A, a, new)
                    step = sub(new, old)
                    for d in range(0, inner, width):
                        store(G, q + d, fnma(step, load(G, g + d, lanes), load(G, q + d, lanes)))

    return summed_rows
