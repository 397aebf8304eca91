"""The two sums of a multiplicative update under the divergence.

    N_c = sum_positive u x / z b_c,   D_c = sum_listed (u - base) b_c + base sum_all b_c,

so that D - N is the gradient of the loss of a row, and a_c <- a_c N_c / D_c the step of Lee and Seung (2001),
which minimises an upper bound of the loss that touches it at a.
"""

from functools import cache

from latentlink.kernels.divergence.divergence_parts import divergence, row_slope
from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import (
    any_nonzero,
    at_least,
    broadcast,
    div,
    fma,
    load,
    mul,
    store,
    where_positive,
)

__all__ = ["compiled_divergence_moments"]


@cache
def compiled_divergence_moments(lanes, per_member):
    """Return the kernel that writes ``N`` and ``D``, of the shape of ``A``, and adds the loss of all rows.

    ``S``, shape (size, lanes), is the total of ``B``; ``base`` and the lower bound ``floor`` of a fit are one
    number per member.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def divergence_moments(indptr, indices, X, U, A, B, S, base, floor, N, D, total, loss):
        _ = edition
        size = A.shape[1]
        zero = broadcast(A.dtype.type(0), lanes)
        rest, least = load(base, 0, lanes), load(floor, 0, lanes)
        for i in range(len(indptr) - 1):
            a0 = i * size * width
            row_loss = zero
            row_slope(indptr[i], indptr[i + 1], indices, X, U, B, S, rest, width, D, a0)
            for c in range(size):
                store(N, a0 + c * width, zero)
                row_loss = fma(load(A, a0 + c * width, lanes), load(D, a0 + c * width, lanes), row_loss)
            for e in range(indptr[i], indptr[i + 1]):
                x = load(X, e * width, lanes)
                if per_member:
                    weight = where_positive(x, load(U, e * width, lanes), zero)
                else:
                    weight = where_positive(x, broadcast(U[e], lanes), zero)
                if not any_nonzero(weight):
                    continue
                x = where_positive(x, x, zero)
                b0 = indices[e] * size * width
                z = zero
                for c in range(size):
                    z = fma(load(A, a0 + c * width, lanes), load(B, b0 + c * width, lanes), z)
                z = at_least(z, least)
                row_loss = fma(weight, divergence(x, z), row_loss)
                known = div(mul(weight, x), z)
                for c in range(size):
                    b = load(B, b0 + c * width, lanes)
                    store(N, a0 + c * width, fma(known, b, load(N, a0 + c * width, lanes)))
                    store(D, a0 + c * width, fma(weight, b, load(D, a0 + c * width, lanes)))
            store(total, 0, row_loss)
            for lane in range(width):
                loss[lane] += total[lane]

    return divergence_moments
