"""Parts of kernels that go through the entries of a row: fits, and sums of the partners' factors.

Entries are added to a sum one by one, in order, so that results do not depend on how they are grouped. But a
fit z = sum_c a_c b_c is a chain of additions that wait for each other, and a sum over entries is loaded and
stored for each of them: with four entries at once there are four chains, and a quarter of those loads.

A kernel goes through a row in blocks, whose factors stay in the fastest cache between both parts. It passes
arrays to them once for a block, since numba counts references to the arrays of each call. The number of lanes
is that of the vector ``zero``, and ``width`` the numbers in it.
"""

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.vector import fma, load_like, store

__all__ = ["BLOCK", "add_products", "fitted_entries"]

BLOCK = 32


@helper
def fitted_entries(A, a0, B, indices, first, last, width, zero, fitted):
    """Write the products of a row of A, at an offset, with the partners of the entries from first to last."""
    line = A.shape[1] * width
    fours = first + (last - first) // 4 * 4
    for e in range(first, fours, 4):
        b0, b1 = indices[e] * line, indices[e + 1] * line
        b2, b3 = indices[e + 2] * line, indices[e + 3] * line
        z0, z1, z2, z3 = zero, zero, zero, zero
        for c in range(0, line, width):
            a = load_like(A, a0 + c, zero)
            z0 = fma(a, load_like(B, b0 + c, zero), z0)
            z1 = fma(a, load_like(B, b1 + c, zero), z1)
            z2 = fma(a, load_like(B, b2 + c, zero), z2)
            z3 = fma(a, load_like(B, b3 + c, zero), z3)
        store(fitted, (e - first) * width, z0)
        store(fitted, (e - first + 1) * width, z1)
        store(fitted, (e - first + 2) * width, z2)
        store(fitted, (e - first + 3) * width, z3)
    for e in range(fours, last):
        b0, z = indices[e] * line, zero
        for c in range(0, line, width):
            z = fma(load_like(A, a0 + c, zero), load_like(B, b0 + c, zero), z)
        store(fitted, (e - first) * width, z)


@helper
def add_products(scales, B, indices, first, last, width, zero, P, p0):
    """Add to a row of P, at an offset, the partners of the entries from first to last, times their scales."""
    line = B.shape[1] * width
    fours = first + (last - first) // 4 * 4
    for e in range(first, fours, 4):
        b0, b1 = indices[e] * line, indices[e + 1] * line
        b2, b3 = indices[e + 2] * line, indices[e + 3] * line
        s0 = load_like(scales, (e - first) * width, zero)
        s1 = load_like(scales, (e - first + 1) * width, zero)
        s2 = load_like(scales, (e - first + 2) * width, zero)
        s3 = load_like(scales, (e - first + 3) * width, zero)
        for c in range(0, line, width):
            p = fma(s0, load_like(B, b0 + c, zero), load_like(P, p0 + c, zero))
            p = fma(s1, load_like(B, b1 + c, zero), p)
            p = fma(s2, load_like(B, b2 + c, zero), p)
            store(P, p0 + c, fma(s3, load_like(B, b3 + c, zero), p))
    for e in range(fours, last):
        b0, s = indices[e] * line, load_like(scales, (e - first) * width, zero)
        for c in range(0, line, width):
            store(P, p0 + c, fma(s, load_like(B, b0 + c, zero), load_like(P, p0 + c, zero)))
