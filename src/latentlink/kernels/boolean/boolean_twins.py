"""Kernels of Boolean factors in plain NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.operands import Lines

__all__ = ["boolean_disjoint", "boolean_errors", "boolean_gains", "boolean_optimize"]

Array = NDArray[Any]


def boolean_gains(partners: Lines, ours: Array, theirs: Array, c: int) -> Array:
    """Return the gain of including each line in component c; ``partners`` are the lines of the other side."""
    indptr, indices, signed = partners
    of_partner = np.repeat(np.arange(len(theirs)), np.diff(indptr))
    bit = np.zeros(theirs.shape[1], np.uint64)
    bit[c // 64] = np.uint64(1) << np.uint64(c % 64)
    contained: Array = np.asarray((theirs & bit).any(axis=1))
    uncovered = contained[of_partner] & ~_covered(indices, of_partner, ours, theirs & ~bit)
    # Without entries, bincount returns integers.
    return np.bincount(indices, signed * uncovered, len(ours)).astype(np.float64)


def _covered(lines: Array, partners: Array, ours: Array, theirs: Array) -> Array:
    """Return which entries have a component of both their line and its partner."""
    return np.asarray((ours[lines] & theirs[partners]).any(axis=1))


def boolean_optimize(
    sides: tuple[Lines, Lines],
    patterns: tuple[Array, Array],
    noise: tuple[Array, Array],
    rank: int,
    rounds: int,
) -> None:
    """Include rows and columns whose gain exceeds ``noise`` and exclude others, component by component."""
    for _ in range(rounds):
        before = [each.copy() for each in patterns]
        for c in range(rank):
            word, bit = c // 64, np.uint64(1) << np.uint64(c % 64)
            for side in (0, 1):
                gain = boolean_gains(sides[1 - side], patterns[side], patterns[1 - side], c)
                of_component = patterns[side][:, word]
                of_component[:] = np.where(gain > noise[side], of_component | bit, of_component & ~bit)
        if all(np.array_equal(*pair) for pair in zip(before, patterns, strict=True)):
            break


def boolean_errors(lines: Lines, ours: Array, theirs: Array) -> tuple[Array, Array, Array]:
    """Return for each line the weights of its uncovered ones and covered zeros, and its covered entries."""
    indptr, indices, signed = lines
    of_line = np.repeat(np.arange(len(ours)), np.diff(indptr))
    covered = _covered(of_line, indices, ours, theirs)
    missed = np.bincount(of_line, np.where(covered, 0, np.maximum(signed, 0)), len(ours))
    wrong = np.bincount(of_line, np.where(covered, np.maximum(-signed, 0), 0), len(ours))
    return (
        missed.astype(np.float64),
        wrong.astype(np.float64),
        np.bincount(of_line[covered], minlength=len(ours)),
    )


def boolean_disjoint(patterns: Array, others: Array, sizes: Array) -> Array:
    """Return for each pattern how many others share no component with it, the q-th counted sizes[q] times."""
    return np.array([sizes[~(others & pattern).any(axis=1)].sum() for pattern in patterns], np.int64)
