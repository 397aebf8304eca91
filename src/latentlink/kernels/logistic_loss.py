"""The cross-entropy of listed links, without any update."""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import broadcast, fma, load, store, where_known
from latentlink.kernels.logistic import logistic_parts

__all__ = ["compiled_logistic_loss"]


@cache
def compiled_logistic_loss(lanes, per_member, mirror):
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
