"""What a fitted model says of its own uncertainty, and what it promises on held-out pairs."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pandas
import pytest
from sklearn.base import clone

from latentlink import BNMFk, Network, RankedFactorizer, WNMFk, datasets, load
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.scoring.scorer import Scorer
from latentlink.metrics import expected_calibration_error
from latentlink.solvers import LMF, WNMF
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


@pytest.fixture(scope="module")
def alone(boolean_split):
    """A model of a single member."""
    solver = LMF(ridge=1.0, max_iter=20, tol=1e-3)
    return RankedFactorizer((2,), solver=solver, n_perturbs=1, random_state=0).fit(boolean_split.train)


def votes(score, members):
    """Shares of Boolean members, a little inside of 0 and 1."""
    return (score * members + 0.5) / (members + 1)


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


def test_a_single_member_has_no_spread_to_judge_by(alone, boolean_split):
    held, test = alone.calibrate(boolean_split.calibration), pairs_of(boolean_split.test)
    for ask in (
        lambda: alone.assess(test),
        alone.training_spread,
        lambda: held.answers(test, confidence="spread"),
        lambda: held.answers(test, confidence="both"),
        lambda: held.intervals(test),
        lambda: held.intervals(test, ConformalIntervals(0.8)),
        lambda: held.intervals(test, ConformalIntervals(0.8, floor=0)),
    ):
        with pytest.raises(
            IncompatibleError, match=r"1 member, and one alone has no spread. Fit with n_pertu"
        ):
            ask()
    assert held.answers(test, RiskControl(0.3))["answered"].any()
    found = held.intervals(test, ConformalIntervals(floor=1.0))
    np.testing.assert_allclose(np.ptp(found["high"] - found["low"]), 0, atol=1e-9)
    assert len(alone.predict_links(test)) == len(test)


@pytest.fixture
def counted_passes(monkeypatch):
    """How often the spread of all training entries was computed."""
    passes, plain = [], Scorer.training_spread

    def counting(scorer, network):
        passes.append(network)
        return plain(scorer, network)

    monkeypatch.setattr(Scorer, "training_spread", counting)
    return passes


def test_the_mean_spread_of_training_is_found_once_a_fit(real_split, counted_passes):
    model = WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(real_split.train)
    test = pairs_of(real_split.test)
    first = model.calibrate(real_split.calibration)
    floor = first.intervals(test).rule.floor
    assert model.assess(test).threshold == model.assess(test[:3]).threshold == floor
    assert model.calibrate(real_split.calibration).intervals(test).rule.floor == floor
    assert len(counted_passes) == 1
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert again.assess(test).threshold == floor
    assert len(counted_passes) == 1
    # A new fit has another one; what was calibrated before keeps its own.
    model.set_params(random_state=1).fit(real_split.train)
    other = model.assess(test).threshold
    assert other == pytest.approx(model.training_spread().mean(), rel=1e-12)
    assert other != floor
    assert first.intervals(test).rule.floor == floor


def test_the_mean_spread_outlives_a_fit_that_fails_and_is_none_of_a_clone(
    real_split, counted_passes, tmp_path
):
    model = WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(real_split.train)
    tau = model.assess([(0, 0)]).threshold
    with pytest.raises(ValueError, match="nonsense"):
        model.fit("nonsense")
    assert model.assess([(0, 0)]).threshold == tau
    assert len(counted_passes) == 1
    assert not [name for name in vars(clone(model)) if name not in model.get_params(deep=False)]
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").assess([(0, 0)]).threshold == tau
    assert len(counted_passes) == 2


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


def test_masked_values_are_refused(boolean_fit, boolean_split):
    held = boolean_split.calibration
    values = np.ma.masked_array(held.values, np.arange(held.n_listed) == 4)
    with pytest.raises(InputError, match="value of pair 4 is masked"):
        boolean_fit.calibrate(pairs_of(held), values)


def test_a_network_of_calibration_pairs_says_what_is_known_and_not_how_much_it_weighs(
    boolean_fit, boolean_split, calibrated
):
    held = boolean_split.calibration
    heavy = held.with_weights(np.linspace(0.5, 7, held.n_listed))
    np.testing.assert_array_equal(boolean_fit.calibrate(heavy).score, calibrated.score)
    assert len(boolean_fit.calibrate(held.hide([0, 1, 2]))) == len(calibrated) - 3


def test_a_node_with_itself_is_neither_calibrated_on_nor_discovered():
    split = holdout(friends(30), 0.3, 0, calibration=0.3)
    model = WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(split.train)
    with pytest.raises(InputError, match="1 of 1 calibration pair has one node twice"):
        model.calibrate([(0, 0)], [1])
    held = model.calibrate(split.calibration)
    with pytest.raises(InputError, match=r"1 of 1 candidate pair has one node twice, first \(3, 3\)"):
        held.discover([(3, 3)])
    for ask in (held.answers, held.sets, held.intervals):
        with pytest.raises(InputError, match="1 of 2 asked pairs has one node twice"):
            ask([(3, 3), (int(split.test.rows[0]), int(split.test.cols[0]))])


def test_it_shows_itself_in_one_line(boolean_fit, boolean_split, calibrated, real_fit, real_split):
    links = int(boolean_split.calibration.values.sum())
    assert repr(calibrated) == (
        f"Calibrated: {len(calibrated)} pairs, {links} of them links, scored by the ensemble of BNMFk"
    )
    one = pairs_of(boolean_split.calibration)[:1]
    assert repr(boolean_fit.calibrate(one, [0], by="model")) == (
        "Calibrated: 1 pair, 0 of them links, scored by the model of BNMFk"
    )
    real = real_fit.calibrate(pairs_of(real_split.calibration)[:2], [0.25, 3])
    assert repr(real) == "Calibrated: 2 pairs, values from 0.25 to 3, scored by the model of WNMFk"
    assert repr(boolean_fit.calibrate([], [])) == (
        "Calibrated: 0 pairs, 0 of them links, scored by the ensemble of BNMFk"
    )


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


@pytest.mark.parametrize("curve", [None, Platt(), Platt(on="logit"), Beta(), Isotonic()], ids=str)
def test_probabilities_are_those_of_the_curve(boolean_fit, boolean_split, calibrated, curve):
    test = pairs_of(boolean_split.test)
    learned = (curve or Platt(on="logit")).fit(votes(calibrated.score, 6), calibrated.values)
    score = boolean_fit.predict_links(test, by="ensemble")
    np.testing.assert_array_equal(calibrated.probabilities(test, curve), learned(votes(score, 6)))


def test_votes_inside_of_0_and_1_change_nothing_but_logits(boolean_fit, boolean_split, calibrated):
    test = pairs_of(boolean_split.test)
    score = boolean_fit.predict_links(test, by="ensemble")
    for curve in (Platt(), Isotonic()):
        plain = curve.fit(calibrated.score, calibrated.values)(score)
        np.testing.assert_allclose(calibrated.probabilities(test, curve), plain, atol=1e-4)


def test_scores_that_are_no_probabilities_are_calibrated_as_they_are(boolean_split):
    model = WNMFk((3,), n_perturbs=4, random_state=0).fit(boolean_split.train)
    held, test = model.calibrate(boolean_split.calibration), pairs_of(boolean_split.test)
    assert model.predict_links(test).max() > 1
    learned = Platt().fit(held.score, held.values)
    np.testing.assert_array_equal(held.probabilities(test), learned(model.predict_links(test)))


class Sayings:
    """A model that says the probabilities that it is given."""

    boolean = False
    logistic = True

    def __init__(self, said):
        self.said = said

    def score(self, rows, cols):
        return self.said[rows, cols]


def test_probabilities_that_are_right_are_left_as_they_are(boolean_fit):
    """A sigmoid of the score itself would bend them: an error of 0.04."""
    rng = np.random.default_rng(0)
    said = rng.beta(0.3, 0.3, (200, 200))
    links = rng.random(said.shape) < said
    model = copy.copy(boolean_fit)
    model.network_ = Network([0], [0], shape=said.shape)
    model.factors_, model.members_ = Sayings(said), (Sayings(said), Sayings(said))
    pairs = every_pair(said.shape)[1:]
    rows, cols = pairs.T
    held = model.calibrate(pairs[::2], links[rows, cols][::2].astype(float))
    truth, found = links[rows, cols][1::2], held.probabilities(pairs[1::2])
    assert expected_calibration_error(truth, found) < 0.01
    assert expected_calibration_error(truth, held.probabilities(pairs[1::2], Platt())) > 0.03


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
    learned = ConformalSets().calibrate(calibrated.score, calibrated.values)
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
    for known, part in ((boolean_split.calibration, "calibration"), (boolean_split.train, "fit")):
        with pytest.raises(InputError, match=f"candidate pairs took part in the {part}"):
            calibrated.discover(pairs_of(known)[known.known])
    with pytest.raises(InputError, match="1 of 3 candidate pairs came before"):
        calibrated.discover(test[[0, 1, 0]])


def test_links_are_discovered_beside_a_background():
    """What is hidden had no say, though unlisted pairs were fitted as zeros."""
    whole = datasets.planted_boolean(rows=60, columns=40, rank=2, flips=0.02, seed=0).network
    listed = whole.subset(np.arange(whole.n_listed) % 4 > 0).with_background(0.1)
    split = holdout(listed, 0.2, 0, calibration=0.2)
    model = WNMFk((2,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(split.train)
    held, test = model.calibrate(split.calibration), pairs_of(split.test)
    found = held.discover(test)["selected"]
    assert found.any()
    assert np.mean(split.test.values[found] == 0) < 0.2
    with pytest.raises(IncompatibleError, match=r"unlisted entries are known zeros here \(background=0.1\)"):
        held.intervals(test, propensity=RowColumn())
    unlisted = np.column_stack([whole.rows, whole.cols])[:1]
    with pytest.raises(InputError, match=r"took part in the fit.*Unlisted pairs are fitted as zeros here"):
        held.discover(unlisted)


def test_nothing_is_promised_of_pairs_that_were_fitted_or_calibrated_on(boolean_split, calibrated):
    new = pairs_of(boolean_split.test)[:2]
    for ask in (calibrated.answers, calibrated.sets, calibrated.intervals):
        for known, part in ((boolean_split.calibration, "calibration"), (boolean_split.train, "fit")):
            asked = np.concatenate([new, pairs_of(known)[known.known][:1]])
            with pytest.raises(InputError, match=f"1 of 3 asked pairs took part in the {part}"):
                ask(asked)
        assert len(ask(np.concatenate([new, new]))) == 4  # a pair may be asked again
    assert "of 1 pair. " in repr(calibrated.sets(new[:1]))


@pytest.mark.parametrize(
    ("ask", "sentence"),
    [
        (lambda c, p: c.answers(p, RiskControl), r"rule=<class .* of type RiskControl.* RiskControl\(\)"),
        (lambda c, p: c.answers(p, ConformalSets()), r"rule=ConformalSets\(\); .* of type RiskControl"),
        (lambda c, p: c.sets(p, 0.9), r"rule=0\.9; expected an object of type ConformalSets"),
        (lambda c, p: c.intervals(p, 0.9), r"rule=0\.9; expected an object of type ConformalIntervals"),
        (lambda c, p: c.intervals(p, propensity="row"), "propensity='row'; .* of type Propensity"),
        (
            lambda c, p: c.intervals(p, propensity=RowColumn),
            r"propensity=.*Propensity.* Call it: RowColumn\(\)",
        ),
        (lambda c, p: c.probabilities(p, "platt"), "curve='platt'; expected an object of type Calibration"),
        (lambda c, p: c.probabilities(p, Platt), r"curve=.*Calibration.* Call it: Platt\(\)"),
        (
            lambda c, p: c.answers(p, confidence="x"),
            "confidence='x'; expected 'margin' or 'spread' or 'both'",
        ),
    ],
)
def test_what_is_no_rule_is_refused(boolean_split, calibrated, ask, sentence):
    with pytest.raises(IncompatibleError, match=f"Calibrated has {sentence}"):
        ask(calibrated, pairs_of(boolean_split.test))


@pytest.mark.parametrize("propensity", [None, RowColumn(), LowRank(rank=1)], ids=str)
def test_intervals_hold_what_is_missing(real_fit, real_split, propensity):
    held = real_fit.calibrate(real_split.calibration)
    found = held.intervals(pairs_of(real_split.test), propensity=propensity)
    inside = (found["low"] <= real_split.test.values) & (real_split.test.values <= found["high"])
    assert 0.8 < inside.mean() <= 1
    tau = real_fit.assess([(0, 0)]).threshold
    if propensity is None:
        rule = ConformalIntervals(floor=tau).calibrate(held.score, held.values, held.spread)
        low, high = rule.interval(found["score"], found["spread"])
        np.testing.assert_allclose(found["low"], low)
        np.testing.assert_allclose(found["high"], high)


def test_the_rule_that_is_given_is_left_as_it_was(real_fit, real_split):
    rule, other = ConformalIntervals(0.5, floor=1.0), ConformalIntervals(0.95)
    held, one = real_fit.calibrate(real_split.calibration), pairs_of(real_split.test)[:1]
    narrow, wide = held.intervals(one, rule), held.intervals(one, other)
    assert (rule.level, rule.floor) == (0.5, 1.0)
    assert (other.level, other.floor) == (0.95, None)
    assert wide["high"] - wide["low"] > narrow["high"] - narrow["low"]


def test_a_rule_without_a_floor_has_that_of_the_model(boolean_fit, boolean_split, calibrated):
    """Members often agree exactly: without a floor such a pair has an interval of width 0, or none."""
    test = pairs_of(boolean_split.test)
    default, given = calibrated.intervals(test), calibrated.intervals(test, ConformalIntervals(0.9))
    np.testing.assert_array_equal(given["low"], default["low"])
    assert given.rule.floor == boolean_fit.assess(test).threshold > 0
    sure = calibrated.intervals(test, ConformalIntervals(0.97))
    assert np.isfinite(sure["high"]).all()
    assert (sure["high"] > sure["low"]).all()
    assert calibrated.intervals(test, ConformalIntervals(0.9, floor=0.25)).rule.floor == 0.25


def test_mostly_unbounded_intervals_are_told(real_fit, real_split):
    few = real_split.calibration.subset(np.arange(9))
    with pytest.warns(DataWarning, match="intervals are unbounded, .* 9 calibration pairs"):
        found = real_fit.calibrate(few).intervals(pairs_of(real_split.test), propensity=RowColumn())
    assert np.isinf(found["high"]).mean() > 0.5


def test_both_directions_of_an_undirected_calibration_pair_are_one():
    split = holdout(friends(), 0.4, 0)
    model = WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(split.train)
    held = split.test.subset(split.test.known)
    turned = np.column_stack([held.cols, held.rows])
    one, other = model.calibrate(held), model.calibrate(turned, held.values)
    np.testing.assert_array_equal(one.score, other.score)
    known = set(zip(split.train.rows.tolist(), split.train.cols.tolist(), strict=True))
    asked = [(i, j) for i, j in every_pair((14, 14)).tolist() if i < j and (i, j) not in known]
    np.testing.assert_array_equal(
        one.intervals(asked, propensity=RowColumn())["low"],
        other.intervals(asked, propensity=RowColumn())["low"],
    )
