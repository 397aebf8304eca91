"""Multiplicative and gradient updates, and the two sums that they consist of.

    N_c = sum_listed u x b_c,   D_c = sum_listed (u - base) z b_c + base (a G)_c,

so that D - N is half the gradient of the loss of the data, with unlisted zeros of weight ``base``.
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.entry_blocks import BLOCK, add_products, fitted_entries
from latentlink.kernels.lanes.vector import broadcast, fma, fnma, load, mul, store, sub, where_known

__all__ = ["compiled_moments", "compiled_multiplied_rows"]


@cache
def compiled_moments(lanes, per_member):
    """Return the kernel that writes ``N`` and ``D``, of the shape of ``A``, and adds the listed loss.

    ``scratch`` is (known, fitted, total): memory for two numbers of each entry of a block, and for one.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def moments(indptr, indices, X, U, A, B, G, base, N, D, scratch, loss):
        _ = edition
        size = A.shape[1]
        zero = broadcast(A.dtype.type(0), lanes)
        rest = load(base, 0, lanes)
        known, fitted, total = scratch
        for i in range(len(indptr) - 1):
            a0 = i * size * width
            row_loss = zero
            for c in range(size):
                product = zero
                for d in range(size):
                    product = fma(
                        load(A, a0 + d * width, lanes), load(G, (c * size + d) * width, lanes), product
                    )
                store(N, a0 + c * width, zero)
                store(D, a0 + c * width, mul(rest, product))
            for first in range(indptr[i], indptr[i + 1], BLOCK):
                last = min(first + BLOCK, indptr[i + 1])
                fitted_entries(A, a0, B, indices, first, last, width, zero, fitted)
                for e in range(first, last):
                    x = load(X, e * width, lanes)
                    if per_member:
                        weight = where_known(x, load(U, e * width, lanes), zero)
                    else:
                        weight = where_known(x, broadcast(U[e], lanes), zero)
                    x = where_known(x, x, zero)
                    z = load(fitted, (e - first) * width, lanes)
                    store(known, (e - first) * width, mul(weight, x))
                    store(fitted, (e - first) * width, mul(sub(weight, rest), z))
                    error = sub(x, z)
                    row_loss = fma(mul(weight, error), error, row_loss)
                    row_loss = fnma(mul(rest, z), z, row_loss)
                add_products(known, B, indices, first, last, width, zero, N, a0)
                add_products(fitted, B, indices, first, last, width, zero, D, a0)
            store(total, 0, row_loss)
            for lane in range(width):
                loss[lane] += total[lane]

    return moments


@cache
def compiled_multiplied_rows(biased):
    """Return the kernel that updates A <- A max(N, 0) / (D + pull A), where that is positive.

    A coordinate that fades away becomes 0 below 1e-18 (1e-150 in double precision): it would approach 0 for
    ever, and products with numbers below the normal range take ten times as long.

    The penalty of a coordinate is pull (a - centre)^2. If the factor is ``biased``, its coordinate ``bias``
    takes a gradient step instead (`BiasStep`), and the coordinate at the other end is constant.
    """
    edition = EDITION

    @kernel
    def multiplied_rows(N, D, A, penalty, bias, rate, weight):
        _ = edition
        n, size, members = A.shape
        ridge, growth, counts, step_of_counts, centre = penalty
        zero = A.dtype.type(0)
        least = A.dtype.type(1e-18 if A.itemsize == 4 else 1e-150)
        first, last = (1, size - 1) if biased else (0, size)
        for i in range(n):
            node = i if step_of_counts > 0 else 0
            for c in range(first, last):
                for lane in range(members):
                    a = A[i, c, lane]
                    pull = ridge[c, lane] + growth[c, lane] * counts[node, lane]
                    den = D[i, c, lane] + pull * a
                    num = zero if N[i, c, lane] < zero else N[i, c, lane]
                    # The product first: a coordinate of 0 stays 0 however small the denominator is.
                    new = a * num / den
                    new = zero if new < least else new
                    A[i, c, lane] = new if den > zero else a
            if biased:
                for lane in range(members):
                    a = A[i, bias, lane]
                    pull = ridge[bias, lane] + growth[bias, lane] * counts[node, lane]
                    # The partner of a bias is a column of ones, so its moments are sums over known entries.
                    descent = N[i, bias, lane] - D[i, bias, lane] - pull * (a - centre[bias, lane])
                    step = descent / weight[i, lane] if weight[i, lane] > 0 else 0.0
                    A[i, bias, lane] = a + A.dtype.type(rate * step)

    return multiplied_rows
