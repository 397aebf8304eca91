"""Rules that choose a rank by the stability and the errors of the ensembles, and give the reason."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.stats import ranksums

from latentlink.errors import IncompatibleError
from latentlink.rank.criterion import (
    OF_ENSEMBLE,
    OF_MEMBERS,
    ErrorCriterion,
    error_above,
    prediction_clause,
    shortest_rank,
    status_of,
)
from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.strategy import Strategy, strategy
from latentlink.validation.choices import check_choice
from latentlink.validation.numbers import check_number
from latentlink.validation.wording import told_apart

__all__ = [
    "Agreement",
    "BestPrediction",
    "HeldOut",
    "LStatistic",
    "Selection",
    "SilhouetteCutoff",
]


_OF_COMPONENTS = 2.0  # standard errors by which a stable rank may be worse for prediction
_CLEAR_GAP = 0.1  # of the error at the smallest rank: no two ranks that agree differ by as much


@strategy
class Selection(Strategy):
    """Base class of rules that choose a rank from a path.

    Parameters
    ----------
    threshold : float, default=0.8
        Smallest silhouette at which a component counts as stable. A rank is stable if all its components are.
    of : {"W", "H", "WH"}, default="W"
        Whose silhouettes count: those of W, of H, or of both, of which the smaller one counts.

    Attributes
    ----------
    by_stability : bool
        Whether the rule chooses by stability; else it chooses by held-out error.
    """

    threshold: float = 0.8
    of: str = "W"

    by_stability: ClassVar[bool] = False

    @property
    def criterion(self) -> ErrorCriterion:
        """The held-out error that a search follows; that of the members, unless the rule says otherwise."""
        return OF_MEMBERS

    def check(self) -> None:
        """Raise IncompatibleError for parameters out of range."""
        check_choice(self, "of", ("W", "H", "WH"))
        check_number(self, "threshold", -1)
        if self.threshold > 1:
            raise IncompatibleError(
                f"{type(self).__name__} has threshold={self.threshold!r}; expected at most 1, since no "
                "silhouette is larger."
            )

    def stability(self, record: RankRecord) -> float:
        """Return the stability of a rank: its smallest silhouette; NaN for a single member."""
        return record.least_silhouette(self.of)

    def is_stable(self, record: RankRecord) -> bool:
        """Whether all components of a rank are stable."""
        return self.stability(record) >= self.threshold

    def stable_rank(self, path: RankPath) -> int | None:
        """Return the largest stable rank; None if there is none."""
        return max((record.rank for record in path if self.is_stable(record)), default=None)

    def choose(self, path: RankPath) -> Choice:
        """Choose a rank by this rule, and compare it with the ranks that other criteria choose."""
        self.check()
        rank, reason = self.chosen(path) if len(path) > 1 else self._only(path.records[0])
        criteria = [self.stable_rank(path), OF_MEMBERS.rank(path)]
        status = status_of(rank, criteria, measured=any(_has_stability(record) for record in path))
        predictive = OF_ENSEMBLE.rank(path) if len(path) > 1 else None
        best = OF_MEMBERS.best(path)
        if status == "agreed" and abs(best.rank - rank) > 1 and error_above(path, rank) > _CLEAR_GAP:
            status, criteria = "disputed", [*criteria, best.rank]
            reason += (
                f"; the members are too few, or differ too much, to tell it from rank {best.rank}, whose "
                f"held-out error is much smaller ({OF_MEMBERS.error(best):.3g}, against "
                f"{OF_MEMBERS.error(path[rank]):.3g} here): raise n_perturbs"
            )
        empty = [record.rank for record in path if record.empty == record.rank]
        if rank in empty:  # such models are all the same
            status, reason, rank = "unconfirmed", _without_components(reason, rank, empty), empty[0]
        shortest = shortest_rank(path) if len(path) > 1 else None
        if shortest is not None:
            length, least = (path[k].description_length for k in (rank, shortest))
            reason += f"; the description is shortest at rank {shortest} ({least:.0f} bits"
            reason += ")" if shortest == rank else f", against {length:.0f} here)"
        if status in {"unstable", "disputed"} and len(path) > 1 and not self._is_clear(path):
            reason += (
                "; no clear number of components: no rank is both stable and near the least held-out error"
            )
            reason += ", and this rank predicts best" if rank == predictive else ""
        other, clause = self.other_question(path, rank, predictive)
        reason += clause
        others = dict.fromkeys(k for k in (*criteria, shortest, other) if k not in (None, rank))
        return Choice(rank, reason, status, tuple(other for other in others if other is not None))

    def other_question(self, path: RankPath, rank: int, predictive: int | None) -> tuple[int | None, str]:
        """Return the rank for the question that this rule does not answer, and a clause if it differs.

        A rank for components and a rank for prediction are two questions. The rules answer the first, but
        for `BestPrediction`.
        """
        if predictive is None or predictive == rank:
            return predictive, ""
        clause = prediction_clause(path, rank, predictive)
        return predictive, f"{clause}: for predictions fit with selection=BestPrediction()"

    def _is_clear(self, path: RankPath) -> bool:
        """Whether some stable rank is within one paired standard error of the least held-out error."""
        best = OF_MEMBERS.best(path)
        return any(
            record is best or not OF_MEMBERS.clearly_worse(record, best)
            for record in path
            if self.is_stable(record)
        )

    @abstractmethod
    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Return the rank that this rule chooses among several, and the reason."""

    def _only(self, record: RankRecord) -> tuple[int, str]:
        """Return the rank of the only record, with its stability and error as the reason."""
        clauses = [f"rank {record.rank} is the only one visited"]
        if _has_stability(record):
            clauses.append(f"its least silhouette is {self.stability(record):.2f}")
        if np.isfinite(OF_MEMBERS.error(record)):
            clauses.append(f"its held-out error is {OF_MEMBERS.error(record):.3g}")
        return record.rank, "; ".join(clauses)


