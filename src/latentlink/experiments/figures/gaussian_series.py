"""Results of the Gaussian matrices by mode, method, true rank and share hidden, as arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.experiments.by_rank import at_rank, numbers
from latentlink.experiments.case_lines import Lines, columns, grouped
from latentlink.experiments.figures.figure_style import modes_of
from latentlink.metrics import nsmr

__all__ = ["Place", "Series"]

Array = NDArray[np.float64]


class Place(NamedTuple):
    """A panel: one method in one mode."""

    mode: str
    method: str


class Series:
    """Results of all matrices.

    Parameters
    ----------
    lines : list of dict
        Of `gaussian_cases.run`.
    """

    def __init__(self, lines: Lines) -> None:
        self.groups = {
            (Place(mode, method), int(rank), float(share)): group
            for (mode, method, rank, share), group in grouped(lines, "mode", "method", "rank", "hidden")
        }
        found = {place for place, _, _ in self.groups}
        self.modes = modes_of(lines)
        self.methods = list(dict.fromkeys(line["method"] for line in lines))
        self.places = [
            Place(mode, method)
            for mode in self.modes
            for method in self.methods
            if Place(mode, method) in found
        ]
        self.true_ranks = sorted({rank for _, rank, _ in self.groups})
        self.shares = sorted({share for _, _, share in self.groups})
        self.visited = [int(rank) for rank in lines[0]["ranks"].split()] if lines else []

    def shares_of(self, place: Place, rank: int) -> list[float]:
        """Return the shares hidden that there are results of."""
        return [share for share in self.shares if (place, rank, share) in self.groups]

    def chosen(self, place: Place, rank: int, share: float) -> Array:
        """Return the ranks chosen for all matrices."""
        return columns(self.groups[place, rank, share], "chosen_rank")["chosen_rank"]

    def by_rank(self, place: Place, rank: int, share: float, name: str) -> Array:
        """Return a measure of all matrices at all ranks, shape (matrices, ranks)."""
        return np.array([numbers(line, name) for line in self.groups[place, rank, share]])

    def at_true_rank(self, place: Place, rank: int, name: str) -> list[Array]:
        """Return a measure of all matrices at their true rank, an array for each share hidden."""
        return [
            np.array([at_rank(line, name, rank) for line in self.groups[place, rank, share]])
            for share in self.shares_of(place, rank)
        ]

    def nsmr(self, place: Place, rank: int, correlation: str) -> Array:
        """Return SMR weighted by a correlation of uncertainty and error, by the share hidden."""
        smrs = [_mean(values) for values in self.at_true_rank(place, rank, "smr")]
        return nsmr(smrs, [_mean(values) for values in self.at_true_rank(place, rank, correlation)])


def _mean(values: Array) -> float:
    """Return the mean without NaN; NaN if nothing is left."""
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else float("nan")
