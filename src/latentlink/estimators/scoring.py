"""Scores of pairs by one model or by the mean of an ensemble, and how far its members differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.network import Network

__all__ = ["Scorer", "mean_and_spread"]

Array = NDArray[Any]


def mean_and_spread(members: Sequence[Any], rows: Array, cols: Array) -> tuple[Array, Array]:
    """Return the mean of the members' scores of each pair, and their standard deviation around it.

    One pass over the members, with four numbers a pair in memory, however many members there are. Differences
    from the first member are summed, and their squares, so that little is lost to rounding; of members that
    say 0 or 1 nothing is, and as many votes are always the same mean and the same spread.

    Examples
    --------
    >>> from latentlink.factors import Factors
    >>> members = [Factors(np.array([[w]]), np.array([[1.0]])) for w in (1.0, 3.0)]
    >>> mean_and_spread(members, np.array([0]), np.array([0]))
    (array([2.]), array([1.]))
    """
    scores = each_score(members, rows, cols)
    first = next(scores)
    total, away, squares = first.astype(np.float64), np.zeros(len(rows)), np.zeros(len(rows))
    for score in scores:
        total += score
        difference = np.subtract(score, first, dtype=np.float64)
        away += difference
        squares += difference**2
    count = len(members)
    return total / count, np.sqrt(np.maximum(count * squares - away**2, 0)) / count


def each_score(members: Sequence[Any], rows: Array, cols: Array) -> Iterator[Array]:
    """Yield the scores of each member; members that share some of the work do it once."""
    if hasattr(members, "scores"):
        yield from members.scores(rows, cols)
    else:
        yield from (member.score(rows, cols) for member in members)


@dataclass(frozen=True, eq=False)
class Scorer:
    """A model and its ensemble, asked by turns.

    Attributes
    ----------
    model : Factors, or anything else that scores pairs
        The centre of the members, fitted to all that is known.
    members : tuple of the same
    by_ensemble : bool
        Whether the mean of the members is the score, unless one asks otherwise.
    """

    model: Any
    members: tuple[Any, ...]
    by_ensemble: bool

    def asks(self, by: str | None) -> tuple[Any, ...]:
        """Return the models whose mean is the score."""
        if by not in {None, "model", "ensemble"}:
            raise IncompatibleError(
                f"by is {by!r}; expected 'model' (the centre of the ensemble, fitted to all that is known), "
                "'ensemble' (the mean of its members) or None for the method's own choice."
            )
        ensemble = self.by_ensemble if by is None else by == "ensemble"
        return self.members if ensemble else (self.model,)

    def training_spread(self, network: Network) -> Array:
        """Return the spread of every listed entry that was fitted, shape (entries,)."""
        known = network.known
        return mean_and_spread(self.members, network.rows[known], network.cols[known])[1]

    def score(self, rows: Array, cols: Array, by: str | None = None) -> Array:
        """Score pairs of indices."""
        asked = self.asks(by)
        if len(asked) == 1:
            return asked[0].score(rows, cols)
        return mean_and_spread(asked, rows, cols)[0]

    def score_and_spread(self, rows: Array, cols: Array, by: str | None = None) -> tuple[Array, Array]:
        """Score pairs of indices; the spread is always that of the members."""
        asked = self.asks(by)
        mean, spread = mean_and_spread(self.members, rows, cols)
        return (mean if asked is self.members else self.score(rows, cols, by)), spread
