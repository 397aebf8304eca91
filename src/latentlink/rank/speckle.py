"""Speckled holdout: known entries that are held out of a member and measure its prediction error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes
from latentlink.solvers import Chain

__all__ = ["HeldOutEntries", "Speckle", "draw_speckle", "with_speckles"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Speckle:
    """Entries held out of one member, with their values and weights.

    Attributes
    ----------
    rows, cols : arrays of int
    values : array
        The values in the network, unperturbed.
    weights : array
        Weights in the error: those of the network; a sampled unlisted pair also carries the weight of the
        pairs that it represents.
    listed : int
        Number of listed entries, which come first; the others are unlisted pairs of the background.
    """

    rows: Array
    cols: Array
    values: Array
    weights: Array
    listed: int

    def error(self, factors: Factors | Chain) -> float:
        """Return the weighted mean squared error of a model on these entries; NaN without any."""
        residual = factors.score(self.rows, self.cols) - self.values
        total = float(self.weights.sum())
        return float(np.sum(self.weights * residual**2) / total) if total else float("nan")


def draw_speckle(network: Network, share: float, rng: np.random.Generator) -> Speckle:
    """Draw a share of the known entries, but never the last known entry of a row or column.

    Under a background unlisted pairs are known zeros: the same share of them is drawn, but at most as many as
    there are listed entries, and then with weights that make up for those not drawn.
    """
    if not share:
        none = np.zeros(0)
        return Speckle(none.astype(network.rows.dtype), none.astype(network.cols.dtype), none, none, 0)
    shuffled = rng.permutation(np.flatnonzero(network.known))
    protected = np.zeros(network.n_listed, bool)
    for nodes in _node_columns(network, shuffled):
        protected[shuffled[_first_places(nodes, max(network.shape)) % len(shuffled)]] = True
    drawn = np.sort(shuffled[~protected[shuffled]][: round(share * len(shuffled))])
    rows, cols, weights = network.rows[drawn], network.cols[drawn], network.weights[drawn]
    unlisted_rows, unlisted_cols, weight = _draw_unlisted(network, share, rng)
    return Speckle(
        np.concatenate([rows, unlisted_rows]),
        np.concatenate([cols, unlisted_cols]),
        np.concatenate([network.values[drawn], np.zeros(len(unlisted_rows))]),
        np.concatenate([weights, np.full(len(unlisted_rows), weight)]),
        len(drawn),
    )


class HeldOutEntries(NamedTuple):
    """The entries held out of at least one of several members.

    Attributes
    ----------
    rows, cols : arrays of int, shape (entries,)
    values, weights : arrays, shape (entries,)
        As for `Speckle`.
    unseen : array of bool, shape (entries, members)
        Whether an entry was held out of a member.
    """

    rows: Array
    cols: Array
    values: Array
    weights: Array
    unseen: Array

    @classmethod
    def of(cls, speckles: Sequence[Speckle], n_cols: int, most: int = 1 << 18) -> HeldOutEntries:
        """Return the entries of all speckles; of more than ``most`` every n-th stands for n."""
        step = -(-sum(len(one.rows) for one in speckles) // most) or 1
        rows, cols, values, weights = (
            np.concatenate([getattr(one, name)[::step] for one in speckles])
            for name in ("rows", "cols", "values", "weights")
        )
        distinct, first = np.unique(_codes(rows, cols, n_cols), return_index=True)
        unseen = np.stack([np.isin(distinct, _codes(one.rows, one.cols, n_cols)) for one in speckles], axis=1)
        return cls(rows[first], cols[first], values[first], weights[first], unseen)

    def ensemble_errors(self, members: Sequence[Factors | Chain], size: int | None = None) -> Array:
        """Return the mean squared error of the ensemble on the entries held out of each member.

        An entry is predicted by the mean of the N members that it was held out of. The mean of all P members
        would vary less, so ``r s^2 (1/N - 1/P)`` is subtracted. Here ``s^2`` is the variance of all members'
        predictions of that entry, and ``r`` the mean ratio of the variance of the members that have not seen
        an entry to it, over the entries held out of two or more: those that have seen an entry vary less.
        (The variance of the few members that have not seen the entry itself is too random, and one variance
        for all entries is that of a few that fail.) The result compares ranks and penalties. It is no
        estimate of the error on new entries.

        Parameters
        ----------
        members : sequence of Factors or Chain
            The members, in the order of the speckles.
        size : int, optional
            The number P of members of the ensemble that these stand for; by default their own number.

        Returns
        -------
        array, shape (members,)
            NaN for members of which nothing was held out, and where one has diverged.
        """
        with np.errstate(invalid="ignore", over="ignore"):  # of a member that has diverged
            scores = np.stack([member.score(self.rows, self.cols) for member in members], axis=1)
            squares = self._squares(scores.astype(np.float64), size or len(members))
            weights = self.weights[:, None] * self.unseen
            totals = weights.sum(axis=0)
            sums = squares @ weights
        errors = np.divide(sums, totals, out=np.full(len(totals), np.nan), where=totals > 0)
        return np.maximum(errors, 0)

    def _squares(self, scores: Array, size: int) -> Array:
        """Return the corrected squared error of each entry, given the scores of all members."""
        count = self.unseen.sum(axis=1)  # at least 1
        mean = np.sum(scores * self.unseen, axis=1) / count
        squares: Array = (mean - self.values) ** 2
        if scores.shape[1] > 1:
            variance = scores.var(axis=1, ddof=1)
            variance *= self._unseen_ratio(scores - mean[:, None], count, variance)
            squares -= variance * (1 / count - 1 / size)
        return squares

    def _unseen_ratio(self, deviations: Array, count: Array, variance: Array) -> float:
        """Return the mean ratio of the variance of members that have not seen an entry to that of all.

        Each entry weighs as much as its degrees of freedom; 1 if none was held out of two members.
        """
        freedom = (count - 1) * (variance > 0)
        if not freedom.any():
            return 1.0
        squares = np.sum(deviations**2 * self.unseen, axis=1)
        ratios = np.divide(squares, variance, out=np.zeros_like(variance), where=freedom > 0)
        return float(ratios.sum() / freedom.sum())


def _codes(rows: Array, cols: Array, n_cols: int) -> Array:
    """Return a number for each pair."""
    return np.asarray(rows, np.int64) * n_cols + cols


def _node_columns(network: Network, entries: Array) -> list[Array]:
    """Return rows and columns of entries; of a symmetric network both ends in one array."""
    rows, cols = network.rows[entries], network.cols[entries]
    return [np.concatenate([rows, cols])] if network.symmetric else [rows, cols]


def _first_places(nodes: Array, n_nodes: int) -> Array:
    """Return where each node that occurs is first, by node, without sorting.

    Examples
    --------
    >>> import numpy as np
    >>> _first_places(np.array([4, 2, 4, 1, 2]), 5)
    array([3, 1, 0])
    """
    first = np.full(n_nodes, -1)
    first[nodes[::-1]] = np.arange(len(nodes) - 1, -1, -1)  # of repeated indices the last one counts
    return first[first >= 0]


def _draw_unlisted(network: Network, share: float, rng: np.random.Generator) -> tuple[Array, Array, float]:
    """Draw a share of the unlisted pairs of a background; return rows, columns and the weight of each."""
    none = np.zeros(0, np.int64)
    if not network.background:
        return none, none, 0.0
    codes = PairCodes(network.shape, network.symmetric, square=network.symmetric)
    listed = codes.of_listed(network.rows, network.cols)
    free = codes.total - len(listed)
    count = min(round(share * free), network.n_listed)
    if not count:
        return none, none, 0.0
    drawn = np.sort(unlisted_codes(distinct_numbers(free, count, rng), listed))
    return *codes.pairs(drawn), network.background * share * free / count


def with_speckles(ensemble: Ensemble, speckles: Sequence[Speckle]) -> Ensemble:
    """Return the ensemble with the entries of each member's speckle held out of it (NaN)."""
    background = ensemble.network.background
    if background:
        pairs = np.concatenate(
            [np.stack([one.rows[one.listed :], one.cols[one.listed :]]) for one in speckles], axis=1
        )
        unlisted = np.unique(pairs, axis=1)
        unlisted = unlisted[:, ensemble.network.positions(*unlisted) < 0]
        if unlisted.shape[1]:
            weights = np.full(unlisted.shape[1], background)
            ensemble = ensemble.with_listed(unlisted[0], unlisted[1], weights, background)
    values = np.array(ensemble.values)
    for member, speckle in enumerate(speckles):
        values[ensemble.network.positions(speckle.rows, speckle.cols), member] = np.nan
    return Ensemble(ensemble.network, values, ensemble.weights)
