"""New rows of a fitted model: their place in it, what they stand for, and how well they are predicted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import InputError, warn_user
from latentlink.estimators.data import as_symmetric, read_network, refuse_negative, row_by_row
from latentlink.estimators.foldin import known_rows
from latentlink.estimators.newrows import NewRows, with_rows
from latentlink.estimators.rowscore import own_score, row_score
from latentlink.factors import Factors, sigmoid
from latentlink.network import Network
from latentlink.rank import Choice, RankPath
from latentlink.regime import Regime
from latentlink.solvers import Solver

__all__ = ["Placing"]

Array = NDArray[Any]


class Placing(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
    """A fitted model as scikit-learn's transformer: W of new rows, and back."""

    network_: Network
    factors_: Factors
    members_: tuple[Factors, ...]
    solver_: Solver
    regime_: Regime
    path_: RankPath
    choice_: Choice
    rank_: int
    col_names_: NDArray[np.str_] | None
    _by_ensemble: bool

    def fold_in(self, X: Any, *, mask: Any = None) -> NewRows:
        """Find the place of new rows in the model and in every member, without fitting anew.

        Parameters
        ----------
        X, mask
            As for `fit`, with the same columns. Of an undirected network: new nodes' links to known nodes.

        Returns
        -------
        NewRows
            Scores their links: ``predict_links(pairs, return_std=True)``.
        """
        check_is_fitted(self)
        return self._fold(self._read_rows(X, mask), (self.factors_, *self.members_))

    def transform(self, X: Any, *, mask: Any = None) -> Array:
        """Return W of new rows: what is known of each, regressed on H (and biases) by the solver's own loss.

        A row's answer does not depend on the other rows, but for rounding. Biases that the model has besides
        are in `fold_in`.

        Parameters
        ----------
        X, mask
            As for `fit`, with the same columns.

        Returns
        -------
        array, shape (rows, rank)
        """
        check_is_fitted(self)
        return self._fold(self._read_rows(X, mask), (self.factors_,)).W

    def fit_transform(self, X: Any, y: Any = None, *, mask: Any = None) -> Array:
        """Fit, and return the same as ``fit(X).transform(X)``: each row's best W given H."""
        return self.fit(X, y, mask=mask).transform(X, mask=mask)

    def _read_rows(self, X: Any, mask: Any) -> Network:
        network = read_network(self, X, mask, reset=False)
        refuse_negative(self, self.solver_, network)
        if self.network_.symmetric:
            network = as_symmetric(network)
        network = row_by_row(network)
        if network.col_names is None and self.col_names_ is not None:
            parts = (network.rows, network.cols, network.values, network.weights)
            network = network.relisted(*parts, col_names=self.col_names_)
        empty = np.flatnonzero(~known_rows(network))
        if len(empty):
            shown = ", ".join(map(str, empty[:5])) + (", ..." if len(empty) > 5 else "")
            warn_user(
                f"Nothing is known of {len(empty):,} new row{'s' if len(empty) > 1 else ''} ({shown}): each "
                "gets the average of the fitted rows, and scores that say no more than that.",
            )
        return network

    def _fold(self, network: Network, models: Sequence[Factors]) -> NewRows:
        how = (self.solver_, self.regime_.is_boolean, network)
        model = with_rows(*how, models[:1])[0]
        members = with_rows(*how, models[1:]) if len(models) > 1 else []
        return NewRows(network, model, tuple(members), self._by_ensemble)

    def inverse_transform(self, X: ArrayLike) -> Array:
        """Return the rows that factors stand for: X H, and what the model has besides, on the data's scale.

        Column biases and offset are added. Row biases are not in the factors: the average of the fitted rows'
        stands for them.

        Parameters
        ----------
        X : array-like, shape (rows, rank)
            What `transform` returns.

        Returns
        -------
        array, shape (rows, columns)
        """
        check_is_fitted(self)
        W = np.asarray(X, np.float64)
        if W.ndim != 2 or W.shape[1] != self.rank_:
            raise InputError(
                f"X has shape {W.shape}; expected (rows, {self.rank_}), as transform returns it."
            )
        model, score = self.factors_, W @ self.factors_.H
        if model.boolean:
            return (score > 0.5).astype(np.float64)
        score += model.offset
        if model.row_bias is not None:
            score += model.row_bias.mean()
        if model.col_bias is not None:
            score += model.col_bias
        return sigmoid(score) if model.logistic else score

    def score(self, X: Any = None, y: Any = None, *, mask: Any = None) -> float:
        """Return R^2 of predictions: 1 is perfect, 0 is no better than the mean. Higher is better.

        Every known entry of X is predicted from *other* entries of its row (five folds), so that a larger
        rank or a smaller ridge does not score better for nothing, and a grid search can trust it.

        Parameters
        ----------
        X, mask
            As for `fit`, with the same columns. None scores by the entries that members were not shown during
            the fit.
        y : None
            Ignored.
        """
        del y
        check_is_fitted(self)
        if X is None:
            if mask is not None:
                raise InputError("There is a mask but no X to score; expected both, or neither.")
            return own_score(self.network_, self.path_[self.rank_])
        models = (self.factors_, *self.members_) if self._by_ensemble else (self.factors_,)
        return row_score(lambda rows: self._fold(rows, models), self._read_rows(X, mask))

    @property
    def _n_features_out(self) -> int:
        return self.rank_
