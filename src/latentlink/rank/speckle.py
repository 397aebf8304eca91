"""Speckled holdout: known entries that are held out of a member and measure its prediction error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.network.pair_codes import PairCodes, distinct_numbers, unlisted_codes

__all__ = ["Speckle", "draw_speckle", "ensemble_errors", "with_speckles"]

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

    def error(self, factors: Factors) -> float:
        """Return the weighted mean squared error of a model on these entries; NaN without any."""
        residual = factors.score(self.rows, self.cols) - self.values
        total = float(self.weights.sum())
        return float(np.sum(self.weights * residual**2) / total) if total else float("nan")


def draw_speckle(network: Network, share: float, rng: np.random.Generator) -> Speckle:
    """Draw a share of the known entries, but never the last known entry of a row or column.

    Under a background unlisted pairs are known zeros: the same share of them is drawn, but at most as many as
    there are listed entries, and then with weights that make up for those not drawn.
    """
    shuffled = rng.permutation(np.flatnonzero(network.known))
    protected = np.zeros(network.n_listed, bool)
    for nodes in _node_columns(network, shuffled):
        protected[shuffled[np.unique(nodes, return_index=True)[1] % len(shuffled)]] = True
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


def ensemble_errors(
    speckles: Sequence[Speckle], members: Sequence[Factors], size: int | None = None
) -> Array:
    """Return the mean squared error of the ensemble on the entries held out of each member.

    An entry is predicted by the mean of the N members that it was held out of. The mean of all P members
    would vary less, so the variance ``s^2 (1/N - 1/P)`` that it would not have is subtracted; ``s^2`` is the
    variance of such members about their mean, pooled over all entries held out of two or more. The result
    compares ranks and penalties. It is no estimate of the error of the ensemble on new entries.

    Parameters
    ----------
    speckles : sequence of Speckle
        The entries held out of each member.
    members : sequence of Factors
        The members in the same order.
    size : int, optional
        The number P of members of the ensemble that these stand for; by default their own number.

    Returns
    -------
    array, shape (members,)
        NaN for members of which nothing was held out.
    """
    rows, cols, values, weights = (
        np.concatenate([getattr(one, name) for one in speckles])
        for name in ("rows", "cols", "values", "weights")
    )
    scores = np.concatenate(
        [member.score(one.rows, one.cols) for one, member in zip(speckles, members, strict=True)]
    ).astype(np.float64)
    codes = np.asarray(rows, np.int64) * members[0].shape[1] + cols
    entry = np.unique(codes, return_inverse=True)[1].ravel()
    count = np.bincount(entry)
    mean = (np.bincount(entry, scores) / np.maximum(count, 1))[entry]
    count = count[entry]
    repeated = count > 1
    freedom = float(np.sum(weights * (count - 1) / count))
    variance = float(np.sum(weights * repeated * (scores - mean) ** 2)) / freedom if freedom else 0.0
    squares = (mean - values) ** 2 - variance * (1 / count - 1 / (size or len(members)))
    owner = np.repeat(np.arange(len(members)), [len(one.rows) for one in speckles])
    totals = np.bincount(owner, weights, len(members))
    sums = np.bincount(owner, weights * squares, len(members))
    return np.maximum(np.divide(sums, totals, out=np.full(len(members), np.nan), where=totals > 0), 0)


def _node_columns(network: Network, entries: Array) -> list[Array]:
    """Return rows and columns of entries; of a symmetric network both ends in one array."""
    rows, cols = network.rows[entries], network.cols[entries]
    return [np.concatenate([rows, cols])] if network.symmetric else [rows, cols]


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
