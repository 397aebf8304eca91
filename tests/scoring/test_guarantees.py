"""Answers, sets, discoveries and intervals of calibrated models are those of their rules."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network, WNMFk, datasets
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.scoring import calibration_pairs
from latentlink.scoring.pair_degrees import PairDegrees
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.uncertainty import (
    ConformalIntervals,
    ConformalSets,
    LowRank,
    RiskControl,
    RowColumn,
    compare_pairs,
    confidence_of,
    discover,
)
from tests.helpers.fitted import pairs_of


def test_pairs_used_in_fitting_or_calibration_raise(boolean_split, calibrated):
    unseen = pairs_of(boolean_split.test)[:2]
    for question in (calibrated.answers, calibrated.sets, calibrated.intervals):
        for part, name in ((boolean_split.calibration, "calibration"), (boolean_split.train, "fitting")):
            used = pairs_of(part)[part.known][:1]
            with pytest.raises(InputError, match=f"1 of 3 requested pairs was used in {name}"):
                question(np.concatenate([unseen, used]))
        assert len(question(np.concatenate([unseen, unseen]))) == 4  # repetitions are allowed
    table = calibrated.sets(unseen[:1])
    assert repr(table).endswith(table.limits)


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("threshold", [0.0, 0.5])
@pytest.mark.parametrize("confidence", ["margin", "spread", "both"])
def test_answers_are_those_of_risk_control(boolean_split, calibrated, confidence, threshold):
    """Scores at the threshold itself, as those without any vote at 0, are answered as non-links."""
    rule = RiskControl(0.1, 0.2)
    table = calibrated.answers(pairs_of(boolean_split.test), rule, confidence, threshold)
    certainty = confidence_of(calibrated.score, calibrated.spread, confidence, threshold)
    fitted = rule.calibrate(certainty, (calibrated.score > threshold) != (calibrated.values == 1))
    own = confidence_of(table["score"], table["spread"], confidence, threshold)
    np.testing.assert_array_equal(table["answered"], fitted.answers(own))
    np.testing.assert_array_equal(table["answer"], table["score"] > threshold)
    assert (table["score"] == threshold).any()
    assert table.limits == f"{fitted.limits} {table.exchangeability.limits}"
    assert "at most 10 %" in repr(table)
    assert table.to_frame().shape == (len(table), 6)


def test_few_answers_on_the_test_part_are_wrong(boolean_split, calibrated):
    table = calibrated.answers(pairs_of(boolean_split.test), RiskControl(0.1, 0.1))
    answered = table["answered"]
    assert answered.mean() > 0.5
    assert np.mean(table["answer"][answered] != boolean_split.test.values[answered]) < 0.15


def test_an_unknown_confidence_raises(boolean_split, calibrated):
    with pytest.raises(InputError, match="confidence is 'x'; expected one of 'margin', 'spread', 'both'"):
        calibrated.answers(pairs_of(boolean_split.test), confidence="x")


# ---------------------------------------------------------------- sets and discoveries


def test_sets_are_those_of_the_rule(boolean_split, calibrated):
    table = calibrated.sets(pairs_of(boolean_split.test))
    fitted = ConformalSets().calibrate(calibrated.score, calibrated.values)
    np.testing.assert_array_equal(
        np.column_stack([table["may_be_nonlink"], table["may_be_link"]]), fitted.sets(table["score"])
    )
    covered = np.where(boolean_split.test.values == 1, table["may_be_link"], table["may_be_nonlink"])
    assert covered.mean() > 0.85


def test_discoveries_compare_candidates_with_known_non_links(boolean_split, calibrated):
    test = pairs_of(boolean_split.test)
    table = calibrated.discover(test, fdr=0.2)
    expected = discover(table["score"], calibrated.score[calibrated.values == 0], 0.2)
    np.testing.assert_array_equal(table["selected"], expected.selected)
    np.testing.assert_array_equal(table["p_value"], expected.p_values)
    assert np.mean(boolean_split.test.values[table["selected"]] == 0) < 0.35
    for part, name in ((boolean_split.calibration, "calibration"), (boolean_split.train, "fitting")):
        with pytest.raises(InputError, match=f"candidate pairs w(as|ere) used in {name}"):
            calibrated.discover(pairs_of(part)[part.known])
    with pytest.raises(InputError, match="1 of 3 candidate pairs occurs a second time"):
        calibrated.discover(test[[0, 1, 0]])


def test_hidden_pairs_are_candidates_in_a_network_with_a_background():
    """Hidden pairs have zero weight, though unlisted pairs were fitted as zeros."""
    whole = datasets.planted_boolean(rows=60, columns=40, rank=2, flips=0.02, seed=0).network
    listed = whole.subset(np.arange(whole.n_listed) % 4 > 0).with_background(0.1)
    split = holdout(listed, 0.2, 0, calibration=0.2)
    model = WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(split.train)
    calibrated, test = model.calibrate(split.calibration), pairs_of(split.test)
    selected = calibrated.discover(test)["selected"]
    assert selected.any()
    assert np.mean(split.test.values[selected] == 0) < 0.2
    with pytest.raises(IncompatibleError, match=r"unlisted entries are known zeros here \(background=0.1\)"):
        calibrated.intervals(test, propensity=RowColumn())
    unlisted = pairs_of(whole)[:1]
    with pytest.raises(InputError, match=r"used in fitting.*Unlisted pairs are fitted as zeros here"):
        calibrated.discover(unlisted)


# ---------------------------------------------------------------- intervals


@pytest.mark.parametrize("propensity", [None, RowColumn(), LowRank(rank=1)], ids=str)
def test_intervals_cover_most_test_values(real_fit, real_split, propensity):
    calibrated = real_fit.calibrate(real_split.calibration)
    table = calibrated.intervals(pairs_of(real_split.test), propensity=propensity)
    inside = (table["low"] <= real_split.test.values) & (real_split.test.values <= table["high"])
    assert 0.8 < inside.mean() <= 1
    tau = real_fit.assess([(0, 0)]).threshold
    if propensity is None:
        fitted = ConformalIntervals(floor=tau).calibrate(
            calibrated.score, calibrated.values, calibrated.spread
        )
        low, high = fitted.interval(table["score"], table["spread"])
        np.testing.assert_allclose(table["low"], low)
        np.testing.assert_allclose(table["high"], high)


def test_a_given_rule_is_not_changed(real_fit, real_split):
    rule, other = ConformalIntervals(0.5, floor=1.0), ConformalIntervals(0.95)
    calibrated, one = real_fit.calibrate(real_split.calibration), pairs_of(real_split.test)[:1]
    narrow, wide = calibrated.intervals(one, rule), calibrated.intervals(one, other)
    assert (rule.level, rule.floor) == (0.5, 1.0)
    assert (other.level, other.floor) == (0.95, None)
    assert wide["high"] - wide["low"] > narrow["high"] - narrow["low"]


def test_a_rule_without_a_floor_takes_the_mean_spread_in_training(boolean_fit, boolean_split, calibrated):
    """Members often agree exactly: without a floor such a pair has an interval of width 0, or none."""
    test = pairs_of(boolean_split.test)
    default, given = calibrated.intervals(test), calibrated.intervals(test, ConformalIntervals(0.9))
    np.testing.assert_array_equal(given["low"], default["low"])
    assert given.rule.floor == boolean_fit.assess(test).threshold > 0
    wide = calibrated.intervals(test, ConformalIntervals(0.97))
    assert np.isfinite(wide["high"]).all()
    assert (wide["high"] > wide["low"]).all()
    assert calibrated.intervals(test, ConformalIntervals(0.9, floor=0.25)).rule.floor == 0.25


def test_mostly_unbounded_intervals_warn(real_fit, real_split):
    few = real_split.calibration.subset(np.arange(9))
    with pytest.warns(DataWarning, match="intervals are unbounded, .* 9 calibration pairs"):
        table = real_fit.calibrate(few).intervals(pairs_of(real_split.test), propensity=RowColumn())
    assert np.isinf(table["high"]).mean() > 0.5


# ---------------------------------------------------------------- comparison with the calibration pairs


def traits(model, network, pairs):
    return np.stack([model.predict_links(pairs, by="ensemble"), PairDegrees.of(network)(*pairs.T)])


def test_a_stated_base_rate_allows_for_another_share_of_links(boolean_fit, boolean_split, calibrated):
    network, test = boolean_fit.network_, pairs_of(boolean_split.test)
    own = traits(boolean_fit, network, np.column_stack([calibrated.rows, calibrated.cols]))
    asked = traits(boolean_fit, network, test)
    plain, stated = calibrated.probabilities(test), calibrated.probabilities(test, base_rate=0.3)
    assert plain.exchangeability == compare_pairs(own, asked)
    assert stated.exchangeability == compare_pairs(own, asked, calibrated.values == 1)
    assert plain.exchangeability != stated.exchangeability


def test_propensities_weight_the_comparison_by_the_odds_of_being_missing(real_fit, real_split, monkeypatch):
    compared = []
    monkeypatch.setattr(
        calibration_pairs, "compare_pairs", lambda *given: compared.append(given[3]) or compare_pairs(*given)
    )
    calibrated = real_fit.calibrate(real_split.calibration)
    calibrated.intervals(pairs_of(real_split.test), propensity=RowColumn())
    calibrated.intervals(pairs_of(real_split.test))
    parts = (real_split.train.subset(real_split.train.known), real_split.calibration)
    observed = Network(
        *(np.concatenate([getattr(part, side) for part in parts]) for side in ("rows", "cols")),
        shape=real_split.train.shape,
        square=real_split.train.square,
    )
    chances = RowColumn().fit(observed).score(calibrated.rows, calibrated.cols)
    np.testing.assert_allclose(compared[0], (1 - chances) / chances)
    assert compared[1] is None
