"""The record of a factorization: link(W H + row bias + column bias + offset)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from latentlink.errors import InputError

__all__ = ["CHUNK", "Factors", "kept_within", "sigmoid"]

Floats = NDArray[np.floating[Any]]

CHUNK = 1 << 22
"""Numbers that `Factors.score` gathers at once: 32 MB in double precision."""

_ROOM = 1e-10  # share of a range at either end, in which scores beyond it keep their order


@dataclass(frozen=True, eq=False)
class Factors:
    """A factorization of a matrix, which scores pairs of rows and columns.

        score(i, j) = link( sum_c W[i, c] H[c, j] + row_bias[i] + col_bias[j] + offset )

    The link is the identity, the sigmoid of a logistic model, or the identity clipped to given bounds.

    Attributes
    ----------
    W : array, shape (rows, rank)
    H : array, shape (rank, columns)
    row_bias : array, shape (rows,), or None
    col_bias : array, shape (columns,), or None
    offset : float
        Added to every score.
    logistic : bool
        Whether the link is the sigmoid, and scores are probabilities.
    boolean : bool
        Whether the product is Boolean: 1 where some component contains both row and column, else 0.
    symmetric : bool
        Whether pairs are unordered: the link is applied to the mean of both directions. Of a Boolean model it
        is the larger of both.
    bounds : (float, float) or None
        Range to which scores are clipped, such as that of a rating scale; see `kept_within`. One end may be
        infinite, as for counts.

    Examples
    --------
    >>> Factors(np.array([[1.0], [2.0]]), np.array([[3.0, 4.0]])).score([0, 1], [0, 1])
    array([3., 8.])
    """

    W: Floats
    H: Floats
    row_bias: Floats | None = None
    col_bias: Floats | None = None
    offset: float = 0.0
    logistic: bool = False
    boolean: bool = False
    symmetric: bool = False
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        of_rows, of_cols = np.shape(self.W) or (0,), np.shape(self.H) or (0,)
        n, rank, m = of_rows[0], of_rows[-1], of_cols[-1]
        expected = {"W": (n, rank), "H": (rank, m), "row_bias": (n,), "col_bias": (m,)}
        for name, shape in expected.items():
            part = getattr(self, name)
            if part is not None and np.shape(part) != shape:
                raise InputError(
                    f"The factors do not fit together: {name} has shape {np.shape(part)}; expected {shape}, "
                    f"given W of shape {np.shape(self.W)} and H of shape {np.shape(self.H)}."
                )
        if self.bounds is not None and not _are_bounds(self.bounds):
            raise InputError(
                f"The factors have the bounds {self.bounds}; expected two numbers, the least first, of which "
                "one may be infinite."
            )

    @property
    def rank(self) -> int:
        """Number of components."""
        return self.W.shape[1]

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.W.shape[0], self.H.shape[1]

    def score(self, rows: ArrayLike, cols: ArrayLike) -> Floats:
        """Return the scores of pairs of row and column indices.

        Parameters
        ----------
        rows, cols : int or array of int, shape (pairs,)
            Indices, counted from 0; a single one is broadcast.

        Returns
        -------
        array, shape (pairs,)
        """
        i = _checked_indices(rows, self.shape[0], "row")
        j = _checked_indices(cols, self.shape[1], "column")
        if len(i) != len(j) and 1 not in {len(i), len(j)}:
            raise InputError(
                f"There are {len(i):,} row indices and {len(j):,} column indices; expected as many of both, "
                "or a single one of either."
            )
        i, j = np.broadcast_arrays(i, j)
        scores = np.empty(len(i), np.result_type(self.W, self.H, np.float32))
        partners = np.ascontiguousarray(self.H.T)
        step = max(1, CHUNK // max(1, self.rank))
        for begin in range(0, len(i), step):
            part = slice(begin, begin + step)
            scores[part] = self._linear(i[part], j[part], partners)
            if self.symmetric:
                back = self._linear(j[part], i[part], partners)
                scores[part] = np.maximum(scores[part], back) if self.boolean else (scores[part] + back) / 2
        return self._linked(scores)

    def _linked(self, scores: Floats) -> Floats:
        """Apply the link."""
        if self.logistic:
            return sigmoid(scores)
        return scores if self.bounds is None else kept_within(scores, *self.bounds)

    def _linear(self, rows: NDArray[Any], cols: NDArray[Any], partners: Floats) -> Floats:
        score: Floats = np.einsum("pc,pc->p", self.W[rows], partners[cols])
        if self.boolean:
            score = (score > 0.5).astype(score.dtype)
        if self.row_bias is not None:
            score = score + self.row_bias[rows]
        if self.col_bias is not None:
            score = score + self.col_bias[cols]
        return score + self.offset

    def block(self, begin: int, end: int, first: int = 0) -> Floats:
        """Return the scores of rows ``begin`` to ``end - 1`` and all columns from ``first`` on.

        Components are added one after the other, so that a score does not depend on its position in a block:
        equal rows have equal scores, to the last bit. (The order of sums in a matrix product may vary.)

        Parameters
        ----------
        begin, end : int
            The range of rows.
        first : int
            The first column.

        Returns
        -------
        array, shape (rows, columns)
        """
        rows, cols = slice(begin, end), slice(first, None)
        score = _product(self.W[rows], self.H[:, cols], self.boolean)
        score += _bias_block(self.row_bias, self.col_bias, rows, cols)
        if self.symmetric and self.boolean:
            reverse = _product(self.H.T[rows], self.W.T[:, cols], boolean=True)
            reverse += _bias_block(self.col_bias, self.row_bias, rows, cols)
            np.maximum(score, reverse, out=score)
        elif self.symmetric:
            score += _product(self.H.T[rows], self.W.T[:, cols], boolean=False)
            score += _bias_block(self.col_bias, self.row_bias, rows, cols)
            score /= 2
        score += self.offset
        return self._linked(score)

    def contributions(self, row: int, col: int) -> dict[str, float]:
        """Return the terms of a pair's score before the link, by name.

        Their sum is the score, or its logit for a logistic model. The terms of an undirected pair are means
        over both directions. Of a Boolean model, the term of a component is 1 if it covers the pair (an
        undirected one in either direction), and the score is 1 if any term is.

        Parameters
        ----------
        row, col : int
            Indices of the pair.

        Returns
        -------
        dict
            Terms named "component 0", "component 1", ..., "row bias", "column bias" and "offset"; the biases
            and the offset only if there are any.

        Examples
        --------
        >>> Factors(np.array([[1.0, 2.0]]), np.array([[3.0], [4.0]]), offset=0.5).contributions(0, 0)
        {'component 0': 3.0, 'component 1': 8.0, 'offset': 0.5}
        """
        terms = self.W[row] * self.H[:, col]
        if self.symmetric:
            reverse = self.W[col] * self.H[:, row]
            terms = np.maximum(terms, reverse) if self.boolean else (terms + reverse) / 2
        named = {f"component {c}": float(term) for c, term in enumerate(terms)}
        if self.row_bias is not None or self.col_bias is not None:
            named |= {"row bias": self._bias_of(row, 0), "column bias": self._bias_of(col, 1)}
        return named | ({"offset": self.offset} if self.offset else {})

    def _bias_of(self, node: int, side: int) -> float:
        """Return the bias of a row or column; of an undirected model the mean of both biases of the node."""
        biases = (self.row_bias, self.col_bias)
        used = biases if self.symmetric else (biases[side],)
        return sum(0.0 if bias is None else float(bias[node]) for bias in used) / len(used)

    def rows_from(self, W: Floats) -> Floats:
        """Return rows on the scale of the data: link(W H + mean row bias + column bias + offset).

        Rows of an undirected model are scored in one direction, from row to column.

        Parameters
        ----------
        W : array, shape (rows, rank)
            Factors of any rows. Their row biases are unknown: the mean over the fitted rows replaces them.

        Returns
        -------
        array, shape (rows, columns)

        Examples
        --------
        >>> model = Factors(np.array([[1.0], [2.0]]), np.array([[3.0, 4.0]]), offset=0.5)
        >>> model.rows_from(np.array([[10.0]]))
        array([[30.5, 40.5]])
        """
        score: Floats = W @ self.H
        if self.boolean:
            score = (score > 0.5).astype(np.float64)
        score += self.offset
        if self.row_bias is not None:
            score += self.row_bias.mean()
        if self.col_bias is not None:
            score += self.col_bias
        return self._linked(score)

    def balanced(self) -> Factors:
        """Return the same model with equal norms of W and H in every component, where a ridge is least.

        Examples
        --------
        >>> balanced = Factors(np.array([[3.0], [4.0]]), np.array([[20.0]])).balanced()
        >>> balanced.W.ravel(), balanced.H.ravel()
        (array([6., 8.]), array([10.]))
        """
        norms = [np.linalg.norm(side, axis=0) for side in (self.W, self.H.T)]
        nonzero = (norms[0] > 0) & (norms[1] > 0)
        scale = np.sqrt(np.divide(norms[1], norms[0], out=np.ones(self.rank), where=nonzero))
        return replace(self, W=self.W * scale, H=self.H / scale[:, None])

    def transposed(self) -> Factors:
        """Return the same model with rows and columns exchanged."""
        return replace(self, W=self.H.T, H=self.W.T, row_bias=self.col_bias, col_bias=self.row_bias)


def _product(A: Floats, B: Floats, boolean: bool) -> Floats:
    if boolean:  # sums of small integers are exact in any order
        return (A @ B > 0.5).astype(np.float64)
    total = np.zeros((len(A), B.shape[1]))
    for c in range(A.shape[1]):
        total += np.multiply.outer(A[:, c], B[c])
    return total


def _bias_block(row: Floats | None, col: Floats | None, rows: slice, cols: slice) -> Floats | float:
    total: Floats | float = 0.0
    if row is not None:
        total = total + row[rows, None]
    if col is not None:
        total = total + col[None, cols]
    return total


def _are_bounds(bounds: tuple[float, float]) -> bool:
    low, high = bounds
    return low < high and low < np.inf and high > -np.inf and bool(np.isfinite([low, high]).any())


def kept_within(scores: Floats, low: float | Floats, high: float | Floats) -> Floats:
    """Clip scores to a range without ties: those beyond an end keep their order, just inside of it.

    They are within a ten-billionth of the range from the end, and those inside stay as they are. So pairs are
    ranked, calibrated and selected as if nothing had been clipped. The ends may be
    arrays, of each score its own.

    Examples
    --------
    >>> clipped = kept_within(np.array([-1.0, 0.5, 1.2, 1.3]), 0.0, 1.0)
    >>> clipped.round(6).tolist(), bool(clipped[2] < clipped[3] < 1)
    ([0.0, 0.5, 1.0, 1.0], True)
    >>> kept_within(np.array([-1.0, 7.0]), 0.0, np.inf).round(6).tolist()
    [0.0, 7.0]
    """
    wide, size = np.asarray(scores, np.float64), np.subtract(high, low)
    size = np.where(np.isfinite(size), size, 1.0)
    beyond = np.maximum(wide - high, low - wide)  # negative inside
    room = _ROOM * size / (1 + np.maximum(beyond, 0.0) / size)
    kept: Floats = np.where(beyond > 0, np.where(wide > high, high - room, low + room), wide)
    return kept


def sigmoid(z: Floats) -> Floats:
    """Return 1 / (1 + exp(-z)) without overflow."""
    e = np.exp(-np.abs(z))
    return np.where(z >= 0, 1, e) / (1 + e)


def _checked_indices(indices: ArrayLike, size: int, what: str) -> NDArray[np.integer[Any]]:
    """Return indices as an array; raise InputError unless all are integers in the range."""
    numbers = np.atleast_1d(indices)
    if numbers.ndim != 1 or (numbers.size and numbers.dtype.kind not in "iu"):
        raise InputError(
            f"The {what} indices are an array of shape {numbers.shape} and type {numbers.dtype}; expected "
            "one dimension of integers. A network turns names into indices: network.row_indices, col_indices."
        )
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < size:
        wrong = int(numbers[(numbers < 0) | (numbers >= size)][0])
        raise InputError(f"There is no {what} {wrong}: the model has {size:,} {what}s, counted from 0.")
    return numbers.astype(np.intp, copy=False)
