"""Scores and spreads of pairs by the central model and by the ensemble, against dense NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from latentlink import WNMFk
from latentlink.errors import IncompatibleError
from latentlink.factors import Factors, sigmoid
from latentlink.scoring import Members, Scorer
from latentlink.scoring.scorer import mean_and_spread
from tests.helpers.fitted import every_pair


def all_scores(f):
    """Return the scores of all pairs by dense products, shape (rows, columns)."""
    product = f.W @ f.H
    if f.boolean:
        product = (product > 0.5) * 1.0
    if f.row_bias is not None:
        product = product + f.row_bias[:, None] + f.col_bias
    product = product + f.offset
    if f.symmetric:
        product = np.maximum(product, product.T) if f.boolean else (product + product.T) / 2
    return sigmoid(product) if f.logistic else product


def test_scores_by_model_and_by_ensemble(any_model):
    pairs = every_pair(any_model.network_.shape)
    members = np.array([all_scores(each) for each in any_model.members_])
    low, high = any_model.factors_.bounds or (-np.inf, np.inf)
    by_model = any_model.predict_links(pairs, by="model")
    by_ensemble = any_model.predict_links(pairs, by="ensemble")
    central = all_scores(any_model.factors_).clip(low, high)
    np.testing.assert_allclose(by_model, central.ravel(), atol=1e-10)
    np.testing.assert_allclose(by_ensemble, members.clip(low, high).mean(axis=0).ravel(), atol=1e-10)
    default = by_ensemble if any_model.solver_.biased else by_model
    np.testing.assert_array_equal(any_model.predict_links(pairs), default)
    for by, expected in (("model", by_model), ("ensemble", by_ensemble), (None, default)):
        score, spread = any_model.predict_links(pairs, return_std=True, by=by)
        np.testing.assert_allclose(score, expected, atol=1e-12)
        np.testing.assert_allclose(spread, members.std(axis=0).ravel(), atol=1e-7)


def test_boolean_scores_are_zero_or_one_and_those_of_the_ensemble_are_shares(boolean_model):
    pairs = every_pair(boolean_model.network_.shape)
    assert set(boolean_model.predict_links(pairs)) <= {0.0, 1.0}
    shares = boolean_model.predict_links(pairs, by="ensemble") * len(boolean_model.members_)
    np.testing.assert_allclose(shares, shares.round(), atol=1e-12)


def test_an_unknown_by_and_an_unfitted_model_raise(weighted):
    with pytest.raises(IncompatibleError, match="by is 'mean'; expected 'model'"):
        weighted.predict_links([(0, 0)], by="mean")
    with pytest.raises(NotFittedError):
        WNMFk().predict_links([(0, 0)])
    with pytest.raises(NotFittedError):
        WNMFk().top_links()


# ---------------------------------------------------------------- mean and spread


def test_the_spread_of_large_numbers_keeps_its_digits():
    members = Members(Factors(np.array([[1e8 + w]]), np.array([[1.0]])) for w in (0.0, 1.0, 2.0))
    spread = mean_and_spread(members, np.zeros(4, int), np.zeros(4, int))[1]
    np.testing.assert_allclose(spread, np.sqrt(2 / 3))


@pytest.mark.parametrize("count", [3, 10, 16, 25])
def test_equal_numbers_of_ones_have_equal_mean_and_spread(count):
    rng = np.random.default_rng(count)
    votes = rng.random((count, 500)) < rng.random(500)  # members x pairs
    members = Members(Factors(each[:, None].astype(float), np.ones((1, 1))) for each in votes)
    mean, spread = mean_and_spread(members, np.arange(500), np.zeros(500, int))
    ones = votes.sum(axis=0)
    np.testing.assert_array_equal(mean, ones / count)
    assert len(np.unique(spread)) == len(np.unique(np.minimum(ones, count - ones)))
    np.testing.assert_allclose(spread, votes.std(axis=0))


def test_the_spread_of_single_precision_is_computed_in_double():
    members = Members(Factors(np.array([[w]], np.float32), np.ones((1, 1), np.float32)) for w in (1e25, 3e25))
    spread = mean_and_spread(members, np.zeros(1, int), np.zeros(1, int))[1]
    np.testing.assert_allclose(spread, 1e25, rtol=1e-6)


def test_a_single_member_has_a_spread_of_zero():
    one = Factors(np.ones((2, 1)), np.ones((1, 2)))
    score, spread = Scorer(one, Members((one,)), True).score_and_spread(np.array([0]), np.array([1]))
    assert (score, spread) == (1.0, 0.0)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_score_of_an_ensemble_is_the_mean_of_any_number_of_members(count):
    members = Members(Factors(np.array([[w]]), np.array([[2.0]])) for w in (1.0, 4.0, 10.0)[:count])
    scorer = Scorer(members[0], members, True)
    assert scorer.score(np.array([0]), np.array([0])) == pytest.approx(2 * np.mean([1, 4, 10][:count]))
