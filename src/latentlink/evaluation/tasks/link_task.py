"""The task of one split of links: its training network, and test links among several kinds of non-links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import InputError
from latentlink.evaluation.protocol import Protocol
from latentlink.evaluation.tasks.drawn_nonlinks import all_pairs_of_nodes, corrupted_links, sampled_pairs
from latentlink.evaluation.tasks.hard_nonlinks import hard_pairs
from latentlink.evaluation.tasks.task import Setting, Task
from latentlink.evaluation.tasks.train_nodes import node_subsets, occurring_nodes
from latentlink.network import Network, sample_negatives
from latentlink.network.pair_codes import PairCodes
from latentlink.proximity import LinkGraph

__all__ = ["NEGATIVES", "LinkSplit", "link_task"]

Array = NDArray[Any]
Pairs = tuple[Array, Array, Array | None]

NEGATIVES = ("listed", "uniform", "degree", "hard", "all")


@dataclass(frozen=True, eq=False)
class LinkSplit:
    """Links and non-links of one split.

    Attributes
    ----------
    train : Network
        What models are fitted to.
    part : Network
        The training part of the data: without drawn non-links, and the rest hidden.
    listed : Network
        Everything that is listed or drawn for training; none of it is drawn as a test non-link.
    test : array of bool, shape (entries of ``listed``,)
        The test pairs, links and listed non-links.
    new : bool
        Whether whole nodes are held out.
    links : Network or None
        The training links alone, if ``train`` has drawn non-links. Test pairs are unlisted in it: if the test
        links were hidden, a model that draws non-links could draw test non-links and never test links.
    """

    train: Network
    part: Network
    listed: Network
    test: Array
    new: bool
    links: Network | None = None

    @classmethod
    def of(
        cls, network: Network, train: Array, test: Array, new: bool, rng: np.random.Generator
    ) -> LinkSplit:
        """Take masks of the listed entries that are known in training, and of the test pairs.

        A network of links alone without a background gets as many drawn non-links as it has training links,
        which most models need. With a background the test pairs become unlisted, like all pairs that are not
        links: if they were hidden, a model could tell them from the non-links that are drawn.
        """
        part = network.hide(~train)
        if network.background:
            return cls(network.subset(train), part, part, test, new)
        if (network.values[train] == 0).any():
            return cls(part, part, part, test, new)
        fitted = sample_negatives(part, rng=rng)
        positions = fitted.positions(network.rows[test], network.cols[test])
        where = np.zeros(fitted.n_listed, bool)
        where[positions] = True
        return cls(fitted, part, fitted, where, new, part.subset(~test))

    @property
    def test_links(self) -> Array:
        """Mask of the test links among the entries of ``listed``."""
        return self.test & (self.listed.values == 1)

    def pairs(self, which: Array) -> tuple[Array, Array]:
        """Return rows and columns of listed entries."""
        return self.listed.rows[which].astype(np.int64), self.listed.cols[which].astype(np.int64)

    def setting(self, kind: str, protocol: Protocol, rng: np.random.Generator) -> Pairs:
        """Return the links and non-links of one setting: rows, columns and groups."""
        if kind == "listed":
            return *self.pairs(self.test), None
        codes = PairCodes(self.listed.shape, self.listed.symmetric, self.listed.square)
        if len(codes.of_listed(self.listed.rows, self.listed.cols)) == codes.total:
            raise InputError(
                f"The network has 0 unlisted pairs, so that there are no non-links of the kind {kind!r}; "
                'expected some. Give negatives=("listed",).'
            )
        if kind == "all":
            return all_pairs_of_nodes(self.listed, self.test_links, protocol.max_nodes, rng)
        if kind == "hard":
            return self._hard(protocol, rng)
        links = self.pairs(self.test_links)
        if self.new:
            rows, cols = self._new_node_pairs(links, kind, rng)
        else:
            rows, cols = sampled_pairs(self.listed, self.test_links, kind, rng)
        return np.concatenate([links[0], rows]), np.concatenate([links[1], cols]), None

    def _hard(self, protocol: Protocol, rng: np.random.Generator) -> Pairs:
        """Return a sample of the test links with the hard non-links of each; groups are links."""
        links = self.pairs(self.test_links)
        sample = rng.permutation(len(links[0]))[: protocol.max_links]
        one, other = links[0][sample], links[1][sample]
        graph = LinkGraph.of(self.part)
        rows, cols, link = hard_pairs(self.listed, graph, (one, other), protocol.per_link, rng)
        groups = np.concatenate([np.arange(len(sample)), link])
        return np.concatenate([one, rows]), np.concatenate([other, cols]), groups

    def _new_node_pairs(
        self, links: tuple[Array, Array], kind: str, rng: np.random.Generator
    ) -> tuple[Array, Array]:
        """Replace the known end of links of new nodes, so that non-links have a new node too."""
        known_rows, _ = occurring_nodes(self.part)
        degrees = LinkGraph.of(self.part).degrees if kind == "degree" else None
        return corrupted_links(self.listed, links, ~known_rows[links[0]], degrees, rng)


def link_task(
    split: LinkSplit,
    wanted: tuple[tuple[str, ...], bool],
    protocol: Protocol,
    rng: np.random.Generator,
    identity: tuple[int, int, str],
) -> Task:
    """Return the task of a split of links.

    Parameters
    ----------
    split : LinkSplit
    wanted : (kinds of non-links, bool)
        If the second is True, kinds that the data do not allow are left out instead of an error.
    protocol : Protocol
    rng : Generator
    identity : (number, repeat, hidden)
    """
    kinds, lenient = wanted
    parts = {}
    for kind in kinds:
        if split.new and kind == "hard":  # new nodes have no links to rank their partners by
            continue
        try:
            parts[kind] = split.setting(kind, protocol, rng)
        except InputError:
            if not lenient:
                raise
    keys = [split.listed.pair_keys(rows, cols) for rows, cols, _ in parts.values()]
    distinct, inverse = np.unique(np.concatenate(keys), return_inverse=True)
    bounds = np.cumsum([len(each) for each in keys])[:-1]
    settings = tuple(
        Setting(kind, positions, part[2])
        for (kind, part), positions in zip(parts.items(), np.split(inverse, bounds), strict=True)
    )
    rows, cols = np.divmod(distinct, split.listed.shape[1])
    where = split.listed.positions(rows, cols)
    values = np.where(where >= 0, split.listed.values[where], 0.0)
    subsets = node_subsets(split.part, rows, cols, components=True)
    number, repeat, hidden = identity
    pairs = np.column_stack([rows, cols])
    return Task(number, repeat, hidden, split.train, pairs, values, settings, subsets, split.links)
