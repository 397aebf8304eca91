"""A factorization with a logistic head: the paper's ensembles with LMF, as probabilities of links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from latentlink.errors import IncompatibleError
from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.estimators.fit_options import FitOptions, FitStages, WarnOnce, no_rank_warnings
from latentlink.estimators.joint_fit import (
    as_symmetric_if_needed,
    fitted_ensemble,
    seconds_of_inner_folds,
)
from latentlink.estimators.link_model import LinkModel
from latentlink.estimators.loading.loaded_state import check_factorizers, check_weights
from latentlink.estimators.matrix_input import read_network
from latentlink.estimators.wnmfk import WNMFk
from latentlink.factors import Factors
from latentlink.rank.searches.ranks_of_user import has_open_end
from latentlink.solvers import LMF
from latentlink.stacking import (
    common_members,
    fit_score_weights,
    hidden_logits,
    inner_folds,
    mean_logits,
    raise_if_not_links,
    raise_if_too_few_links,
)
from latentlink.validation.choices import check_choice, checked_object

__all__ = ["LogisticHead"]

_FOLDS = 5  # inner folds, in each of which a fifth is hidden


class LogisticHead(LinkModel):
    """A factorization with a logistic head: WNMFk_lmf, BNMFk_lmf and RNMFk_lmf of the paper.

    The learned form weighs the scores of both models by logistic regression on held-out pairs,

        logit p_ij = a * base_ij + b * lmf_ij + c,

    where lmf_ij is the logit of `latentlink.solvers.LMF`, its biases included, and a, b >= 0. For that both
    ensembles are fitted again at their ranks with a fifth of the network hidden from all members, five times.
    The paper's form drops the factors of LMF and keeps its biases,

        logit p_ij = base_ij + row_bias_i + col_bias_j,

    with LMF fitted at the rank of the base. Members are joined one by one, so that scores have a spread.
    Boolean factors enter with their plain product, as in the paper.

    Parameters
    ----------
    estimator : RankedFactorizer or None
        The base, with its ranks and its seed; None is ``WNMFk()``. Values must be 0 and 1.
    form : {"learned", "paper"}
        How both are joined.
    lmf : RankedFactorizer or None
        The logistic model, fitted with the base's seed. None is
        ``RankedFactorizer(solver=LMF(max_iter=100, tol=1e-4, precision="float32"))`` with the ranks and
        members of the base. In the paper's form its rank is that of the base, whatever its own ranks are.

    Attributes
    ----------
    estimator_, lmf_ : RankedFactorizer
        Both as fitted.
    weights_ : array, shape (3,)
        a, b and c; in the paper's form 1, 0 and 0.
    rank_ : int
        The rank of the base.
    factors_ : Factors
        Both models as one, components of the base first.
    members_ : tuple of Factors
        Members of both, joined one by one.
    network_ : Network
        The training data.
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

    _fitted_estimators: ClassVar[tuple[str, ...]] = ("estimator_", "lmf_")
    _fitted_values: ClassVar[tuple[str, ...]] = ("weights_",)

    def __init__(self, estimator: Any = None, *, form: str = "learned", lmf: Any = None) -> None:
        self.estimator = estimator
        self.form = form
        self.lmf = lmf

    def _default_objects(self) -> Mapping[str, Callable[[], Any]]:
        return {"estimator": WNMFk, "lmf": self._default_lmf}

    def _default_lmf(self) -> RankedFactorizer:
        # An invalid base raises in fit, not where parameters are listed or set.
        base = self.estimator if isinstance(self.estimator, RankedFactorizer) else WNMFk()
        return RankedFactorizer(
            base.ranks,
            solver=LMF.for_members(),
            n_perturbs=base.n_perturbs,
            n_jobs=base.n_jobs,
            random_state=base.random_state,
        )

    def _base(self) -> RankedFactorizer:
        base = WNMFk() if self.estimator is None else self.estimator
        return checked_object(self, "estimator", base, RankedFactorizer)

    def _lmf(self) -> RankedFactorizer:
        lmf = self._default_lmf() if self.lmf is None else self.lmf
        checked = checked_object(self, "lmf", lmf, RankedFactorizer)
        if not checked.used_solver().logistic:
            raise IncompatibleError(
                f"LogisticHead has lmf={lmf!r}, whose loss is not logistic; expected RankedFactorizer with "
                "solver=LMF() or solver=SymLMF(), or None for the default."
            )
        return checked

    def _check_settings(self) -> None:
        check_choice(self, "form", ("learned", "paper"))
        self._base()._check_settings()
        self._lmf()._check_settings()

    def _fit(self, X: Any, mask: Any, options: FitOptions) -> None:
        base, lmf = clone(self._base()), clone(self._lmf())
        network = as_symmetric_if_needed(read_network(self, X, mask, reset=True), (base, lmf))
        raise_if_not_links(self, network)
        if self.form == "learned":
            raise_if_too_few_links(self, network)
        seed = options.part("base").seed(base.random_state)
        base.set_params(random_state=seed)
        lmf.set_params(random_state=seed)
        learned, max_rank = self.form == "learned", min(network.shape)
        stages = FitStages(
            options,
            [1.0, 1.0, 1.0] if learned else [1.0, 0.2],
            [has_open_end(base.ranks, max_rank), learned and has_open_end(lmf.ranks, max_rank)],
        )
        with stages:
            with WarnOnce():
                stages.next("base", type(base.used_solver()).__name__).fit(base, network)
                if learned:
                    took = stages.durations
                    both = 2 * seconds_of_inner_folds((base,), took, _FOLDS - 1)  # as if the other were alike
                    stages.expect_seconds([*took, both])
                else:
                    lmf.set_params(ranks=(base.rank_,))
                with no_rank_warnings():
                    stages.next("lmf", type(lmf.used_solver()).__name__).fit(lmf, network)
            self.estimator_, self.lmf_ = base, lmf
            self.weights_ = np.array([1.0, 0.0, 0.0])
            if self.form == "learned":
                splits = list(inner_folds(network, seed, _FOLDS))
                ensembles = [fitted_ensemble(each) for each in (base, lmf)]
                stages.expect_seconds([seconds_of_inner_folds((base, lmf), stages.durations, _FOLDS - 1)])
                inner = stages.next("folds", "inner folds")
                logits = hidden_logits(ensembles, splits, base.n_jobs, inner.executor, inner.callback)
                tests = [split.test for split in splits]
                self.weights_ = fit_score_weights([mean_logits(each) for each in logits], tests)
            self._assemble()

    def _with_chosen_ranks(self) -> LogisticHead:
        base, lmf = self.estimator_._with_chosen_ranks(), self.lmf_._with_chosen_ranks()
        chosen: LogisticHead = clone(self).set_params(estimator=base, lmf=lmf)
        return chosen

    def _check_parts(self) -> None:
        check_factorizers((self.estimator_, self.lmf_))
        check_weights(self.weights_)

    def _assemble(self) -> None:
        """Join both models, and their members one by one."""
        base, lmf = self.estimator_, self.lmf_
        self.network_, self.solver_, self.rank_ = base.network_, lmf.solver_, base.rank_
        self.row_names_, self.col_names_ = base.row_names_, base.col_names_
        self.n_features_in_, self.complete_ = base.n_features_in_, base.complete_ and lmf.complete_
        self.factors_ = self._joined(base.factors_, lmf.factors_)
        self.members_ = tuple(self._joined(*parts) for parts in common_members((base.record_, lmf.record_)))

    def _joined(self, base: Factors, lmf: Factors) -> Factors:
        """Return both models as one; the paper's form has the biases of LMF alone."""
        a, b, c = self.weights_
        if self.form == "paper":
            b, lmf = 1.0, replace(lmf, W=lmf.W[:, :0], H=lmf.H[:0])
        return Factors(
            np.hstack([a * base.W, b * lmf.W]),
            np.vstack([base.H, lmf.H]),
            _weighted_sum((a, base.row_bias), (b, lmf.row_bias)),
            _weighted_sum((a, base.col_bias), (b, lmf.col_bias)),
            float(a * base.offset + b * lmf.offset + c),
            logistic=True,
            symmetric=base.symmetric,
        )


def _weighted_sum(*terms: tuple[float, Any]) -> Any:
    given = [weight * part for weight, part in terms if part is not None]
    return sum(given) if given else None
