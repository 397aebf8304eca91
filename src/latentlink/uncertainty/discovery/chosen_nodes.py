"""Discoveries among the pairs of a few nodes, valid whichever nodes they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn

from latentlink.errors import InputError
from latentlink.validation.wording import counted, percent

__all__ = ["ALL_UNTESTED", "ChosenNodes"]

ALL_UNTESTED = "Call discover() without pairs, which goes over all untested pairs"


@dataclass(frozen=True)
class ChosenNodes:
    """Nodes of one side that candidates are the pairs of, and of how many they were chosen.

    Nodes that were chosen for their scores or their links have the highest of many scores. Selected at

        fdr * count / total,

    the candidates of any such choice hold the rate: a union bound over the nodes.

    Attributes
    ----------
    count, total : int
        Number of the nodes, and of all nodes of that side.
    kind : str
        "row", "column" or, in an undirected network, "node".
    """

    count: int
    total: int
    kind: str

    @property
    def share(self) -> float:
        """The share of a false discovery rate at which candidates are selected."""
        return self.count / self.total

    def limits(self, fdr: float) -> str:
        """Say what is guaranteed at a rate, in sentences."""
        return (
            f" The candidates are pairs of {self._of_all}. They are selected at a rate of "
            f"{percent(fdr * self.share)}, so that {percent(fdr)} holds whichever of the {self.kind}s were "
            "chosen, for their scores or their links."
        )

    @property
    def _of_all(self) -> str:
        return f"{self.count:,} of {counted(self.total, self.kind)}"

    def raise_as_chosen(self, fdr: float, instead: str = ALL_UNTESTED) -> NoReturn:
        """Raise InputError: nothing is selected unless these nodes were chosen without scores.

        The sentence ``instead`` says what to do.
        """
        was = "was" if self.count == 1 else "were"
        it, nodes = ("it", self.kind) if self.count == 1 else ("they", f"{self.kind}s")
        raise InputError(
            f"The candidates are pairs of {self._of_all}. If {it} {was} chosen for high scores or many "
            f"links, the false discovery rate of {percent(fdr)} would be void; at "
            f"{percent(fdr * self.share)}, which makes up for any such choice, nothing is selected. "
            f"{instead}. If the {nodes} {was} chosen by other information, set chosen_without_scores=True."
        )
