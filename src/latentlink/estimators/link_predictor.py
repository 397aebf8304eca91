"""The pair face: pairs and values in, scores out, as scikit-learn's regressors have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import InputError
from latentlink.estimators.asking import Asking
from latentlink.estimators.pairs import pair_columns, pair_indices
from latentlink.estimators.settings import checked_object
from latentlink.estimators.slots import Slotted
from latentlink.estimators.storing import Storing
from latentlink.estimators.wnmfk import WNMFk
from latentlink.network import Network

__all__ = ["LinkPredictor"]

Array = NDArray[Any]


class LinkPredictor(RegressorMixin, Storing, Slotted):
    """A regressor of pairs: what is known of some pairs predicts the others.

    Samples are pairs, so that ``cross_val_score``, ``GridSearchCV`` (``estimator__solver__ridge``) and
    conformal wrappers hold out pairs, as they should. Values may be numbers or 0 and 1; scores of 0/1 data
    are graded, and any metric of rankings judges them (``scoring=make_scorer(roc_auc_score)``). Shuffle the
    folds (``cv=KFold(5, shuffle=True, random_state=0)``): of pairs listed row by row, folds in order are
    whole rows, of which nothing is then known.

    Parameters
    ----------
    estimator : estimator or None
        What is fitted: ``BNMFk()``, ``LogisticHead()``, ...; None is ``WNMFk()``.
    shape : (int, int) or None
        Numbers of rows and columns. None takes those of the pairs fitted, and pairs with others are refused
        later: give it where a fold may lack a node.
    symmetric : bool
        Pairs are unordered.
    background : float
        Weight of every pair that is not given, as a zero.
    row_names, col_names : sequence of str or None
        All nodes there are, for pairs of names; None takes those of the pairs fitted. Of unordered pairs
        ``row_names`` is for both.

    Attributes
    ----------
    estimator_ : estimator
        As fitted: ``predictor.estimator_.top_links()``.
    n_features_in_ : int
        2: a pair has two nodes.

    Examples
    --------
    >>> pairs = np.array([(i, j) for i in range(6) for j in range(5)])
    >>> y = (1.0 + pairs[:, 0]) * (1.0 + pairs[:, 1])
    >>> predictor = LinkPredictor(WNMFk((1,), n_perturbs=4, random_state=0), shape=(6, 5))
    >>> predictor.fit(pairs[:-1], y[:-1]).predict([(5, 4)]).round()
    array([30.])
    """

    _slots: ClassVar[tuple[str, ...]] = ("estimator",)
    _inner: ClassVar[tuple[str, ...]] = ("estimator_",)

    def __init__(
        self,
        estimator: Any = None,
        *,
        shape: tuple[int, int] | None = None,
        symmetric: bool = False,
        background: float = 0.0,
        row_names: Sequence[str] | None = None,
        col_names: Sequence[str] | None = None,
    ) -> None:
        self.estimator = estimator
        self.shape = shape
        self.symmetric = symmetric
        self.background = background
        self.row_names = row_names
        self.col_names = col_names

    def _default(self, slot: str) -> Any:
        del slot
        return WNMFk()

    def fit(self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit the estimator to what is known of the pairs.

        A pair that is given more than once counts with the mean of its values and the sum of its weights.

        Parameters
        ----------
        X : array of shape (pairs, 2), list of (row, column), or frame of two columns
            Integers are indices, counted from 0; strings are names.
        y : array, shape (pairs,)
            Their values.
        sample_weight : array, shape (pairs,)
            Their weights; 1 if none are given.
        """
        estimator = checked_object(self, "estimator", self._filled("estimator"), Asking)
        rows, cols = pair_columns(X)
        if not len(rows):
            raise InputError("There are no pairs to fit; expected at least one.")
        values, weights = _numbers(y, len(rows), "y"), _numbers(sample_weight, len(rows), "sample_weight")
        network = _network(self, rows, cols)
        i, j = network.row_indices(rows), network.col_indices(cols)
        if self.symmetric:
            i, j = np.minimum(i, j), np.maximum(i, j)
        self.estimator_ = clone(estimator).fit(network.relisted(*_merged(i, j, values, weights)))
        self._settle()
        return self

    def _settle(self) -> None:
        self.n_features_in_ = 2

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Score pairs; with ``return_std`` also how far the members of the ensemble differ.

        Parameters
        ----------
        X : pairs, as for `fit`
        return_std : bool
        """
        check_is_fitted(self)
        network = self.estimator_.network_
        try:
            rows, cols = pair_indices(network, X)
        except InputError as error:
            raise InputError(
                f"{error} LinkPredictor knows the nodes of the pairs that it was fitted with, unless all are "
                "announced: shape=(rows, columns) for indices, row_names and col_names for names."
            ) from None
        by = "ensemble" if self.estimator_.factors_.boolean else None  # graded, where the model says 0 or 1
        return self.estimator_.predict_links(np.column_stack([rows, cols]), return_std=return_std, by=by)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        return tags


def _numbers(found: ArrayLike | None, count: int, what: str) -> Array:
    if found is None:
        if what == "y":
            raise InputError("LinkPredictor requires y to be passed, but the target y is None.")
        return np.ones(count)
    numbers = np.asarray(found)
    if numbers.shape != (count,) or numbers.dtype.kind not in "biuf":
        raise InputError(
            f"{what} is an array of shape {numbers.shape} and type {numbers.dtype}; expected one number for "
            f"each of {count:,} pairs."
        )
    return numbers.astype(np.float64)


def _network(settings: LinkPredictor, rows: Array, cols: Array) -> Network:
    """Return a network of all nodes there are, with nothing listed yet."""
    kind: dict[str, Any] = {"symmetric": settings.symmetric, "background": settings.background}
    if settings.row_names is not None or settings.col_names is not None:
        return _named_network(settings, kind)
    if settings.shape is not None:
        return Network([], [], shape=settings.shape, **kind)
    found = Network.from_edges(rows, cols, symmetric=settings.symmetric, duplicates="keep")
    return found.subset([]).with_background(settings.background)


def _named_network(settings: LinkPredictor, kind: dict[str, Any]) -> Network:
    rows, cols = settings.row_names, settings.col_names
    if settings.symmetric:
        cols = rows if cols is None else cols
    if rows is None or cols is None:
        missing = "row_names" if rows is None else "col_names"
        raise InputError(f"LinkPredictor has names of one side only; expected {missing} too.")
    shape = (len(rows), len(cols)) if settings.shape is None else settings.shape
    return Network([], [], shape=shape, row_names=rows, col_names=cols, **kind)


def _merged(rows: Array, cols: Array, values: Array, weights: Array) -> tuple[Array, Array, Array, Array]:
    """Return each pair once, with the weighted mean of its values and the sum of its weights."""
    pairs, which = np.unique(np.stack([rows, cols]), axis=1, return_inverse=True)
    which = which.ravel()
    total = np.bincount(which, weights)
    first = np.zeros(len(total))
    first[which[::-1]] = values[::-1]
    # As a change of the first value, so that the mean of equal values is that value to the last bit.
    away = np.bincount(which, weights * (values - first[which]))
    return (
        pairs[0],
        pairs[1],
        first + np.divide(away, total, out=np.zeros_like(total), where=total > 0),
        total,
    )
