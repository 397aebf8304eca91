"""Which rank to choose, and the sentence that defends it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np
from scipy.stats import ranksums

from latentlink.errors import IncompatibleError
from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.strategy import Strategy, strategy
from latentlink.validation.numbers import check_number

__all__ = [
    "Agreement",
    "HeldOut",
    "LStatistic",
    "Selection",
    "SilhouetteCutoff",
    "best_record",
    "by_error",
    "clearly_worse",
]


@strategy
class Selection(Strategy):
    """A rule that chooses a rank from a path.

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component.
    """

    threshold: float = 0.8

    @property
    def stability_threshold(self) -> float | None:
        """The least silhouette of a stable rank, if stability is what decides."""
        return None

    def check(self) -> None:
        """Refuse settings that make no sense."""
        check_number(self, "threshold", -1)
        if self.threshold > 1:
            raise IncompatibleError(
                f"{type(self).__name__} has threshold={self.threshold!r}; expected at most 1, since no "
                "silhouette is larger."
            )

    def choose(self, path: RankPath) -> Choice:
        """Choose a rank by this rule, with the reason, and compare it with what the other criteria say."""
        self.check()
        rank, reason = self.chosen(path) if len(path) > 1 else self._only(path.records[0])
        opinions = [stable_rank(path, self.threshold), held_out_rank(path)]
        status = _status(rank, opinions, measured=any(_has_stability(record) for record in path))
        shortest = shortest_rank(path) if len(path) > 1 else None
        if shortest is not None:
            here, there = (path[each].description_length for each in (rank, shortest))
            reason += f"; the description is shortest at rank {shortest} ({there:.0f} bits"
            reason += ")" if shortest == rank else f", against {here:.0f} here)"
        others = dict.fromkeys(each for each in (*opinions, shortest) if each not in (None, rank))
        return Choice(rank, reason, status, tuple(each for each in others if each is not None))

    @abstractmethod
    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Choose among several ranks by this rule, and give the reason."""

    def _only(self, record: RankRecord) -> tuple[int, str]:
        said = [f"rank {record.rank} is the only one visited"]
        if _has_stability(record):
            said.append(f"its least silhouette is {record.stability:.2f}")
        if np.isfinite(error_of(record)):
            said.append(f"its held-out error is {error_of(record):.3g}")
        return record.rank, "; ".join(said)


@strategy
class SilhouetteCutoff(Selection):
    """The largest rank at which every component is stable (the paper's plain rule).

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component.

    Examples
    --------
    >>> SilhouetteCutoff(0.9).threshold
    0.9
    """

    def __init__(self, threshold: float = 0.8) -> None:
        self.threshold = threshold

    @property
    def stability_threshold(self) -> float | None:
        """The threshold."""
        return self.threshold

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Choose the largest stable rank, or the most stable one if none is."""
        if not any(_has_stability(record) for record in path):
            return path.ranks[0], "the smallest visited, since one member alone shows no stability"
        rank = stable_rank(path, self.threshold)
        if rank is None:
            rank = max(filter(_has_stability, path), key=lambda record: record.stability).rank
            return rank, (
                f"no rank has a least silhouette of {self.threshold:g}; rank {rank} comes nearest with "
                f"{path[rank].stability:.2f}"
            )
        reason = f"largest rank with a least silhouette >= {self.threshold:g} ({path[rank].stability:.2f})"
        following = [record for record in path if record.rank > rank]
        if following:
            reason += f"; the next, {following[0].rank}, has {following[0].stability:.2f}"
        return rank, reason


@strategy
class HeldOut(Selection):
    """The smallest rank whose held-out errors are within one paired standard error of those at the best rank.

    Each member has an error on the entries that it was not shown, the same ones at every rank. The best rank
    has the least median of them. A rank whose model has an empty component is none: a smaller one says the
    same. Where nothing could be held out, stability decides.

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component, for the second opinion.
    """

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Choose by what members say of entries that they were not shown."""
        rank = held_out_rank(path)
        if rank is None:
            rank, reason = SilhouetteCutoff(self.threshold).chosen(path)
            return rank, f"{reason} (nothing could be held out)"
        best = best_record(path)
        reason = f"held-out error {error_of(path[rank]):.3g}"
        if rank == best.rank:
            reason += ", the least of all ranks visited"
            if any(error_of(record) < error_of(best) for record in path):
                reason += " whose components all hold something"
        else:
            reason += f", within one standard error of the least ({error_of(best):.3g} at rank {best.rank})"
        smaller = [record for record in path if record.rank < rank]
        if smaller:
            reason += f"; the next smaller, {smaller[-1].rank}, has {error_of(smaller[-1]):.3g}"
        return rank, reason


