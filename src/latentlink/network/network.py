"""Network: a partly known matrix, as listed entries with values and weights, and a background weight."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import entries as checks
from latentlink.network.compressed import View, compressed_view
from latentlink.network.describe import describe
from latentlink.network.entries import Entries
from latentlink.network.history import Step
from latentlink.network.lookup import NodeLookup
from latentlink.network.names import checked_names, same_names
from latentlink.network.readers.constructors import NetworkConstructors
from latentlink.network.writers import NetworkWriters
from latentlink.validation.wording import counted

__all__ = ["Network", "require_network"]

_ARRAYS = ("rows", "cols", "values", "weights")
_FIELDS = (*_ARRAYS, "shape", "background", "symmetric", "square", "row_names", "col_names", "history")
# Cached results that depend on indices and names only, and stay valid when values or weights change.
_STRUCTURE = ("csr", "csc", "repeated", "is_clean", "has_self_loops", "_row_table", "_col_table")


class Network(NodeLookup, NetworkConstructors, NetworkWriters):
    """A partly known matrix or network: listed entries with weights, a background weight, and names.

    Entry ``(i, j)`` is *listed* with a value and a weight, or it is not listed and belongs to the
    *background*, where its value counts as 0 with weight ``background``. Least-squares methods minimise

        sum over listed  weight * (value - score)^2  +  background * sum over unlisted  score^2.

    A listed entry of weight 0 is *hidden*: it does not count in the loss. ``background=0`` makes unlisted
    pairs unknown (ratings, labelled pairs), ``background=1`` makes them known zeros (an ordinary matrix), a
    value between 0 and 1 makes them weak negatives (a network of which only the links are known).

    A network is immutable; its arrays are read-only. Make one with `from_edges`, `from_dense`,
    `from_sparse`, `from_file` or `from_networkx`.

    Parameters
    ----------
    rows, cols : array of int, shape (listed,)
        Row and column indices of the listed entries, in any order.
    values : array of float, shape (listed,), or None
        Values of the listed entries; None makes all of them 1.
    weights : array of float, shape (listed,), or None
        Weights of the listed entries, >= 0; None makes all of them 1.
    shape : (int, int)
        Numbers of rows and columns.
    background : float
        Weight of every pair that is not listed.
    symmetric : bool
        The network is undirected: (a, b) and (b, a) are the same pair, listed once with the smaller index
        first. Without a listed self loop the diagonal is hidden, whatever the background.
    square : bool
        Rows and columns are the same nodes; always True for a symmetric network. With
        ``symmetric=False`` the network is directed: (a, b) and (b, a) are different pairs.
    row_names, col_names : sequence of str or None
        Names of the rows and of the columns; in a square network ``row_names`` are for both.
    history : tuple of Step
        How the data were read and changed so far.

    Examples
    --------
    >>> network = Network([0, 0, 1], [0, 1, 1], [1.0, 0.0, 1.0], shape=(2, 3))
    >>> network
    Network: 2 x 3, 2 links, 1 non-link, rest unknown
    """

    def __init__(  # noqa: PLR0913
        self,
        rows: ArrayLike,
        cols: ArrayLike,
        values: ArrayLike | None = None,
        weights: ArrayLike | None = None,
        *,
        shape: tuple[int, int],
        background: float = 0.0,
        symmetric: bool = False,
        square: bool = False,
        row_names: Sequence[str] | NDArray[Any] | None = None,
        col_names: Sequence[str] | NDArray[Any] | None = None,
        history: tuple[Step, ...] = (),
    ) -> None:
        square = bool(square or symmetric)
        shape = checks.checked_shape(shape, square)
        listed = checks.checked_entries(rows, cols, values, weights, shape)
        order, first, second = checks.canonical_order(listed.rows, listed.cols, symmetric)
        names = checked_names(row_names, col_names, shape, square)
        self._set(
            rows=first,
            cols=second,
            values=checks.reordered(listed.values, order),
            weights=checks.reordered(listed.weights, order),
            shape=shape,
            background=checks.checked_background(background),
            symmetric=bool(symmetric),
            square=square,
            row_names=names[0],
            col_names=names[1],
            history=tuple(history),
        )

    shared_by_tasks: ClassVar[bool] = True  # see `latentlink.cluster.shared_objects`

    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    background: float
    square: bool
    history: tuple[Step, ...]

    def _set(self, **fields: Any) -> None:
        for field in fields.values():
            if isinstance(field, np.ndarray):
                field.setflags(write=False)
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(
            f"A Network is immutable, so its {name!r} cannot be set. "
            "Make a new one, for example with with_values, with_weights or with_background."
        )

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"A Network is immutable, so its {name!r} cannot be deleted.")

    def __getstate__(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in _FIELDS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Arrays of a pickle or a deep copy are writable.
        self._set(**state)

    # ---------------------------------------------------------------- counts

    @property
    def entries(self) -> Entries:
        """Rows, columns, values and weights of the listed entries, as a named tuple."""
        return Entries(self.rows, self.cols, self.values, self.weights)

    @property
    def n_listed(self) -> int:
        """Number of listed entries, including hidden ones; an undirected pair counts once."""
        return len(self.rows)

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Boolean mask of the listed entries of positive weight."""
        return _frozen(self.weights > 0)

    @cached_property
    def n_known(self) -> int:
        """Number of listed entries of positive weight."""
        return int(np.count_nonzero(self.known))

    @property
    def n_pairs(self) -> int:
        """Number of all pairs; of unordered pairs, including the diagonal, if the network is symmetric."""
        n, m = self.shape
        return n * (n + 1) // 2 if self.symmetric else n * m

    @cached_property
    def repeated(self) -> NDArray[np.bool_]:
        """Boolean mask of the listed entries whose pair equals that of the entry before them."""
        same = np.zeros(self.n_listed, bool)
        same[1:] = (self.rows[1:] == self.rows[:-1]) & (self.cols[1:] == self.cols[:-1])
        return _frozen(same)

    @cached_property
    def is_clean(self) -> bool:
        """Whether every pair is listed at most once."""
        return not self.repeated.any()

    def require_clean(self, what: str) -> None:
        """Raise IncompatibleError if a pair is listed more than once; ``what`` names the operation."""
        if not self.is_clean:
            raise IncompatibleError(
                f"{what} needs every pair listed once, but in this network "
                f"{counted(int(self.repeated.sum()), 'entry repeats', 'entries repeat')} a pair. "
                "Clean the network first with drop_duplicates and resolve_conflicts of latentlink.network."
            )

    @cached_property
    def is_binary(self) -> bool:
        """Whether every known value is 0 or 1."""
        known = self.values[self.known]
        return bool(np.all((known == 0) | (known == 1)))

    @cached_property
    def has_self_loops(self) -> bool:
        """Whether a pair of a node with itself is listed; always False unless the network is square."""
        return self.square and bool(np.any(self.rows == self.cols))

    # ---------------------------------------------------------------- views

    @cached_property
    def csr(self) -> View:
        """Listed entries compressed by row; pairs of a symmetric network are in both directions."""
        return compressed_view(self.rows, self.cols, self.shape, self.symmetric)

    @cached_property
    def csc(self) -> View:
        """Listed entries compressed by column; for a symmetric network the same object as `csr`."""
        if self.symmetric:
            return self.csr
        return compressed_view(self.cols, self.rows, (self.shape[1], self.shape[0]), False)

    # ---------------------------------------------------------------- new networks from this one

    def _replace(self, **fields: Any) -> Network:
        new = object.__new__(Network)
        new._set(**(self.__getstate__() | fields))
        new.__dict__.update({name: self.__dict__[name] for name in _STRUCTURE if name in self.__dict__})
        return new

    def relisted(self, rows: ArrayLike, cols: ArrayLike, *numbers: ArrayLike, **fields: Any) -> Network:
        """Return a network of other entries, with all other fields as here unless given in ``fields``.

        Parameters
        ----------
        rows, cols : array of int, shape (listed,)
        *numbers : arrays of float, shape (listed,)
            Values and weights; ones if left out.
        **fields
            Other parameters of `Network` to change, such as ``background``.

        Examples
        --------
        >>> Network([0], [1], shape=(2, 2)).relisted([0, 1], [0, 1], background=1.0)
        Network: 2 x 2, 2 links, 0 non-links, rest zero
        """
        current = self.__getstate__() | fields
        plain = {name: current[name] for name in ("shape", "background", "symmetric", "square", "history")}
        # These names were checked already; checking a million again for each subset takes a second.
        named = {name: current[name] for name in ("row_names", "col_names")}
        return Network(rows, cols, *numbers, **plain)._replace(**named)

    def with_values(self, values: ArrayLike) -> Network:
        """Return a network with other values of the listed entries, shape (listed,)."""
        return self._replace(values=checks.checked_values(values, self.n_listed))

    def with_weights(self, weights: ArrayLike) -> Network:
        """Return a network with other weights of the listed entries, shape (listed,); 0 hides an entry."""
        return self._replace(weights=checks.checked_weights(weights, self.n_listed))

    def with_background(self, background: float) -> Network:
        """Return a network with another weight of the pairs that are not listed."""
        return self._replace(background=checks.checked_background(background))

    def with_step(self, step: Step) -> Network:
        """Return a network with one more step in its history."""
        return self._replace(history=(*self.history, step))

    def hide(self, which: ArrayLike) -> Network:
        """Return a network in which the listed entries ``which`` (mask or positions) have weight 0."""
        weights = np.array(self.weights)
        weights[checks.checked_which(which, self.n_listed)] = 0.0
        return self._replace(weights=weights)

    def subset(self, which: ArrayLike) -> Network:
        """Return a network of the listed entries ``which`` (mask or positions); others become unlisted."""
        selected = checks.checked_which(which, self.n_listed)
        return self.relisted(*(getattr(self, name)[selected] for name in _ARRAYS))

    def transposed(self) -> Network:
        """Return the transpose; of a symmetric network the same object."""
        if self.symmetric:
            return self
        return self.relisted(
            self.cols,
            self.rows,
            self.values,
            self.weights,
            shape=self.shape[::-1],
            row_names=self.col_names,
            col_names=self.row_names,
        )

    # ---------------------------------------------------------------- comparing and showing

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        plain = ("shape", "background", "symmetric", "square")
        return (
            all(getattr(self, name) == getattr(other, name) for name in plain)
            and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _ARRAYS)
            and same_names(self.row_names, other.row_names)
            and same_names(self.col_names, other.col_names)
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return describe(self)

    def __len__(self) -> int:
        return self.n_listed


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array


def require_network(network: Any, what: str) -> None:
    """Raise InputError unless an argument is a Network; ``what`` names the function that got it."""
    if not isinstance(network, Network):
        raise InputError(
            f"{what} was given an object of type {type(network).__name__}; expected a Network. Make one with "
            "Network.from_edges, from_dense, from_sparse or from_file."
        )
