"""Calibration by folds: every training pair is scored by a model that was not fitted to it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import BNMFk, LinkPredictor, LinkStack, LogisticHead, RankedFactorizer, WNMFk, datasets
from latentlink.errors import IncompatibleError, InputError
from latentlink.solvers import LMF, WNMF
from latentlink.splitting import holdout, kfold
from latentlink.uncertainty import ConformalIntervals, ConformalSets, RiskControl, RowColumn
from tests.helpers.fitted import friends, pairs_of


def weighted(ranks=(2,)):
    return WNMFk(ranks, solver=WNMF(ridge=0.1), n_perturbs=2, random_state=0)


@pytest.fixture(scope="module")
def split():
    data = datasets.planted_boolean(rows=60, columns=40, rank=2, flips=0.03, seed=0)
    return holdout(data.network, 0.4, 0)


@pytest.fixture(scope="module")
def crossed(split):
    return weighted().fit(split.train).cross_calibrate(4)


def test_each_pair_is_scored_by_a_model_without_its_fold(split, crossed):
    network = weighted().fit(split.train).network_
    assert len(crossed) == split.train.n_known == len(set(zip(crossed.rows, crossed.cols, strict=True)))
    for number, part in enumerate(kfold(network, 4, 0)):
        own = crossed.fold == number
        alone = weighted().fit(part.train)
        np.testing.assert_array_equal(crossed.rows[own], part.test.rows)
        np.testing.assert_allclose(
            crossed.score[own], alone.predict_links(pairs_of(part.test)), rtol=1e-6, atol=1e-9
        )
    assert repr(crossed).startswith("CrossCalibrated, 4 folds: 1,440 pairs, ")


def test_guarantees_hold_on_the_test_part(split, crossed):
    test, values = pairs_of(split.test), split.test.values
    intervals = crossed.intervals(test, ConformalIntervals(0.9))
    assert np.mean((intervals["low"] <= values) & (values <= intervals["high"])) > 0.85
    errors = np.abs(crossed.values - crossed.score)
    for number, residuals in enumerate(intervals.rule.residuals):
        own = crossed.fold == number
        expected = np.sort(errors[own] / (crossed.spread[own] + intervals.rule.floor))
        np.testing.assert_allclose(residuals, expected)
    sets = crossed.sets(test, ConformalSets(0.9))
    covered = np.where(values == 1, sets["may_be_link"], sets["may_be_nonlink"])
    assert min(covered[values == 0].mean(), covered[values == 1].mean()) > 0.85
    answers = crossed.answers(test, RiskControl(0.1, 0.1))
    answered = answers["answered"]
    assert answered.mean() > 0.5
    assert np.mean(answers["answer"][answered] != values[answered]) < 0.12
    assert "no guarantee" in answers.limits
    np.testing.assert_array_equal(answers["score"], weighted().fit(split.train).predict_links(test))
    probability = crossed.probabilities(test)["probability"]
    assert abs(probability.mean() - values.mean()) < 0.05
    for table in (intervals, sets, answers):
        assert not table.exchangeability.differ


def test_discoveries_among_all_are_those_among_all_pairs_given(split, crossed):
    test = pairs_of(split.test)
    given, every = crossed.discover(test, fdr=0.2), crossed.discover(fdr=0.2)
    selected = given["selected"]
    assert every.rule.n_candidates == len(test)
    assert set(zip(every["row"], every["column"], strict=True)) == set(map(tuple, test[selected].tolist()))
    np.testing.assert_allclose(np.sort(every["e_value"]), np.sort(given["e_value"][selected]))
    assert selected.sum() > 100
    assert np.mean(split.test.values[selected] == 0) < 0.2
    assert crossed.discover(fdr=0.2, exclude=test[:100]).rule.n_candidates == len(test) - 100


def test_training_pairs_candidates_chosen_by_score_and_propensities_raise(split, crossed):
    with pytest.raises(InputError, match="used in fitting"):
        crossed.sets(pairs_of(split.train)[split.train.known][:2])
    best = crossed.top_links(50)
    with pytest.raises(InputError, match="evidently chosen by score"):
        crossed.discover(np.column_stack([best["row"], best["column"]]))
    with pytest.raises(IncompatibleError, match="split form alone"):
        crossed.intervals(pairs_of(split.test), propensity=RowColumn())


def test_pairs_unlike_the_known_ones_are_told(split, crossed):
    best = crossed.top_links(200)
    with pytest.warns(match="200 candidates differ from the"):
        table = crossed.answers(np.column_stack([best["row"], best["column"]]))
    assert table.exchangeability.differ


@pytest.mark.slow
@pytest.mark.parametrize(
    "model",
    [
        BNMFk((2,), n_perturbs=3, random_state=0),
        RankedFactorizer((1, 2), solver=LMF(max_iter=20), n_perturbs=2, random_state=0),
        LogisticHead(WNMFk((1, 2), n_perturbs=2, random_state=0)),
        LinkStack((1,), n_perturbs=2, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_every_estimator_is_calibrated_by_folds_at_its_rank(model):
    split = holdout(friends(30), 0.2, 0)
    fitted = model.fit(split.train)
    crossed = fitted.cross_calibrate(3, rng=1)
    assert len(crossed.folds) == 3
    ranks = {fold.scorer.model.W.shape[1] for fold in crossed.folds}
    assert ranks == {fitted.factors_.W.shape[1]}
    assert len(crossed.sets(pairs_of(split.test), ConformalSets(0.6))) == split.test.n_listed


def test_a_predictor_of_pairs_is_calibrated_by_folds(split):
    pairs, values = pairs_of(split.train)[split.train.known], split.train.values[split.train.known]
    predictor = LinkPredictor(weighted(), shape=split.train.shape).fit(pairs, values)
    assert len(predictor.cross_calibrate(2)) == len(pairs)


def test_too_few_folds_raise(split):
    with pytest.raises(InputError, match="folds is 1; expected a whole number from 2"):
        weighted().fit(split.train).cross_calibrate(1)


@pytest.mark.parametrize("least", [-1.0, 0.5])
@pytest.mark.parametrize("fdr", [0.1, 0.5])
def test_e_values_of_candidates_by_their_definition(split, crossed, least, fdr):
    """In each fold the procedure of Benjamini and Hochberg at 0.7 of the rate, then the mean over folds."""
    test = pairs_of(split.test)
    rows, cols = test[weighted().fit(split.train).predict_links(test) > least].T
    expected = np.zeros(len(rows))
    for number, model in enumerate(crossed.folds):
        nonlinks = crossed.score[(crossed.fold == number) & (crossed.values == 0)]
        above = np.array(
            [np.count_nonzero(nonlinks >= score) for score in model.scorer.score(rows, cols, None)]
        )
        p_values = np.sort(1 + above) / (1 + len(nonlinks))
        passed = np.flatnonzero(p_values <= 0.7 * fdr * np.arange(1, len(rows) + 1) / len(rows) + 1e-12)
        if len(passed):
            last = np.sort(above)[passed[-1]]
            expected += np.where(above <= last, (1 + len(nonlinks)) / (1 + last), 0) / len(crossed.folds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of candidates with high scores
        table = crossed.discover(np.column_stack([rows, cols]), fdr, chosen_without_scores=True)
    np.testing.assert_allclose(table["e_value"], expected)
    assert expected.any()
