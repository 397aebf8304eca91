"""The two sums that multiplicative and gradient updates consist of.

    N_c = sum_listed u x b_c,   D_c = sum_listed (u - base) z b_c + base (a G)_c,

so that D - N is half the gradient of the loss of the data, with unlisted zeros of weight ``base``.
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import broadcast, fma, fnma, load, mul, store, sub, where_known

__all__ = ["compiled_moments"]


@cache
def compiled_moments(lanes, per_member):
    """Return the kernel that writes ``N`` and ``D``, of the shape of ``A``, and adds the listed loss."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def moments(indptr, indices, X, U, A, B, G, base, N, D, total, loss):
        _ = edition
        size = A.shape[1]
        zero = broadcast(A.dtype.type(0), lanes)
        rest = load(base, 0, lanes)
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
            for e in range(indptr[i], indptr[i + 1]):
                b0 = indices[e] * size * width
                x = load(X, e * width, lanes)
                if per_member:
                    weight = where_known(x, load(U, e * width, lanes), zero)
                else:
                    weight = where_known(x, broadcast(U[e], lanes), zero)
                x = where_known(x, x, zero)
                z = zero
                for c in range(size):
                    z = fma(load(A, a0 + c * width, lanes), load(B, b0 + c * width, lanes), z)
                known = mul(weight, x)
                fitted = mul(sub(weight, rest), z)
                for c in range(size):
                    b = load(B, b0 + c * width, lanes)
                    store(N, a0 + c * width, fma(known, b, load(N, a0 + c * width, lanes)))
                    store(D, a0 + c * width, fma(fitted, b, load(D, a0 + c * width, lanes)))
                error = sub(x, z)
                row_loss = fma(mul(weight, error), error, row_loss)
                row_loss = fnma(mul(rest, z), z, row_loss)
            store(total, 0, row_loss)
            for lane in range(width):
                loss[lane] += total[lane]

    return moments
