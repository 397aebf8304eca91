"""Criteria that compare ranks by held-out errors: those of single members, and that of their mean."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from latentlink.rank.results import RankPath, RankRecord
from latentlink.validation.wording import told_apart

__all__ = [
    "OF_ENSEMBLE",
    "OF_MEMBERS",
    "ErrorCriterion",
    "error_above",
    "prediction_clause",
    "shortest_rank",
    "status_of",
    "without_prediction",
]

Array = NDArray[np.float64]

_BEGIN = "; of the ranks visited "  # of the clause on predictions, the last of a reason
# Standard errors by which a rank of draws from a posterior must be worse to count as worse. Their priors
# shrink needless components: errors beyond the true rank are equal but for chance, and one is the least.
_POSTERIOR_ERRORS = 2


@dataclass(frozen=True, eq=False)
class ErrorCriterion:
    """A held-out error of each rank, with a value for each member's held-out entries.

    The entries held out of a member are the same at every rank, so ranks are compared in pairs: differences
    do not vary with how hard those entries are to predict.

    Attributes
    ----------
    name : str
        The error in words.
    of_members : callable
        Returns the squared errors of a record on the entries held out of each member.
    of_record : callable
        Returns the error of a record; NaN if nothing was held out.
    tolerance : float
        Share of the error of the smallest rank by which a rank must be worse than the best to count as worse.
    """

    name: str
    of_members: Callable[[RankRecord], Array]
    of_record: Callable[[RankRecord], float]
    tolerance: float = 0.0

    def error(self, record: RankRecord) -> float:
        """Return the error of a record; infinity if nothing was held out."""
        error = self.of_record(record)
        return float("inf") if np.isnan(error) else error

    def key(self, record: RankRecord) -> tuple[bool, float]:
        """Return the sort key of a record: first those without empty components, then by error."""
        return record.empty > 0, self.error(record)

    def best(self, records: Iterable[RankRecord]) -> RankRecord:
        """Return the record of smallest error, among those without empty components if there are any."""
        return min(records, key=self.key)

    def rank(self, path: RankPath) -> int | None:
        """Return the smallest rank as good as the best within the tolerance, or by `clearly_worse`.

        None if nothing is held out.

        Ranks whose central model has an empty component are passed over, since a smaller rank gives the same
        model.
        """
        best = self.best(path)
        if not np.isfinite(self.error(best)):
            return None
        candidates = [record for record in path if not record.empty] or path.records
        # A share of an error at a small rank, since at the true rank of noise-free data there is none.
        largest = self.error(best) + self.tolerance * self.error(candidates[0])
        return next(
            record.rank
            for record in candidates
            if self.error(record) <= largest or not self.clearly_worse(record, best)
        )

    def near(self, best: RankRecord) -> str:
        """Return in words what counts as being as good as the best."""
        if best.posterior is not None:
            return "two standard errors"
        share = " or 0.2 % of the error at the smallest rank" if self.tolerance else ""
        return f"one standard error{share}"

    def clearly_worse(self, record: RankRecord, best: RankRecord, errors: float | None = None) -> bool:
        """Whether the errors exceed those at the best rank by some standard errors: one, or two of draws.

        Differences are relative, (a - b) / (a + b) of two errors on the same entries, and lie between -1 and
        1: a member that fails completely counts as one worse member and cannot dominate.
        """
        own, least = self.of_members(record), self.of_members(best)
        if own.shape != least.shape:
            return self.error(record) > self.error(best)
        total, difference = own + least, own - least
        difference = np.divide(difference, total, out=np.zeros_like(total), where=total > 0)[~np.isnan(total)]
        if len(difference) < 2:
            return self.error(record) > self.error(best)
        if errors is None:
            errors = 1 if best.posterior is None else _POSTERIOR_ERRORS
        return bool(difference.mean() > errors * difference.std(ddof=1) / np.sqrt(len(difference)))


OF_MEMBERS = ErrorCriterion(
    "held-out error", lambda record: record.held_out, lambda record: record.held_out_error
)
OF_ENSEMBLE = ErrorCriterion(
    "held-out error of the ensemble",
    lambda record: record.held_out_ensemble,
    lambda record: record.ensemble_error,
    tolerance=0.002,
)


def prediction_clause(path: RankPath, rank: int, predictive: int) -> str:
    """Return which rank predicts best, beside the one chosen, and whether a smaller one predicts as well.

    Parameters
    ----------
    path : RankPath
    rank : int
        The rank that is chosen for another reason.
    predictive : int
        The smallest rank whose ensemble predicts as well as the best; not the rank chosen.
    """
    best, error = OF_ENSEMBLE.best(path), OF_ENSEMBLE.error
    least, here = told_apart(error(best), error(path[rank]))
    as_well = "" if best.rank == predictive else f", and {predictive} as well within {OF_ENSEMBLE.near(best)}"
    if best.rank == rank:
        return f"{_BEGIN}this one predicts best ({OF_ENSEMBLE.name} {here}){as_well}"
    return f"{_BEGIN}{best.rank} predicts best ({OF_ENSEMBLE.name} {least}, against {here} here){as_well}"


def without_prediction(reason: str) -> str:
    """Return the reason for a rank without `prediction_clause` and its advice: for a reader of components.

    Examples
    --------
    >>> without_prediction("held-out error 0.3; of the ranks visited 4 predicts best (...)")
    'held-out error 0.3'
    """
    return reason.partition(_BEGIN)[0]


def error_above(path: RankPath, rank: int) -> float:
    """Return how much the held-out error is above the least, as a share of that at the smallest rank."""
    error = OF_MEMBERS.error
    smallest = error(path.records[0])
    return (error(path[rank]) - error(OF_MEMBERS.best(path))) / smallest if smallest else 0.0


def status_of(rank: int, criteria: Sequence[int | None], measured: bool) -> str:
    """Return one of `STATUSES` for a rank, the largest stable rank and the rank of the held-out error."""
    stable, held_out = criteria
    if not measured or held_out is None:
        return "unconfirmed"
    if stable is None:
        return "unstable"
    ranks = (rank, stable, held_out)
    return "agreed" if max(ranks) - min(ranks) <= 1 else "disputed"


def shortest_rank(path: RankPath) -> int | None:
    """Return the rank of the smallest description length; None if some model is not Boolean."""
    lengths = [record.description_length for record in path]
    return None if np.isnan(lengths).any() else path.ranks[int(np.argmin(lengths))]
