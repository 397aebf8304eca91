"""Scores by the central model or by the mean of the ensemble, and the spread of the ensemble."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.factors import kept_within
from latentlink.network import Network
from latentlink.scoring.pair_model import Members, PairModel
from latentlink.validation.wording import counted

__all__ = ["Scorer", "mean_and_spread"]

Array = NDArray[Any]


def mean_and_spread(members: Members, rows: Array, cols: Array) -> tuple[Array, Array]:
    """Return the mean of the members' scores of each pair, and their standard deviation.

    The mean is that of scores clipped to the bounds of the members, the deviation that of scores before:
    members that are all beyond the end of a scale need not agree.

    One pass over the members, with four numbers a pair in memory, however many members there are. Differences
    from the first member are summed, and their squares, so that little is lost to rounding. For members whose
    scores are 0 or 1 nothing is: the same number of ones always has the same mean and spread.

    Examples
    --------
    >>> from latentlink.factors import Factors
    >>> members = Members(Factors(np.array([[w]]), np.array([[1.0]])) for w in (1.0, 3.0))
    >>> mean_and_spread(members, np.array([0]), np.array([0]))
    (array([2.]), array([1.]))
    """
    bounds = getattr(members[0], "bounds", None)
    if bounds is not None:
        members = type(members)(replace(member, bounds=None) for member in members)
    within: Callable[[Array], Array] = np.asarray
    if bounds is not None:
        within = partial(kept_within, low=bounds[0], high=bounds[1])
    scores = members.scores(rows, cols)
    first = next(scores)
    total, differences, squares = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(len(rows))
    total += within(first)
    for score in scores:
        total += within(score)
        difference = np.subtract(score, first, dtype=np.float64)
        differences += difference
        squares += difference**2
    count = len(members)
    return total / count, np.sqrt(np.maximum(count * squares - differences**2, 0)) / count


@dataclass(frozen=True, eq=False)
class Scorer:
    """The central model of a fit and its ensemble.

    Attributes
    ----------
    model : PairModel
        The central model, fitted to all known entries.
    members : Members
        The ensemble.
    by_ensemble : bool
        Whether the score is the mean over the members by default, else that of the central model.
    """

    model: PairModel
    members: Members
    by_ensemble: bool

    def uses_ensemble(self, by: str | None) -> bool:
        """Whether scores are means over the members, for ``by`` of "model", "ensemble" or None (default)."""
        if by not in {None, "model", "ensemble"}:
            raise IncompatibleError(
                f"by is {by!r}; expected 'model' (the central model, fitted to all known entries), "
                "'ensemble' (the mean over its members) or None for the default of the method."
            )
        return self.by_ensemble if by is None else by == "ensemble"

    def models(self, by: str | None) -> Members:
        """Return the models whose mean is the score."""
        return self.members if self.uses_ensemble(by) else type(self.members)((self.model,))

    def score(self, rows: Array, cols: Array, by: str | None = None) -> Array:
        """Score pairs of indices."""
        models = self.models(by)
        return models[0].score(rows, cols) if len(models) == 1 else mean_and_spread(models, rows, cols)[0]

    def score_and_spread(self, rows: Array, cols: Array, by: str | None = None) -> tuple[Array, Array]:
        """Score pairs of indices; the spread is always that of the members."""
        uses_ensemble = self.uses_ensemble(by)
        mean, spread = mean_and_spread(self.members, rows, cols)
        return (mean if uses_ensemble else self.model.score(rows, cols)), spread

    def training_spread(self, network: Network) -> Array:
        """Return the spread of every known listed entry of the training network, shape (entries,)."""
        known = network.known
        return mean_and_spread(self.members, network.rows[known], network.cols[known])[1]

    def units(self, cols: Array) -> Array:
        """Return the unit in which the spreads of pairs are compared: 1, unless columns differ in unit."""
        units = getattr(self.model, "units", None)
        scales: Array = np.ones(len(cols)) if units is None or units.shared else units.scales[cols]
        return scales

    def value_range(self, values: Array) -> tuple[float, float]:
        """Return the range that scores are clipped to, with some known values; infinite without any.

        Links and non-links, of which scores are votes or probabilities, are 0 and 1.
        """
        links = self.model.boolean or self.model.logistic
        bounds = (0.0, 1.0) if links else getattr(self.model, "bounds", None)
        if bounds is None or not len(values):
            return (-np.inf, np.inf) if bounds is None else bounds
        return min(bounds[0], float(np.min(values))), max(bounds[1], float(np.max(values)))

    def require_spread(self, what: str, otherwise: str = "") -> None:
        """Raise if the ensemble has fewer than two members, so that there is no spread to use.

        Parameters
        ----------
        what : str
            What needs the spread, named in the message.
        otherwise : str
            A further sentence: what to do instead.
        """
        if len(self.members) < 2:
            raise IncompatibleError(
                f"{what} uses the spread of the ensemble, but this ensemble has "
                f"{counted(len(self.members), 'member')}, and a single one has no spread. Fit with "
                f"n_perturbs=2 or more; 16 is the default.{otherwise}"
            )
