"""Abstention by the mean spread of the training entries, which is computed once a fit."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas
import pytest
from sklearn.base import clone

from latentlink import WNMFk, load
from latentlink.errors import IncompatibleError
from latentlink.scoring import Scorer
from latentlink.solvers import WNMF
from latentlink.uncertainty import ConformalIntervals, Prediction, RiskControl
from tests.helpers.fitted import every_pair, pairs_of


def small_fit(X, ranks=(1,), **settings):
    settings = {"n_perturbs": 3, "random_state": 0} | settings
    return WNMFk(ranks, solver=WNMF(ridge=0.1), **settings).fit(X)


def test_assess_abstains_where_the_spread_exceeds_the_mean_in_training(any_model):
    network = any_model.network_
    pairs = every_pair(network.shape)
    prediction = any_model.assess(pairs)
    assert isinstance(prediction, Prediction)
    score, spread = any_model.predict_links(pairs, return_std=True)
    np.testing.assert_array_equal(prediction.score, score)
    np.testing.assert_array_equal(prediction.spread, spread)
    known = pairs_of(network)[network.known]
    tau = np.mean(any_model.predict_links(known, return_std=True)[1])
    np.testing.assert_allclose(prediction.threshold, tau, rtol=1e-12)
    np.testing.assert_array_equal(prediction.abstained, spread > prediction.threshold)


def test_predictions_have_the_names_of_the_network():
    frame = pandas.DataFrame(np.outer(range(1, 6), range(1, 5)), index=list("vwxyz"), columns=list("abcd"))
    assert small_fit(frame).assess([("z", "a"), (0, 3)]).to_frame()["row"].tolist() == ["z", "v"]
    assert small_fit(frame.to_numpy()).assess([(4, 0)]).rows.tolist() == [4]


def test_a_single_member_has_no_spread(single_member, boolean_split):
    model, test = single_member, pairs_of(boolean_split.test)
    calibrated = model.calibrate(boolean_split.calibration)
    for question in (
        lambda: model.assess(test),
        model.training_spread,
        lambda: calibrated.answers(test, confidence="spread"),
        lambda: calibrated.answers(test, confidence="both"),
        lambda: calibrated.intervals(test),
        lambda: calibrated.intervals(test, ConformalIntervals(0.8)),
        lambda: calibrated.intervals(test, ConformalIntervals(0.8, floor=0)),
    ):
        with pytest.raises(
            IncompatibleError, match=r"1 member, and a single one has no spread. Fit with n_pertu"
        ):
            question()
    assert calibrated.answers(test, RiskControl(0.3))["answered"].any()
    table = calibrated.intervals(test, ConformalIntervals(floor=1.0))
    above, below = table["high"] - table["score"], table["score"] - table["low"]
    halves = np.concatenate([above[table["high"] < 1], below[table["low"] > 0]])  # others end where values do
    assert len(halves)
    np.testing.assert_allclose(np.ptp(halves), 0, atol=1e-9)
    assert len(model.predict_links(test)) == len(test)


# ---------------------------------------------------------------- computed once


@pytest.fixture
def passes(monkeypatch):
    """Return a list that grows by the network whenever the spread of all training entries is computed."""
    passes, computed = [], Scorer.training_spread

    def counting(scorer, network):
        passes.append(network)
        return computed(scorer, network)

    monkeypatch.setattr(Scorer, "training_spread", counting)
    return passes


def test_the_mean_spread_is_computed_once_a_fit(real_split, passes):
    model = small_fit(real_split.train, (2,))
    test = pairs_of(real_split.test)
    first = model.calibrate(real_split.calibration)
    floor = first.intervals(test).rule.floor
    assert model.assess(test).threshold == model.assess(test[:3]).threshold == floor
    assert model.calibrate(real_split.calibration).intervals(test).rule.floor == floor
    assert len(passes) == 1
    for copied in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert copied.assess(test).threshold == floor
    assert len(passes) == 1
    # A new fit has a mean of its own; what was calibrated before keeps the earlier one.
    model.set_params(random_state=1).fit(real_split.train)
    other = model.assess(test).threshold
    assert other == pytest.approx(model.training_spread().mean(), rel=1e-12)
    assert other != floor
    assert first.intervals(test).rule.floor == floor


def test_the_mean_spread_survives_a_failed_fit_and_is_not_cloned_or_saved(real_split, passes, tmp_path):
    model = small_fit(real_split.train, (2,))
    tau = model.assess([(0, 0)]).threshold
    with pytest.raises(ValueError, match="nonsense"):
        model.fit("nonsense")
    assert model.assess([(0, 0)]).threshold == tau
    assert len(passes) == 1
    assert not [name for name in vars(clone(model)) if name not in model.get_params(deep=False)]
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").assess([(0, 0)]).threshold == tau
    assert len(passes) == 2
