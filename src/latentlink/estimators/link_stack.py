"""Several factorizations and the neighbourhood of a pair, weighed by what they predict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, clone

from latentlink.errors import IncompatibleError
from latentlink.estimators.asking import Asking
from latentlink.estimators.data import fitting_all, read_network, refuse_other_than_links, refuse_too_few
from latentlink.estimators.fitting import Fitting, ToldOnce, for_scores_alone
from latentlink.estimators.innerfolds import hidden_logits, inner_folds
from latentlink.estimators.keeping import kept_or_new_seed, part_of
from latentlink.estimators.neighbourhood import Neighbourhood
from latentlink.estimators.places import common_members
from latentlink.estimators.quadratic import learned_quadratic
from latentlink.estimators.ranked import RankedFactorizer
from latentlink.estimators.settings import default_solver
from latentlink.estimators.stacked import Stacked, StackedMembers
from latentlink.estimators.storing import Storing
from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.solvers import LMF, RNMF, WNMF, SymLMF

__all__ = ["LinkStack"]


class LinkStack(Fitting, Asking, Storing, BaseEstimator):
    """Probabilities of links by several factorizations and the neighbourhood of a pair.

        logit p_ij = f( model_1(i, j), model_2(i, j), ..., feature_1(i, j), feature_2(i, j), ... )

    Each model finds its rank and its ridge by itself. Then a fifth of the network is hidden, five times; the
    ensembles are fitted to the rest, the neighbourhood is that of the rest, and f is learned from what they
    say of the part hidden: a weighted sum, with squares and products if there are pairs enough to learn them
    (see `Quadratic`). Nothing else is tuned. Made for networks in which both links and non-links are known,
    such as tested protein interactions; see `Neighbourhood` for the features.

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Ranks that each model tries.
    models : sequence of RankedFactorizer or None
        None takes SymLMF (of undirected networks), LMF, WNMF and RNMF, over these ranks. Models that are
        given have ranks, members and threads of their own.
    n_perturbs : int
        Members of each ensemble.
    n_jobs : int or None
        Threads; -1 takes all cores. Results are the same for any number.
    random_state : int, Generator, RandomState or None
        Seed of all draws.

    Attributes
    ----------
    models_ : tuple of RankedFactorizer
        As fitted.
    stage_ : Quadratic
        f, with the models' scores first and the features after them.
    factors_ : Stacked
        The models at their centres.
    members_ : tuple of Stacked
        Members of all models, joined one by one.
    network_ : Network
        What was fitted.
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

    _inner: ClassVar[tuple[str, ...]] = ("models_",)
    _learned: ClassVar[tuple[str, ...]] = ("stage_",)
    _by_ensemble = True

    def __init__(
        self,
        ranks: Any = (5, 10, 20),
        *,
        models: Any = None,
        n_perturbs: int = 16,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.ranks = ranks
        self.models = models
        self.n_perturbs = n_perturbs
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit(self, X: Any, mask: Any, folder: str | Path | None, **how: Any) -> None:
        seed = kept_or_new_seed(self.random_state, part_of(folder, "model-1"))
        network = read_network(self, X, mask, reset=True)
        chosen = self._chosen(network)
        network = fitting_all(network, chosen)
        refuse_other_than_links(self, network)
        refuse_too_few(self, network)
        with ToldOnce(), for_scores_alone():
            self.models_ = tuple(
                each.set_params(random_state=seed).fit(network, folder=part_of(folder, f"model-{k}"), **how)
                for k, each in enumerate(chosen, 1)
            )
        splits = list(inner_folds(network, seed))
        tables = hidden_logits(self.models_, splits, self.n_jobs, how["executor"])
        tests = [split.test for split in splits]
        around = [
            Neighbourhood.of(split.train).features(split.test.rows, split.test.cols) for split in splits
        ]
        both = [np.column_stack([table, *features]) for table, features in zip(tables, around, strict=True)]
        self.stage_ = learned_quadratic(both, tests)
        self._settle()

    def _chosen(self, network: Network) -> list[RankedFactorizer]:
        """Return the models to be fitted."""
        if self.models is None:
            solvers = (SymLMF, LMF, WNMF, RNMF) if network.symmetric else (LMF, WNMF, RNMF)
            return [
                RankedFactorizer(
                    self.ranks, solver=default_solver(each), n_perturbs=self.n_perturbs, n_jobs=self.n_jobs
                )
                for each in solvers
            ]
        several = isinstance(self.models, Sequence) and len(self.models) > 0
        if not several or not all(isinstance(each, RankedFactorizer) for each in self.models):
            raise IncompatibleError(
                f"LinkStack has models={self.models!r}; expected factorizers such as WNMFk() or "
                "RankedFactorizer(solver=SymLMF()) in a list, at least one, or None for those of its own."
            )
        return [clone(each) for each in self.models]

    def _settle(self) -> None:
        """Join the models, and their members one by one."""
        network = self.models_[0].network_
        around = Neighbourhood.of(network)
        names = tuple(
            f"{place + 1}: {type(each.solver_).__name__}, rank {each.rank_}"
            for place, each in enumerate(self.models_)
        )

        def joined(parts: Sequence[Factors]) -> Stacked:
            linear = tuple(replace(each, logistic=False, boolean=False) for each in parts)
            return Stacked(linear, names, around, self.stage_)

        self.network_ = network
        self.row_names_, self.col_names_ = network.row_names, network.col_names
        self.n_features_in_ = network.shape[1]
        self.complete_ = all(each.complete_ for each in self.models_)
        self.factors_ = joined([each.factors_ for each in self.models_])
        self.members_ = StackedMembers(joined(parts) for parts in common_members(self.models_))
