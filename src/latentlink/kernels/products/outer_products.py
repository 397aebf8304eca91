"""Sums of products of all pairs of vectors, the part of a kernel that computes at the rate of the processor.

A sum of products keeps a register while the entries go by. Sixteen of them at once, the products of four
vectors with four others, need eight loads for sixteen operations, so that neither loads nor the latency of an
addition limit them. Entries are added one by one, in order: blocks of them do not change a bit.
"""

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.vector import fma, load_like, store

__all__ = ["TILE", "add_outer_products"]

TILE = 4


@helper
def add_outer_products(V, entries, size, width, zero, G):
    """Add to ``G[c, d]``, for d up to c, the sum over entries of ``V[entry, c] V[entry, d]``.

    Both are flat arrays; ``size`` is the number of vectors of an entry, a multiple of `TILE`.
    """
    row, w2, w3 = size * width, 2 * width, 3 * width
    end = entries * row
    for c in range(0, row, TILE * width):
        for d in range(0, c + 1, TILE * width):
            g = c * size + d
            h, i, j = g + row, g + 2 * row, g + 3 * row
            a0, a1 = load_like(G, g, zero), load_like(G, g + width, zero)
            a2, a3 = load_like(G, g + w2, zero), load_like(G, g + w3, zero)
            b0, b1 = load_like(G, h, zero), load_like(G, h + width, zero)
            b2, b3 = load_like(G, h + w2, zero), load_like(G, h + w3, zero)
            c0, c1 = load_like(G, i, zero), load_like(G, i + width, zero)
            c2, c3 = load_like(G, i + w2, zero), load_like(G, i + w3, zero)
            d0, d1 = load_like(G, j, zero), load_like(G, j + width, zero)
            d2, d3 = load_like(G, j + w2, zero), load_like(G, j + w3, zero)
            for e in range(0, end, row):
                y0, y1 = load_like(V, e + d, zero), load_like(V, e + d + width, zero)
                y2, y3 = load_like(V, e + d + w2, zero), load_like(V, e + d + w3, zero)
                x = load_like(V, e + c, zero)
                a0, a1, a2, a3 = fma(x, y0, a0), fma(x, y1, a1), fma(x, y2, a2), fma(x, y3, a3)
                x = load_like(V, e + c + width, zero)
                b0, b1, b2, b3 = fma(x, y0, b0), fma(x, y1, b1), fma(x, y2, b2), fma(x, y3, b3)
                x = load_like(V, e + c + w2, zero)
                c0, c1, c2, c3 = fma(x, y0, c0), fma(x, y1, c1), fma(x, y2, c2), fma(x, y3, c3)
                x = load_like(V, e + c + w3, zero)
                d0, d1, d2, d3 = fma(x, y0, d0), fma(x, y1, d1), fma(x, y2, d2), fma(x, y3, d3)
            store(G, g, a0)
            store(G, g + width, a1)
            store(G, g + w2, a2)
            store(G, g + w3, a3)
            store(G, h, b0)
            store(G, h + width, b1)
            store(G, h + w2, b2)
            store(G, h + w3, b3)
            store(G, i, c0)
            store(G, i + width, c1)
            store(G, i + w2, c2)
            store(G, i + w3, c3)
            store(G, j, d0)
            store(G, j + width, d1)
            store(G, j + w2, d2)
            store(G, j + w3, d3)
