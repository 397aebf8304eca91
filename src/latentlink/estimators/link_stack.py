"""A stack of factorizations and graph features, weighed by how well they predict held-out pairs."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.estimators.fit_options import (
    FitOptions,
    FitStages,
    WarnOnce,
    check_ensemble_settings,
    no_rank_warnings,
)
from latentlink.estimators.joint_fit import (
    MEMBERS,
    RANKS,
    as_symmetric_if_needed,
    check_models,
    default_models,
    fitted_ensemble,
    given_models,
    last_stage_of_inner_folds,
    names_of_models,
    seconds_of_inner_folds,
    with_chosen_ranks,
)
from latentlink.estimators.link_model import LinkModel
from latentlink.estimators.loading.loaded_stage import (
    check_columns_of_stage,
    check_hidden_links,
    check_members_of_stage,
    check_stage,
)
from latentlink.estimators.loading.loaded_state import check_factorizers, given_network
from latentlink.estimators.matrix_input import read_network
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.rank.searches.ranks_of_user import has_open_end
from latentlink.scoring import (
    DrawnPairs,
    Members,
    calibration_of_links_alone,
)
from latentlink.scoring.unknown_nodes import requested_pairs
from latentlink.solvers import LMF
from latentlink.stacking import (
    FeatureKinds,
    GraphFeatures,
    HiddenLinks,
    ListedLinks,
    StackedMembers,
    StackedModel,
    common_members,
    common_numbers,
    drawn_pairs,
    each_once,
    enough_folds,
    fit_last_stage,
    hidden_features,
    hidden_logits,
    inner_folds,
    knows_links_only,
    learned_network,
    mean_logits,
    no_warnings_of_empty_lines,
    raise_if_not_links,
    share_of_links,
    warn_of_fitted_links,
    warn_of_nodes_without_links,
    warn_of_self_pairs,
)
from latentlink.tables import ProbabilityTable
from latentlink.uncertainty import StatedRate
from latentlink.validation.numbers import checked_share

__all__ = ["LinkStack"]

Array = NDArray[Any]

# Expected durations relative to the search of a model, for the progress: of the features of one fold, and of
# the last two stages, which are corrected later.
_FEATURES, _INNER_FOLDS, _LAST_STAGE = 0.12, 1.0, 1.0
# Seconds in which the stages compile code in the first process of all: features, first model, others, last.
_COMPILING = 4.4, 11.0, 4.5, 0.8
_FOLDS, _FOLDS_OF_LINKS_ALONE = 5, 10


class LinkStack(LinkModel):
    """Probabilities of links by several factorizations and graph features of a pair.

        logit p_ij = c + sum_m s_m( model_m(i, j) ) + sum_f s_f( feature_f(i, j) )

    Each model chooses its rank and its ridge by itself. Then a part of the network is hidden, several times;
    the ensembles are fitted to the rest, the graph features are those of the rest, and the functions s are
    fitted to the hidden parts (see `latentlink.stacking.AdditiveStage`). Boosted trees of the same columns
    are tried beside them: the logit is that of the functions, that of the trees or the mean of both, as
    hidden parts that were left out decide (see `latentlink.stacking.MixedStage`). Nothing else is tuned.
    `latentlink.stacking.GraphFeatures` lists the features.

    It takes networks in which links and non-links are known, such as tested protein interactions, and
    networks of which only the links are known. For these it draws as many unlisted pairs, uniformly, and
    learns to tell links from them: a probability is that of a link against a drawn pair, see
    `probabilities`. Drawn pairs are no known facts: they are not in ``network_``, and `top_links` ranks them
    as all other unlisted pairs. Pairs that are listed as hidden (weight 0) are never drawn. Weights of
    links are their strengths, relative to their mean: the unit does not matter. Links of a node with itself
    are left out of what is learned, with a warning.

    To calibrate a model of links alone, hold out links: ``split = holdout(network, 0.1)``, fit
    ``split.train``, and call ``calibrate(split.test)``, which draws as many unlisted pairs beside them, none
    of which was drawn in the fit; every table states what that means. Known non-links can be given as well,
    with value 0; then nothing is drawn. A calibration pair that was drawn in the fit is left out, with a
    warning: the model was trained on it.

    A listed link of links alone is scored as the inner fold that hid it does, by the network without it and a
    tenth of the other links: a link that should not be listed can score low. Of networks with more than
    25,000 links not all are hidden in turn; the scores of listed links are then those of the network with
    them, which are high whether they should be listed or not, and `predict_links` warns. Known pairs of
    labelled networks are scored as any model scores the pairs that it was fitted to.

    Members differ in their factorizations, and in the functions s, which are drawn anew as if other pairs had
    been hidden. Graph features and trees are the same for all: the spread is that of what is learned, and no
    measure of the whole error. Calibrate it on held-out pairs.

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Ranks that each model tries, except BayesianSymLMF. None is 20 for SymLMF and LMF and 5 for WNMF,
        without a search, which gains next to nothing in a stack.
    models : sequence of RankedFactorizer or None
        None is SymLMF (for undirected networks) or LMF, and WNMF, each with
        ``max_iter=100, tol=1e-3, precision="float32"`` and one start of each member; for undirected networks
        BayesianSymLMF at rank 4 too, with 60 sweeps; for links alone (with or without a background) the first
        of them. Models that are given have ranks, members and threads of
        their own.
    n_perturbs : int or None
        Members of each ensemble. None is 16, and 4 for links alone.
    n_jobs : int or None
        Threads; -1 is all cores. Results are the same for any number.
    random_state : int, Generator, RandomState or None
        Seed of all random draws.

    Attributes
    ----------
    models_ : tuple of RankedFactorizer
        As fitted.
    stage_ : MixedStage
        The last stage; its columns are the models first and the features after them.
    drawn_ : int
        Number of non-links that were drawn for a network of links alone, else 0.
    drawn_pairs_ : array of int, shape (drawn, 2)
        These pairs, by index.
    factors_ : StackedModel
        The central models, stacked.
    members_ : tuple of StackedModel
        Members of all models, stacked one by one.
    network_ : Network
        The training data, as given.
    complete_ : bool
        Whether no model's search was cancelled.

    Examples
    --------
    >>> from latentlink import datasets
    >>> network = datasets.planted_boolean(rows=30, columns=20, rank=1, flips=0.05).network
    >>> model = LinkStack((1,), n_perturbs=4, random_state=0).fit(network)
    >>> score, spread = model.predict_links([(0, 0), (3, 4)], return_std=True)
    >>> bool(((score > 0) & (score < 1)).all())
    True
    """

    _fitted_estimators: ClassVar[tuple[str, ...]] = ("models_",)
    _fitted_values: ClassVar[tuple[str, ...]] = ("stage_", "drawn_", "_given", "_hidden")
    takes_links_alone: ClassVar[bool] = True

    def __init__(
        self,
        ranks: Any = None,
        *,
        models: Any = None,
        n_perturbs: int | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.ranks = ranks
        self.models = models
        self.n_perturbs = n_perturbs
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _check_settings(self) -> None:
        ranks = RANKS[LMF] if self.ranks is None else self.ranks
        members = MEMBERS if self.n_perturbs is None else self.n_perturbs
        check_ensemble_settings(clone(self).set_params(ranks=ranks, n_perturbs=members))
        for model in self._given_models():
            model._check_settings()

    def _fit(self, X: Any, mask: Any, options: FitOptions) -> None:
        seed = options.part("model-1").seed(self.random_state)
        network = read_network(self, X, mask, reset=True)
        network.require_clean(type(self).__name__)
        raise_if_not_links(self, network)
        models = self._unfitted_models(network)
        given = as_symmetric_if_needed(network, models)
        network, self.drawn_ = learned_network(self, given, seed)
        self._given = None if network is given else given
        folds = _FOLDS_OF_LINKS_ALONE if self.drawn_ else _FOLDS
        check_models(models, network)
        parts = inner_folds(network, seed, folds)
        if self.drawn_:
            parts = (replace(part, test=each_once(part.test)) for part in parts)
        splits = enough_folds(parts, network.n_known // folds)
        count = len(models)
        of_features, of_first, of_others, of_last = _COMPILING
        stages = FitStages(
            options,
            [_FEATURES * len(splits), *(1.0 for _ in models), _INNER_FOLDS * count, _LAST_STAGE * count],
            [False, *(has_open_end(model.ranks, min(network.shape)) for model in models)],
            [of_features, of_first, *(of_others for _ in models[1:]), 0.0, of_last],
        )
        with stages:
            kinds = FeatureKinds.for_network(network, bool(self.drawn_))
            features = hidden_features(splits, kinds, stages.next("features", "graph features").callback)
            self._fit_models(models, network, stages, len(splits) * (folds - 1) / folds, seed)
            ensembles = [fitted_ensemble(model) for model in self.models_]
            inner = stages.next("folds", "inner folds")
            logits = hidden_logits(ensembles, splits, self.n_jobs, inner.executor, inner.callback)
            means = map(mean_logits, logits)
            tables = [np.column_stack([*both]) for both in zip(means, features, strict=True)]
            members = common_numbers([model.record_ for model in self.models_])
            tests = [split.test for split in splits]
            last = stages.next("last", "last stage")
            self.stage_ = fit_last_stage(tables, tests, len(members), seed, last.callback)
            self._hidden = None
            if knows_links_only(given):
                self._hidden = HiddenLinks.of(network, splits, features, logits, members)
            self._assemble()

    def _fit_models(
        self, models: list[RankedFactorizer], network: Network, stages: FitStages, fits: float, seed: int
    ) -> None:
        """Fit the models one after the other; ``fits`` is how many of a model its inner folds are worth."""
        quiet = no_warnings_of_empty_lines() if self.drawn_ else nullcontext()
        with WarnOnce(), no_rank_warnings(), quiet:
            for number, model in enumerate(models, 1):
                name = f"{type(model.used_solver()).__name__} ({number} of {len(models)})"
                stages.next(f"model-{number}", name).fit(model.set_params(random_state=seed), network)
                fitted, took = models[:number], stages.durations[1:]
                inner = seconds_of_inner_folds(fitted, took, fits)
                last = inner * last_stage_of_inner_folds(fitted, fits, network.n_known)
                to_come = [sum(took) / number] * (len(models) - number)
                stages.expect_seconds([*to_come, inner * len(models) / number, last])
        self.models_ = tuple(models)

    def _unfitted_models(self, network: Network) -> list[RankedFactorizer]:
        """Return the models to be fitted."""
        if self.models is not None:
            return [clone(each) for each in self._given_models()]
        return default_models(self, network)

    def _given_models(self) -> Sequence[RankedFactorizer]:
        expected = "factorizers such as WNMFk() or RankedFactorizer(solver=SymLMF())"
        return given_models(self, expected, logistic=True)

    def _with_chosen_ranks(self) -> LinkStack:
        return with_chosen_ranks(self)

    def _check_parts(self) -> None:
        if not isinstance(self.models_, tuple) or not self.models_:
            raise InputError("no tuple of models in a LinkStack; expected at least one model")
        if type(self.drawn_) is not int or self.drawn_ < 0:
            raise InputError(f"{self.drawn_!r:.50} drawn non-links in a LinkStack; expected a number")
        check_factorizers(self.models_)
        self._given = given_network(self._given, self.models_[0].network_)
        check_stage(self.stage_)

    def _assemble(self) -> None:
        """Stack the central models, and their members one by one."""
        network = self.models_[0].network_
        graph = GraphFeatures.of(network, FeatureKinds.for_network(network, bool(self.drawn_)))
        check_columns_of_stage(self.stage_, len(self.models_) + len(graph.names))
        names = names_of_models(self.models_)

        members = list(common_members([model.record_ for model in self.models_]))
        check_members_of_stage(self.stage_, len(members))
        listed = None
        if self._hidden is not None:
            check_hidden_links(self._hidden, network, len(names), len(members), len(graph.names))
            listed = ListedLinks.of(network, self._hidden)

        def stacked(parts: Sequence[Factors], number: int | None = None) -> StackedModel:
            linear = tuple(replace(each, logistic=False, boolean=False, bounds=None) for each in parts)
            if number is None:
                return StackedModel(linear, names, graph, self.stage_, listed)
            own = None if listed is None else listed.member(number)
            return StackedModel(linear, names, graph, self.stage_.member(number), own)

        self.network_ = network if self._given is None else self._given
        self.row_names_, self.col_names_ = network.row_names, network.col_names
        self.n_features_in_ = network.shape[1]
        self.complete_ = all(model.complete_ for model in self.models_)
        self.factors_ = stacked([model.factors_ for model in self.models_])
        self.members_ = StackedMembers(stacked(parts, number) for number, parts in enumerate(members))

    def _members(self) -> Members:
        return StackedMembers(self.members_)

    @property
    def drawn_pairs_(self) -> NDArray[np.int64]:
        """The pairs that were drawn as non-links in the fit, by index, shape (drawn, 2)."""
        check_is_fitted(self)
        if not self.drawn_:
            return np.zeros((0, 2), np.int64)
        return np.column_stack(drawn_pairs(self.models_[0].network_)).astype(np.int64)

    def probabilities(
        self, pairs: Any, *, base_rate: float | None = None, unknown: str = "error"
    ) -> ProbabilityTable:
        """Return the probability of a link for each pair, with a statement of what is supposed.

        They are the scores of `predict_links`, which no held-out pairs have calibrated; `calibrate` has
        probabilities that are. A model of links alone was trained with as many drawn unlisted pairs as links:
        a probability is that of a link against such a pair, at a share of links of one half.

        Parameters
        ----------
        pairs : as for `predict_links`
        base_rate : float
            The share of links among such pairs. None supposes that of the training, which is far too high for
            most untested pairs.
        unknown : {"error", "nan"}
            What becomes of pairs with a node that the model does not have: raise InputError, or NaN.

        Returns
        -------
        ProbabilityTable
            With the columns row, column, score, spread and probability; ``np.asarray`` of it is the last. Its
            ``limits`` state what is supposed.
        """
        scorer = self._scorer()
        requested = requested_pairs(self.network_, pairs, unknown, ("error", "nan"))
        rate = None if base_rate is None else checked_share(base_rate, "base_rate")
        trained = each_once(self.models_[0].network_) if self.drawn_ else self.models_[0].network_
        rule = StatedRate(share_of_links(trained), bool(self.drawn_), rate, trained.background)
        row, column = requested.names()
        warn_of_self_pairs(trained, *requested.indices().T)
        self._warn_of_pairs(*requested.indices().T)
        score, spread = requested.scores(scorer, None, unknown)
        columns = {"row": row, "column": column, "score": score, "spread": spread, "probability": rule(score)}
        return ProbabilityTable(columns, rule.limits, rule)

    def _warn_of_pairs(self, rows: Array, cols: Array) -> None:
        if self._hidden is None and knows_links_only(self.network_):
            warn_of_fitted_links(self.network_, rows, cols)

    def _warn_of_nodes(self, row: int, col: int | None = None) -> None:
        warn_of_nodes_without_links(self.network_, row, col)
        if col is not None:
            self._warn_of_pairs(np.array([row]), np.array([col]))
            warn_of_self_pairs(self.models_[0].network_, row, col)

    def _calibration_pairs(self, known: Any, values: Any) -> tuple[tuple[Array, Array, Array], DrawnPairs]:
        pairs, drawn = super()._calibration_pairs(known, values)
        if not self.drawn_:
            return pairs, drawn
        seed = self.models_[0].seed_
        pairs, fresh = calibration_of_links_alone(self.network_, self.drawn_pairs_.T, pairs, seed)
        return pairs, replace(fresh, sampled=drawn.sampled)

    def _check_folds(self) -> None:
        if self.drawn_:
            raise IncompatibleError(
                "The stack was fitted to links alone, so that folds of what is known have no non-links to "
                "calibrate on. Hold out some links: split = holdout(network, 0.1), fit split.train, and call "
                "calibrate(split.test), which draws unlisted pairs beside them."
            )
