"""Sums of products of the partners of a row: the data's part of its precision matrix and linear term."""

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.vector import fma, fnma, load_like, mul, store

__all__ = ["CHUNK", "add_products", "begin_sums", "padded"]

CHUNK = 16
"""Entries whose partners are gathered at once: as few as the first cache holds for many coordinates."""


@helper
def padded(free):
    """Return the columns and rows of the sums of so many coordinates, each an even number.

    Two rows and two columns are summed at once. The linear term is one more row; the last row and the last
    column may be padding, which is added to and never used.
    """
    return free + free % 2, free + 1 + (free + 1) % 2


@helper
def begin_sums(P, row, G, rest, span, zero):
    """Write the sums over all partners, each of weight ``rest``, to which those of the entries are added.

    ``row`` has the coordinates of the row, of which ``span`` = (first, last, width) are free, and ``G`` is
    the Gram matrix of the partners.
    """
    first, last, width = span
    free = last - first
    wide, _ = padded(free)
    size = len(row)
    for c in range(free):
        linear = zero
        for d in range(size):
            g = load_like(G, ((first + c) * size + d) * width, zero)
            if first <= d < last:
                if d - first <= c:
                    store(P, (c * wide + d - first) * width, mul(rest, g))
            else:
                linear = fnma(mul(rest, load_like(row, d * width, zero)), g, linear)
        store(P, (free * wide + c) * width, linear)


@helper
def add_products(P, weighted, gathered, count, free, width, zero):
    """Add the products of ``count`` gathered partners, which are times their weights in ``weighted``.

    Above the diagonal, and in the padding, sums are not used.
    """
    wide, tall = padded(free)
    # Two rows and two columns of the matrix at once, so that a number is used twice when loaded.
    for c in range(0, tall, 2):
        for d in range(0, min(c + 1, wide), 2):
            above = (c * wide + d) * width
            below = above + wide * width
            s00 = load_like(P, above, zero)
            s01 = load_like(P, above + width, zero)
            s10 = load_like(P, below, zero)
            s11 = load_like(P, below + width, zero)
            of_c, of_d = c * width, d * width
            for _ in range(count):
                u0 = load_like(weighted, of_c, zero)
                u1 = load_like(weighted, of_c + width, zero)
                v0 = load_like(gathered, of_d, zero)
                v1 = load_like(gathered, of_d + width, zero)
                of_c += tall * width
                of_d += tall * width
                s00 = fma(u0, v0, s00)
                s01 = fma(u0, v1, s01)
                s10 = fma(u1, v0, s10)
                s11 = fma(u1, v1, s11)
            store(P, above, s00)
            store(P, above + width, s01)
            store(P, below, s10)
            store(P, below + width, s11)
