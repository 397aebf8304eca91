"""Coordinate descent on lines whose entries are elsewhere, by the sums over them.

The steps are those of `masked_descent` and `background_descent`. With unlisted zeros of weight ``base`` the
Gram matrix of all partners times that weight is added to the sums, and a difference below the rounding error
of its two terms is treated as 0.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.chunks import equal_chunks, over_chunks
from latentlink.kernels.lanes.compile import EDITION, PLAIN, kernel, mode
from latentlink.kernels.lanes.vector import (
    add,
    at_least,
    broadcast,
    div,
    fma,
    fnma,
    load,
    mul,
    store,
    sub,
    where_positive,
)
from latentlink.kernels.operands import Coordinates, Unlisted, aligned
from latentlink.kernels.products.line_twins import summed_lines as twin

__all__ = ["compiled_summed_lines", "summed_lines"]

Array = NDArray[Any]


@cache
def compiled_summed_lines(lanes: int) -> Any:
    """Return the kernel that updates each line of ``A`` by its sums ``S``, see `summed_lines`.

    ``scratch`` is (matrix, slope): room for G and q of a line.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def summed_lines(S, A, G, base, degrees, penalty, lower, span, cycles, scratch):
        _ = edition
        size = A.shape[1]
        first, last = span
        free = last - first
        pairs = free * (free + 1) // 2
        ridge, growth, counts, step_of_counts, centre = penalty
        matrix, slope = scratch
        zero = broadcast(A.dtype.type(0), lanes)
        rest = load(base, 0, lanes)
        precision = np.finfo(A.dtype).eps
        for i in range(len(A)):
            a0, s0 = i * size * width, i * (pairs + free)
            count = load(counts, i * step_of_counts, lanes)
            noise = broadcast(A.dtype.type(precision * (16.0 + 4.0 * np.sqrt(degrees[i]))), lanes)
            for c in range(free):
                g0 = (first + c) * size
                q = load(S, (s0 + pairs + c) * width, lanes)
                for d in range(size):
                    all_pairs = mul(rest, load(G, (g0 + d) * width, lanes))
                    q = fnma(load(A, a0 + d * width, lanes), all_pairs, q)
                store(slope, c * width, q)
                for d in range(c + 1):
                    listed = load(S, (s0 + c * (c + 1) // 2 + d) * width, lanes)
                    both = fma(rest, load(G, (g0 + first + d) * width, lanes), listed)
                    store(matrix, (c * free + d) * width, both)
                    store(matrix, (d * free + c) * width, both)
            for _cycle in range(cycles):
                for c in range(free):
                    all_den = mul(rest, load(G, ((first + c) * size + first + c) * width, lanes))
                    den = load(matrix, (c * free + c) * width, lanes)
                    significant = fnma(noise, all_den, den)
                    num = where_positive(significant, load(slope, c * width, lanes), zero)
                    den = where_positive(significant, den, zero)
                    a = a0 + (first + c) * width
                    old = load(A, a, lanes)
                    g = (first + c) * width
                    pull = fma(count, load(growth, g, lanes), load(ridge, g, lanes))
                    num = fma(pull, load(centre, g, lanes), fma(old, den, num))
                    den = add(den, pull)
                    new = at_least(div(num, den), broadcast(lower[first + c], lanes))
                    new = where_positive(den, new, old)
                    store(A, a, new)
                    step = sub(new, old)
                    for d in range(free):
                        q = fnma(
                            step, load(matrix, (c * free + d) * width, lanes), load(slope, d * width, lanes)
                        )
                        store(slope, d * width, q)

    return summed_lines


def summed_lines(
    S: Array,
    A: Array,
    coordinates: Coordinates,
    cycles: int,
    degrees: Array,
    unlisted: Unlisted | None = None,
) -> None:
    """Update the lines of A by coordinate descent, given the sums over their entries.

    Parameters
    ----------
    S : array, shape (lines, k (k + 1) / 2 + k, members)
        Sums of all parts of the lines, from `line_sums` with the same A and the same background.
    A : array, shape (lines, size, members)
    coordinates : Coordinates
    cycles : int
    degrees : array of int, shape (lines,)
        Number of listed entries of each line, by which rounding errors grow.
    unlisted : Unlisted, optional
        Weight of unlisted zeros, and the Gram matrix of all partners.
    """
    if mode() == "reference":
        twin(S, A, coordinates, cycles, degrees, unlisted)
        return
    members, free = A.shape[2], coordinates.last - coordinates.first
    rest = unlisted or Unlisted(0.0, np.zeros((*A.shape[1:2], *A.shape[1:])))
    G, base = np.ascontiguousarray(rest.gram, A.dtype), np.full(members, rest.weight, A.dtype)
    run = compiled_summed_lines(PLAIN if mode() == "plain" else members)
    span = (coordinates.first, coordinates.last)

    def part(rows: slice) -> None:
        scratch = aligned((free * free * members,), A.dtype), aligned((free * members,), A.dtype)
        run(
            S[rows], A[rows], G, base, degrees[rows],
            coordinates.penalty_of(rows), coordinates.lower, span, cycles, scratch,
        )  # fmt: skip

    over_chunks(part, equal_chunks(len(A)))
