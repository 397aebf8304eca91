"""A factorization and a logistic one together, as probabilities of links: the paper's ensembles with LMF."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.estimators.asking import Asking
from latentlink.estimators.data import fitting_all, read_network, refuse_other_than_links, refuse_too_few
from latentlink.estimators.fitting import Fitting, ToldOnce, for_scores_alone
from latentlink.estimators.innerfolds import hidden_logits, inner_folds
from latentlink.estimators.keeping import kept_or_new_seed, part_of
from latentlink.estimators.places import common_members
from latentlink.estimators.ranked import RankedFactorizer
from latentlink.estimators.settings import checked_choice, checked_object, default_solver
from latentlink.estimators.slots import Slotted
from latentlink.estimators.stacking import learned_weights
from latentlink.estimators.storing import Storing
from latentlink.estimators.wnmfk import WNMFk
from latentlink.factors import Factors
from latentlink.solvers import LMF

__all__ = ["LogisticHead"]


class LogisticHead(Fitting, Asking, Storing, Slotted):
    """A factorization with a logistic head: WNMFk_lmf, BNMFk_lmf and RNMFk_lmf of the paper.

    The learned form weighs the scores of both models by what they say of pairs that they were not shown,

        logit p_ij = a * base_ij + b * lmf_ij + c,

    where lmf_ij is the logit of `latentlink.solvers.LMF`, its biases included, and neither a nor b is less
    than 0. For that both ensembles are fitted again at their ranks with a fifth of the network hidden from
    all members, five times. The paper's form throws the factors of LMF away and keeps its biases,

        logit p_ij = base_ij + row_bias_i + col_bias_j,

    with LMF solved at the rank that the base has found. Members are joined one by one, so that scores have a
    spread. Boolean factors take part with their plain product, as in the paper.

    Parameters
    ----------
    estimator : RankedFactorizer or None
        The base, with its ranks and its seed; None is ``WNMFk()``. Values must be 0 and 1.
    form : {"learned", "paper"}
        How both are joined.
    lmf : RankedFactorizer or None
        The logistic model, fitted with the base's seed. None is LMF over the base's ranks, its ridge chosen
        inside, with as many members. In the paper's form its rank is the base's, whatever its own ranks are.

    Attributes
    ----------
    estimator_, lmf_ : RankedFactorizer
        Both as fitted.
    weights_ : array, shape (3,)
        a, b and c; in the paper's form 1, 0 and 0.
    rank_ : int
        The rank that the base has found.
    factors_ : Factors
        Both models as one, components of the base first.
    members_ : tuple of Factors
        Members of both, joined one by one.
    network_ : Network
        What was fitted.
    complete_ : bool
        Whether neither search was cancelled.

    Examples
    --------
    >>> from latentlink import datasets
    >>> network = datasets.planted_boolean(rows=30, columns=20, rank=2, flips=0.05).network
    >>> model = LogisticHead(WNMFk((1,), n_perturbs=4, random_state=0)).fit(network)
    >>> score, spread = model.predict_links([(0, 0), (3, 4)], return_std=True)
    >>> bool(((score > 0) & (score < 1)).all())
    True
    """

    _slots: ClassVar[tuple[str, ...]] = ("estimator", "lmf")
    _inner: ClassVar[tuple[str, ...]] = ("estimator_", "lmf_")
    _learned: ClassVar[tuple[str, ...]] = ("weights_",)

    def __init__(self, estimator: Any = None, *, form: str = "learned", lmf: Any = None) -> None:
        self.estimator = estimator
        self.form = form
        self.lmf = lmf

    def _default(self, slot: str) -> Any:
        if slot == "estimator":
            return WNMFk()
        base = self._filled("estimator")
        return RankedFactorizer(
            base.ranks,
            solver=default_solver(LMF),
            n_perturbs=base.n_perturbs,
            n_jobs=base.n_jobs,
            random_state=base.random_state,
        )

    def _fit(self, X: Any, mask: Any, folder: str | Path | None, **how: Any) -> None:
        checked_choice(self, "form", self.form, ("learned", "paper"))
        base = clone(checked_object(self, "estimator", self._filled("estimator"), RankedFactorizer))
        lmf = clone(checked_object(self, "lmf", self._filled("lmf"), RankedFactorizer))
        _refuse_not_logistic(lmf)
        network = fitting_all(read_network(self, X, mask, reset=True), (base, lmf))
        refuse_other_than_links(self, network)
        if self.form == "learned":
            refuse_too_few(self, network)
        seed = kept_or_new_seed(base.random_state, part_of(folder, "base"))
        base.set_params(random_state=seed)
        lmf.set_params(random_state=seed)
        with ToldOnce():
            base.fit(network, folder=part_of(folder, "base"), **how)
            if self.form == "paper":
                lmf.set_params(ranks=(base.rank_,))
            with for_scores_alone():
                lmf.fit(network, folder=part_of(folder, "lmf"), **how)
        self.estimator_, self.lmf_ = base, lmf
        self.weights_ = np.array([1.0, 0.0, 0.0])
        if self.form == "learned":
            splits = list(inner_folds(network, seed))
            tables = hidden_logits((base, lmf), splits, base.n_jobs, how["executor"])
            self.weights_ = learned_weights(tables, [split.test for split in splits])
        self._settle()

    def _settle(self) -> None:
        """Join both models, and their members one by one."""
        base, lmf = self.estimator_, self.lmf_
        self.network_, self.solver_, self.rank_ = base.network_, lmf.solver_, base.rank_
        self.row_names_, self.col_names_ = base.row_names_, base.col_names_
        self.n_features_in_, self.complete_ = base.n_features_in_, base.complete_ and lmf.complete_
        self.factors_ = self._joined(base.factors_, lmf.factors_)
        self.members_ = tuple(self._joined(*parts) for parts in common_members((base, lmf)))

    def _joined(self, base: Factors, lmf: Factors) -> Factors:
        """Return both models as one; the paper's form has the biases of LMF alone."""
        a, b, c = self.weights_
        if self.form == "paper":
            b, lmf = 1.0, replace(lmf, W=lmf.W[:, :0], H=lmf.H[:0])
        return Factors(
            np.hstack([a * base.W, b * lmf.W]),
            np.vstack([base.H, lmf.H]),
            _sum((a, base.row_bias), (b, lmf.row_bias)),
            _sum((a, base.col_bias), (b, lmf.col_bias)),
            float(a * base.offset + b * lmf.offset + c),
            logistic=True,
            symmetric=base.symmetric,
        )


def _refuse_not_logistic(lmf: RankedFactorizer) -> None:
    solver = lmf._filled("solver")
    if not getattr(solver, "logistic", False):
        raise IncompatibleError(
            f"LogisticHead has lmf={lmf!r}, whose loss is not logistic; expected RankedFactorizer with "
            "solver=LMF() or solver=SymLMF(), or None for the method's own."
        )


def _sum(*terms: tuple[float, Any]) -> Any:
    given = [weight * part for weight, part in terms if part is not None]
    return sum(given) if given else None
