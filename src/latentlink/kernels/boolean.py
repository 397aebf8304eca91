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

from latentlink.kernels.compile import EDITION, kernel

__all__ = ["compiled_boolean_change", "compiled_boolean_disjoint", "compiled_boolean_gains"]


@cache
def compiled_boolean_gains():
    """Return the kernel that writes what each line gains by being held by component ``c``."""
    edition = EDITION

    @kernel
    def boolean_gains(indptr, indices, where, signed, count, U, V, c, gain):
        _ = edition
        for i in range(len(indptr) - 1):
            total = 0.0
            mine = U[i, c]
            for e in range(indptr[i], indptr[i + 1]):
                if V[indices[e], c] and count[where[e]] == mine:
                    total += signed[where[e]]
            gain[i] = total

    return boolean_gains


@cache
def compiled_boolean_change():
    """Return the kernel that sets which lines component ``c`` holds, keeps ``count`` and counts changes."""
    edition = EDITION

    @kernel
    def boolean_change(indptr, indices, where, count, U, V, c, held):
        _ = edition
        changes = 0
        for i in range(len(indptr) - 1):
            if U[i, c] == held[i]:
                continue
            changes += 1
            step = 1 if held[i] else -1
            U[i, c] = held[i]
            for e in range(indptr[i], indptr[i + 1]):
                if V[indices[e], c]:
                    count[where[e]] += step
        return changes

    return boolean_change


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
