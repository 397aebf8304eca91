"""The completed matrix Y as low rank plus sparse, and coordinate descent on rows given Gram matrices.

For an entry of weight u <= 1 the completed matrix has u t + (1 - u) z, a mean of the target t and the model's
own prediction z. Unlisted entries have t = 0 and u = base, so

    Y = (1 - base) A B' + S,   S = u t - (u - base) z on listed entries,   Y B = (1 - base) A (B'B) + S B.

Lowering |Y - A B'|^2 lowers the weighted loss. The Boolean target of a known one is the model's own
prediction clipped to bounds, so that it may exceed 1; the target of a known zero is 0.
"""

from functools import cache

from latentlink.kernels.lanes.compile import EDITION, kernel
from latentlink.kernels.lanes.entry_blocks import BLOCK, add_products, fitted_entries
from latentlink.kernels.lanes.vector import (
    add,
    at_least,
    at_most,
    broadcast,
    div,
    fma,
    fnma,
    load,
    mul,
    store,
    sub,
    where_known,
    where_positive,
)

__all__ = ["compiled_completed_products", "compiled_gram_rows"]


@cache
def compiled_completed_products(lanes, per_member, boolean):
    """Return the kernel that writes Y B to ``P``, of the shape of ``A``, and adds the listed entries' loss.

    ``base`` is one weight per member; ``bounds`` = (lowest, highest) clip the Boolean target of a known one.
    The loss is sum u (t - z)^2 - base z^2. ``scratch`` is (entries, total): memory for a number of each entry
    of a block, and for one.
    """
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def completed_products(indptr, indices, X, U, A, B, G, base, bounds, P, scratch, loss):
        _ = edition
        size = A.shape[1]
        zero = broadcast(A.dtype.type(0), lanes)
        half = broadcast(A.dtype.type(0.5), lanes)
        lowest = broadcast(bounds[0], lanes)
        highest = broadcast(bounds[1], lanes)
        rest = load(base, 0, lanes)
        complement = sub(broadcast(A.dtype.type(1), lanes), rest)
        entries, total = scratch
        for i in range(len(indptr) - 1):
            a0 = i * size * width
            row_loss = zero
            for c in range(size):
                product = zero
                for d in range(size):
                    product = fma(
                        load(A, a0 + d * width, lanes), load(G, (c * size + d) * width, lanes), product
                    )
                store(P, a0 + c * width, mul(complement, product))
            for first in range(indptr[i], indptr[i + 1], BLOCK):
                last = min(first + BLOCK, indptr[i + 1])
                fitted_entries(A, a0, B, indices, first, last, width, zero, entries)
                for e in range(first, last):
                    x = load(X, e * width, lanes)
                    if per_member:
                        weight = where_known(x, load(U, e * width, lanes), zero)
                    else:
                        weight = where_known(x, broadcast(U[e], lanes), zero)
                    x = where_known(x, x, zero)
                    z = load(entries, (e - first) * width, lanes)
                    if boolean:
                        x = where_positive(sub(x, half), at_most(at_least(z, lowest), highest), zero)
                    store(entries, (e - first) * width, fnma(sub(weight, rest), z, mul(weight, x)))
                    error = sub(x, z)
                    row_loss = fma(mul(weight, error), error, row_loss)
                    row_loss = fnma(mul(rest, z), z, row_loss)
                add_products(entries, B, indices, first, last, width, zero, P, a0)
            store(total, 0, row_loss)
            for lane in range(width):
                loss[lane] += total[lane]

    return completed_products


@cache
def compiled_gram_rows(lanes):
    """Return the kernel of coordinate descent on |Y - A B'|^2 + ridge |A|^2, given P = Y B and G = B'B."""
    edition = EDITION
    width = max(lanes, 1)

    @kernel
    def gram_rows(P, G, A, ridge, lower, cycles):
        _ = edition
        n, size = A.shape[0], A.shape[1]
        for i in range(n):
            a0 = i * size * width
            for _cycle in range(cycles):
                for c in range(size):
                    num = load(P, a0 + c * width, lanes)
                    for d in range(size):
                        num = fnma(
                            load(A, a0 + d * width, lanes), load(G, (c * size + d) * width, lanes), num
                        )
                    old = load(A, a0 + c * width, lanes)
                    den = load(G, (c * size + c) * width, lanes)
                    num = fma(old, den, num)
                    den = add(den, load(ridge, c * width, lanes))
                    new = at_least(div(num, den), broadcast(lower[c], lanes))
                    store(A, a0 + c * width, where_positive(den, new, old))

    return gram_rows
