"""Dispatch of kernels to their forms: compiled with lanes, compiled as scalar code, or NumPy."""

from __future__ import annotations

from contextlib import AbstractContextManager
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.background_descent import compiled_background_rows
from latentlink.kernels.boolean.covering import (
    compiled_boolean_disjoint,
    compiled_boolean_errors,
    compiled_boolean_gains,
    compiled_boolean_optimize,
)
from latentlink.kernels.chunks import add_up, equal_chunks, over_chunks
from latentlink.kernels.completed import compiled_completed_products, compiled_gram_rows
from latentlink.kernels.divergence.divergence_descent import compiled_divergence_rows
from latentlink.kernels.divergence.divergence_moments import compiled_divergence_moments
from latentlink.kernels.extrapolated import compiled_extrapolate
from latentlink.kernels.lanes.compile import PLAIN, mode
from latentlink.kernels.lanes.entry_blocks import BLOCK
from latentlink.kernels.masked_descent import compiled_masked_rows
from latentlink.kernels.moments import compiled_moments, compiled_multiplied_rows
from latentlink.kernels.operands import BiasStep, Coordinates, Lines, Listed, Mirror, aligned
from latentlink.kernels.penalties import compiled_balance, compiled_penalties
from latentlink.kernels.products.summed_descent import compiled_summed_rows, saves_work, summed_scratch
from latentlink.kernels.sums import compiled_gram, compiled_times_gram, compiled_totals

__all__ = [
    "background_rows",
    "balance",
    "boolean_disjoint",
    "boolean_errors",
    "boolean_gains",
    "boolean_optimize",
    "completed_products",
    "divergence_moments",
    "divergence_rows",
    "extrapolate",
    "gram",
    "gram_rows",
    "masked_rows",
    "moments",
    "multiplied_rows",
    "penalties",
    "times_gram",
    "totals",
]

Array = NDArray[Any]

_NO_PARTNERS, _NO_WEIGHTS = np.zeros(1, np.int64), np.zeros((0, 0))


def _lanes(A: Array) -> int:
    return PLAIN if mode() == "plain" else A.shape[2]


def _scratch(listed: Listed, A: Array, vectors: int) -> AbstractContextManager[tuple[Array, ...]]:
    """Lend buffers for the longest row: all coordinates, ``vectors`` numbers per entry, and a total."""
    return _lent(listed, A, (listed.largest_degree * A.shape[1], *[listed.largest_degree] * vectors, 1))


def _lent(listed: Listed, A: Array, counts: tuple[int, ...]) -> AbstractContextManager[tuple[Array, ...]]:
    """Lend buffers for so many numbers of each member."""
    return listed.lent((A.shape[2], A.itemsize, *counts), lambda: _allocated(A, counts))


