"""Records of what is measured in one split: the training network, the pairs to score, and their settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.validation.wording import counted

__all__ = ["Setting", "Task"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Setting:
    """Pairs that are ranked together: the test links with one kind of non-links.

    Attributes
    ----------
    negatives : str
        The kind: "listed", "uniform", "degree", "hard" or "all".
    positions : array of int
        Positions among the pairs of the task.
    groups : array of int or None
        Pairs that form a list of their own: those of a link (hard), of a node (all), of a row (values).
    """

    negatives: str
    positions: Array
    groups: Array | None = None


@dataclass(frozen=True, eq=False)
class Task:
    """One split of an evaluation: what models are fitted to, and the pairs that they score.

    Attributes
    ----------
    number : int
        Counted from 0 over all tasks of an evaluation; scores from elsewhere are given by it.
    repeat : int
        Counted from 0; tasks of the same repeat hold out pairs, or whole nodes.
    hidden : {"pairs", "nodes"}
        What is held out.
    train : Network
        What models are fitted to. With links alone, it has drawn non-links or a background.
    pairs : array of int, shape (pairs, 2)
        Distinct pairs of row and column indices; none of them is known in ``train``.
    values : array, shape (pairs,)
        1 for test links, 0 for non-links; for values, the values.
    settings : tuple of Setting
    subsets : dict of str to array of bool
        Pairs that are also measured apart: "warm" (both nodes occur in the training part), "new nodes" (a
        node does not), "one component" (both nodes are in one component of the training links).
    links : Network or None
        The training links alone, for estimators with ``takes_links_alone``, if ``train`` has drawn non-links.
        Test pairs are unlisted, links like non-links.
    """

    number: int
    repeat: int
    hidden: str
    train: Network
    pairs: Array
    values: Array
    settings: tuple[Setting, ...]
    subsets: Mapping[str, NDArray[np.bool_]]
    links: Network | None = None

    def train_of(self, model: Any) -> Network:
        """Return what a model is fitted to: the links alone, if it takes these and draws non-links itself."""
        takes_links = bool(getattr(model, "takes_links_alone", False))
        return self.links if takes_links and self.links is not None else self.train

    def __repr__(self) -> str:
        return f"Task {self.number}: {counted(len(self.pairs), 'pair')} to score, {self.hidden} held out"
