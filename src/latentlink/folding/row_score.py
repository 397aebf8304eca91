"""R^2 of predictions of held-out entries: 1 is perfect, 0 is no better than the mean."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from latentlink.errors import IncompatibleError
from latentlink.folding.new_rows import NewRows
from latentlink.network import Ensemble, Network
from latentlink.network.background import with_listed_background
from latentlink.network.transforms.symmetry import as_matrix
from latentlink.rank import RankRecord

__all__ = ["own_score", "row_score"]

_FOLDS = 5
_MOST_UNLISTED = 1_000_000


def own_score(network: Network, record: RankRecord) -> float:
    """Return 1 - (members' mean squared error on held-out entries) / (variance of the known entries)."""
    if np.isnan(record.held_out).all():
        raise IncompatibleError(
            "No entry was held out of any member (the regime's speckle is 0): there is nothing to score by. "
            "Give X, or fit with regime__speckle=0.1."
        )
    return _r_squared(float(np.nanmean(record.held_out)), Ensemble.of(network).member_std(0) ** 2)


def row_score(fold: Callable[[Network], NewRows], network: Network) -> float:
    """Return R^2 of the known entries, each predicted from others of its row.

    Known entries of a row are assigned to five folds in turn; each fold is predicted after folding the row in
    with the entries of the other four. No entry is predicted from itself, so that neither more components nor
    a smaller ridge scores better by itself.

    Parameters
    ----------
    fold : callable
        Takes a network of new rows and returns `NewRows`.
    network : Network
        The rows to score. Unlisted zeros count with their weight; above a million, a sample of them does.
    """
    listed = with_listed_background(Ensemble.of(as_matrix(network)), _MOST_UNLISTED, 0).network
    listed = listed.subset(listed.known)
    fold_of = _numbers_in_row(listed.rows) % _FOLDS
    predicted = np.zeros(listed.n_listed)
    for number in np.unique(fold_of):
        out = fold_of == number
        predicted[out] = fold(listed.hide(out)).score(listed.rows[out], listed.cols[out])
    weights, values = listed.weights, listed.values
    mean = np.sum(weights * values) / np.sum(weights)
    return _r_squared(
        float(np.sum(weights * (values - predicted) ** 2)), float(np.sum(weights * (values - mean) ** 2))
    )


def _numbers_in_row(rows: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the number of each entry within its row: 0, 1, 2, ...

    Examples
    --------
    >>> _numbers_in_row(np.array([0, 0, 2, 2, 2]))
    array([0, 1, 0, 1, 2])
    """
    first = np.searchsorted(rows, rows, side="left")
    return np.arange(len(rows)) - first


def _r_squared(error: float, total: float) -> float:
    """Return 1 - error / total; where all values are equal, 1 if they are predicted exactly and 0 if not."""
    if total > 0:
        return 1 - error / total
    return float(error == 0)
