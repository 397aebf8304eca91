"""Known entries that a member is not shown, so that its errors on them can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes

__all__ = ["Speckle", "draw_speckle", "with_speckles"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Speckle:
    """Entries held out of one member, with what is known of them.

    Attributes
    ----------
    rows, cols : arrays of int
    values : array
        As the network has them, unperturbed.
    weights : array
        What each stands for: its own weight, or for unlisted pairs that of all those it was drawn from.
    listed : int
        The first so many are listed in the network, the others are pairs of its background.
    """

    rows: Array
    cols: Array
    values: Array
    weights: Array
    listed: int

    def error(self, factors: Factors) -> float:
        """Return the weighted mean squared error of a model here."""
        away = factors.score(self.rows, self.cols) - self.values
        total = float(self.weights.sum())
        return float(np.sum(self.weights * away**2) / total) if total else float("nan")


def draw_speckle(network: Network, share: float, rng: np.random.Generator) -> Speckle:
    """Draw a share of the known entries, never the last one known of a row or column.

    Under a background unlisted pairs are known too: the same share of them is drawn, but no more than there
    are listed entries, and they weigh as much as all that the share asks for.
    """
    shuffled = rng.permutation(np.flatnonzero(network.known))
    kept = np.zeros(network.n_listed, bool)
    for lines in _lines(network, shuffled):
        kept[shuffled[np.unique(lines, return_index=True)[1] % len(shuffled)]] = True
    drawn = np.sort(shuffled[~kept[shuffled]][: round(share * len(shuffled))])
    rows, cols, weights = network.rows[drawn], network.cols[drawn], network.weights[drawn]
    more_rows, more_cols, weight = _unlisted(network, share, rng)
    return Speckle(
        np.concatenate([rows, more_rows]),
        np.concatenate([cols, more_cols]),
        np.concatenate([network.values[drawn], np.zeros(len(more_rows))]),
        np.concatenate([weights, np.full(len(more_rows), weight)]),
        len(drawn),
    )


def _lines(network: Network, entries: Array) -> list[Array]:
    """Return the lines in which entries stand; of a symmetric network both ends are lines of one kind."""
    rows, cols = network.rows[entries], network.cols[entries]
    return [np.concatenate([rows, cols])] if network.symmetric else [rows, cols]


def _unlisted(network: Network, share: float, rng: np.random.Generator) -> tuple[Array, Array, float]:
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
    """Return the ensemble with each member blind to its own speckle."""
    background = ensemble.network.background
    if background:
        pairs = np.concatenate(
            [np.stack([each.rows[each.listed :], each.cols[each.listed :]]) for each in speckles], axis=1
        )
        fresh = np.unique(pairs, axis=1)
        fresh = fresh[:, ensemble.network.positions(*fresh) < 0]
        if fresh.shape[1]:
            weights = np.full(fresh.shape[1], background)
            ensemble = ensemble.with_listed(fresh[0], fresh[1], weights, background)
    values = np.array(ensemble.values)
    for member, speckle in enumerate(speckles):
        values[ensemble.network.positions(speckle.rows, speckle.cols), member] = np.nan
    return Ensemble(ensemble.network, values, ensemble.weights)
