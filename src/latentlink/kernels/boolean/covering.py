"""Greedy descent on Boolean factors: gains of rows and columns, errors, patterns without a common component.

A Boolean model predicts 1 where some component contains both row and column. The pattern of a row or column
is the set of its components, 64 to a word: component c is bit c % 64 of word c // 64. An entry is covered if
the patterns of its row and its column have a bit in common. Including row i in component c lowers the
weighted error by

    gain_i = sum over known j in c that no other component covers,  signed_ij,

where ``signed`` is the weight of a known one and minus the weight of a known zero. So given the columns the
best rows are those of positive gain, and the best threshold on a ranking of rows is where the cumulative sum
of their gains is largest. Lines are rows or columns, compressed; ``signed`` is in their order.

Unlisted zeros are not enumerated: the number of them that row i would predict wrongly is the number of
columns of c that share no other component with the row, counted once for each pattern.

All indices are unsigned: those of numba's signed integers may count from the end, which is checked at every
access and makes these loops three times as slow.
"""

from functools import cache

import numpy as np

from latentlink.kernels.lanes.compile import EDITION, helper, kernel

__all__ = [
    "compiled_boolean_disjoint",
    "compiled_boolean_errors",
    "compiled_boolean_gains",
    "compiled_boolean_optimize",
]


@helper
def add_gains(partners, ours, theirs, c, pattern, gain):
    """Write the gain of each line; ``partners`` are the lines of the other side, with their weights."""
    indptr, indices, signed = partners
    word, bit = np.uint64(c // 64), np.uint64(1) << np.uint64(c % 64)
    words = np.uint64(theirs.shape[1])
    gain[:] = 0.0
    for j in range(np.uint64(len(theirs))):
        if theirs[j, word] & bit:
            pattern[:] = theirs[j]
            pattern[word] ^= bit
            first = pattern[0]
            for e in range(np.uint64(indptr[j]), np.uint64(indptr[j + np.uint64(1)])):
                i = np.uint64(indices[e])
                shared = ours[i, np.uint64(0)] & first
                for w in range(np.uint64(1), words):
                    shared |= ours[i, w] & pattern[w]
                # Both are computed, since which entries are covered is hard to predict.
                before, after = gain[i], gain[i] + signed[e]
                gain[i] = before if shared else after


@helper
def include(ours, c, gain, noise):
    """Include the lines of a gain above the noise and exclude others; return how many changed."""
    word, shift, changes = np.uint64(c // 64), np.uint64(c % 64), 0
    for i in range(np.uint64(len(ours))):
        included = np.uint64(gain[i] > noise[i])
        changed = included ^ ((ours[i, word] >> shift) & np.uint64(1))
        ours[i, word] ^= changed << shift
        changes += 1 if changed else 0
    return changes


@cache
def compiled_boolean_gains():
    """Return the kernel that writes the gain of including each line in component ``c``."""
    edition = EDITION

    @kernel
    def boolean_gains(partners, ours, theirs, c, pattern, gain):
        _ = edition
        add_gains(partners, ours, theirs, c, pattern, gain)

    return boolean_gains


@cache
def compiled_boolean_optimize():
    """Return the kernel that includes lines of positive gain and excludes others until nothing changes."""
    edition = EDITION

    @kernel
    def boolean_optimize(rows, cols, ours, theirs, noise, rank, pattern, gains, rounds):
        _ = edition
        for _round in range(rounds):
            changes = 0
            for c in range(rank):
                add_gains(cols, ours, theirs, c, pattern, gains[0])
                changes += include(ours, c, gains[0], noise[0])
                add_gains(rows, theirs, ours, c, pattern, gains[1])
                changes += include(theirs, c, gains[1], noise[1])
            if changes == 0:
                break

    return boolean_optimize


@cache
def compiled_boolean_errors():
    """Return the kernel that writes for each line the weights that it misses and wrongly covers."""
    edition = EDITION

    @kernel
    def boolean_errors(lines, ours, theirs, missed, wrong, covered):
        _ = edition
        indptr, indices, signed = lines
        words = np.uint64(ours.shape[1])
        for i in range(np.uint64(len(ours))):
            ones, zeros, count = 0.0, 0.0, 0
            for e in range(np.uint64(indptr[i]), np.uint64(indptr[i + np.uint64(1)])):
                j = np.uint64(indices[e])
                shared = np.uint64(0)
                for w in range(words):
                    shared |= ours[i, w] & theirs[j, w]
                weight, is_covered = signed[e], 1 if shared else 0
                count += is_covered
                ones += (1 - is_covered) * max(weight, 0.0)
                zeros += is_covered * max(-weight, 0.0)
            missed[i], wrong[i], covered[i] = ones, zeros, count

    return boolean_errors


@cache
def compiled_boolean_disjoint():
    """Return the kernel that counts for each pattern the others that share no component with it."""
    edition = EDITION

    @kernel
    def boolean_disjoint(patterns, others, sizes, total):
        _ = edition
        words = np.uint64(patterns.shape[1])
        for p in range(np.uint64(len(patterns))):
            disjoint = 0
            for q in range(np.uint64(len(others))):
                shared = np.uint64(0)
                for w in range(words):
                    shared |= patterns[p, w] & others[q, w]
                if shared == 0:
                    disjoint += sizes[q]
            total[p] = disjoint

    return boolean_disjoint
