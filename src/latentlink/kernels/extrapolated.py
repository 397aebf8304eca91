"""Extrapolation of a factor along its last step: y = max(lower, x + beta (x - before))."""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel

__all__ = ["compiled_extrapolate"]


@cache
def compiled_extrapolate():
    """Return the kernel that replaces x by y in a span of coordinates, and ``before`` by x.

    ``before`` has the coordinates of the span alone, and ``beta`` one coefficient for each member.
    """
    edition = EDITION

    @kernel
    def extrapolate(A, before, beta, lower, first):
        _ = edition
        nodes, size, members = before.shape
        for i in range(nodes):
            for c in range(size):
                bound = lower[first + c]
                for lane in range(members):
                    x = A[i, first + c, lane]
                    y = x + beta[lane] * (x - before[i, c, lane])
                    before[i, c, lane] = x
                    A[i, first + c, lane] = bound if bound > y else y

    return extrapolate
