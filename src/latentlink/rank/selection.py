"""Which rank to choose, and the sentence that defends it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

import numpy as np
from scipy.stats import ranksums

from latentlink.rank.results import Choice, RankPath, RankRecord
from latentlink.strategy import Strategy, check_number, strategy

__all__ = [
    "Agreement",
    "HeldOut",
    "LStatistic",
    "Selection",
    "SilhouetteCutoff",
    "clearly_worse",
    "error_of",
    "held_out_rank",
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

    def choose(self, path: RankPath) -> Choice:
        """Choose a rank, with the reason, and add what the description length says of a Boolean path."""
        self.check()
        choice = self.chosen(path)
        lengths = {record.rank: record.description_length for record in path}
        if any(np.isnan(length) for length in lengths.values()):
            return choice
        shortest = min(lengths, key=lambda rank: lengths[rank])
        reason = (
            f"{choice.reason}; the description is shortest at rank {shortest} ({lengths[shortest]:.0f} bits"
        )
        reason += ")" if shortest == choice.rank else f", against {lengths[choice.rank]:.0f} here)"
        others = choice.runners_up + _others(choice.rank, shortest)
        return replace(choice, reason=reason, runners_up=tuple(dict.fromkeys(others)))

    @abstractmethod
    def chosen(self, path: RankPath) -> Choice:
        """Choose by this rule."""


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

    def chosen(self, path: RankPath) -> Choice:
        """Choose the largest stable rank, or the most stable one if none is."""
        rank, stable = stable_rank(path, self.threshold)
        other = held_out_rank(path)[0]
        if not stable:
            reason = (
                f"no rank has a least silhouette of {self.threshold:g}; rank {rank} comes nearest with "
                f"{path[rank].stability:.2f}"
            )
            return Choice(rank, reason, "unstable", _others(rank, other))
        reason = f"largest rank with a least silhouette >= {self.threshold:g} ({path[rank].stability:.2f})"
        following = [record for record in path if record.rank > rank]
        if following:
            reason += f"; the next, {following[0].rank}, has {following[0].stability:.2f}"
        return Choice(rank, reason, _status(rank, other), _others(rank, other))


@strategy
class HeldOut(Selection):
    """The smallest rank whose held-out errors are within one paired standard error of those at the best rank.

    Each member has an error on the entries that it was not shown, the same ones at every rank. The best rank
    has the least median of them.

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component, for the second opinion.
    """

    def chosen(self, path: RankPath) -> Choice:
        """Choose by what members say of entries that they were not shown."""
        rank, best = held_out_rank(path)
        reason = f"held-out error {error_of(path[rank]):.3g}"
        if np.isnan(path[rank].held_out_error):
            reason = f"error {error_of(path[rank]):.3g} of the model itself, as nothing was held out"
        if rank == best:
            reason += ", the least of all ranks visited"
        else:
            reason += f", within one standard error of the least ({error_of(path[best]):.3g} at rank {best})"
        smaller = [record for record in path if record.rank < rank]
        if smaller:
            reason += f"; the next smaller, {smaller[-1].rank}, has {error_of(smaller[-1]):.3g}"
        other, stable = stable_rank(path, self.threshold)
        others = _others(rank, other) if stable else ()
        return Choice(rank, reason, _status(rank, other) if stable else "unstable", others)


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

    def chosen(self, path: RankPath) -> Choice:
        """Ask for prediction first, and for stability beyond."""
        choice = HeldOut(threshold=self.threshold).chosen(path)
        least = min(error_of(record) for record in path)
        close = [
            record
            for record in path
            if record.rank > choice.rank
            and record.stability >= self.threshold
            and error_of(record) ** 2 <= self.tolerance * least**2
            and _is_worth_it(record, path[choice.rank])
        ]
        if not close:
            return choice
        rank = close[-1].rank
        reason = (
            f"largest rank with a least silhouette >= {self.threshold:g} ({close[-1].stability:.2f}) and a "
            f"squared held-out error within {self.tolerance:g} times the least ({error_of(close[-1]):.3g} "
            f"against {least:.3g}); the held-out error alone says {choice.rank}"
        )
        return Choice(rank, reason, _status(rank, choice.rank), (choice.rank,))


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

    def chosen(self, path: RankPath) -> Choice:
        """Accept stable ranks while the columns' errors fall."""
        stable = [record for record in path if record.stability >= self.threshold]
        if not stable:
            return SilhouetteCutoff(threshold=self.threshold).chosen(path)
        accepted, p_value = stable[0], None
        for record in stable[1:]:
            before, after = (each.column_errors[~np.isnan(each.column_errors)] for each in (accepted, record))
            p = float(ranksums(before, after).pvalue)
            if p < self.level and np.median(after) < np.median(before):
                accepted, p_value = record, p
        rank, other = accepted.rank, held_out_rank(path)[0]
        reason = f"last stable rank (least silhouette {accepted.stability:.2f}) whose column errors fall"
        reason += f" for certain (p = {p_value:.1e})" if p_value is not None else ": the first one stable"
        return Choice(rank, reason, _status(rank, other), _others(rank, other))


def stable_rank(path: RankPath, threshold: float) -> tuple[int, bool]:
    """Return the largest rank with a least silhouette >= threshold; else the most stable, and False."""
    stable = [record.rank for record in path if record.stability >= threshold]
    if stable:
        return max(stable), True
    return max(path, key=lambda record: record.stability).rank, False


def held_out_rank(path: RankPath) -> tuple[int, int]:
    """Return the smallest rank within one paired standard error of the least held-out error, and that of it.

    Members leave out the same entries at every rank, so that their differences between two ranks have the
    difficulty of those entries taken off.
    """
    best = min(path, key=error_of)
    first = next(record for record in path if record is best or not clearly_worse(record, best))
    return first.rank, best.rank


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


def _is_worth_it(record: RankRecord, smaller: RankRecord) -> bool:
    """Whether all components hold something, and a Boolean model with them is no longer to write down."""
    model = record.model
    if not (model.W.any(axis=0) & model.H.any(axis=1)).all():
        return False
    return not record.description_length > smaller.description_length  # NaN where there is none


def error_of(record: RankRecord) -> float:
    """Return the held-out error, and where nothing was held out, that of the model itself."""
    error = record.held_out_error
    return record.relative_error if np.isnan(error) else error


def _status(rank: int, other: int) -> str:
    return "agreed" if abs(rank - other) <= 1 else "disputed"


def _others(rank: int, other: int) -> tuple[int, ...]:
    return () if rank == other else (other,)
