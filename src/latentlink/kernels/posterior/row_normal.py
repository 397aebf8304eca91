"""A draw of the free coordinates of a row given the sums over its entries: all at once, or one by one."""

from latentlink.kernels.lanes.compile import helper
from latentlink.kernels.lanes.vector import (
    add,
    div,
    fma,
    fnma,
    like,
    load_like,
    mul,
    root,
    store,
    where_positive,
)
from latentlink.kernels.posterior.row_sums import padded
from latentlink.kernels.posterior.truncated import truncated_normal

__all__ = ["draw_nonnegative", "draw_normal"]


@helper
def draw_normal(P, row, scale, prior, normals, span):
    """Draw the free coordinates of a row with standard normal numbers; the sums are overwritten.

    Parameters
    ----------
    P : array
        Sums of `row_sums`, which times ``scale`` are the data's part of precision and linear term.
    row : array, shape (size, lanes)
        All coordinates of the row, of which ``span`` = (first, last, width) are replaced.
    scale : vector
    prior : (array, array)
        Precision and linear term of the prior.
    normals : array
    span : (int, int, int)
    """
    first, last, width = span
    L, mean_term = prior
    free = last - first
    wide, _ = padded(free)
    p = free * wide * width
    # Cholesky factorization in place, with the inverse of the diagonal, and C^-1 (P mean).
    for c in range(free):
        linear = fma(scale, load_like(P, p + c * width, scale), load_like(mean_term, c * width, scale))
        for d in range(c):
            s = load_like(L, (c * free + d) * width, scale)
            s = fma(scale, load_like(P, (c * wide + d) * width, scale), s)
            for f in range(d):
                s = fnma(
                    load_like(P, (c * wide + f) * width, scale),
                    load_like(P, (d * wide + f) * width, scale),
                    s,
                )
            s = mul(s, load_like(P, (d * wide + d) * width, scale))
            store(P, (c * wide + d) * width, s)
            linear = fnma(s, load_like(P, p + d * width, scale), linear)
        own = load_like(L, (c * free + c) * width, scale)
        s = fma(scale, load_like(P, (c * wide + c) * width, scale), own)
        for f in range(c):
            r = load_like(P, (c * wide + f) * width, scale)
            s = fnma(r, r, s)
        # P is at least the prior's; where rounding says otherwise, its own diagonal takes over.
        s = where_positive(s, s, own)
        inverse = div(like(1.0, scale), root(s))
        store(P, (c * wide + c) * width, inverse)
        store(P, p + c * width, mul(linear, inverse))
    for c in range(free - 1, -1, -1):
        s = add(load_like(P, p + c * width, scale), load_like(normals, c * width, scale))
        for d in range(c + 1, free):
            s = fnma(
                load_like(P, (d * wide + c) * width, scale),
                load_like(row, (first + d) * width, scale),
                s,
            )
        store(row, (first + c) * width, mul(s, load_like(P, (c * wide + c) * width, scale)))


@helper
def draw_nonnegative(P, row, scale, rates, uniforms, span, lane_buffers):
    """Draw the free coordinates of a row, one after the other, each >= 0, in several cycles.

    Parameters
    ----------
    P, row, scale, span
        As for `draw_normal`; the sums are made symmetric.
    rates : array
        Linear term of the prior: minus the rate of each coordinate.
    uniforms : array, shape (cycles, free, lanes)
    lane_buffers : (array, array)
        Room for a number of each lane.
    """
    first, last, width = span
    linear, precision = lane_buffers
    free = last - first
    wide, _ = padded(free)
    p = free * wide * width
    for c in range(free):
        for d in range(c):
            store(P, (d * wide + c) * width, load_like(P, (c * wide + d) * width, scale))
    for cycle in range(uniforms.shape[0]):
        for c in range(free):
            pull = load_like(P, p + c * width, scale)
            for d in range(free):
                if d != c:
                    pull = fnma(
                        load_like(P, (c * wide + d) * width, scale),
                        load_like(row, (first + d) * width, scale),
                        pull,
                    )
            store(linear, 0, fma(scale, pull, load_like(rates, c * width, scale)))
            store(precision, 0, mul(scale, load_like(P, (c * wide + c) * width, scale)))
            for lane in range(width):
                row[first + c, lane] = truncated_normal(
                    precision[lane], linear[lane], uniforms[cycle, c, lane]
                )