@strategy
class SilhouetteCutoff(Selection):
    """Choose the largest stable rank (the plain rule of the paper).

    Parameters
    ----------
    threshold : float, default=0.8
        Smallest silhouette at which a component counts as stable.
    of : {"W", "H", "WH"}, default="W"
        Whose silhouettes count: those of W, of H, or of both, of which the smaller one counts.

    Examples
    --------
    >>> SilhouetteCutoff(0.9).threshold
    0.9
    """

    by_stability: ClassVar[bool] = True

    def __init__(self, threshold: float = 0.8, *, of: str = "W") -> None:
        self.threshold = threshold
        self.of = of

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Return the largest stable rank, or the most stable rank if none is."""
        if not any(_has_stability(record) for record in path):
            return path.ranks[0], "the smallest rank visited, since one member alone has no stability"
        rank = self.stable_rank(path)
        if rank is None:
            rank = max(filter(_has_stability, path), key=self.stability).rank
            return rank, (
                f"no rank has a least silhouette >= {self.threshold:g}; rank {rank} is nearest with "
                f"{self.stability(path[rank]):.2f}"
            )
        stability = self.stability(path[rank])
        reason = f"largest rank with a least silhouette >= {self.threshold:g} ({stability:.2f})"
        following = [record for record in path if record.rank > rank]
        if following:
            reason += f"; the next, {following[0].rank}, has {self.stability(following[0]):.2f}"
        return rank, reason


@strategy
class HeldOut(Selection):
    """Choose the smallest rank whose held-out errors are within one standard error of the best rank's.

    The entries held out of a member are the same at every rank, so errors are compared in pairs (see
    `ErrorCriterion`). The best rank has the smallest median error. Ranks whose central model has an empty
    component are passed over, since a smaller rank gives the same model. Of draws from a posterior it is two
    standard errors, since needless components are shrunk and cost nothing. If nothing could be held out, the
    choice is that of `SilhouetteCutoff`.

    Parameters
    ----------
    threshold : float, default=0.8
        Smallest silhouette at which a component counts as stable, used in the status of the choice.
    of : {"W", "H", "WH"}, default="W"
        Whose silhouettes count: those of W, of H, or of both, of which the smaller one counts.
    """

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Return the rank with the smallest held-out error, within one standard error."""
        criterion = self.criterion
        rank = criterion.rank(path)
        if rank is None:
            rank, reason = SilhouetteCutoff(self.threshold, of=self.of).chosen(path)
            return rank, f"{reason} (nothing could be held out)"
        best, error = criterion.best(path), criterion.error
        smaller = [record for record in path if record.rank < rank]
        here, least, *below = told_apart(*map(error, (path[rank], best, *smaller[-1:])))
        reason = f"{criterion.name} {here}"
        if rank == best.rank:
            reason += ", the least of all ranks visited"
            if any(error(record) < error(best) for record in path):
                reason += " without empty components"
        else:
            reason += f", within {criterion.near(best)} of the least ({least} at rank {best.rank})"
        if smaller:
            reason += f"; the next smaller, {smaller[-1].rank}, has {below[0]}"
        return rank, reason


@strategy
class BestPrediction(HeldOut):
    """Choose the rank for prediction: the smallest held-out error of the ensemble's mean.

    Members are judged together, as they will answer: the mean of many members gains from components that
    are too many for each of them. Of ranks within one paired standard error of the best, or as near to it as
    0.2 % of the error at the smallest rank, the smallest is chosen. A smaller rank that `Agreement` chooses
    is taken if it is stable and within two standard errors: members agree on it, and the gain may be noise.
    The components of other ranks need not be stable. Choose another rule to interpret them.

    Parameters
    ----------
    threshold : float, default=0.8
        Smallest silhouette at which a component counts as stable, used in the status of the choice.
    of : {"W", "H", "WH"}, default="W"
        Whose silhouettes count: those of W, of H, or of both, of which the smaller one counts.
    """

    @property
    def criterion(self) -> ErrorCriterion:
        """The held-out error of the ensemble."""
        return OF_ENSEMBLE

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Return the rank of the ensemble's error, or a smaller one for components within its noise."""
        rank, reason = super().chosen(path)
        components, error, best = self._components(path), OF_ENSEMBLE.error, OF_ENSEMBLE.best(path)
        record = path[components]
        if components >= rank or not self.is_stable(record):
            return rank, reason
        if OF_ENSEMBLE.clearly_worse(record, best, _OF_COMPONENTS):
            return rank, reason
        return components, (
            f"{OF_ENSEMBLE.name} {error(record):.3g}, within two standard errors of the least "
            f"({error(best):.3g} at rank {best.rank}), and stable (least silhouette "
            f"{self.stability(record):.2f}); the held-out error alone chooses {rank}"
        )

    def _components(self, path: RankPath) -> int:
        return Agreement(threshold=self.threshold, of=self.of).chosen(path)[0]

    def other_question(self, path: RankPath, rank: int, predictive: int | None) -> tuple[int | None, str]:
        """Return the rank for components, and a clause if it differs."""
        components = self._components(path)
        clause = f"; for components Agreement() prefers {components} of the ranks visited"
        clause = "" if components == rank else clause
        return (predictive if components == rank else components), clause


