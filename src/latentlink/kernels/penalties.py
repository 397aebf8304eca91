"""Penalties of the coordinates of a factor, and the scale of two factors at which they are least.

They are compiled not only for speed: NumPy adds in an order that depends on the shape of its arrays, and the
sums of a member must not depend on how many members are in its batch.
"""

from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.vector import broadcast, fma, load, mul, store, sub
from latentlink.kernels.sums import BLOCK

__all__ = ["compiled_balance", "compiled_penalties"]


@cache
def compiled_penalties(lanes):
    """Return the kernel that writes sum_i (ridge_c + growth_c count_i) (a_ic - centre_c)^2 to ``S[0]``.

    ``S``, shape (2, size, lanes), is 0 before, and ``total`` is a buffer of two vectors. The penalties of the
    coordinates in a ``span`` are added to ``loss``. A coordinate without a ridge has no penalty even where
    its squares overflow.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def penalties(A, penalty, centre, span, total, S, loss):
        _ = edition
        n, size = A.shape[0], A.shape[1]
        ridge, growth, counts, step_of_counts, _ = penalty
        zero = broadcast(A.dtype.type(0), lanes)
        for begin in range(0, n, BLOCK):
            for c in range(size):
                origin = load(centre, c * width, lanes)
                plain = zero
                counted = zero
                for i in range(begin, min(n, begin + BLOCK)):
                    away = sub(load(A, (i * size + c) * width, lanes), origin)
                    plain = fma(away, away, plain)
                    if step_of_counts > 0:
                        counted = fma(mul(load(counts, i * step_of_counts, lanes), away), away, counted)
                store(total, 0, plain)
                store(total, width, counted)
                for lane in range(width):
                    S[0, c, lane] += total[lane]
                    S[1, c, lane] += total[width + lane]
        for c in range(size):
            for lane in range(width):
                S[0, c, lane] = ridge[c, lane] * S[0, c, lane] if ridge[c, lane] > 0 else 0.0
                if step_of_counts > 0:
                    S[0, c, lane] += growth[c, lane] * S[1, c, lane]
        for c in range(span[0], span[1]):
            for lane in range(width):
                loss[lane] += S[0, c, lane]

    return penalties


@cache
def compiled_balance():
    """Return the kernel that multiplies rows and divides columns by (theirs / ours)^(1/4) in a span.

    ``ours`` and ``theirs`` are their penalties, shape (size, members); where either is 0, nothing changes.
    ``scale`` is a buffer of that shape in the precision of the factors.
    """
    edition = EDITION

    @kernel
    def balance(rows, cols, ours, theirs, span, scale):
        _ = edition
        first, last = span
        members = rows.shape[2]
        for c in range(first, last):
            for lane in range(members):
                both = ours[c, lane] > 0 and theirs[c, lane] > 0
                # Square roots are rounded alike on all hosts; powers need not be.
                scale[c, lane] = np.sqrt(np.sqrt(theirs[c, lane] / ours[c, lane])) if both else 1.0
        for i in range(len(rows)):
            for c in range(first, last):
                for lane in range(members):
                    rows[i, c, lane] *= scale[c, lane]
        for j in range(len(cols)):
            for c in range(first, last):
                for lane in range(members):
                    cols[j, c, lane] /= scale[c, lane]

    return balance
