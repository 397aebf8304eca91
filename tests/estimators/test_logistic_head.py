"""LogisticHead: a base and a logistic model, joined by learned weights or in the form of the paper."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from latentlink import LogisticHead, NMFk, RNMFk, WNMFk
from latentlink.errors import DataWarning, IncompatibleError
from latentlink.estimators.joint_fit import fitted_ensemble
from latentlink.factors import sigmoid
from latentlink.solvers import LMF, NMF, RNMF, WNMF
from latentlink.splitting import holdout
from latentlink.stacking import inner_folds
from tests.helpers.fitted import every_pair, pairs_of
from tests.helpers.joint_fits import (
    FEW,
    all_logits,
    groups,
    links_of,
    logistic_part,
    small_head,
    weighted_base,
)


def test_members_are_weighted_sums_of_both_models(head):
    pairs = every_pair(head.network_.shape)
    a, b, c = head.weights_
    expected = [
        sigmoid(a * all_logits(base) + b * all_logits(lmf) + c)
        for base, lmf in zip(head.estimator_.members_, head.lmf_.members_, strict=True)
    ]
    score, spread = head.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(score, np.mean(expected, axis=0), atol=1e-6)
    np.testing.assert_allclose(spread, np.std(expected, axis=0), atol=1e-6)


@pytest.mark.slow
def test_weights_are_fitted_to_pairs_hidden_from_all_members(head):
    splits = list(inner_folds(head.network_, head.estimator_.seed_))
    table = np.column_stack(
        [
            np.concatenate([fitted_ensemble(model).member_logits(split).mean(axis=0) for split in splits])
            for model in (head.estimator_, head.lmf_)
        ]
    )
    values = np.concatenate([split.test.values for split in splits])
    used = head.weights_[:2] > 0
    fitted = LogisticRegression(C=np.inf, max_iter=10_000).fit(table[:, used], values)
    np.testing.assert_allclose(head.weights_[:2][used], fitted.coef_[0], rtol=0.02, atol=0.02)
    np.testing.assert_allclose(head.weights_[2], fitted.intercept_[0], rtol=0.02, atol=0.05)
    both = LogisticRegression(C=np.inf, max_iter=10_000).fit(table, values)
    np.testing.assert_array_equal(used, both.coef_[0] > 0)  # a score with a negative weight is left out


@pytest.mark.slow
def test_unseen_pairs_are_predicted():
    split = holdout(groups(40), 0.2, 0)
    model = LogisticHead(weighted_base((3,)), lmf=logistic_part((3,))).fit(split.train)
    assert roc_auc_score(split.test.values, model.predict_links(pairs_of(split.test))) > 0.8


def test_both_models_are_fitted_with_the_seed_that_was_drawn():
    head = small_head(random_state=None).set_params(form="paper").fit(groups())
    assert head.estimator_.seed_ == head.lmf_.seed_


def test_parameters_of_both_models_can_be_set():
    head = LogisticHead()
    assert isinstance(head.set_params(estimator__solver__ridge=0.5).estimator, WNMFk)
    assert head.estimator.solver.ridge == 0.5
    assert head.set_params(lmf__solver__ridge=1.0).lmf.solver.ridge == 1.0
    given = LogisticHead(weighted_base(), lmf=logistic_part((2,)))
    assert clone(given).fit(groups()).lmf_.rank_ == 2


def test_the_default_lmf_has_the_ranks_and_members_of_the_base(weighted_head):
    assert weighted_head.lmf_.ranks == weighted_head.estimator_.ranks == (1, 2)
    assert weighted_head.lmf_.n_perturbs == FEW["n_perturbs"]
    assert type(weighted_head.lmf_.solver_) is LMF


@pytest.mark.parametrize(
    ("invalid", "sentence"),
    [
        (LogisticHead(form="own"), "LogisticHead has form='own'; expected one of 'learned', 'paper'"),
        (LogisticHead(WNMFk), "expected an object of type RankedFactorizer"),
        (LogisticHead(WNMFk((1,)), lmf=LMF()), "LogisticHead has lmf="),
        (LogisticHead(WNMFk((1,)), lmf=WNMFk((1,))), "whose loss is not logistic"),
    ],
    ids=repr,
)
def test_invalid_parameters_raise_at_fit(invalid, sentence):
    with pytest.raises(IncompatibleError, match=sentence):
        invalid.fit(groups())


def test_ensembles_of_different_sizes_are_joined_with_a_warning():
    base = RNMFk((2,), solver=RNMF(ridge=0.1), n_perturbs=3, random_state=0)
    with pytest.warns(DataWarning, match="Models with 2 and 3 members are joined one by one"):
        head = LogisticHead(base, lmf=logistic_part(n_perturbs=2), form="paper").fit(groups())
    assert len(head.members_) == 2


@pytest.mark.parametrize(
    "base",
    [NMFk((2,), solver=NMF(max_iter=50), **FEW), WNMFk((2,), solver=WNMF(ridge=0.1), **FEW)],
    ids=["NMFk", "WNMFk"],
)
@pytest.mark.slow
def test_a_network_with_a_background_is_fitted(base):
    head = LogisticHead(base, lmf=logistic_part()).fit(links_of(groups(), 1.0))
    assert 0 < head.predict_links([(0, 3)])[0] < 1


# ---------------------------------------------------------------- the form of the paper


def test_the_papers_form_has_the_biases_of_lmf_without_its_factors(paper_head):
    base, lmf = paper_head.estimator_.members_[0], paper_head.lmf_.members_[0]
    rows, cols = every_pair(paper_head.network_.shape).T
    product = np.einsum("pc,cp->p", base.W[rows], base.H[:, cols])
    back = np.einsum("pc,cp->p", base.W[cols], base.H[:, rows])
    biases = (lmf.row_bias[rows] + lmf.col_bias[cols] + lmf.row_bias[cols] + lmf.col_bias[rows]) / 2
    expected = sigmoid((product + back) / 2 + biases + lmf.offset)
    np.testing.assert_allclose(paper_head.members_[0].score(rows, cols), expected, atol=1e-6)
    assert paper_head.weights_.tolist() == [1.0, 0.0, 0.0]


def test_the_papers_form_has_the_rank_of_the_base_whatever_was_set(paper_head):
    assert paper_head.lmf.ranks == (1,)
    assert paper_head.lmf_.rank_ == paper_head.estimator_.rank_ == paper_head.rank_ == 2


def test_the_papers_form_learns_no_weights_and_needs_few_pairs():
    network = groups()
    few = network.hide(np.flatnonzero(network.values == 0)[5:])
    head = small_head().set_params(form="paper").fit(few)
    assert 0 < head.predict_links([(0, 1)])[0] < 1
