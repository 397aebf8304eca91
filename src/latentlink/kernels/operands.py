"""Arguments of the kernels: listed entries, and the penalties and bounds of coordinates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels.chunks import balanced_chunks

__all__ = [
    "BiasStep",
    "Coordinates",
    "Lines",
    "Listed",
    "Mirror",
    "NormalPrior",
    "RandomNumbers",
    "Unlisted",
    "aligned",
]

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.integer[Any]]


def aligned(shape: tuple[int, ...], dtype: Any) -> Floats:
    """Return an uninitialised array aligned to 64 bytes, so that no vector straddles two cache lines."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    raw = np.empty(size + 64, np.uint8)
    offset = -raw.__array_interface__["data"][0] % 64
    return np.ndarray(shape, dtype, raw, offset)


@dataclass(frozen=True, slots=True)
class Listed:
    """Listed entries in compressed sparse format, for all members of a block.

    Attributes
    ----------
    indptr, indices : arrays of int
        Compressed rows or columns.
    values : array, shape (entries, members)
        NaN where an entry is unknown to a member.
    weights : array, shape (entries,) or (entries, members)
        Weights of the entries, shared by all members or one for each.
    largest_degree : int
        Largest number of entries of a row or column.
    unit : bool
        Whether all entries are known to all members, with the weight 1.
    chunks : tuple of slice
        Rows in parts that threads share.
    buffers : dict
        Free memory of the kernels, by its layout; a call takes one and gives it back.
    """

    indptr: Integers
    indices: Integers
    values: Floats
    weights: Floats
    largest_degree: int = field(init=False)
    unit: bool = field(init=False)
    chunks: tuple[slice, ...] = field(init=False, repr=False)
    buffers: dict[tuple[Any, ...], list[tuple[Floats, ...]]] = field(
        default_factory=dict, init=False, repr=False
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "largest_degree", int(np.diff(self.indptr).max(initial=0)))
        unit = bool(np.all(self.weights == 1)) and not np.isnan(self.values.min(initial=0))
        object.__setattr__(self, "unit", unit)
        object.__setattr__(self, "chunks", balanced_chunks(self.indptr))

    @contextmanager
    def lent(
        self, layout: tuple[Any, ...], allocated: Callable[[], tuple[Floats, ...]]
    ) -> Iterator[tuple[Floats, ...]]:
        """Lend memory of a layout that no other thread uses, allocated if there is none."""
        free = self.buffers.setdefault(layout, [])
        try:
            memory = free.pop()
        except IndexError:  # in use by other threads
            memory = allocated()
        yield memory
        free.append(memory)

    def entries_of(self, rows: slice) -> tuple[Integers, Integers, Floats, Floats]:
        """Return the arrays of some rows as kernels take them."""
        return self.indptr[rows.start : rows.stop + 1], self.indices, self.values, self.weights

    @property
    def per_member(self) -> bool:
        """Whether each member has weights of its own."""
        return self.weights.ndim == 2


