"""Which rank to choose, and the sentence that defends it."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from scipy.stats import ranksums

from latentlink.rank.results import Choice, RankPath
from latentlink.strategy import Strategy, check_number, strategy

__all__ = ["Agreement", "HeldOut", "LStatistic", "Selection", "SilhouetteCutoff", "held_out_rank"]


@strategy
class Selection(Strategy):
    """A rule that chooses a rank from a path."""

    @abstractmethod
    def choose(self, path: RankPath) -> Choice:
        """Choose a rank, with the reason."""


@strategy
class SilhouetteCutoff(Selection):
    """The largest rank at which every component is stable (the paper's plain rule).

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component.
    """

    threshold: float = 0.8

    def choose(self, path: RankPath) -> Choice:
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
    """The smallest rank whose held-out error is within one paired standard error of the least.

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component, for the second opinion.
    """

    threshold: float = 0.8

    def choose(self, path: RankPath) -> Choice:
        """Choose by what members say of entries that they were not shown."""
        rank, best = held_out_rank(path)
        reason = f"held-out error {path[rank].held_out_error:.3g}"
        if rank == best:
            reason += ", the least of all ranks visited"
        else:
            reason += (
                f", within one standard error of the least ({path[best].held_out_error:.3g} at rank {best})"
            )
        smaller = [record for record in path if record.rank < rank]
        if smaller:
            reason += f"; the next smaller, {smaller[-1].rank}, has {smaller[-1].held_out_error:.3g}"
        other, stable = stable_rank(path, self.threshold)
        others = _others(rank, other) if stable else ()
        return Choice(rank, reason, _status(rank, other) if stable else "unstable", others)


@strategy
class Agreement(Selection):
    """The stable rank where it predicts about as well as any, else the rank of the held-out error.

    Parameters
    ----------
    threshold : float
        Least silhouette of a stable component.
    tolerance : float
        How many times the least held-out error (squared) the stable rank may have.
    """

    threshold: float = 0.8
    tolerance: float = 1.5

    def choose(self, path: RankPath) -> Choice:
        """Ask for stability first, and for prediction where that fails."""
        check_number(self, "tolerance", 1)
        stable, found = stable_rank(path, self.threshold)
        errors = {record.rank: float(np.nanmean(record.held_out)) for record in path}
        if found and errors[stable] <= self.tolerance * min(errors.values()):
            return SilhouetteCutoff(threshold=self.threshold).choose(path)
        return HeldOut(threshold=self.threshold).choose(path)


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

    threshold: float = 0.8
    level: float = 0.05

    def choose(self, path: RankPath) -> Choice:
        """Accept stable ranks while the columns' errors fall."""
        check_number(self, "level", 0, above=True)
        stable = [record for record in path if record.stability >= self.threshold]
        if not stable:
            return SilhouetteCutoff(threshold=self.threshold).choose(path)
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
    best = min(path, key=lambda record: float(np.nanmean(record.held_out)))
    for record in path:
        difference = record.held_out - best.held_out
        difference = difference[~np.isnan(difference)]
        if record.rank == best.rank:
            break
        if len(difference) > 1 and difference.mean() <= difference.std(ddof=1) / np.sqrt(len(difference)):
            return record.rank, best.rank
    return best.rank, best.rank


def _status(rank: int, other: int) -> str:
    return "agreed" if abs(rank - other) <= 1 else "disputed"


def _others(rank: int, other: int) -> tuple[int, ...]:
    return () if rank == other else (other,)