def _allocated(A: Array, counts: tuple[int, ...]) -> tuple[Array, ...]:
    sizes = [count * A.shape[2] for count in counts]
    line = 64 // A.itemsize  # each buffer begins at a cache line of one allocation
    begins = list(accumulate((-(-size // line) * line for size in sizes), initial=0))
    memory = aligned((begins[-1],), A.dtype)
    return tuple(memory[begin : begin + size] for begin, size in zip(begins, sizes, strict=False))


def _block_scratch(A: Array, vectors: int) -> tuple[Array, ...]:
    """Return buffers for a block of entries, ``vectors`` numbers for each, and one for a total."""
    width = A.shape[2]
    return *(aligned((BLOCK * width,), A.dtype) for _ in range(vectors)), aligned((width,), A.dtype)


def masked_rows(
    listed: Listed,
    A: Array,
    B: Array,
    coordinates: Coordinates,
    cycles: int = 1,
    logistic: bool = False,
    mirror: Mirror | None = None,
) -> Array:
    """Update the rows of A by coordinate descent; return the loss of the data before it for each member.

    With a mirror every pair has to be listed in both directions, which have the same product.
    """
    if mode() == "reference":
        return reference.masked_rows(listed, A, B, coordinates, cycles, logistic, mirror)
    span = (coordinates.first, coordinates.last)
    degree = len(listed.indices) / max(1, len(A))
    if not (logistic or mirror) and saves_work(span[1] - span[0], cycles, degree):
        return _summed_rows(listed, A, B, coordinates, cycles)
    twins = (mirror.partner, mirror.sign) if mirror else (_NO_PARTNERS, coordinates.lower)
    run = compiled_masked_rows(_lanes(A), listed.per_member, logistic, mirror is not None)

    def part(rows: slice, loss: Array) -> None:
        with _scratch(listed, A, 1) as scratch:
            run(
                *listed.entries_of(rows), A[rows], B,
                coordinates.penalty_of(rows), coordinates.lower, span, cycles, twins, scratch, loss,
            )  # fmt: skip

    # A mirrored row is used by the rows after it.
    chunks = (slice(0, len(A)),) if mirror else listed.chunks
    return add_up(part, chunks, A.shape[2:])


def _summed_rows(listed: Listed, A: Array, B: Array, coordinates: Coordinates, cycles: int) -> Array:
    """Update the rows of A by sums of products under squared error; return the loss before it."""
    span = (coordinates.first, coordinates.last)
    run, counts = compiled_summed_rows(_lanes(A), listed.per_member), summed_scratch(span[1] - span[0])

    def part(rows: slice, loss: Array) -> None:
        with _lent(listed, A, counts) as scratch:
            run(
                *listed.entries_of(rows), A[rows], B,
                coordinates.penalty_of(rows), coordinates.lower, span, cycles, scratch, loss,
            )  # fmt: skip

    return add_up(part, listed.chunks, A.shape[2:])


def background_rows(
    listed: Listed,
    A: Array,
    B: Array,
    G: Array,
    base: float | Array,
    coordinates: Coordinates,
    cycles: int = 1,
) -> Array:
    """Update the rows of A by coordinate descent, unlisted zeros included; return the listed loss."""
    if mode() == "reference":
        return reference.background_rows(listed, A, B, G, base, coordinates, cycles)
    span = (coordinates.first, coordinates.last)
    run = compiled_background_rows(_lanes(A), listed.per_member)
    G, bases = G.astype(A.dtype, copy=False), np.full(A.shape[2], base, A.dtype)

    def part(rows: slice, loss: Array) -> None:
        with _scratch(listed, A, 2) as scratch:
            run(
                *listed.entries_of(rows), A[rows], B, G, bases,
                coordinates.penalty_of(rows), coordinates.lower, span, cycles, scratch, loss,
            )  # fmt: skip

    return add_up(part, listed.chunks, A.shape[2:])


def gram(B: Array) -> Array:
    """Return sum_j b_j b_j' of every member, shape (size, size, members), in double precision."""
    if mode() == "reference":
        return reference.gram(B)
    run = compiled_gram(_lanes(B))

    def part(rows: slice, G: Array) -> None:
        run(B[rows], np.empty(B.shape[2], B.dtype), G)

    return add_up(part, equal_chunks(len(B)), (B.shape[1], *B.shape[1:]))


def totals(B: Array) -> Array:
    """Return sum_j b_j of every member, shape (size, members), in double precision."""
    if mode() == "reference":
        return reference.totals(B)
    run = compiled_totals(_lanes(B))

    def part(rows: slice, S: Array) -> None:
        run(B[rows], np.empty(B.shape[2], B.dtype), S)

    return add_up(part, equal_chunks(len(B)), B.shape[1:])


def penalties(A: Array, coordinates: Coordinates, centre: Array) -> tuple[Array, Array]:
    """Return the penalties sum_i (ridge_c + growth_c count_i) (a_ic - centre_c)^2, and their sum.

    Both are in double precision, of shapes (size, members) and (members,); the sum is over the coordinates
    that are updated. A coordinate without a ridge has no penalty, even where its squares overflow.
    """
    if mode() == "reference":
        return reference.penalties(A, coordinates, centre)
    run, span = compiled_penalties(_lanes(A)), (coordinates.first, coordinates.last)
    size, members = A.shape[1:]

    def part(rows: slice, sums: Array) -> None:
        total, S = np.empty(2 * members, A.dtype), sums[1:].reshape(2, size, members)
        run(A[rows], coordinates.penalty_of(rows), centre, span, total, S, sums[0])

    sums = add_up(part, equal_chunks(len(A)), (1 + 2 * size, members))
    return sums[1 : 1 + size], sums[0]


def balance(rows: Array, cols: Array, row_coordinates: Coordinates, col_coordinates: Coordinates) -> None:
    """Rescale rows against columns of each component so that the sum of their penalties around 0 is least.

    Only coordinates that are updated on both sides are rescaled, and of these the penalised ones.
    """
    if mode() == "reference":
        reference.balance(rows, cols, row_coordinates, col_coordinates)
        return
    origin = np.zeros(rows.shape[1:], rows.dtype)
    ours, _ = penalties(rows, row_coordinates, origin)
    theirs, _ = penalties(cols, col_coordinates, origin)
    run, span = compiled_balance(), row_coordinates.shared_span(col_coordinates)
    for of_rows, factors in ((True, rows), (False, cols)):

        def part(chunk: slice, of_rows: bool = of_rows, factors: Array = factors) -> None:
            sides = (factors[chunk], cols[:0]) if of_rows else (rows[:0], factors[chunk])
            run(*sides, ours, theirs, span, np.empty_like(origin))

        over_chunks(part, equal_chunks(len(factors)))


def extrapolate(A: Array, before: Array, beta: Array, lower: Array, first: int) -> None:
    """Replace x by max(lower, x + beta (x - before)), and ``before`` by x, from coordinate ``first`` on.

    ``before`` has the coordinates that are extrapolated, ``lower`` has all, and ``beta`` is one number for
    each member in the precision of A.
    """
    if mode() == "reference":
        reference.extrapolate(A, before, beta, lower, first)
        return
    run = compiled_extrapolate()
    over_chunks(lambda rows: run(A[rows], before[rows], beta, lower, first), equal_chunks(len(A)))


def times_gram(A: Array, G: Array) -> Array:
    """Return A G of every member, of the shape of A."""
    if mode() == "reference":
        return reference.times_gram(A, G)
    P, G = aligned(A.shape, A.dtype), G.astype(A.dtype, copy=False)
    run = compiled_times_gram(_lanes(A))
    over_chunks(lambda rows: run(A[rows], G, P[rows]), equal_chunks(len(A)))
    return P


def completed_products(
    listed: Listed,
    A: Array,
    B: Array,
    G: Array,
    base: float | Array,
    bounds: tuple[float, float] | None = None,
) -> tuple[Array, Array]:
    """Return P = Y B for the completed matrix Y, and the listed loss; ``bounds`` make the targets Boolean.

    The weight ``base`` of unlisted entries is one number for all members or one for each.
    """
    if mode() == "reference":
        return reference.completed_products(listed, A, B, G, base, bounds)
    P, limits = aligned(A.shape, A.dtype), np.array(bounds or (0, 0), A.dtype)
    G, bases = G.astype(A.dtype, copy=False), np.full(A.shape[2], base, A.dtype)
    run = compiled_completed_products(_lanes(A), listed.per_member, bounds is not None)

    def part(rows: slice, loss: Array) -> None:
        run(*listed.entries_of(rows), A[rows], B, G, bases, limits, P[rows], _block_scratch(A, 1), loss)

    return P, add_up(part, listed.chunks, A.shape[2:])


def gram_rows(P: Array, G: Array, A: Array, coordinates: Coordinates, cycles: int = 1) -> None:
    """Update the rows of A by descent on |Y - A B'|^2 + ridge |A|^2, given P = Y B and G = B'B."""
    if mode() == "reference":
        reference.gram_rows(P, G, A, coordinates, cycles)
        return
    run, G = compiled_gram_rows(_lanes(A)), G.astype(A.dtype, copy=False)
    settings = (coordinates.ridge, coordinates.lower, cycles)
    over_chunks(lambda rows: run(P[rows], G, A[rows], *settings), equal_chunks(len(A)))


def moments(listed: Listed, A: Array, B: Array, G: Array, base: float | Array) -> tuple[Array, Array, Array]:
    """Return N = sum u x b, D = sum (u - base) z b + base A G, and the listed loss."""
    if mode() == "reference":
        return reference.moments(listed, A, B, G, base)
    N, D = aligned(A.shape, A.dtype), aligned(A.shape, A.dtype)
    G, bases = G.astype(A.dtype, copy=False), np.full(A.shape[2], base, A.dtype)
    run = compiled_moments(_lanes(A), listed.per_member)

    def part(rows: slice, loss: Array) -> None:
        run(*listed.entries_of(rows), A[rows], B, G, bases, N[rows], D[rows], _block_scratch(A, 2), loss)

    return N, D, add_up(part, listed.chunks, A.shape[2:])


def divergence_moments(
    listed: Listed, A: Array, B: Array, S: Array, base: float | Array, floor: Array
) -> tuple[Array, Array, Array]:
    """Return N = sum u x / z b and D = sum (u - base) b + base S under the divergence, and the loss.

    ``S`` are the totals of B, and z is at least the ``floor`` of a member. The loss is that of all entries,
    the unlisted zeros of weight ``base`` included.
    """
    if mode() == "reference":
        return reference.divergence_moments(listed, A, B, S, base, floor)
    N, D = aligned(A.shape, A.dtype), aligned(A.shape, A.dtype)
    of_members = S.astype(A.dtype), np.full(A.shape[2], base, A.dtype), floor.astype(A.dtype)
    run = compiled_divergence_moments(_lanes(A), listed.per_member)

    def part(rows: slice, loss: Array) -> None:
        total = np.empty(A.shape[2], A.dtype)
        run(*listed.entries_of(rows), A[rows], B, *of_members, N[rows], D[rows], total, loss)

    return N, D, add_up(part, listed.chunks, A.shape[2:])


def divergence_rows(
    listed: Listed, A: Array, B: Array, S: Array, base: float | Array, floor: Array, cycles: int = 1
) -> Array:
    """Update the rows of A >= 0 by coordinate descent on the divergence; return the loss before it.

    The arguments are those of `divergence_moments`. With 0 cycles nothing is updated.
    """
    if mode() == "reference":
        return reference.divergence_rows(listed, A, B, S, base, floor, cycles)
    of_members = S.astype(A.dtype), np.full(A.shape[2], base, A.dtype), floor.astype(A.dtype)
    run = compiled_divergence_rows(_lanes(A), listed.per_member)

    def part(rows: slice, loss: Array) -> None:
        with _scratch(listed, A, 2) as scratch:
            slopes = np.empty(A.shape[1:], A.dtype)
            run(*listed.entries_of(rows), A[rows], B, *of_members, cycles, scratch, slopes, loss)

    return add_up(part, listed.chunks, A.shape[2:])


def multiplied_rows(
    N: Array, D: Array, A: Array, coordinates: Coordinates, bias: BiasStep | None = None
) -> None:
    """Multiply A by max(N, 0) / (D + pull A) where that is positive; pull (a - centre)^2 is the penalty.

    With a ``bias``, its coordinate takes a gradient step instead, and the one at the other end is constant.
    """
    if mode() == "reference":
        reference.multiplied_rows(N, D, A, coordinates, bias)
        return
    run = compiled_multiplied_rows(bias is not None)

    def part(rows: slice) -> None:
        step = (bias.coordinate, bias.rate, bias.weight[rows]) if bias else (0, 0.0, _NO_WEIGHTS)
        run(N[rows], D[rows], A[rows], coordinates.penalty_of(rows), *step)

    over_chunks(part, equal_chunks(len(A)))


def boolean_gains(partners: Lines, ours: Array, theirs: Array, c: int) -> Array:
    """Return the gain of including each line in component c; ``partners`` are the lines of the other side."""
    if mode() == "reference":
        return reference.boolean_gains(partners, ours, theirs, c)
    gain = np.empty(len(ours))
    compiled_boolean_gains()(partners, ours, theirs, c, np.empty(theirs.shape[1], np.uint64), gain)
    return gain


def boolean_optimize(
    sides: tuple[Lines, Lines],
    patterns: tuple[Array, Array],
    noise: tuple[Array, Array],
    rank: int,
    rounds: int,
) -> None:
    """Include rows and columns whose gain exceeds ``noise`` and exclude others, component by component."""
    if mode() == "reference":
        reference.boolean_optimize(sides, patterns, noise, rank, rounds)
        return
    pattern, gains = (
        np.empty(patterns[0].shape[1], np.uint64),
        tuple(np.empty(len(each)) for each in patterns),
    )
    compiled_boolean_optimize()(*sides, *patterns, noise, rank, pattern, gains, rounds)


def boolean_errors(lines: Lines, ours: Array, theirs: Array) -> tuple[Array, Array, Array]:
    """Return for each line the weights of its uncovered ones and covered zeros, and its covered entries."""
    if mode() == "reference":
        return reference.boolean_errors(lines, ours, theirs)
    missed, wrong, covered = np.empty(len(ours)), np.empty(len(ours)), np.empty(len(ours), np.int64)
    compiled_boolean_errors()(lines, ours, theirs, missed, wrong, covered)
    return missed, wrong, covered


def boolean_disjoint(patterns: Array, others: Array, sizes: Array) -> Array:
    """Return for each pattern how many others share no component with it, the q-th counted sizes[q] times."""
    if mode() == "reference":
        return reference.boolean_disjoint(patterns, others, sizes)
    total = np.empty(len(patterns), np.int64)
    compiled_boolean_disjoint()(patterns, others, sizes, total)
    return total
