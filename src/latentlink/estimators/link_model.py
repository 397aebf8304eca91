"""The base class of link models: fit, predict_links, assess, calibrate, top_links, explain, save."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from latentlink.estimators.default_objects import params_of_defaults, set_inner_params, split_params
from latentlink.estimators.display import report_methods as shown
from latentlink.estimators.fit_options import FitOptions, all_or_nothing, warn_of_unstable_components
from latentlink.estimators.fold_models import cross_calibration
from latentlink.estimators.loading.persistence import save_estimator
from latentlink.network import Network
from latentlink.parallel import Workers
from latentlink.progress import Callback
from latentlink.scoring import (
    Calibrated,
    Candidates,
    CrossCalibrated,
    DrawnPairs,
    Members,
    PairModel,
    Scorer,
    TrainingSpread,
    explain_pair,
    recommend,
    top_links,
    were_sampled,
)
from latentlink.scoring.pair_input import excluded_keys, known_pairs, one_pair, one_row
from latentlink.scoring.unknown_nodes import requested_pairs
from latentlink.tables import Table
from latentlink.uncertainty import Prediction

__all__ = ["LinkModel"]

Array = NDArray[Any]


class LinkModel(BaseEstimator):
    """An estimator whose fitted model scores pairs of a network or matrix.

    A subclass implements `_fit`, which sets ``network_``, ``factors_`` and ``members_``. Each question to the
    fitted model is a function of `latentlink.scoring`, which the method here calls.
    """

    network_: Network
    factors_: PairModel
    members_: tuple[Any, ...]

    takes_links_alone: ClassVar[bool] = False  # without known non-links or a background
    # For estimators that hold other fitted estimators: the attributes to save, see `_assemble`.
    _fitted_estimators: ClassVar[tuple[str, ...]] = ()
    _fitted_values: ClassVar[tuple[str, ...]] = ()

    def _default_objects(self) -> Mapping[str, Callable[[], Any]]:
        """Return the parameters that hold settings objects, each with the maker of its default."""
        return {}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return all parameters; if ``deep``, those of settings objects too, including defaults."""
        params: dict[str, Any] = super().get_params(deep=deep)
        return params | (params_of_defaults(self, self._default_objects()) if deep else {})

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of settings objects: ``set_params(solver__ridge=1.0)``."""
        defaults = self._default_objects()
        plain, inner = split_params(params, defaults)
        super().set_params(**plain)
        set_inner_params(self, inner, defaults)
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        return tags

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        mask: Any = None,
        folder: str | Path | None = None,
        callback: Callback | None = None,
        executor: Workers | None = None,
        time_limit: float | None = None,
    ) -> Self:
        """Choose the rank and fit the model; of several models, one after the other.

        A fit that fails leaves the estimator as it was. So does a fit of several models that is cancelled,
        which raises; with a folder nothing is lost.

        Parameters
        ----------
        X : Network, array-like, sparse matrix or frame, shape (rows, columns)
            All entries are known, unstored ones are 0, NaN is unknown; a Network tells known from unknown
            entries itself. A frame's labels become names; a frame that lists pairs raises InputError.
        y : None
            Ignored.
        mask : array-like, sparse matrix or frame of the same shape
            0 where an entry is unknown, 1 (or a positive weight) where it is known. With a sparse mask a
            sparse X is known only where the mask stores a value.
        folder : path
            Where finished tasks are stored: a fit that was stopped continues from there, with the same data
            and settings (and the seed that it drew, where ``random_state`` is None). A fit over other ranks
            continues with the ridge chosen for the first. Each of several models has a folder inside.
        callback : callable
            Receives a `Progress` after each task; returning False cancels the fit. See `progress_bar`.
        executor : concurrent.futures.Executor or dask.distributed.Client, instead of threads
        time_limit : float
            Seconds after which a search ends with the best of its ranks, at least one, if need be beyond the
            limit; not ``complete_``. Several models share it; inner folds and last stage are not cut short.
        """
        del y
        self._check_settings()
        with all_or_nothing(self):
            self._fit(X, mask, FitOptions(folder, callback, executor, time_limit))
        return self

    def _check_settings(self) -> None:
        """Raise IncompatibleError for parameters that are invalid for any data; also called by `load`."""

    def _fit(self, X: Any, mask: Any, options: FitOptions) -> None:
        """Fit the model and set the fitted attributes."""
        raise NotImplementedError

    def _assemble(self) -> None:
        """Derive all other fitted attributes from those that are saved; also called after a load."""

    def _check_parts(self) -> None:
        """Raise InputError if the saved attributes do not fit together; `load` calls it first."""

    @property
    def _by_ensemble(self) -> bool:
        """Whether the score is the mean over the members by default."""
        return True

    def _members(self) -> Members:
        return Members(self.members_)

    def _scorer(self) -> Scorer:
        check_is_fitted(self)
        return Scorer(self.factors_, self._members(), self._by_ensemble)

    def _training(self) -> TrainingSpread:
        """Return the scorer with the mean spread of this fit, which is computed once."""
        self._training_spread = TrainingSpread.kept(self, self._scorer(), self.network_)
        return self._training_spread

    def predict_links(
        self, pairs: Any, return_std: bool = False, by: str | None = None, *, unknown: str = "error"
    ) -> Any:
        """Score pairs, one number for each.

        Parameters
        ----------
        pairs : array of shape (pairs, 2), list of (row, column), table, or frame of two columns
            Integers are indices from 0, strings are names. Of a table such as that of `top_links`, or a frame
            with the columns row and column, these two are meant.
        return_std : bool
            Return the spread too, the standard deviation of the members' scores; of a single one it is 0.
        by : {"model", "ensemble"} or None
            The central model, fitted to all known entries, or the mean over the members. None is the ensemble
            for models with biases (``RNMF``, ``BPMF``, ``LMF``, ``SymLMF``) and for stacks, the central model
            for others. The mean over Boolean members is a graded score.
        unknown : {"error", "nan", "average"}
            What becomes of pairs with a node that the model does not have, a name or an index beyond the
            last: raise InputError, return NaN, or score it by the mean over the known nodes, with a spread
            that includes how these differ; see `latentlink.scoring.average_scores`.

        Returns
        -------
        scores, and if ``return_std`` their spread : arrays, shape (pairs,)
        """
        scorer = self._scorer()
        requested = requested_pairs(self.network_, pairs, unknown)
        self._warn_of_pairs(*requested.indices().T)
        if not return_std and requested.known.all():
            return scorer.score(requested.rows, requested.cols, by)
        score, spread = requested.scores(scorer, by, unknown)
        return (score, spread) if return_std else score

    def assess(self, pairs: Any, by: str | None = None, *, unknown: str = "error") -> Prediction:
        """Score pairs with their spread, and abstain where it exceeds the mean spread in training.

            abstain where U_ij > tau,    tau = mean of U over the known entries that the model was fitted to,

        which is the paper's rule. It guarantees nothing about errors: see `calibrate` for guarantees. The
        mean takes a pass over all training entries and is kept until the next fit. An ensemble of a single
        member has no spread and raises.

        Parameters
        ----------
        pairs, by, unknown
            As for `predict_links`. On pairs whose score is NaN the model abstains.

        Returns
        -------
        Prediction
            Score, spread and abstained for each pair, with names where there are any.
        """
        training = self._training()
        training.scorer.require_spread("assess")
        requested = requested_pairs(self.network_, pairs, unknown)
        self._warn_of_pairs(*requested.indices().T)
        return requested.assessed(training, by, unknown)

    def training_spread(self) -> Array:
        """Return the spread of every known listed entry that the model was fitted to, shape (entries,)."""
        scorer = self._scorer()
        scorer.require_spread("training_spread")
        return scorer.training_spread(self.network_)

    def calibrate(self, known: Any, values: Any = None, by: str | None = None) -> Calibrated:
        """Calibrate guarantees on pairs that were held out of the fit.

        Parameters
        ----------
        known : Network, or pairs as for `predict_links`
            Pairs that were not used in the fit or in the choice of the rank, such as the calibration part of
            `latentlink.splitting.holdout`. A pair that was used raises, and so does a node with itself where
            the network lists no self loop. Of a Network the known entries count, each once whatever its
            weight. For a `LinkStack` of links alone, held-out links are enough: see there.
        values : array, shape (pairs,)
            Their known values; a Network has them itself.
        by : {"model", "ensemble"} or None
            As for `predict_links`; None is the ensemble for Boolean models too, whose mean is graded.

        Returns
        -------
        Calibrated
        """
        training = self._training()
        by = "ensemble" if by is None and self.factors_.boolean else by
        pairs, drawn = self._calibration_pairs(known, values)
        return Calibrated(self.network_, training, by, *pairs, type(self).__name__, drawn=drawn)

    def _calibration_pairs(self, known: Any, values: Any) -> tuple[tuple[Array, Array, Array], DrawnPairs]:
        """Return rows, columns and values of calibration pairs, and what of them was drawn."""
        return known_pairs(self.network_, known, values), DrawnPairs(sampled=were_sampled(known))

    def cross_calibrate(
        self,
        folds: int = 5,
        by: str | None = None,
        rng: Any = 0,
        *,
        folder: str | Path | None = None,
        callback: Callback | None = None,
        executor: Workers | None = None,
    ) -> CrossCalibrated:
        """Calibrate guarantees by folds of the training pairs, so that no pair is held out of the fit.

        The model is fitted again for each fold, at the chosen rank and ridge, without the pairs of that fold,
        which it then scores. Guarantees are weaker, see `latentlink.scoring.CrossCalibrated`.

        Parameters
        ----------
        folds : int, 2 or more
        rng : int, Generator or None, of the division into folds
        folder : path
            Where finished tasks and folds are stored: a calibration that was stopped continues from there.
        by, callback, executor
            As for `calibrate` and for `fit`; a cancelled calibration raises.

        Returns
        -------
        CrossCalibrated
        """
        training, by = self._training(), "ensemble" if by is None and self.factors_.boolean else by
        self._check_folds()
        return cross_calibration(self, training, by, (folds, rng), FitOptions(folder, callback, executor))

    def _check_folds(self) -> None:
        """Raise IncompatibleError if folds of what is known cannot calibrate the model."""

    def _with_chosen_ranks(self) -> Any:
        """Return an unfitted estimator that fits at the rank and the ridge that were chosen."""
        raise NotImplementedError

    def top_links(
        self,
        n: int = 100,
        per_node: bool = False,
        known: bool = False,
        by: str | None = None,
        *,
        self_loops: bool = False,
        exclude: Any = None,
        exact: bool = False,
    ) -> Table:
        """Return the best-scored pairs that are not known, best first.

        Hidden pairs are not known; nor are unlisted ones, whatever the background. All pairs are scored, in
        blocks; ties stay in the order of the pairs. An undirected pair occurs once. Nothing is guaranteed for
        such a list: call ``calibrate(...).discover()``, without pairs, for a bounded false discovery rate.

        Parameters
        ----------
        n : int, the number of pairs
        per_node : bool
            That many for each row, row by row, instead of that many in all.
        known : bool
            Rank known pairs too, with their values.
        by : as for `predict_links`
        self_loops : bool
            Rank pairs of a node with itself too; a few known self loops say little about the others.
        exclude : Network, or pairs as for `predict_links`
            Pairs that somebody knows though the model does not, such as a test part; of a Network the known
            entries. Unknown nodes warn. ``calibrate(...)`` leaves out its calibration pairs by itself.
        exact : bool
            Score all pairs, where a `LinkStack` of more than a million pairs scores a shortlist alone.

        Returns
        -------
        Table
            With the columns row, column, score, spread (and value, if ``known``), by name if there are any.
        """
        scorer, excluded = self._scorer(), excluded_keys(self.network_, exclude)
        which = Candidates(per_node, known, self_loops, excluded, exact)
        return top_links(self.network_, scorer, n, which, by)

    def recommend(
        self, row: int | str, n: int = 10, known: bool = False, by: str | None = None, *, exclude: Any = None
    ) -> Table:
        """Return the best-scored columns of one row that are not known, best first.

        They are those of ``top_links(n, per_node=True)`` for this row, but no other row is scored.

        Parameters
        ----------
        row : int or str, by index or by name
        n, known, by, exclude
            As for `top_links`, and the table is as there.
        """
        scorer, excluded = self._scorer(), excluded_keys(self.network_, exclude)
        self._warn_of_nodes(index := one_row(self.network_, row))
        return recommend(self.network_, scorer, index, n, Candidates(known=known, excluded=excluded), by)

    def explain(self, pair: Any, by: str | None = None) -> Table:
        """Return the contributions to the score of a pair, the largest first.

        Parameters
        ----------
        pair : (row, column), by index or by name
        by : {"model", "ensemble"} or None
            As for `predict_links`. Contributions of the ensemble are means over its members.

        Returns
        -------
        Table
            With the columns part, contribution, spread, rows and columns; what all pairs share is last.
            Contributions add up to the score before it is clipped; with a logistic link to its logit, where
            ``averaging over members`` makes up for a mean of probabilities. For a Boolean product they are 1
            for each component that covers the pair. The spread is that of the members; rows and columns name
            the leading nodes of a component. Warnings say if the rank is not stable or a node has no link.
        """
        scorer = self._scorer()
        row, col = one_pair(self.network_, pair)
        self._warn_of_nodes(row, col)
        return explain_pair(self.network_, scorer, row, col, by)

    def _warn_of_pairs(self, rows: Array, cols: Array) -> None:
        """Warn of what a reader of the scores of pairs must know."""

    def _warn_of_nodes(self, row: int, col: int | None = None) -> None:
        """Warn of what a reader of recommendations for a row, or of an explanation of a pair, must know."""
        if col is not None:
            warn_of_unstable_components(self)

    def save(self, folder: str | os.PathLike[str], overwrite: bool = False) -> None:
        """Save the fitted estimator as a folder of arrays and JSON, without pickle; see `latentlink.load`.

        All ranks visited, their members, network and names are stored, but no generator of random numbers.

        Parameters
        ----------
        folder : path
        overwrite : bool
            Replace a folder that was saved before.
        """
        check_is_fitted(self)
        save_estimator(self, folder, overwrite)

    report = shown.report
    plot_ranks = shown.plot_ranks
    plot_components = shown.plot_components
    plot_reliability = shown.plot_reliability
    plot_risk_coverage = shown.plot_risk_coverage
    _repr_html_inner = shown.html_of_model
    _repr_mimebundle_ = shown.mime_bundle
