"""Result lines of one mode by method and share of hidden entries, and what claims ask of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from latentlink.experiments.by_rank import at_rank, numbers
from latentlink.experiments.case_lines import Lines, columns, grouped

__all__ = ["MethodLines"]

Array = NDArray[np.float64]


class MethodLines:
    """Lines of one mode, by method and share of hidden entries.

    Parameters
    ----------
    lines : list of dict
        With the columns mode, method, hidden, chosen_rank, ranks, and measures by rank.
    mode : {"paper", "default"}
    true_rank : int
    """

    def __init__(self, lines: Lines, mode: str, true_rank: int) -> None:
        self.true_rank = true_rank
        self.groups = {
            (method, float(share)): group
            for (each, method, share), group in grouped(lines, "mode", "method", "hidden")
            if each == mode
        }
        self.shares = sorted({share for _, share in self.groups})
        self.methods = list(dict.fromkeys(method for method, _ in self.groups))

    def ranks(self, method: str, *shares: float) -> Array:
        """Return the ranks chosen, over these shares or all."""
        groups = [self.groups[method, share] for share in shares or self.shares]
        return np.concatenate([columns(group, "chosen_rank")["chosen_rank"] for group in groups])

    def exact(self, method: str, *shares: float) -> float:
        """Return how often the true rank is chosen."""
        return float(np.mean(self.ranks(method, *shares) == self.true_rank))

    def visited(self, method: str) -> list[int]:
        """Return the ranks that were visited."""
        return [int(rank) for rank in self.groups[method, self.shares[0]][0]["ranks"].split()]

    def at(self, method: str, name: str, share: float, rank: int | None = None) -> Array:
        """Return a measure of every run at a rank, by default the true one."""
        where = self.true_rank if rank is None else rank
        return np.array([at_rank(line, name, where) for line in self.groups[method, share]])

    def mean(self, method: str, name: str, share: float, rank: int | None = None) -> float:
        """Return the mean of a measure at a rank, by default the true one; NaN if all are NaN."""
        values = self.at(method, name, share, rank)
        return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")

    def curve(self, method: str, name: str, share: float) -> Array:
        """Return the mean of a measure at every rank visited."""
        values = np.array([numbers(line, name) for line in self.groups[method, share]])
        known = np.isfinite(values)
        total = np.where(known, values, 0).sum(axis=0)
        return np.divide(total, known.sum(axis=0), out=np.full(len(total), np.nan), where=known.any(axis=0))

    def best_rank(self, method: str, share: float) -> int:
        """Return the rank of the smallest mean error."""
        return self.visited(method)[int(np.nanargmin(self.curve(method, "rmse", share)))]

    def gain(self, method: str, share: float, rank: int | None = None) -> float:
        """Return by how much abstaining changes the mean error; below 0 if it helps."""
        return self.mean(method, "rmse_answered", share, rank) - self.mean(method, "rmse", share, rank)

    def seconds(self, method: str) -> float:
        """Return the median CPU time of a search."""
        groups = [group for (each, _), group in self.groups.items() if each == method]
        return float(np.median(np.concatenate([columns(group, "seconds")["seconds"] for group in groups])))
