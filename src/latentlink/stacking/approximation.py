"""An approximation of a stacked model that is fast enough for all pairs of a large network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import linalg
from scipy.special import logit

from latentlink.kernels import piecewise_linear_sum
from latentlink.network import Network
from latentlink.random import rng_for
from latentlink.scoring import Members
from latentlink.scoring.scorer import mean_and_spread
from latentlink.stacking.block_columns import BlockColumns
from latentlink.stacking.last_stage.hat_functions import hat_functions

__all__ = ["Approximation"]

Array = NDArray[Any]

_MEMBERS = 4  # whose scores are averaged: more change the mean little
_PAIRS = 20_000  # to learn from
_ROWS = (100, 1000)  # least and most rows that they come from
_BLOCK = 1 << 21  # pairs of these rows, about
_LEVELS = (0.0, 0.25, 0.5, 0.75, 0.9, 0.96, 0.99, 1.0)  # of the knots, which are quantiles: dense at the top
_CELLS = 1 << 12  # of the table of a function
_PENALTY = 1e-5  # of squared heights, for each pair
_LEAST_RANGE = 1e-5  # of a column: less is rounding, as of a spectrum of full rank
_LEAST = 1e-12  # probabilities below have the same logit
_SAMPLE = -9 % 2**32  # keeps these draws apart from those of other purposes


@dataclass(frozen=True, eq=False)
class Approximation:
    """A sum of piecewise linear functions, regressed on the logits of a stack.

        g(i, j) = sum_f s_f(column_f(i, j)) + sum_m (a_m(measure_m(i)) + b_m(measure_m(j)))

    The columns are those of `BlockColumns`, which need no search around each pair. Its order of the pairs is
    near that of the stack, so that the best pairs of the stack are found among many that are best here.

    Attributes
    ----------
    columns : BlockColumns
    least, scale : array, shape (columns,)
        The cell of a number x in the table of a function is ``(x - least) * scale``, rounded down.
    tables : array, shape (columns, cells)
        The functions s_f, constant in each cell.
    rows, cols : array, shape (rows,), shape (columns,)
        The parts of both ends.
    """

    columns: BlockColumns
    least: Array
    scale: Array
    tables: Array
    rows: Array
    cols: Array

    @classmethod
    def of(cls, members: Members, network: Network) -> Approximation | None:
        """Learn the scores of a stack from some pairs: random ones, and the best by each of the columns.

        Parameters
        ----------
        members : StackedMembers
            The mean of their scores is approximated.
        network : Network
            The training network.

        Returns
        -------
        Approximation or None
            None if all of the pairs that were drawn are known.
        """
        models = zip(*(member.models for member in members[:_MEMBERS]), strict=True)
        columns = BlockColumns.of(tuple(models), members[0].graph)
        rows, cols, table = _sample(columns, network)
        if not len(rows):
            return None
        scores = mean_and_spread(members, rows, cols)[0]
        of_rows, of_cols = columns.measures
        table = np.vstack([table, of_rows[:, rows], of_cols[:, cols]])
        knots = np.quantile(table, _LEVELS, axis=1).T.copy()
        heights = _regressed(hat_functions(table.T, knots), logit(np.clip(scores, _LEAST, 1 - _LEAST)))
        heights = heights.reshape(knots.shape)
        heights[np.ptp(knots, axis=1) < _LEAST_RANGE] = 0.0
        count = len(table) - len(of_rows) - len(of_cols)
        at_rows, at_cols = slice(count, count + len(of_rows)), slice(count + len(of_rows), None)
        middles = (np.arange(_CELLS) + 0.5) / _CELLS
        least, width = knots[:count, 0], np.maximum(np.ptp(knots[:count], axis=1), _LEAST_RANGE)
        tables = [
            np.interp(low + wide * middles, places, values)
            for low, wide, places, values in zip(least, width, knots, heights, strict=False)
        ]
        return cls(
            columns,
            least.astype(np.float32),
            (_CELLS / width).astype(np.float32),
            np.array(tables, np.float32),
            piecewise_linear_sum(of_rows, knots[at_rows], heights[at_rows]),
            piecewise_linear_sum(of_cols, knots[at_cols], heights[at_cols]),
        )

    def block(self, begin: int, end: int, first: int = 0) -> Array:
        """Score rows ``begin`` to ``end`` with all columns from ``first`` on; a constant is left out."""
        scores = self.rows[begin:end, None] + self.cols[first:]
        parts = zip(self.columns.block(begin, end, first), self.least, self.scale, self.tables, strict=True)
        for column, least, scale, table in parts:
            column -= least
            column *= scale
            np.clip(column, 0, _CELLS - 1, out=column)
            scores += table[column.astype(np.int32)]
        return scores


def _sample(columns: BlockColumns, network: Network) -> tuple[Array, Array, Array]:
    """Return rows, columns and the table of pairs to learn from, none of them known."""
    rng = rng_for(0, _SAMPLE)
    n, m = network.shape
    count = min(n, int(np.clip(_BLOCK // m, *_ROWS)))
    # Half of the rows by their degrees: the best pairs of a network with hubs are theirs.
    degrees = np.diff(network.csr.indptr) + 1.0
    by_degree = rng.choice(n, size=(count + 1) // 2, replace=False, p=degrees / degrees.sum())
    rows = np.union1d(by_degree, rng.choice(n, size=count // 2, replace=False))
    for_each = -(-_PAIRS // len(rows))
    parts = []
    for row in rows:
        table = np.array([column[0] for column in columns.block(row, row + 1, 0)])
        kept = _kept(table, for_each, rng)
        position = network.positions(np.full(len(kept), row), kept)
        ranked = ~network.known[position] | (position < 0)
        if network.square:
            ranked &= kept != row
        kept = kept[ranked]
        parts.append((np.full(len(kept), row), kept, table[:, kept]))
    all_rows, all_cols, tables = zip(*parts, strict=True)
    return np.concatenate(all_rows), np.concatenate(all_cols), np.concatenate(tables, axis=1)


def _kept(table: Array, count: int, rng: np.random.Generator) -> Array:
    """Return some columns of a row: a third at random, the others the best by each line of the table."""
    m = table.shape[1]
    best = min(m, max(1, 2 * count // (3 * len(table))))
    by_line = np.argpartition(-table, best - 1, axis=1)[:, :best]
    return np.union1d(by_line, rng.choice(m, size=min(m, max(1, count // 3)), replace=False))


def _regressed(columns: Array, target: Array) -> Array:
    """Return coefficients by penalised least squares, with a constant that is left out."""
    centred = columns - columns.mean(axis=0)
    gram = centred.T @ centred
    gram[np.diag_indices_from(gram)] += _PENALTY * len(target)
    return linalg.solve(gram, centred.T @ (target - target.mean()), assume_a="pos")
