"""Products of the features of nodes with their factors, and with coefficients, one member a lane.

They are compiled for speed, and so that the bits of a member do not depend on the others (see `sums`).
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import broadcast, fma, load, store

__all__ = ["compiled_feature_sums", "compiled_feature_terms"]

_BLOCK = 32  # nodes summed in the precision of the factors; blocks are summed in double precision


@cache
def compiled_feature_sums(lanes, shared):
    """Return the kernel that adds sum_i f_i a_i' of every member to ``S`` (features, size, lanes) in float64.

    ``F`` has the shape (nodes, features) if ``shared`` by the members, otherwise (nodes, features, lanes).
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def feature_sums(F, A, total, S):
        _ = edition
        nodes, size = A.shape[0], A.shape[1]
        count = F.shape[1]
        zero = broadcast(A.dtype.type(0), lanes)
        for begin in range(0, nodes, _BLOCK):
            end = min(nodes, begin + _BLOCK)
            for f in range(count):
                # Two coordinates at once; the last is done twice if their number is odd.
                for c in range(0, size, 2):
                    d = min(c + 1, size - 1)
                    first, second = zero, zero
                    for i in range(begin, end):
                        here = i * count + f
                        feature = broadcast(F[i, f], lanes) if shared else load(F, here * width, lanes)
                        first = fma(feature, load(A, (i * size + c) * width, lanes), first)
                        second = fma(feature, load(A, (i * size + d) * width, lanes), second)
                    store(total, 0, first)
                    store(total, width, second)
                    for lane in range(width):
                        S[f, c, lane] += total[lane]
                        if d > c:
                            S[f, d, lane] += total[width + lane]

    return feature_sums


@cache
def compiled_feature_terms(lanes, shared):
    """Return the kernel that writes linear_c + sum_f F_if C_fc to ``out``, shape (nodes, free, lanes)."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def feature_terms(F, C, linear, out):
        _ = edition
        nodes, free = out.shape[0], out.shape[1]
        count = F.shape[1]
        for i in range(nodes):
            for c in range(free):
                term = load(linear, c * width, lanes)
                for f in range(count):
                    here = i * count + f
                    feature = broadcast(F[i, f], lanes) if shared else load(F, here * width, lanes)
                    term = fma(feature, load(C, (f * free + c) * width, lanes), term)
                store(out, (i * free + c) * width, term)

    return feature_terms
