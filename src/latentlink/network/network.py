"""The one representation of data: what is known, and how much it weighs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError
from latentlink.network import checks
from latentlink.network.describe import describe
from latentlink.network.reading import Reading
from latentlink.network.views import View, compressed_view
from latentlink.network.writing import Writing

__all__ = ["Network", "Step"]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done to a network on its way: a cleaning, a sampling, a reading.

    Attributes
    ----------
    name : str
        The function that did it.
    touched : int
        How many listed entries or nodes it changed, added or removed.
    sentence : str
        The same for a reader.
    """

    name: str
    touched: int
    sentence: str


class Network(Reading, Writing):
    """A matrix of which some entries are known: listed entries, a background, names.

    Entry ``(i, j)`` is *listed* with a value and a weight, or it is not listed and belongs to the
    *background*, where its value counts as 0 with weight ``background``. Least-squares methods minimise

        sum over listed  weight * (value - score)^2  +  background * sum over unlisted  score^2.

    A listed entry of weight 0 is *hidden*: it has no say. ``background=0`` makes unlisted pairs unknown
    (ratings, labelled pairs), ``background=1`` makes them known zeros (an ordinary matrix), anything
    between makes them weak negatives (a network of which only the links are known).

    A network never changes; its arrays are read-only. Make one with `from_edges`, `from_dense`,
    `from_sparse`, `from_file` or `from_networkx`.

    Parameters
    ----------
    rows, cols : array of int, shape (listed,)
        Where the listed entries stand, in any order.
    values : array of float, shape (listed,), or None
        Their values; None makes all of them 1.
    weights : array of float, shape (listed,), or None
        Their weights, >= 0; None makes all of them 1.
    shape : (int, int)
        Numbers of rows and columns.
    background : float
        Weight of every pair that is not listed.
    symmetric : bool
        An undirected network: a pair is one fact, kept once with the smaller index first. Without a
        listed self loop the diagonal is hidden, whatever the background.
    row_names, col_names : sequence of str or None
        Names of the rows and of the columns; a symmetric network takes ``row_names`` for both.
    history : tuple of Step
        What was done to the data so far.

    Examples
    --------
    >>> network = Network([0, 0, 1], [0, 1, 1], [1.0, 0.0, 1.0], shape=(2, 3))
    >>> network
    Network: 2 x 3, 2 links, 1 non-link, rest unknown
    """

    def __init__(
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        values: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        *,
        shape: tuple[int, int],
        background: float = 0.0,
        symmetric: bool = False,
        row_names: Sequence[str] | NDArray[Any] | None = None,
        col_names: Sequence[str] | NDArray[Any] | None = None,
        history: tuple[Step, ...] = (),
    ) -> None:
        shape = checks.checked_shape(shape, symmetric)
        listed = checks.checked_entries(rows, cols, values, weights, shape)
        order, first, second = checks.canonical_order(listed.rows, listed.cols, symmetric)
        names = checks.checked_names(row_names, col_names, shape, symmetric)
        self._set(
            rows=first,
            cols=second,
            values=checks.reordered(listed.values, order),
            weights=checks.reordered(listed.weights, order),
            shape=shape,
            background=checks.checked_background(background),
            symmetric=bool(symmetric),
            row_names=names[0],
            col_names=names[1],
            history=tuple(history),
        )

    rows: NDArray[np.integer[Any]]
    cols: NDArray[np.integer[Any]]
    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    shape: tuple[int, int]
    background: float
    symmetric: bool
    row_names: NDArray[np.str_] | None
    col_names: NDArray[np.str_] | None
    history: tuple[Step, ...]

    def _set(self, **fields: Any) -> None:
        for field in fields.values():
            if isinstance(field, np.ndarray):
                field.setflags(write=False)
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"A Network never changes, so its {name!r} cannot be set. "
            "Make a new one, for example with with_values, with_weights or with_background."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A Network never changes, so its {name!r} cannot be deleted.")

    # ---------------------------------------------------------------- counts

    @property
    def n_listed(self) -> int:
        """Number of listed entries, hidden ones too; an undirected pair counts once."""
        return len(self.rows)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Which listed entries have a say: those of positive weight."""
        return self.weights > 0

    @cached_property
    def n_known(self) -> int:
        """Number of listed entries of positive weight."""
        return int(np.count_nonzero(self.known))

    @property
    def n_pairs(self) -> int:
        """Number of all pairs: rows times columns, or of unordered pairs with the diagonal."""
        n, m = self.shape
        return n * (n + 1) // 2 if self.symmetric else n * m

    @cached_property
    def repeated(self) -> NDArray[np.bool_]:
        """Which listed entries stand at the same pair as the entry before them."""
        same = np.zeros(self.n_listed, bool)
        same[1:] = (self.rows[1:] == self.rows[:-1]) & (self.cols[1:] == self.cols[:-1])
        return same

    @cached_property
    def is_clean(self) -> bool:
        """Whether every pair is listed at most once."""
        return not self.repeated.any()

    @cached_property
    def is_binary(self) -> bool:
        """Whether every known value is 0 or 1."""
        known = self.values[self.known]
        return bool(np.all((known == 0) | (known == 1)))

    @cached_property
    def has_self_loops(self) -> bool:
        """Whether an entry of the diagonal is listed."""
        return bool(np.any(self.rows == self.cols))

    # ---------------------------------------------------------------- views

    @cached_property
    def csr(self) -> View:
        """Listed entries by row; a symmetric network shows each pair in both directions."""
        return compressed_view(self.rows, self.cols, self.shape, self.symmetric)

    @cached_property
    def csc(self) -> View:
        """Listed entries by column; for a symmetric network the same object as `csr`."""
        if self.symmetric:
            return self.csr
        return compressed_view(self.cols, self.rows, (self.shape[1], self.shape[0]), False)

    # ---------------------------------------------------------------- new networks from this one

    def _replace(self, **fields: Any) -> Network:
        kept = ("rows", "cols", "values", "weights", "shape", "background", "symmetric")
        current = {name: getattr(self, name) for name in (*kept, "row_names", "col_names", "history")}
        new = object.__new__(Network)
        new._set(**(current | fields))
        # The index structure is the same, so whatever was computed of it is too.
        for name in ("csr", "csc", "repeated", "is_clean", "has_self_loops"):
            if name in self.__dict__:
                new.__dict__[name] = self.__dict__[name]
        return new

    def with_values(self, values: ArrayLike) -> Network:
        """The same pairs with other values, shape (listed,)."""
        return self._replace(values=checks.checked_values(values, self.n_listed))

    def with_weights(self, weights: ArrayLike) -> Network:
        """The same pairs with other weights, shape (listed,); 0 hides an entry."""
        return self._replace(weights=checks.checked_weights(weights, self.n_listed))

    def with_background(self, background: float) -> Network:
        """The same entries with another weight for the pairs that are not listed."""
        return self._replace(background=checks.checked_background(background))

    def with_step(self, step: Step) -> Network:
        """The same network with one more line of history."""
        return self._replace(history=(*self.history, step))

    def hide(self, which: ArrayLike) -> Network:
        """The same network with the listed entries ``which`` (mask or positions) at weight 0."""
        weights = np.array(self.weights)
        weights[np.asarray(which)] = 0.0
        return self._replace(weights=weights)

    def subset(self, which: ArrayLike) -> Network:
        """Only the listed entries ``which`` (mask or positions); the others become background."""
        chosen = np.asarray(which)
        return Network(
            self.rows[chosen],
            self.cols[chosen],
            self.values[chosen],
            self.weights[chosen],
            shape=self.shape,
            background=self.background,
            symmetric=self.symmetric,
            row_names=self.row_names,
            col_names=self.col_names,
            history=self.history,
        )

    def transposed(self) -> Network:
        """Rows and columns exchanged; a symmetric network is its own."""
        if self.symmetric:
            return self
        return Network(
            self.cols,
            self.rows,
            self.values,
            self.weights,
            shape=(self.shape[1], self.shape[0]),
            background=self.background,
            row_names=self.col_names,
            col_names=self.row_names,
            history=self.history,
        )

    # ---------------------------------------------------------------- comparing and showing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        same = (self.shape, self.background, self.symmetric) == (
            other.shape,
            other.background,
            other.symmetric,
        )
        arrays = ("rows", "cols", "values", "weights")
        return (
            same
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays)
            and checks.same_names(self.row_names, other.row_names)
            and checks.same_names(self.col_names, other.col_names)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return describe(self)

    def __len__(self) -> int:
        return self.n_listed

    def position(self, row: int | str, col: int | str) -> int:
        """Where a pair, by index or by name, stands in the listing; refuses a pair that is not listed."""
        i, j = self.row_index(row), self.col_index(col)
        if self.symmetric and i > j:
            i, j = j, i
        low, high = np.searchsorted(self.rows, [i, i + 1])
        place = low + int(np.searchsorted(self.cols[low:high], j))
        if place == high or self.cols[place] != j:
            raise InputError(f"The pair ({row!r}, {col!r}) is not listed in this network.")
        return int(place)

    def row_index(self, row: int | str) -> int:
        """Index of a row, given by index or by name."""
        return checks.node_index(row, self.row_names, self.shape[0], "row")

    def col_index(self, col: int | str) -> int:
        """Index of a column, given by index or by name."""
        return checks.node_index(col, self.col_names, self.shape[1], "column")
