"""Rows that a model was not fitted with, folded into the central model and into every member."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.folding.boolean_rows import boolean_rows
from latentlink.folding.regression import regressed_rows
from latentlink.network import Network
from latentlink.network.transforms.symmetry import as_matrix
from latentlink.scoring import Members, Scorer
from latentlink.scoring.pair_input import pair_indices
from latentlink.solvers import Solver

__all__ = ["NewRows", "fold_rows"]

Array = NDArray[Any]


def fold_rows(solver: Solver, binary: bool, network: Network, models: Sequence[Factors]) -> list[Factors]:
    """Return each model for the network's rows.

    Nodes of an undirected model are rows and columns at once. New nodes get factors on both sides, each by
    its own regression, as the model was fitted, and come first, before the fitted nodes.

    Parameters
    ----------
    solver : Solver
        The solver that the models were fitted with.
    binary : bool
        Whether factors are Boolean.
    network : Network
        Known entries of the new rows.
    models : sequence of Factors
    """
    network = as_matrix(network)
    rows = _one_side(solver, binary, network, models)
    if not models[0].symmetric:
        return rows
    cols = _one_side(solver, binary, network, [model.transposed() for model in models])
    return [_with_new_nodes(*sides) for sides in zip(models, rows, cols, strict=True)]


def _one_side(solver: Solver, binary: bool, network: Network, models: Sequence[Factors]) -> list[Factors]:
    plain = all(model.row_bias is None and model.col_bias is None and not model.offset for model in models)
    if binary and plain and not models[0].logistic:
        return [boolean_rows(network, model) for model in models]
    regressed = regressed_rows(solver, network, models)
    if binary:
        return [replace(model, W=(model.W >= 0.5).astype(model.W.dtype)) for model in regressed]
    return regressed


def _with_new_nodes(model: Factors, rows: Factors, cols: Factors) -> Factors:
    """Put new nodes before the fitted ones, on both sides."""
    return replace(
        model,
        W=np.concatenate([rows.W, model.W]),
        H=np.concatenate([cols.W.T, model.H], axis=1),
        row_bias=_concatenated(rows.row_bias, model.row_bias),
        col_bias=_concatenated(cols.row_bias, model.col_bias),
    )


def _concatenated(new: Array | None, old: Array | None) -> Array | None:
    return None if new is None or old is None else np.concatenate([new, old])


@dataclass(frozen=True, eq=False)
class NewRows:
    """New rows, folded into a model and into every member of its ensemble.

    Attributes
    ----------
    network : Network
        Known entries of the new rows.
    factors : Factors
        The central model for them; in an undirected network new nodes come first, then the fitted ones.
    members : tuple of Factors
        The same for each member.
    by_ensemble : bool
        Whether the score is the mean over the members by default.

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
        """Score pairs of indices of new rows and fitted columns."""
        return self._scorer().score(rows, self._columns(cols), by)

    def predict_links(self, pairs: Any, return_std: bool = False, by: str | None = None) -> Any:
        """Score pairs of a new row and a fitted column; see `RankedFactorizer.predict_links`.

        Parameters
        ----------
        pairs : array, list of tuples or frame
            (row, column) for each pair: indices among the new rows, or their names; columns as fitted.
        return_std : bool
            Return the standard deviation over the members too.
        by : {"model", "ensemble"} or None
        """
        rows, cols = pair_indices(self.network, pairs)
        if return_std:
            return self._scorer().score_and_spread(rows, self._columns(cols), by)
        return self.score(rows, cols, by)

    def _scorer(self) -> Scorer:
        return Scorer(self.factors, Members(self.members), self.by_ensemble)

    def _columns(self, cols: Array) -> Array:
        """Return the columns of the model that fitted columns are: new nodes may come before them."""
        return cols + self.network.shape[0] if self.factors.symmetric else cols
