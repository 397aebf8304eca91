"""Link models as a scikit-learn regressor of pairs: ``fit(pairs, y)`` and ``predict(pairs)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators.fit_options import all_or_nothing
from latentlink.estimators.link_model import LinkModel
from latentlink.estimators.matrix_input import raise_if_too_many_nodes
from latentlink.estimators.wnmfk import WNMFk
from latentlink.network import Network
from latentlink.network.entries import checked_background
from latentlink.scoring import Members
from latentlink.scoring.pair_input import pair_columns
from latentlink.validation.choices import check_switch, checked_object

__all__ = ["LinkPredictor"]

Array = NDArray[Any]


class LinkPredictor(RegressorMixin, LinkModel):
    """A regressor of pairs: values of known pairs in, scores of other pairs out.

    Samples are pairs, so that ``cross_val_score``, ``GridSearchCV`` (``estimator__solver__ridge``) and
    conformal wrappers hold out pairs, as they should. Values may be numbers or 0 and 1; scores of 0/1 data
    are graded, for any ranking metric (``scoring=make_scorer(roc_auc_score)``). Shuffle the folds
    (``cv=KFold(5, shuffle=True, random_state=0)``): of pairs listed row by row, folds in order are whole
    rows, of which nothing is then known.

    Parameters
    ----------
    estimator : estimator or None
        The link model: ``BNMFk()``, ``LogisticHead()``, ...; None is ``WNMFk()``.
    shape : (int, int) or None
        Numbers of rows and columns. None takes those of the fitted pairs, and other nodes raise in `predict`:
        give it where a fold may lack a node.
    symmetric : bool
        Pairs are unordered.
    background : float
        Weight of every pair that is not given, as a zero.
    row_names, col_names : sequence of str or None
        All nodes, for pairs of names; None takes those of the fitted pairs. For unordered pairs
        ``row_names`` names both sides.

    Attributes
    ----------
    estimator_ : estimator
        As fitted. Its questions can be put to the predictor too: ``predictor.top_links()``.
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

    _fitted_estimators: ClassVar[tuple[str, ...]] = ("estimator_",)

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

    def _default_objects(self) -> Mapping[str, Callable[[], Any]]:
        return {"estimator": WNMFk}

    def _check_settings(self) -> None:
        self._base()._check_settings()
        check_switch(self, "symmetric")
        checked_background(self.background)
        for name in ("row_names", "col_names"):
            names: Any = getattr(self, name)
            if isinstance(names, str) or not (names is None or hasattr(names, "__len__")):
                raise IncompatibleError(
                    f"LinkPredictor has {name}={names!r}; expected a sequence of names, such as ['a', 'b'], "
                    "or None to take those of the fitted pairs."
                )
        if not (self.shape is None and self.row_names is None and self.col_names is None):
            network = _network(self, np.zeros(0, np.int64), np.zeros(0, np.int64))
            raise_if_too_many_nodes(network.shape)

    def _base(self) -> LinkModel:
        base = WNMFk() if self.estimator is None else self.estimator
        if isinstance(base, LinkPredictor):
            raise IncompatibleError(
                f"LinkPredictor has estimator={base!r}, another LinkPredictor; expected a model of a "
                "network, such as WNMFk()."
            )
        return checked_object(self, "estimator", base, LinkModel)

    def fit(  # type: ignore[override]  # samples are pairs, as in scikit-learn's regressors
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Fit the estimator to the known values of pairs.

        A pair that occurs more than once has the mean of its values and the sum of its weights.

        Parameters
        ----------
        X : array of shape (pairs, 2), list of (row, column), table, or frame of two columns
            Integers are indices, counted from 0; strings are names. Of a table or frame with the columns row
            and column, these two are meant.
        y : array, shape (pairs,)
            Their values.
        sample_weight : array, shape (pairs,)
            Their weights; 1 by default.
        """
        self._check_settings()
        rows, cols = pair_columns(X)
        if not len(rows):
            raise InputError("There are no pairs to fit; expected at least one.")
        values, weights = _numbers(y, len(rows), "y"), _numbers(sample_weight, len(rows), "sample_weight")
        network = _network(self, rows, cols)
        i, j = network.pair_indices(rows, cols)
        if self.symmetric:
            i, j = np.minimum(i, j), np.maximum(i, j)
        with all_or_nothing(self):
            self.estimator_ = clone(self._base()).fit(network.relisted(*_merged(i, j, values, weights)))
            self._assemble()
        return self

    def _check_parts(self) -> None:
        if not isinstance(self.estimator_, LinkModel) or isinstance(self.estimator_, LinkPredictor):
            raise InputError("no model of a network as the fitted model of a LinkPredictor; expected one")

    def _assemble(self) -> None:
        model = self.estimator_
        self.n_features_in_ = 2
        self.network_, self.factors_, self.members_ = model.network_, model.factors_, model.members_

    def _with_chosen_ranks(self) -> Any:
        return self.estimator_._with_chosen_ranks()

    @property
    def _by_ensemble(self) -> bool:
        by_ensemble: bool = self.estimator_._by_ensemble
        return by_ensemble

    def _members(self) -> Members:
        members: Members = self.estimator_._members()
        return members

    def predict(self, X: Any, return_std: bool = False, unknown: str = "error") -> Any:
        """Score pairs; with ``return_std`` also the standard deviation over the members of the ensemble.

        Parameters
        ----------
        X : pairs, as for `fit`
        return_std : bool
        unknown : {"error", "nan", "average"}
            What becomes of pairs with a node that was not fitted, as for `predict_links`.
        """
        check_is_fitted(self)
        by = "ensemble" if self.factors_.boolean else None  # graded, where the central model has 0 or 1
        try:
            return self.predict_links(X, return_std, by, unknown=unknown)
        except InputError as error:
            raise InputError(
                f"{error} LinkPredictor knows the nodes of the pairs that it was fitted with, unless all are "
                "given: shape=(rows, columns) for indices, row_names and col_names for names."
            ) from None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.sparse = tags.input_tags.allow_nan = False  # X holds pairs
        return tags


def _numbers(given: ArrayLike | None, count: int, what: str) -> Array:
    if given is None:
        if what == "y":
            raise InputError("LinkPredictor requires y to be passed, but the target y is None.")
        return np.ones(count)
    numbers = np.asarray(given)
    if numbers.shape != (count,) or numbers.dtype.kind not in "biuf":
        raise InputError(
            f"{what} is an array of shape {numbers.shape} and type {numbers.dtype}; expected one number for "
            f"each of {count:,} pairs."
        )
    return numbers.astype(np.float64)


def _network(settings: LinkPredictor, rows: Array, cols: Array) -> Network:
    """Return a network of all nodes, without listed entries."""
    kind: dict[str, Any] = {"symmetric": settings.symmetric, "background": settings.background}
    if settings.row_names is not None or settings.col_names is not None:
        return _named_network(settings, kind)
    if settings.shape is not None:
        return Network([], [], shape=settings.shape, **kind)
    listed = Network.from_edges(rows, cols, symmetric=settings.symmetric, duplicates="keep")
    return listed.subset([]).with_background(settings.background)


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
    pairs, pair_of = np.unique(np.stack([rows, cols]), axis=1, return_inverse=True)
    pair_of = pair_of.ravel()
    total = np.bincount(pair_of, weights)
    first = np.zeros(len(total))
    first[pair_of[::-1]] = values[::-1]
    # As a difference from the first value, so that the mean of equal values is that value to the last bit.
    difference = np.bincount(pair_of, weights * (values - first[pair_of]))
    mean = first + np.divide(difference, total, out=np.zeros_like(total), where=total > 0)
    return pairs[0], pairs[1], mean, total