class Lines(NamedTuple):
    """Entries row by row or column by column, with their signed weights in the same order.

    Attributes
    ----------
    indptr, indices : arrays of int
        Compressed rows or columns.
    signed : array, shape (entries,)
        The weight of a one, and minus the weight of a zero.
    """

    indptr: Integers
    indices: Integers
    signed: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Coordinates:
    """Penalties and lower bounds of the coordinates of a factor, and which of them are updated.

    Attributes
    ----------
    first, last : int
        Coordinates ``first`` to ``last - 1`` are updated; the others are constant.
    ridge : array, shape (size, members)
        Penalty ``(ridge + growth * count) * (a - centre)^2`` of each coordinate.
    centre : array, shape (size, members)
        Value at which the penalty is 0.
    lower : array, shape (size,)
        Lower bound of each coordinate; minus infinity for none.
    growth : array, shape (size, members), or None
        How much the penalty grows with the count of a node; None if it is the same for all nodes.
    counts : array, shape (nodes, members), or None
        The count of each node: the weight of its known entries.
    penalty : tuple
        Ridge, growth, counts, the step from one node to the next in the counts, and centre, as the kernels
        take them. For a penalty that does not grow, growth is 0 and all nodes share one count.
    penalised : bool
        Whether any ridge is above 0.
    """

    first: int
    last: int
    ridge: Floats
    centre: Floats
    lower: Floats
    growth: Floats | None = None
    counts: Floats | None = None
    penalty: tuple[Floats, Floats, Floats, int, Floats] = field(init=False, repr=False)
    penalised: bool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        growth, counts, step = self.growth, self.counts, self.ridge.shape[1]
        if growth is None or counts is None:
            growth, counts, step = np.zeros_like(self.ridge), self.ridge[:1], 0
        object.__setattr__(self, "penalty", (self.ridge, growth, counts, step, self.centre))
        object.__setattr__(self, "penalised", bool(self.ridge.any()))

    def penalty_of(self, rows: slice) -> tuple[Floats, Floats, Floats, int, Floats]:
        """Return the `penalty` of some rows."""
        if self.counts is None or self.growth is None:
            return self.penalty
        ridge, growth, counts, step, centre = self.penalty
        return ridge, growth, counts[rows], step, centre

    def shared_span(self, other: Coordinates) -> tuple[int, int]:
        """Return the first of the coordinates that are updated here and there, and the end of them."""
        return max(self.first, other.first), min(self.last, other.last)


@dataclass(frozen=True, slots=True, eq=False)
class BiasStep:
    """The gradient step of a bias: ``rate`` times (sum of errors - gradient of the penalty) / ``weight``.

    Attributes
    ----------
    coordinate : int
        The coordinate of the bias: the first or the last. The other one of the two is constant.
    rate : float
    weight : array, shape (nodes, members)
        The weight of the known entries of each node; a node without any stays.
    """

    coordinate: int
    rate: float
    weight: Floats


@dataclass(frozen=True, slots=True)
class Mirror:
    """Link of rows and partners that are the same nodes: ``B[i, partner[c]] = sign[c] * A[i, c]``.

    Attributes
    ----------
    partner : array of int, shape (size,)
        The coordinate of the partner that copies coordinate c.
    sign : array, shape (size,)
        The factor of the copy.
    """

    partner: Integers
    sign: Floats


@dataclass(frozen=True, slots=True, eq=False)
class NormalPrior:
    """The normal prior of the free coordinates of a factor, and the precision of the data.

    Attributes
    ----------
    first, last : int
        Coordinates ``first`` to ``last - 1`` are free; the others are constant.
    precision : array, shape (free, free, members)
        Inverse covariance of the free coordinates of a node.
    linear : array, shape (rows, free, members)
        The precision times the mean of each row; a single row if all have the same.
    tau : array, shape (members,)
        Precision of an entry of weight 1: the inverse variance of the noise.
    relative : two arrays, shapes (rows, members) and (partners, members), optional
        Relative precisions of the rows and of their partners, which multiply that of an entry: not with a
        background. By default all are 1.
    """

    first: int
    last: int
    precision: Floats
    linear: Floats
    tau: Floats
    relative: tuple[Floats, Floats] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RandomNumbers:
    """Random numbers of some rows, of which the kernels make draws.

    Attributes
    ----------
    begin, end : int
        The rows ``begin`` to ``end - 1``.
    normals : array, shape (rows, free, members)
        Independent standard normal numbers.
    gammas : array, shape (entries, terms, members)
        Gamma variables of the entries of these rows, whose shape is the weight of the entry
        (`latentlink.kernels.posterior.augmentation`).
    state : array of uint64, shape (4, members), or None
        In place of these, if all weights are 1 or 0: the generators of exponential numbers, which are moved
        on.
    """

    begin: int
    end: int
    normals: Floats
    gammas: Floats = field(default_factory=lambda: np.zeros((0, 0, 0)))
    state: NDArray[np.uint64] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Unlisted:
    """Entries that are not listed, as zeros of some weight.

    Attributes
    ----------
    weight : float, or array of shape (members,)
    gram : array, shape (size, size, members)
        Gram matrix of all partners.
    """

    weight: float | Floats
    gram: Floats
