"""Boolean factors on known entries: what covers an entry, what a component gains, and how it changes.

A Boolean model says 1 where some component holds both row and column. ``count`` has how many components cover
each known entry. If row i of component c is on rather than off, it gains

    gain_i = sum over known j held by c and covered by no other component,  signed_ij,

where ``signed`` is the weight of a known one and minus the weight of a known zero. So given the columns the
best rows are those of positive gain, and rows of descending score are best cut where their gains sum highest.
Lines may be rows or columns; ``where`` says at which place of ``count`` and ``signed`` an entry stands.

Unlisted zeros need no list: how many of them row i would get wrong is the number of columns that c holds and
that share no other component with the row. Rows held by the same components have the same number, so it is
counted for patterns of components, 64 of them to a word.
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, helper, kernel

__all__ = [
    "compiled_boolean_change",
    "compiled_boolean_disjoint",
    "compiled_boolean_gains",
    "compiled_boolean_settle",
]


@helper
def add_gains(partners, signed, count, U, V, c, gain):
    """Write what each line gains; ``partners`` are the other side's lines, of which those held are read."""
    indptr, indices, where = partners
    gain[:] = 0.0
    for j in range(len(indptr) - 1):
        if V[j, c]:
            for e in range(indptr[j], indptr[j + 1]):
                i = indices[e]
                if count[where[e]] == U[i, c]:
                    gain[i] += signed[where[e]]


@helper
def set_line(lines, count, U, V, c, i, held):
    """Let a component hold line i or not, and keep the cover; return how many lines changed: 0 or 1."""
    if U[i, c] == held:
        return 0
    indptr, indices, where = lines
    step = 1 if held else -1
    U[i, c] = held
    for e in range(indptr[i], indptr[i + 1]):
        if V[indices[e], c]:
            count[where[e]] += step
    return 1


@cache
def compiled_boolean_gains():
    """Return the kernel that writes what each line gains by being held by component ``c``."""
    edition = EDITION

    @kernel
    def boolean_gains(partners, signed, count, U, V, c, gain):
        _ = edition
        add_gains(partners, signed, count, U, V, c, gain)

    return boolean_gains


@cache
def compiled_boolean_change():
    """Return the kernel that sets which lines component ``c`` holds, keeps ``count`` and counts changes."""
    edition = EDITION

    @kernel
    def boolean_change(lines, count, U, V, c, held):
        _ = edition
        changes = 0
        for i in range(len(held)):
            changes += set_line(lines, count, U, V, c, i, held[i])
        return changes

    return boolean_change


@cache
def compiled_boolean_settle():
    """Return the kernel that holds what gains and lets go what does not, until a round changes nothing."""
    edition = EDITION

    @kernel
    def boolean_settle(rows, cols, signed, count, U, V, noise, gains, rounds):
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

    return boolean_settle


@cache
def compiled_boolean_disjoint():
    """Return the kernel that counts, for each pattern, the others that share nothing with it."""
    edition = EDITION

    @kernel
    def boolean_disjoint(patterns, others, sizes, total):
        _ = edition
        words = patterns.shape[1]
        for p in range(len(patterns)):
            found = 0
            for q in range(len(others)):
                shared = patterns[p, 0] & others[q, 0]
                for word in range(1, words):
                    shared |= patterns[p, word] & others[q, word]
                if shared == 0:
                    found += sizes[q]
            total[p] = found

    return boolean_disjoint
