"""Dispatch of the draws of rows to their forms: compiled with lanes, compiled as scalar code, or NumPy."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.lanes.compile import PLAIN, mode
from latentlink.kernels.operands import Listed, Mirror, NormalPrior, RandomNumbers, aligned
from latentlink.kernels.posterior.exponentials import compiled_exponentials
from latentlink.kernels.posterior.row_draw import CHUNK, compiled_drawn_rows

__all__ = ["drawn_logistic_rows", "drawn_nonnegative_rows", "drawn_rows", "exponentials"]

Array = NDArray[Any]

_NO_GAMMAS, _NO_PARTNERS = np.zeros(1), np.zeros(1, np.int64)


def drawn_rows(
    listed: Listed, A: Array, B: Array, G: Array, base: float | Array, prior: NormalPrior, Z: Array
) -> tuple[Array, Array]:
    """Draw the free coordinates of the rows of A given B, with the standard normal Z; return the losses.

    With Z = 0 the rows are their conditional means.

    Parameters
    ----------
    listed : Listed
        Entries of the rows.
    A, B : arrays, shape (nodes, size, members)
        Rows, of which the free coordinates are replaced, and their partners.
    G : array, shape (size, size, members)
        Gram matrix of the partners, used where ``base`` is not 0.
    base : float, or array of shape (members,)
        Weight of unlisted zeros.
    prior : NormalPrior
        Free coordinates, their prior, and the precision of an entry of weight 1.
    Z : array, shape (rows, free, members)
        Independent standard normal numbers.

    Returns
    -------
    loss : array, shape (members,)
        After the draw, sum over listed u (x - z)^2 - base z^2.
    losses : array, shape (rows, members)
        Of each row, sum over listed s u (x - z)^2 with the relative precisions s of the partners.
    """
    if mode() == "reference":
        return reference.drawn_rows(listed, A, B, G, base, prior, Z)
    return _drawn(compiled_drawn_rows(_lanes(A), listed.per_member), listed, (A, B, G), base, prior, Z)


def drawn_nonnegative_rows(
    listed: Listed, A: Array, B: Array, G: Array, base: float | Array, prior: NormalPrior, Z: Array
) -> tuple[Array, Array]:
    """Draw the free coordinates of the rows of A given B, one by one, each >= 0; return the losses.

    Parameters
    ----------
    listed, A, B, G, base
        As for `drawn_rows`.
    prior : NormalPrior
        Its linear term is minus the rate of an exponential prior; its precision is not used.
    Z : array, shape (rows, cycles, free, members)
        Independent uniform numbers, above 0, for so many cycles over the coordinates of a row.
    """
    if mode() == "reference":
        return reference.drawn_nonnegative_rows(listed, A, B, G, base, prior, Z)
    run = compiled_drawn_rows(_lanes(A), listed.per_member, nonnegative=True)
    return _drawn(run, listed, (A, B, G), base, prior, Z)


def _drawn(
    run: Any,
    listed: Listed,
    factors: tuple[Array, Array, Array],
    base: float | Array,
    prior: NormalPrior,
    Z: Array,
) -> tuple[Array, Array]:
    """Run a kernel of normal entries."""
    A, B, G = factors
    loss, losses = np.zeros(A.shape[2]), aligned((len(A), A.shape[2]), A.dtype)
    twins = (_NO_PARTNERS, _NO_GAMMAS.astype(A.dtype))
    with _scratch(listed, prior, A) as scratch:
        run(
            listed.indptr, listed.indices, listed.values, listed.weights, A, B,
            np.ascontiguousarray(G, A.dtype), np.full(A.shape[2], base, A.dtype), _prior(prior, A.dtype),
            _relative(prior, len(A), len(B), A.dtype), (*_span(prior), 0, len(A)), Z, twins[1], twins,
            scratch, (loss, losses),
        )  # fmt: skip
    return loss, losses


def drawn_logistic_rows(
    listed: Listed,
    A: Array,
    B: Array,
    prior: NormalPrior,
    numbers: RandomNumbers,
    mirror: Mirror | None = None,
) -> None:
    """Draw the free coordinates of some rows of A given B, whose products are logits of links.

    Augmenting variables of all entries are drawn given the rows as they are, and then the rows given these.

    Parameters
    ----------
    listed : Listed
        Entries of all rows, with values 0 and 1.
    A, B : arrays, shape (nodes, size, members)
        Rows, of which the free coordinates are replaced, and their partners.
    prior : NormalPrior
        Free coordinates and their prior; ``tau`` is a factor of all weights.
    numbers : RandomNumbers
        Which rows are drawn, with which random numbers.
    mirror : Mirror, optional
        If rows and partners are the same nodes: a row is drawn given those before it as they are drawn.
    """
    if mode() == "reference":
        reference.drawn_logistic_rows(listed, A, B, prior, numbers, mirror)
        return
    run = compiled_drawn_rows(_lanes(A), listed.per_member, True, mirror is not None)
    twins = (_NO_PARTNERS, _NO_GAMMAS.astype(A.dtype)) if mirror is None else (mirror.partner, mirror.sign)
    width = A.shape[2]
    none = np.zeros((1, width), A.dtype)
    with _scratch(listed, prior, A) as scratch:
        run(
            listed.indptr, listed.indices, listed.values, listed.weights, A, B,
            np.zeros((A.shape[1], A.shape[1], width), A.dtype), none[0], _prior(prior, A.dtype), (none, none),
            (*_span(prior), numbers.begin, numbers.end), numbers.normals, numbers.gammas, twins,
            scratch, (np.zeros(width), none),
        )  # fmt: skip


def exponentials(state: Array, shape: tuple[int, int], dtype: Any) -> Array:
    """Return standard exponential numbers of shape (*shape, members), and move on the generators.

    Parameters
    ----------
    state : array of uint64, shape (4, members)
        State of the generator of each member, replaced by the next.
    shape : (int, int)
    dtype : data type
    """
    if mode() == "reference":
        return reference.exponentials(state, shape, dtype)
    members = state.shape[1]
    out = aligned((shape[0] * shape[1], members), dtype)
    compiled_exponentials(PLAIN if mode() == "plain" else members)(state, out)
    return out.reshape(*shape, members)


def _lanes(A: Array) -> int:
    return PLAIN if mode() == "plain" else A.shape[2]


def _prior(prior: NormalPrior, dtype: Any) -> tuple[Array, ...]:
    return tuple(np.ascontiguousarray(part, dtype) for part in (prior.precision, prior.linear, prior.tau))


def _scratch(listed: Listed, prior: NormalPrior, A: Array) -> AbstractContextManager[tuple[Array, ...]]:
    """Lend buffers for the precision matrix, a chunk of partners, and the same weighted."""
    free = prior.last - prior.first
    return listed.lent(("draws", free, A.shape[2], A.itemsize), lambda: _new_scratch(free, A))


def _new_scratch(free: int, A: Array) -> tuple[Array, ...]:
    even = free + 2 - free % 2  # an even number, more than the free coordinates
    scratch = tuple(
        aligned((size * A.shape[2],), A.dtype) for size in (even * even, CHUNK * even, CHUNK * even, 1, 1)
    )
    for part in scratch:
        part[...] = 0  # the padding is added to and never used, but must not be NaN by chance
    return scratch


def _relative(prior: NormalPrior, rows: int, partners: int, dtype: Any) -> tuple[Array, Array]:
    """Return the relative precisions of rows and partners, 1 where there are none."""
    if prior.relative is not None:
        return prior.relative
    members = len(prior.tau)
    return np.ones((rows, members), dtype), np.ones((partners, members), dtype)


def _span(prior: NormalPrior) -> tuple[int, int, int]:
    """Return the free coordinates, and the distance of the linear terms of two rows."""
    _, free, members = prior.linear.shape
    return prior.first, prior.last, free * members if len(prior.linear) > 1 else 0
