"""Listed links as they look when they are not listed: their columns in the inner fold that hid them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.network import Network
from latentlink.splitting import Split

__all__ = ["HiddenLinks", "ListedLinks", "PairColumns"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class HiddenLinks:
    """Scores and features of the known links of a network, each from the part without it.

    Attributes
    ----------
    features : array, shape (features, links)
    scores : array, shape (models, members, links)
        Before any link function.
    """

    features: NDArray[np.float64]
    scores: NDArray[np.float64]

    @classmethod
    def of(
        cls,
        network: Network,
        splits: Sequence[Split],
        features: Sequence[Array],
        logits: Sequence[Sequence[Array]],
        members: Sequence[int],
    ) -> HiddenLinks | None:
        """Collect the columns of the links from all inner folds.

        Parameters
        ----------
        network : Network
        splits : sequence of Split
            Its inner folds.
        features : sequence of arrays, shape (pairs, features)
            Of the hidden pairs of each fold.
        logits : sequence of sequences of arrays, shape (members, pairs)
            Scores of the hidden pairs of each fold by the members of each model.
        members : sequence of int
            Numbers of the members that are kept.

        Returns
        -------
        HiddenLinks or None
            None if some link was hidden in no fold: of large networks not all folds are taken.
        """
        place = _places(network)
        links = int(place.max(initial=-1)) + 1
        found = cls(np.empty((features[0].shape[1], links)), np.empty((len(logits[0]), len(members), links)))
        seen = np.zeros(links, bool)
        for split, table, of_models in zip(splits, features, logits, strict=True):
            places = place[network.positions(split.test.rows, split.test.cols)]
            of_links = np.flatnonzero(places >= 0)
            places = places[of_links]
            found.features[:, places] = table[of_links].T
            for model, scores in enumerate(of_models):
                found.scores[model][:, places] = scores[np.array(members)[:, None], of_links]
            seen[places] = True
        return found if links and seen.all() else None


class PairColumns(NamedTuple):
    """Graph features of pairs, and which of the pairs are listed links.

    Attributes
    ----------
    features : list of arrays
        Each of the shape of the pairs.
    where : tuple of arrays of int
        Indices of the listed links among the pairs.
    links : array of int
        Their numbers.
    """

    features: list[Array]
    where: tuple[Array, ...] = ()
    links: Array = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class ListedLinks:
    """The known links of a network, which are scored as if they were not listed.

    Attributes
    ----------
    network : Network
    place : array of int, shape (entries,)
        The number of the link that each listed entry is, -1 for others.
    hidden : HiddenLinks
    scores : array, shape (models, links)
        Those of one member, or the means over all.
    """

    network: Network
    place: Array
    hidden: HiddenLinks
    scores: Array

    @classmethod
    def of(cls, network: Network, hidden: HiddenLinks) -> ListedLinks:
        """Return the links with the means of their scores over all members."""
        return cls(network, _places(network), hidden, hidden.scores.mean(axis=1))

    def member(self, number: int) -> ListedLinks:
        """Return the same links with the scores of one member."""
        return replace(self, scores=self.hidden.scores[:, number])

    def of_pairs(self, features: list[Array], rows: Array, cols: Array) -> PairColumns:
        """Replace the features of the listed links among pairs."""
        links = np.append(self.place, -1)[self.network.positions(rows, cols)]
        where = np.flatnonzero(links >= 0)
        return self._replaced(features, (where,), links[where])

    def of_block(self, features: list[Array], begin: int, end: int, first: int) -> PairColumns:
        """Replace the features of the listed links in a block of rows, with all columns from ``first`` on."""
        view = self.network.csr
        entries = slice(view.indptr[begin], view.indptr[end])
        rows = np.repeat(np.arange(end - begin), np.diff(view.indptr[begin : end + 1]))
        cols = np.asarray(view.indices[entries], np.int64) - first
        links = self.place[view.position[entries]]
        inside = (links >= 0) & (cols >= 0)
        return self._replaced(features, (rows[inside], cols[inside]), links[inside])

    def replaced_scores(self, scores: Iterable[Array], columns: PairColumns) -> list[Array]:
        """Replace the models' scores of the listed links."""
        own = [np.array(each, np.float64) for each in scores]
        for each, of_links in zip(own, self.scores, strict=True):
            each[columns.where] = of_links[columns.links]
        return own

    def _replaced(self, features: list[Array], where: tuple[Array, ...], links: Array) -> PairColumns:
        for column, of_links in zip(features, self.hidden.features, strict=True):
            column[where] = of_links[links]
        return PairColumns(features, where, links)


def _places(network: Network) -> Array:
    """Return the number of each known link among all, -1 for other entries."""
    links = network.known & (network.values != 0)
    return np.where(links, np.cumsum(links) - 1, -1)
