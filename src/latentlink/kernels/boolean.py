"""Greedy descent on Boolean factors: coverage of known entries, gains of rows and columns, assignments.

A Boolean model predicts 1 where some component contains both row and column. ``count`` is the number of
components that cover each known entry. Including row i in component c lowers the weighted error by

    gain_i = sum over known j in c that no other component covers,  signed_ij,

where ``signed`` is the weight of a known one and minus the weight of a known zero. So given the columns the
best rows are those of positive gain, and the best threshold on a ranking of rows is where the cumulative sum
of their gains is largest. Lines are rows or columns; ``positions`` are the indices of their entries in
``count`` and ``signed``.

Unlisted zeros are not enumerated: the number of them that row i would predict wrongly is the number of
columns of c that share no other component with the row. Rows that are in the same components have the same
number, so it is counted once for each pattern of components, 64 of them to a word.
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, helper, kernel

__all__ = [
    "compiled_boolean_assign",
    "compiled_boolean_disjoint",
    "compiled_boolean_gains",
    "compiled_boolean_optimize",
]


@helper
def add_gains(partners, signed, count, U, V, c, gain):
    """Write the gain of each line; ``partners`` are the lines of the other side."""
    indptr, indices, positions = partners
    gain[:] = 0.0
    for j in range(len(indptr) - 1):
        if V[j, c]:
            for e in range(indptr[j], indptr[j + 1]):
                i = indices[e]
                if count[positions[e]] == U[i, c]:
                    gain[i] += signed[positions[e]]


@helper
def set_line(lines, count, U, V, c, i, included):
    """Include line i in a component or exclude it, and update ``count``; return 1 if it changed, else 0."""
    if U[i, c] == included:
        return 0
    indptr, indices, positions = lines
    step = 1 if included else -1
    U[i, c] = included
    for e in range(indptr[i], indptr[i + 1]):
        if V[indices[e], c]:
            count[positions[e]] += step
    return 1


@cache
def compiled_boolean_gains():
    """Return the kernel that writes the gain of including each line in component ``c``."""
    edition = EDITION

    @kernel
    def boolean_gains(partners, signed, count, U, V, c, gain):
        _ = edition
        add_gains(partners, signed, count, U, V, c, gain)

    return boolean_gains


@cache
def compiled_boolean_assign():
    """Return the kernel that sets the lines of component ``c``, updates ``count`` and counts changes."""
    edition = EDITION

    @kernel
    def boolean_assign(lines, count, U, V, c, included):
        _ = edition
        changes = 0
        for i in range(len(included)):
            changes += set_line(lines, count, U, V, c, i, included[i])
        return changes

    return boolean_assign


@cache
def compiled_boolean_optimize():
    """Return the kernel that includes lines of positive gain and excludes others until nothing changes."""
    edition = EDITION

    @kernel
    def boolean_optimize(rows, cols, signed, count, U, V, noise, gains, rounds):
        _ = edition
        for _round in range(rounds):
            changes = 0
            for c in range(U.shape[1]):
                add_gains(cols, signed, count, U, V, c, gains[0])
                for i in range(len(U)):
                    changes += set_line(rows, count, U, V, c, i, gains[0][i] > noise[0][i])
                add_gains(rows, signed, count, V, U, c, gains[1])
                for j in range(len(V)):
                    changes += set_line(cols, count, V, U, c, j, gains[1][j] > noise[1][j])
            if changes == 0:
                break

    return boolean_optimize


@cache
def compiled_boolean_disjoint():
    """Return the kernel that counts for each pattern the others that share no component with it."""
    edition = EDITION

    @kernel
    def boolean_disjoint(patterns, others, sizes, total):
        _ = edition
        words = patterns.shape[1]
        for p in range(len(patterns)):
            disjoint = 0
            for q in range(len(others)):
                shared = patterns[p, 0] & others[q, 0]
                for word in range(1, words):
                    shared |= patterns[p, word] & others[q, word]
                if shared == 0:
                    disjoint += sizes[q]
            total[p] = disjoint

    return boolean_disjoint
