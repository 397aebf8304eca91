"""Rows that a model was not fitted with, as it and every member of its ensemble see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.estimators.booleanrows import boolean_rows
from latentlink.estimators.data import row_by_row
from latentlink.estimators.foldin import regressed_rows
from latentlink.estimators.pairs import pair_indices
from latentlink.estimators.scoring import Scorer
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.solvers import Solver

__all__ = ["NewRows", "with_rows"]

Array = NDArray[Any]


def with_rows(solver: Solver, cut: bool, network: Network, models: Sequence[Factors]) -> list[Factors]:
    """Return each model for the network's rows.

    Nodes of an undirected model stand on both sides of a pair. New ones get their place on either side by a
    regression of its own, as the model was fitted, and come first, before those that it knows.

    Parameters
    ----------
    solver : Solver
        What the models were fitted with.
    cut : bool
        Whether factors are Boolean.
    network : Network
        What is known of the new rows.
    models : sequence of Factors
    """
    network = row_by_row(network)
    found = _one_side(solver, cut, network, models)
    if not models[0].symmetric:
        return found
    others = _one_side(solver, cut, network, [model.transposed() for model in models])
    return [_joined(*three) for three in zip(models, found, others, strict=True)]


def _one_side(solver: Solver, cut: bool, network: Network, models: Sequence[Factors]) -> list[Factors]:
    bare = all(model.row_bias is None and model.col_bias is None and not model.offset for model in models)
    if cut and bare and not models[0].logistic:
        return [boolean_rows(network, model) for model in models]
    found = regressed_rows(solver, network, models)
    if cut:
        return [replace(model, W=(model.W >= 0.5).astype(model.W.dtype)) for model in found]
    return found


def _joined(model: Factors, rows: Factors, cols: Factors) -> Factors:
    """Put new nodes before the known ones, on both sides."""
    return replace(
        model,
        W=np.concatenate([rows.W, model.W]),
        H=np.concatenate([cols.W.T, model.H], axis=1),
        row_bias=_stacked(rows.row_bias, model.row_bias),
        col_bias=_stacked(cols.row_bias, model.col_bias),
    )


def _stacked(new: Array | None, old: Array | None) -> Array | None:
    return None if new is None or old is None else np.concatenate([new, old])


@dataclass(frozen=True, eq=False)
class NewRows:
    """New rows, folded into a model and into every member of its ensemble.

    Attributes
    ----------
    network : Network
        What is known of the new rows.
    factors : Factors
        The model for them; of an undirected network new nodes come first, then those it was fitted with.
    members : tuple of Factors
        The same for each member.
    by_ensemble : bool
        Whether the mean of the members is the score, unless one asks otherwise.

    Examples
    --------
    >>> from latentlink import WNMFk
    >>> model = WNMFk((1,), n_perturbs=2, random_state=0).fit([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    >>> model.fold_in([[5.0, np.nan]]).predict_links([(0, 1)]).round(1)
    array([10.])
    """

    network: Network
    factors: Factors
    members: tuple[Factors, ...]
    by_ensemble: bool

    @property
    def W(self) -> Array:
        """Factors of the new rows, shape (rows, rank)."""
        return self.factors.W[: self.network.shape[0]]

    def score(self, rows: Array, cols: Array, by: str | None = None) -> Array:
        """Score pairs of indices of new rows and known columns."""
        return self._scorer().score(rows, self._shifted(cols), by)

    def predict_links(self, pairs: Any, return_std: bool = False, by: str | None = None) -> Any:
        """Score pairs of a new row and a known column; see `RankedFactorizer.predict_links`.

        Parameters
        ----------
        pairs : array, list of tuples or frame
            (row, column) for each pair: places among the new rows, or their names; columns as fitted.
        return_std : bool
            Return the standard deviation over the members too.
        by : {"model", "ensemble"} or None
        """
        rows, cols = pair_indices(self.network, pairs)
        if return_std:
            return self._scorer().score_and_spread(rows, self._shifted(cols), by)
        return self.score(rows, cols, by)

    def _scorer(self) -> Scorer:
        return Scorer(self.factors, self.members, self.by_ensemble)

    def _shifted(self, cols: Array) -> Array:
        return cols + self.network.shape[0] if self.factors.symmetric else cols
