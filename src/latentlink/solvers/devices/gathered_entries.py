"""Entries of a sparse network: rows of similar degree in one buffer, whose terms are batched products.

Rows are sorted by degree and padded with entries of weight 0 to one of the lengths 1, 2, 3, 4, 6, 8, 12, 16,
...: fewer than a third of the entries of a buffer are padding. Each buffer gathers the partners' factors and
is two batched matrix products, in an order of sums that is fixed: sums by `index_add` depend on timing on a
GPU, and differences of cumulative sums cancel in single precision.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from array_api_compat import array_namespace
from numpy.typing import NDArray

from latentlink.kernels import Listed
from latentlink.solvers.devices.array_device import ArrayDevice
from latentlink.solvers.devices.row_terms import MOST_NUMBERS, RowTerms, Terms, row_parts

__all__ = ["Buffer", "GatheredEntries", "padded_lengths"]


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
    """Some rows of similar degree on a device.

    Attributes
    ----------
    span : slice
        Their positions in the order of the entries.
    partners : array of int, shape (rows * length,)
    values : array, shape (members, rows, length)
    weights : array, shape (members, rows, length), or (1, rows, length) if all members have the same
        0 for padding.
    surpluses : array of the shape of the weights or of the values, or None
        Weights above that of the background; None without a background.
    """

    span: slice
    partners: Any
    values: Any
    weights: Any
    surpluses: Any | None


@dataclass(frozen=True, slots=True, eq=False)
class GatheredEntries:
    """Listed entries on a device, in buffers of rows of similar degree.

    Attributes
    ----------
    groups : list of lists of Buffer
        Buffers whose rows are updated together.
    order, position : arrays of int, shape (rows,)
        Rows in the order of the buffers, and the position of each row there.
    degrees, base, unit
        As for `Entries`.
    """

    groups: list[list[Buffer]]
    order: Any
    position: Any
    degrees: Any | None
    base: Any | None
    unit: bool = False

    @classmethod
    def of(
        cls, device: ArrayDevice, listed: Listed, size: int, background: float | NDArray[Any]
    ) -> GatheredEntries:
        """Return the listed entries in buffers, for factors of ``size`` coordinates."""
        degrees = np.diff(listed.indptr)
        lengths = padded_lengths(degrees)
        order = np.argsort(lengths, kind="stable")
        members, dtype = listed.values.shape[1], listed.values.dtype
        weight = np.broadcast_to(background, members).astype(dtype) if np.any(background) else None
        groups: list[list[Buffer]] = []
        room = 0
        starts = np.flatnonzero(np.diff(lengths[order], prepend=0))
        for first, last in zip(starts, [*starts[1:], len(order)], strict=True):
            length = int(lengths[order[first]])
            for part in row_parts(int(last - first), members * length * size):
                span = slice(int(first) + part.start, int(first) + part.stop)
                rows = span.stop - span.start
                needed = members * size * rows * (length + size)
                if needed > room:  # smaller buffers share a group, and so the steps of the descent
                    groups.append([])
                    room = MOST_NUMBERS
                room -= needed
                groups[-1].append(_buffer(device, listed, order[span], span, (length, weight)))
        position = np.empty_like(order)
        position[order] = np.arange(len(order))
        base = None if weight is None else device.put(weight[:, None, None])
        of_rows = None if weight is None else device.put(degrees[order].astype(dtype))
        return cls(groups, device.put(order), device.put(position), of_rows, base)

    def ordered(self, lines: Any) -> Any:
        """Return an array (members, rows, ...) in the order of the buffers."""
        return array_namespace(lines).take(lines, self.order, axis=1)

    def restored(self, lines: Any) -> Any:
        """Return an array in the order of the buffers in that of the rows."""
        return array_namespace(lines).take(lines, self.position, axis=1)

    def row_terms(self, A: Any, B: Any, terms: Terms, curved: bool) -> Iterator[RowTerms]:
        """Yield gradient, curvature and loss of rows, group by group."""
        xp = array_namespace(A)
        for group in self.groups:
            span = slice(group[0].span.start, group[-1].span.stop)
            parts = [_terms_of(buffer, A[:, buffer.span, :], B, terms, curved) for buffer in group]
            gradients, curvatures, losses = zip(*parts, strict=True)
            yield RowTerms(
                A[:, span, :],
                xp.concat(gradients, axis=1),
                xp.concat(curvatures, axis=1) if curved else None,
                xp.sum(xp.stack(losses), axis=0),
                span,
            )


def padded_lengths(degrees: NDArray[Any]) -> NDArray[np.int64]:
    """Return the padded length of rows of some degrees: the next of 1, 2, 3, 4, 6, 8, 12, 16, ...

    Examples
    --------
    >>> padded_lengths(np.array([0, 1, 3, 5, 7, 9, 100]))
    array([  1,   1,   3,   6,   8,  12, 128])
    """
    needed = np.maximum(degrees, 1).astype(np.int64)
    power = 2 ** np.ceil(np.log2(needed)).astype(np.int64)
    shorter = power // 4 * 3
    return np.where((shorter >= needed) & (power >= 4), shorter, power)


def _buffer(
    device: ArrayDevice,
    listed: Listed,
    rows: NDArray[Any],
    span: slice,
    layout: tuple[int, NDArray[Any] | None],
) -> Buffer:
    """Return the entries of some rows, padded to a length, with the weight of the background if any."""
    length, background = layout
    begin, end = listed.indptr[rows][:, None], listed.indptr[rows + 1][:, None]
    entries = begin + np.arange(length)
    real = entries < end
    entries = np.where(real, entries, 0)
    values = (
        listed.values[entries] if len(listed.indices) else np.zeros((*real.shape, listed.values.shape[1]))
    )
    known = real[..., None] & ~np.isnan(values)
    own = listed.weights[entries] if len(listed.indices) else np.zeros(real.shape)
    own = own if own.ndim == 3 else own[..., None]
    shared = own.shape[2] == 1 and bool(np.all(known == real[..., None]))
    dtype = listed.values.dtype
    weights = np.where(known[..., :1] if shared else known, own, 0).astype(dtype)
    surpluses = None
    if background is not None:
        surpluses = np.where(real[..., None], weights - background, 0).astype(dtype)
    partners = np.where(real, listed.indices[entries] if len(listed.indices) else 0, 0)

    def members_first(array: NDArray[Any]) -> Any:
        return device.put(np.moveaxis(array, 2, 0))

    return Buffer(
        span,
        device.put(partners.reshape(-1).astype(np.int64)),
        members_first(np.where(known, values, 0).astype(dtype)),
        members_first(weights),
        None if surpluses is None else members_first(surpluses),
    )


def _terms_of(buffer: Buffer, a: Any, B: Any, terms: Terms, curved: bool) -> tuple[Any, Any, Any]:
    """Return gradient, curvature and loss of the rows of a buffer."""
    xp = array_namespace(a)
    members, rows, length = buffer.values.shape
    b = xp.reshape(xp.take(B, buffer.partners, axis=1), (members, rows, length, B.shape[2]))
    z = xp.matmul(b, a[..., None])[..., 0]
    slopes, curves, loss = terms(z, buffer.values, buffer.weights, buffer.surpluses)
    transposed = xp.matrix_transpose(b)
    gradient = xp.matmul(transposed, slopes[..., None])[..., 0]
    curvature = xp.matmul(transposed * curves[..., None, :], b) if curved else None
    return gradient, curvature, loss
