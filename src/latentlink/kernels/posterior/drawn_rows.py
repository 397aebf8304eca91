"""Dispatch of the draws of rows to their forms: compiled with lanes, compiled as scalar code, or NumPy."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import reference
from latentlink.kernels.chunks import add_up
from latentlink.kernels.lanes.compile import PLAIN, mode
from latentlink.kernels.operands import Listed, Mirror, NormalPrior, RandomNumbers, Unlisted, aligned
from latentlink.kernels.posterior.logistic_draw import compiled_drawn_logistic_rows
from latentlink.kernels.posterior.normals import compiled_draw_normals
from latentlink.kernels.posterior.row_draw import RowForm, compiled_drawn_rows
from latentlink.kernels.posterior.row_sums import CHUNK

__all__ = ["draw_normals", "drawn_logistic_rows", "drawn_nonnegative_rows", "drawn_rows"]

Array = NDArray[Any]
Losses = tuple[Array, Array | None]

_NO_PARTNERS = np.zeros(1, np.int64)


def drawn_rows(
    listed: Listed,
    A: Array,
    B: Array,
    prior: NormalPrior,
    Z: Array,
    unlisted: Unlisted | None = None,
    with_loss: bool = True,
) -> Losses:
    """Draw the free coordinates of the rows of A given B, with the standard normal Z; return the losses.

    With Z = 0 the rows are their conditional means.

    Parameters
    ----------
    listed : Listed
        Entries of the rows.
    A, B : arrays, shape (nodes, size, members)
        Rows, of which the free coordinates are replaced, and their partners.
    prior : NormalPrior
        Free coordinates, their prior, and the precision of an entry of weight 1.
    Z : array, shape (rows, free, members)
        Independent standard normal numbers.
    unlisted : Unlisted, optional
        Entries that are not listed, as zeros of some weight; not with relative precisions.
    with_loss : bool
        Without it both losses are 0: they take one more pass over the entries.

    Returns
    -------
    loss : array, shape (members,)
        After the draw, sum over listed u (x - z)^2 - base z^2, with the weight ``base`` of unlisted entries.
    losses : array, shape (rows, members), or None without relative precisions
        Of each row, sum over listed s u (x - z)^2 with the relative precisions s of the partners.
    """
    if mode() == "reference":
        return reference.drawn_rows(listed, A, B, prior, Z, unlisted, with_loss)
    return _drawn(False, listed, (A, B), prior, Z, unlisted, with_loss)


def drawn_nonnegative_rows(
    listed: Listed,
    A: Array,
    B: Array,
    prior: NormalPrior,
    Z: Array,
    unlisted: Unlisted | None = None,
    with_loss: bool = True,
) -> Losses:
    """Draw the free coordinates of the rows of A given B, one by one, each >= 0; return the losses.

    Parameters
    ----------
    listed, A, B, unlisted, with_loss
        As for `drawn_rows`.
    prior : NormalPrior
        Its linear term is minus the rate of an exponential prior; its precision is not used.
    Z : array, shape (rows, cycles, free, members)
        Independent uniform numbers, above 0, for so many cycles over the coordinates of a row.
    """
    if mode() == "reference":
        return reference.drawn_nonnegative_rows(listed, A, B, prior, Z, unlisted, with_loss)
    return _drawn(True, listed, (A, B), prior, Z, unlisted, with_loss)


def _drawn(
    nonnegative: bool,
    listed: Listed,
    factors: tuple[Array, Array],
    prior: NormalPrior,
    Z: Array,
    unlisted: Unlisted | None,
    with_loss: bool,
) -> Losses:
    """Run a kernel of normal entries."""
    A, B = factors
    members = A.shape[2]
    relative = prior.relative is not None
    unit = listed.unit and unlisted is None and not relative
    run = compiled_drawn_rows(RowForm(_lanes(A), listed.per_member, unit, relative), nonnegative)
    rest = unlisted or Unlisted(0.0, np.zeros((1, 1, members)))
    background = np.full(members, rest.weight, A.dtype), np.ascontiguousarray(rest.gram, A.dtype)
    precision, linear, tau = _prior(prior, A.dtype)
    losses = aligned((len(A), members) if relative else (0, members), A.dtype)
    losses[...] = 0
    of_rows, of_partners = prior.relative or (losses, losses)

    def part(rows: slice, loss: Array) -> None:
        own_terms = linear[rows] if len(linear) > 1 else linear
        with _scratch(listed, prior, A) as scratch:
            run(
                listed.entries_of(rows), A[rows], B, (unlisted is not None, *background),
                (precision, own_terms, tau), (of_rows[rows], of_partners), (prior.first, prior.last), Z[rows],
                scratch, (with_loss, loss, losses[rows]),
            )  # fmt: skip

    loss = add_up(part, listed.chunks, (members,))
    return loss, losses if relative else None


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
    given = numbers.state is None
    run = compiled_drawn_logistic_rows(_lanes(A), listed.per_member, given, mirror is not None)
    twins = (_NO_PARTNERS, np.zeros(1, A.dtype)) if mirror is None else (mirror.partner, mirror.sign)
    state = np.zeros((4, A.shape[2]), np.uint64) if numbers.state is None else numbers.state
    with _scratch(listed, prior, A) as scratch:
        run(
            listed.entries_of(slice(0, len(A))), A, B, _prior(prior, A.dtype),
            (prior.first, prior.last, numbers.begin, numbers.end), numbers.normals,
            numbers.gammas if given else numbers.normals, state, twins, scratch[:3],
        )  # fmt: skip


def draw_normals(state: Array, out: Array) -> None:
    """Fill an array with standard normal numbers, of each member by its generator, which is moved on.

    Parameters
    ----------
    state : array of uint64, shape (4, members)
        State of the generator of each member, replaced by the next.
    out : array, shape (..., members)
    """
    if mode() == "reference":
        reference.draw_normals(state, out)
    else:
        compiled_draw_normals(_lanes(out))(state, out.reshape(-1, out.shape[-1]))


def _lanes(A: Array) -> int:
    return PLAIN if mode() == "plain" else A.shape[-1]


def _prior(prior: NormalPrior, dtype: Any) -> tuple[Array, ...]:
    return tuple(np.ascontiguousarray(part, dtype) for part in (prior.precision, prior.linear, prior.tau))


def _scratch(listed: Listed, prior: NormalPrior, A: Array) -> AbstractContextManager[tuple[Array, ...]]:
    """Lend buffers: sums of a row, a chunk of partners, the same weighted, and two numbers of each lane."""
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
