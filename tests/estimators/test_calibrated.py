"""What a fitted model says of its own uncertainty, and what it promises on held-out pairs."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

from latentlink import BNMFk, Network, WNMFk, datasets
from latentlink.errors import IncompatibleError, InputError
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.uncertainty import (
    Beta,
    ConformalIntervals,
    ConformalSets,
    Isotonic,
    LowRank,
    Platt,
    Prediction,
    RiskControl,
    RowColumn,
    confidence_of,
    discover,
)
from tests.estimators.conftest import every_pair, friends


def pairs_of(network):
    return np.column_stack([network.rows, network.cols])


@pytest.fixture(scope="module")
def boolean_split():
    data = datasets.planted_boolean(rows=60, columns=40, rank=3, flips=0.05, seed=0)
    return holdout(data.network, 0.2, 0, calibration=0.2)


@pytest.fixture(scope="module")
def boolean_fit(boolean_split):
    return BNMFk((3,), n_perturbs=6, random_state=0).fit(boolean_split.train)


@pytest.fixture(scope="module")
def calibrated(boolean_fit, boolean_split):
    return boolean_fit.calibrate(boolean_split.calibration)


@pytest.fixture(scope="module")
def real_split():
    return holdout(datasets.gaussian(60, 3, 0, noise=0.1).network, 0.2, 0, calibration=0.2)


@pytest.fixture(scope="module")
def real_fit(real_split):
    return WNMFk((3,), solver=WNMF(ridge=0.1), n_perturbs=6, random_state=0).fit(real_split.train)


# ---------------------------------------------------------------- the paper's rule


def test_the_model_keeps_silent_where_members_differ_more_than_in_training(any_model):
    network = any_model.network_
    pairs = every_pair(network.shape)
    found = any_model.assess(pairs)
    assert isinstance(found, Prediction)
    score, spread = any_model.predict_links(pairs, return_std=True)
    np.testing.assert_array_equal(found.score, score)
    np.testing.assert_array_equal(found.spread, spread)
    known = np.column_stack([network.rows, network.cols])[network.known]
    tau = np.mean(any_model.predict_links(known, return_std=True)[1])
    np.testing.assert_allclose(found.threshold, tau, rtol=1e-12)
    np.testing.assert_array_equal(found.abstained, spread > found.threshold)


def test_names_are_those_of_the_network():
    frame = pandas.DataFrame(np.outer(range(1, 6), range(1, 5)), index=list("vwxyz"), columns=list("abcd"))
    model = WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(frame)
    assert model.assess([("z", "a"), (0, 3)]).to_frame()["row"].tolist() == ["z", "v"]
    numbered = WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(frame.to_numpy())
    assert numbered.assess([(4, 0)]).rows.tolist() == [4]


# ---------------------------------------------------------------- calibration pairs


def test_a_pair_that_took_part_in_the_fit_is_an_error(boolean_fit, boolean_split):
    with pytest.raises(InputError, match="took part in the fit"):
        boolean_fit.calibrate(boolean_split.train)
    train = boolean_split.train
    one = pairs_of(train)[train.known][:1]
    with pytest.raises(InputError, match="1 of 1 calibration pair took part in the fit"):
        boolean_fit.calibrate(one, [1.0])


def test_pairs_and_values_say_the_same_as_a_network(boolean_fit, boolean_split, calibrated):
    held = boolean_split.calibration
    known = held.known
    by_pairs = boolean_fit.calibrate(pairs_of(held)[known], held.values[known])
    assert len(by_pairs) == len(calibrated) == known.sum()
    np.testing.assert_array_equal(by_pairs.score, calibrated.score)
    np.testing.assert_array_equal(by_pairs.values, calibrated.values)


def test_names_of_calibration_pairs_are_looked_up():
    whole = friends()
    names = np.array([f"p{i:02}" for i in range(14)])
    named = Network(
        whole.rows, whole.cols, whole.values, whole.weights, shape=(14, 14), symmetric=True, row_names=names
    )
    split = holdout(named, 0.3, 0)
    model = WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(split.train)
    other = split.test.subset(split.test.known)
    order = np.arange(14)[::-1]
    turned = Network(
        order[other.rows],
        order[other.cols],
        other.values,
        shape=(14, 14),
        symmetric=True,
        row_names=names[order],
    )
    ours = {
        tuple(sorted(pair))
        for pair in zip(model.calibrate(other).rows, model.calibrate(other).cols, strict=True)
    }
    found = model.calibrate(turned)
    assert {tuple(sorted(pair)) for pair in zip(found.rows, found.cols, strict=True)} == ours


@pytest.mark.parametrize(
    ("known", "values", "sentence"),
    [
        ([(0, 0)], None, "1 pairs without values"),
        ([(0, 0)], [1.0, 2.0], r"values are an array of shape \(2,\)"),
        ([(0, 0)], ["x"], "expected a finite number"),
        ([(0, 0)], [np.nan], "expected a finite number"),
        (Network([0], [0], shape=(60, 40)), [1.0], "A Network says itself"),
    ],
)
def test_what_is_known_of_pairs_must_be_said(boolean_fit, known, values, sentence):
    with pytest.raises(InputError, match=sentence):
        boolean_fit.calibrate(known, values)


def test_promises_for_links_are_refused_for_other_values(real_fit, real_split):
    held = real_fit.calibrate(real_split.calibration)
    for ask in (held.probabilities, held.answers, held.sets, held.discover):
        with pytest.raises(IncompatibleError, match="Of real values there are intervals"):
            ask([(0, 0)])


# ---------------------------------------------------------------- each promise is that of its rule


def test_scores_of_boolean_models_are_graded_unless_one_asks_otherwise(boolean_fit, boolean_split):
    graded = boolean_fit.calibrate(boolean_split.calibration)
    plain = boolean_fit.calibrate(boolean_split.calibration, by="model")
    assert len(np.unique(graded.score)) > 2
    assert set(plain.score) == {0.0, 1.0}


@pytest.mark.parametrize("curve", [None, Platt(), Beta(), Isotonic()], ids=str)
def test_probabilities_are_those_of_the_curve(boolean_fit, boolean_split, calibrated, curve):
    test = pairs_of(boolean_split.test)
    learned = (curve or Platt()).fit(calibrated.score, calibrated.values)
    np.testing.assert_array_equal(
        calibrated.probabilities(test, curve), learned(boolean_fit.predict_links(test, by="ensemble"))
    )


@pytest.mark.parametrize("confidence", ["margin", "spread", "both"])
def test_answers_are_those_of_risk_control(boolean_split, calibrated, confidence):
    rule = RiskControl(0.1, 0.2)
    found = calibrated.answers(pairs_of(boolean_split.test), rule, confidence)
    sure = confidence_of(calibrated.score, calibrated.spread, confidence)
    learned = rule.calibrate(sure, (calibrated.score > 0.5) != (calibrated.values == 1))
    np.testing.assert_array_equal(
        found["answered"], learned.answers(confidence_of(found["score"], found["spread"], confidence))
    )
    np.testing.assert_array_equal(found["answer"], found["score"] > 0.5)
    assert found.limits == learned.limits
    assert "at most 10 % are wrong" in repr(found)
    assert found.to_frame().shape == (len(found), 6)


def test_answers_keep_their_promise_on_the_test_part(boolean_split, calibrated):
    found = calibrated.answers(pairs_of(boolean_split.test), RiskControl(0.1, 0.1))
    answered = found["answered"]
    assert answered.mean() > 0.5
    assert np.mean(found["answer"][answered] != boolean_split.test.values[answered]) < 0.15


def test_sets_are_those_of_the_rule(boolean_split, calibrated):
    found = calibrated.sets(pairs_of(boolean_split.test))
    learned = ConformalSets().calibrate(calibrated.values, calibrated.score)
    np.testing.assert_array_equal(
        np.column_stack([found["may_be_nonlink"], found["may_be_link"]]), learned.sets(found["score"])
    )
    holds = np.where(boolean_split.test.values == 1, found["may_be_link"], found["may_be_nonlink"])
    assert holds.mean() > 0.85


def test_discoveries_rest_on_the_known_nonlinks(boolean_split, calibrated):
    test = pairs_of(boolean_split.test)
    found = calibrated.discover(test, fdr=0.2)
    same = discover(found["score"], calibrated.score[calibrated.values == 0], 0.2)
    np.testing.assert_array_equal(found["selected"], same.selected)
    np.testing.assert_array_equal(found["p_value"], same.p_values)
    assert np.mean(boolean_split.test.values[found["selected"]] == 0) < 0.35
    for known in (boolean_split.calibration, boolean_split.train):
        with pytest.raises(InputError, match="candidate pair"):
            calibrated.discover(pairs_of(known)[known.known])


@pytest.mark.parametrize("propensity", [None, RowColumn(), LowRank(rank=1)], ids=str)
def test_intervals_hold_what_is_missing(real_fit, real_split, propensity):
    held = real_fit.calibrate(real_split.calibration)
    found = held.intervals(pairs_of(real_split.test), propensity=propensity)
    inside = (found["low"] <= real_split.test.values) & (real_split.test.values <= found["high"])
    assert 0.8 < inside.mean() <= 1
    tau = real_fit.assess([(0, 0)]).threshold
    if propensity is None:
        rule = ConformalIntervals(floor=tau).calibrate(held.values, held.score, held.spread)
        low, high = rule.interval(found["score"], found["spread"])
        np.testing.assert_allclose(found["low"], low)
        np.testing.assert_allclose(found["high"], high)


def test_the_rule_that_is_given_is_left_as_it_was(real_fit, real_split):
    rule = ConformalIntervals(0.5, floor=1.0)
    narrow = real_fit.calibrate(real_split.calibration).intervals([(0, 0)], rule)
    assert (rule.level, rule.floor) == (0.5, 1.0)
    wide = real_fit.calibrate(real_split.calibration).intervals([(0, 0)], ConformalIntervals(0.95, floor=1.0))
    assert wide["high"] - wide["low"] > narrow["high"] - narrow["low"]


def test_both_directions_of_an_undirected_calibration_pair_are_one():
    split = holdout(friends(), 0.4, 0)
    model = WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(split.train)
    held = split.test.subset(split.test.known)
    turned = np.column_stack([held.cols, held.rows])
    one, other = model.calibrate(held), model.calibrate(turned, held.values)
    np.testing.assert_array_equal(one.score, other.score)
    asked = [(0, 1), (1, 2)]
    np.testing.assert_array_equal(
        one.intervals(asked, propensity=RowColumn())["low"],
        other.intervals(asked, propensity=RowColumn())["low"],
    )