@strategy
class Agreement(Selection):
    """Choose the rank of the held-out error, or a larger stable rank that predicts nearly as well.

    The held-out error misses a component that is weak compared with the noise, since leaving it out costs
    little; if all members have it nevertheless, it is real. So the largest stable rank above that of
    `HeldOut` is chosen whose squared held-out error is at most ``tolerance`` times the smallest, whose
    central model has no empty component and, if Boolean, no longer description length.

    Parameters
    ----------
    threshold : float, default=0.8
        Smallest silhouette at which a component counts as stable.
    of : {"W", "H", "WH"}, default="W"
        Whose silhouettes count: those of W, of H, or of both, of which the smaller one counts.
    tolerance : float, default=1.1
        Largest ratio of the squared held-out error to the smallest one.
    """

    tolerance: float = 1.1

    def check(self) -> None:
        """Raise IncompatibleError for parameters out of range."""
        super().check()
        check_number(self, "tolerance", 1)

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Return the rank of `HeldOut`, or a larger stable rank within the tolerance."""
        rank, reason = HeldOut(threshold=self.threshold, of=self.of).chosen(path)
        error = OF_MEMBERS.error
        least = error(OF_MEMBERS.best(path))
        close = [
            record
            for record in path
            if record.rank > rank
            and self.is_stable(record)
            and error(record) ** 2 <= self.tolerance * least**2
            and not record.empty
            # Written as "not >", which is also true for the NaN of models that are not Boolean.
            and not record.description_length > path[rank].description_length
        ]
        if not close:
            return rank, reason
        stability = self.stability(close[-1])
        here, lowest = told_apart(error(close[-1]), least)
        return close[-1].rank, (
            f"largest rank with a least silhouette >= {self.threshold:g} ({stability:.2f}) and a "
            f"squared held-out error within {self.tolerance:g} times the least ({here} "
            f"against {lowest}); the held-out error alone chooses {rank}"
        )


@strategy
class LStatistic(Selection):
    """Choose the last stable rank that significantly lowers the column errors (L-statistics of the paper).

    Stable ranks are tested in ascending order. The first is accepted; a later one is accepted if its column
    errors have a lower median than those of the last accepted rank, and differ from them in a two-sided
    rank-sum test.

    Parameters
    ----------
    threshold : float, default=0.8
        Smallest silhouette at which a component counts as stable.
    of : {"W", "H", "WH"}, default="W"
        Whose silhouettes count: those of W, of H, or of both, of which the smaller one counts.
    level : float, default=0.05
        Significance level of the test: a difference counts if its p-value is below.
    """

    level: float = 0.05

    by_stability: ClassVar[bool] = True

    def check(self) -> None:
        """Raise IncompatibleError for parameters out of range."""
        super().check()
        check_number(self, "level", 0, above=True)

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Return the last accepted rank; without a stable rank, that of `SilhouetteCutoff`."""
        stable = [record for record in path if self.is_stable(record)]
        if not stable:
            return SilhouetteCutoff(self.threshold, of=self.of).chosen(path)
        accepted, p_value = stable[0], None
        for record in stable[1:]:
            before, after = (_known_column_errors(tested) for tested in (accepted, record))
            p = float(ranksums(before, after).pvalue) if len(before) and len(after) else np.nan
            if p < self.level and np.median(after) < np.median(before):
                accepted, p_value = record, p
        least = f"(least silhouette {self.stability(accepted):.2f})"
        if p_value is None:
            return accepted.rank, f"first stable rank {least}; none above significantly lowers column errors"
        return accepted.rank, (
            f"last stable rank {least} that significantly lowers column errors (p = {p_value:.1e})"
        )


def _has_stability(record: RankRecord) -> bool:
    return not np.isnan(record.stability)


def _known_column_errors(record: RankRecord) -> NDArray[np.float64]:
    """Return the column errors that are not NaN."""
    return record.column_errors[~np.isnan(record.column_errors)]


def _without_components(reason: str, rank: int, empty: list[int]) -> str:
    """Return the reason for the least of some ranks of which no model has a component, one of them chosen."""
    if rank == empty[0]:
        return f"{reason}; no component of the model has a non-zero entry"
    return f"no component of the models at ranks {', '.join(map(str, empty))} has a non-zero entry"
