"""Values of a quadratic form at many points, in batches that fit into the cache."""

from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import EDITION, kernel

__all__ = ["compiled_quadratic_form"]

_BATCH = 64  # points whose numbers stay in the first-level cache


@cache
def compiled_quadratic_form():
    """Return the kernel of `latentlink.kernels.quadratic_form`."""
    edition = EDITION

    @kernel
    def quadratic_form(columns, centre, scale, low, high, constant, slopes, products, value):
        _ = edition
        count, points = columns.shape
        z, inside = np.empty((count, _BATCH)), np.empty((count, _BATCH))
        pull, total = np.empty(_BATCH), np.empty(_BATCH)
        for begin in range(0, points, _BATCH):
            n = min(_BATCH, points - begin)
            for f in range(count):
                for p in range(n):
                    z[f, p] = (columns[f, begin + p] - centre[f]) / scale[f]
                    inside[f, p] = min(max(z[f, p], low[f]), high[f])
            total[:n] = constant
            for f in range(count):
                pull[:n] = 0.0
                for g in range(count):
                    for p in range(n):
                        pull[p] += products[f, g] * inside[g, p]
                for p in range(n):
                    total[p] += slopes[f] * z[f, p] + (2 * z[f, p] - inside[f, p]) * pull[p]
            value[begin : begin + n] = total[:n]

    return quadratic_form
