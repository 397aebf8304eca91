"""Pairs of nodes that a model does not have: they raise, are NaN, or are scored as the average node."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.network import Network
from latentlink.scoring.pair_input import given_nodes
from latentlink.scoring.scorer import Scorer
from latentlink.scoring.training_spread import TrainingSpread
from latentlink.tables import GuaranteedTable
from latentlink.uncertainty import Prediction, abstain_above
from latentlink.validation.choices import checked_choice
from latentlink.validation.wording import counted

__all__ = ["Guaranteed", "RequestedPairs", "average_scores", "expanded", "requested_pairs"]

Array = NDArray[Any]
Guaranteed = TypeVar("Guaranteed", bound=GuaranteedTable)

_CHOICES = ("error", "nan", "average")
_NODES = 256  # known nodes of each side whose mean is the average node
_CHUNK = 1 << 18  # pairs that are scored at once
# What a table says of pairs with an unknown node; all other columns are NaN there.
_FILL = {"answered": False, "selected": False, "may_be_nonlink": True, "may_be_link": True}


@dataclass(frozen=True, eq=False)
class RequestedPairs:
    """Pairs as they were given, with the indices of their nodes.

    Attributes
    ----------
    network : Network
    given : pair of arrays
        Rows and columns as they were given, by index or by name.
    rows, cols : arrays of int, shape (pairs,)
        Indices, -1 for nodes that the network does not have.
    """

    network: Network
    given: tuple[Array, Array]
    rows: Array
    cols: Array

    @property
    def known(self) -> NDArray[np.bool_]:
        """The pairs whose nodes are both known."""
        return (self.rows >= 0) & (self.cols >= 0)

    def indices(self) -> Array:
        """Return the pairs of known nodes, shape (pairs, 2)."""
        known = self.known
        return np.column_stack([self.rows[known], self.cols[known]])

    def names(self) -> tuple[Array, Array]:
        """Return the names of all nodes, of unknown ones those given; indices where there are no names."""
        names = self.network.row_names, self.network.col_names
        row, col = map(_labels, self.given, (self.rows, self.cols), names)
        return row, col

    def scores(self, scorer: Scorer, by: str | None, unknown: str) -> tuple[Array, Array]:
        """Return score and spread of all pairs; those of unknown nodes are NaN, or the average."""
        known = self.known
        if known.all():
            return scorer.score_and_spread(self.rows, self.cols, by)
        score, spread = np.full((2, len(known)), np.nan)
        score[known], spread[known] = scorer.score_and_spread(self.rows[known], self.cols[known], by)
        if unknown == "average":
            rest = self.rows[~known], self.cols[~known]
            score[~known], spread[~known] = average_scores(self.network, scorer, *rest, by)
        return score, spread

    def assessed(self, training: TrainingSpread, by: str | None, unknown: str) -> Prediction:
        """Return the scores of all pairs, and abstain above the mean spread in training and on NaN."""
        score, spread = self.scores(training.scorer, by, unknown)
        nothing = np.isnan(score)
        relative = spread / training.scorer.units(self.cols)
        numbers = np.where(nothing, 0.0, score), np.where(nothing, 0.0, relative)
        prediction = abstain_above(*self.names(), *numbers, training.mean)
        return replace(prediction, score=score, spread=spread, abstained=prediction.abstained | nothing)


def requested_pairs(
    network: Network, pairs: Any, unknown: str, choices: Sequence[str] = _CHOICES
) -> RequestedPairs:
    """Return pairs with their indices; raise for unknown nodes if ``unknown`` is "error".

    Parameters
    ----------
    network : Network
    pairs : as for `given_nodes`
    unknown : {"error", "nan", "average"}
        What becomes of unknown nodes: names that the network does not have, and indices beyond it.
    choices : sequence of str
        Those of the three that the caller accepts.
    """
    if unknown == "average" and unknown not in choices:
        raise InputError(
            "unknown is 'average'; expected 'error' or 'nan', since nothing is guaranteed for a node that "
            "the model does not have. The average is in predict_links and assess of the model."
        )
    checked_choice(unknown, choices, "unknown")
    given = given_nodes(network, pairs)
    requested = RequestedPairs(network, given, *network.pair_indices(*given, missing=True))
    if unknown == "error" and not requested.known.all():
        try:
            network.pair_indices(*given)
        except InputError as error:
            others = " or ".join(f'unknown="{choice}"' for choice in choices if choice != "error")
            what = "score the other pairs" if requested.known.any() else "continue without"
            raise InputError(f"{error} To {what}, give {others}.") from None
    return requested


def average_scores(
    network: Network, scorer: Scorer, rows: Array, cols: Array, by: str | None = None
) -> tuple[Array, Array]:
    """Score pairs of unknown nodes (-1) by the mean over the known nodes that could be in their place.

        score(?, j)  = mean over rows i of score(i, j)
        spread(?, j) = root of [ variance over rows i of score(i, j) + mean over rows i of spread(i, j)^2 ]

    and likewise for an unknown column; if both are unknown, over pairs. The mean is that of the scores, after
    any link. The spread is the standard deviation over nodes and members together, and so is never less than
    that of the members. Of more than 256 nodes of a side, 256 at equal distances stand for all.

    Parameters
    ----------
    network : Network
        In a network of one kind of nodes, a node with itself is left out.
    scorer : Scorer
    rows, cols : arrays of int, shape (pairs,)
        Indices, -1 for unknown nodes; at least one of each pair is unknown.
    by : {"model", "ensemble"} or None

    Returns
    -------
    scores, spread : arrays, shape (pairs,)
    """
    pairs, pair_of = np.unique(np.stack([rows, cols]), axis=1, return_inverse=True)
    result = np.empty((2, pairs.shape[1]))
    nodes = [_evenly(size) for size in network.shape]
    for kind in ((True, False), (False, True), (True, True)):
        chosen = np.flatnonzero(((pairs < 0) == np.array(kind)[:, None]).all(axis=0))
        # All pairs of an unknown row and an unknown column, which are the same to the model.
        stand_in = [nodes[side] if missing else None for side, missing in enumerate(kind)]
        step = _CHUNK // int(np.prod([len(each) for each in stand_in if each is not None]))
        for begin in range(0, len(chosen), step):
            part = chosen[begin : begin + step]
            result[:, part] = _moments(network, scorer, _grid(pairs[:, part], stand_in), by)
    score, spread = result[:, pair_of.ravel()]
    return score, spread


def _evenly(size: int) -> Array:
    return np.unique(np.linspace(0, size - 1, min(size, _NODES)).round().astype(np.int64))


def _grid(pairs: Array, stand_in: Sequence[Array | None]) -> tuple[Array, Array]:
    """Return rows and columns that stand in for each pair, shape (pairs, stand-ins)."""
    count = pairs.shape[1]
    row_nodes, col_nodes = stand_in
    if row_nodes is not None and col_nodes is not None:
        rows, cols = np.repeat(row_nodes, len(col_nodes)), np.tile(col_nodes, len(row_nodes))
        return np.tile(rows, (count, 1)), np.tile(cols, (count, 1))
    if row_nodes is not None:
        return np.tile(row_nodes, (count, 1)), np.repeat(pairs[1][:, None], len(row_nodes), axis=1)
    assert col_nodes is not None  # one of both is unknown
    return np.repeat(pairs[0][:, None], len(col_nodes), axis=1), np.tile(col_nodes, (count, 1))


def _moments(network: Network, scorer: Scorer, grid: tuple[Array, Array], by: str | None) -> Array:
    """Return mean and standard deviation over the stand-ins of each pair, shape (2, pairs)."""
    rows, cols = grid
    score, spread = (
        each.reshape(rows.shape).astype(np.float64)
        for each in scorer.score_and_spread(rows.ravel(), cols.ravel(), by)
    )
    counts = (rows != cols) if network.square and not network.has_self_loops else np.ones(rows.shape, bool)
    total = np.where(counts.any(axis=1), counts.sum(axis=1), np.nan)
    mean = np.where(counts, score, 0).sum(axis=1) / total
    squares = np.where(counts, (score - mean[:, None]) ** 2 + spread**2, 0).sum(axis=1)
    return np.stack([mean, np.sqrt(squares / total)])


def _labels(given: Array, indices: Array, names: Array | None) -> Array:
    """Return the names of nodes, those given for unknown ones; without names the indices that were given."""
    known = indices >= 0
    if names is None:
        return indices if known.all() else np.where(known, indices, given).astype(np.int64)
    if known.all():
        return names[indices]
    unknown = [str(label) for label in given[~known].tolist()]
    labels = np.empty(len(indices), f"<U{max(names.itemsize // 4, *map(len, unknown))}")
    labels[known], labels[~known] = names[indices[known]], unknown
    return labels


def expanded(table: Guaranteed, requested: RequestedPairs) -> Guaranteed:
    """Return a table of the known pairs with a line for each requested pair, in their order.

    A line of an unknown node has NaN for numbers; it is not answered and not selected, and its set holds both
    labels.
    """
    known = requested.known
    columns: dict[str, Array] = dict(zip(("row", "column"), requested.names(), strict=True))
    for name, column in table.columns.items():
        if name not in columns:
            fill = _FILL.get(name, np.nan)
            columns[name] = np.full(len(known), fill)
            columns[name][known] = column
    count = int(np.count_nonzero(~known))
    limits = f"Of {counted(count, 'pair')} a node is unknown: nothing is stated about them. " if count else ""
    return replace(table, columns=columns, limits=limits + table.limits)