@strategy
class Agreement(Selection):
    """The rank of the held-out error, or a larger one that is stable and predicts all but as well.

    Held-out errors fall short where a component is weak against the noise: leaving it out costs little. If
    all members find it nevertheless, it is there. So the largest stable rank is taken, if it is not below
    that of the held-out error, its squared error is at most ``tolerance`` times the least, and its model has
    no empty component and, if Boolean, no longer description.

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component.
    tolerance : float
        How many times the least held-out error (squared) the stable rank may have.
    """

    tolerance: float = 1.1

    def check(self) -> None:
        """Refuse settings that make no sense."""
        super().check()
        check_number(self, "tolerance", 1)

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Ask for prediction first, and for stability beyond."""
        rank, reason = HeldOut(threshold=self.threshold).chosen(path)
        least = error_of(best_record(path))
        close = [
            record
            for record in path
            if record.rank > rank
            and record.stability >= self.threshold
            and error_of(record) ** 2 <= self.tolerance * least**2
            and not record.empty
            # NaN, which is no more than anything, where there is none
            and not record.description_length > path[rank].description_length
        ]
        if not close:
            return rank, reason
        return close[-1].rank, (
            f"largest rank with a least silhouette >= {self.threshold:g} ({close[-1].stability:.2f}) and a "
            f"squared held-out error within {self.tolerance:g} times the least ({error_of(close[-1]):.3g} "
            f"against {least:.3g}); the held-out error alone says {rank}"
        )


@strategy
class LStatistic(Selection):
    """The last stable rank that still lowers the columns' errors for certain (the paper's L-statistics).

    Ranks are taken in ascending order. One is accepted if it is stable and its column errors are lower than
    those of the last accepted rank by a two-sided rank-sum test.

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component.
    level : float
        Largest p-value of a difference that counts.
    """

    level: float = 0.05

    @property
    def stability_threshold(self) -> float | None:
        """The threshold."""
        return self.threshold

    def check(self) -> None:
        """Refuse settings that make no sense."""
        super().check()
        check_number(self, "level", 0, above=True)

    def chosen(self, path: RankPath) -> tuple[int, str]:
        """Accept stable ranks while the columns' errors fall."""
        stable = [record for record in path if record.stability >= self.threshold]
        if not stable:
            return SilhouetteCutoff(threshold=self.threshold).chosen(path)
        accepted, p_value = stable[0], None
        for record in stable[1:]:
            before, after = (each.column_errors[~np.isnan(each.column_errors)] for each in (accepted, record))
            p = float(ranksums(before, after).pvalue) if len(before) and len(after) else 1.0
            if p < self.level and np.median(after) < np.median(before):
                accepted, p_value = record, p
        reason = f"last stable rank (least silhouette {accepted.stability:.2f}) whose column errors fall"
        reason += f" for certain (p = {p_value:.1e})" if p_value is not None else ": the first one stable"
        return accepted.rank, reason


def stable_rank(path: RankPath, threshold: float) -> int | None:
    """Return the largest rank with a least silhouette >= threshold, if there is one."""
    return max((record.rank for record in path if record.stability >= threshold), default=None)


def held_out_rank(path: RankPath) -> int | None:
    """Return the smallest rank within one paired standard error of the best; None if nothing was held out.

    Members leave out the same entries at every rank, so that their differences between two ranks have the
    difficulty of those entries taken off.
    """
    best = best_record(path)
    if not np.isfinite(error_of(best)):
        return None
    full = [record for record in path if not record.empty] or path.records
    return next(record.rank for record in full if record is best or not clearly_worse(record, best))


def shortest_rank(path: RankPath) -> int | None:
    """Return the rank of the shortest description of Boolean data; None of other data."""
    lengths = [record.description_length for record in path]
    return None if np.isnan(lengths).any() else path.ranks[int(np.argmin(lengths))]


def best_record(path: RankPath) -> RankRecord:
    """Return the record of least held-out error, of those whose components all hold something if any is."""
    return min(path, key=by_error)


def by_error(record: RankRecord) -> tuple[bool, float]:
    """Return what orders records: those with empty components come last."""
    return record.empty > 0, error_of(record)


def clearly_worse(record: RankRecord, best: RankRecord) -> bool:
    """Whether members' errors are above those at the best rank by more than one paired standard error.

    Differences are (a - b) / (a + b) of each member's two errors, between -1 and 1: a member that fails
    altogether counts as one that is worse, and does not drown the others.
    """
    total = record.held_out + best.held_out
    difference = record.held_out - best.held_out
    difference = np.divide(difference, total, out=np.zeros_like(total), where=total > 0)[~np.isnan(total)]
    if len(difference) < 2:
        return error_of(record) > error_of(best)
    return bool(difference.mean() > difference.std(ddof=1) / np.sqrt(len(difference)))


def error_of(record: RankRecord) -> float:
    """Return the held-out error; without one, no error is larger."""
    return float("inf") if np.isnan(record.held_out_error) else record.held_out_error


def _has_stability(record: RankRecord) -> bool:
    return not np.isnan(record.stability)


def _status(rank: int, others: Sequence[int | None], measured: bool) -> str:
    stable, held_out = others
    if not measured or held_out is None:
        return "unconfirmed"
    if stable is None:
        return "unstable"
    opinions = (rank, stable, held_out)
    return "agreed" if max(opinions) - min(opinions) <= 1 else "disputed"
