"""Calibration of fitted models: which pairs and values are accepted, and probabilities of links."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from latentlink import BNMFk, Network, RNMFk, WNMFk
from latentlink.errors import IncompatibleError, InputError
from latentlink.metrics import expected_calibration_error
from latentlink.regime import real
from latentlink.solvers import WNMF
from latentlink.splitting import holdout
from latentlink.uncertainty import Beta, ConformalSets, Isotonic, Platt, RiskControl, RowColumn
from tests.helpers.fitted import every_pair, friends, pairs_of


def small_fit(network):
    return WNMFk((1,), solver=WNMF(ridge=0.1), n_perturbs=3, random_state=0).fit(network)


# ---------------------------------------------------------------- calibration pairs


def test_a_pair_that_was_used_in_fitting_raises(boolean_fit, boolean_split):
    train = boolean_split.train
    with pytest.raises(InputError, match="used in fitting"):
        boolean_fit.calibrate(train)
    with pytest.raises(InputError, match="1 of 1 calibration pair was used in fitting"):
        boolean_fit.calibrate(pairs_of(train)[train.known][:1], [1.0])


def test_pairs_with_values_are_equivalent_to_a_network(boolean_fit, boolean_split, calibrated):
    part = boolean_split.calibration
    known = part.known
    by_pairs = boolean_fit.calibrate(pairs_of(part)[known], part.values[known])
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
    model = small_fit(split.train)
    part = split.test.subset(split.test.known)
    order = np.arange(14)[::-1]
    reordered = Network(
        order[part.rows],
        order[part.cols],
        part.values,
        shape=(14, 14),
        symmetric=True,
        row_names=names[order],
    )
    one, other = (
        {tuple(sorted(pair)) for pair in zip(each.rows.tolist(), each.cols.tolist(), strict=True)}
        for each in (model.calibrate(part), model.calibrate(reordered))
    )
    assert one == other


@pytest.mark.parametrize(
    ("known", "values", "sentence"),
    [
        ([(0, 0)], None, "Values are missing for 1 pair"),
        ([], None, "No pairs are given; expected at least one"),
        ([(0, 0)], [1.0, 2.0], r"values are an array of shape \(2,\)"),
        ([(0, 0)], ["x"], "expected a finite number"),
        ([(0, 0)], [np.nan], "expected a finite number"),
        (Network([0], [0], shape=(60, 40)), [1.0], "A Network has the values itself"),
    ],
)
def test_missing_or_invalid_values_raise(boolean_fit, known, values, sentence):
    with pytest.raises(InputError, match=sentence):
        boolean_fit.calibrate(known, values)


def test_masked_values_raise(boolean_fit, boolean_split):
    part = boolean_split.calibration
    values = np.ma.masked_array(part.values, np.arange(part.n_listed) == 4)
    with pytest.raises(InputError, match="value of pair 4 is masked"):
        boolean_fit.calibrate(pairs_of(part), values)


def test_known_entries_of_a_network_count_once_whatever_their_weight(boolean_fit, boolean_split, calibrated):
    part = boolean_split.calibration
    heavy = part.with_weights(np.linspace(0.5, 7, part.n_listed))
    np.testing.assert_array_equal(boolean_fit.calibrate(heavy).score, calibrated.score)
    assert len(boolean_fit.calibrate(part.hide([0, 1, 2]))) == len(calibrated) - 3


def test_self_loops_raise_in_calibration_and_in_guarantees():
    split = holdout(friends(30), 0.3, 0, calibration=0.3)
    model = small_fit(split.train)
    with pytest.raises(InputError, match="1 of 1 calibration pair joins a node with itself"):
        model.calibrate([(0, 0)], [1])
    calibrated = model.calibrate(split.calibration)
    with pytest.raises(InputError, match=r"1 of 1 candidate pair joins a node with itself, first \(3, 3\)"):
        calibrated.discover([(3, 3)])
    for question in (calibrated.answers, calibrated.sets, calibrated.intervals):
        with pytest.raises(InputError, match="1 of 2 requested pairs joins a node with itself"):
            question([(3, 3), (int(split.test.rows[0]), int(split.test.cols[0]))])


def test_both_directions_of_an_undirected_calibration_pair_are_one():
    split = holdout(friends(), 0.4, 0)
    model = small_fit(split.train)
    part = split.test.subset(split.test.known)
    one, other = model.calibrate(part), model.calibrate(pairs_of(part)[:, ::-1], part.values)
    np.testing.assert_array_equal(one.score, other.score)
    listed = set(map(tuple, pairs_of(split.train).tolist()))
    unseen = [(i, j) for i, j in every_pair((14, 14)).tolist() if i < j and (i, j) not in listed]
    np.testing.assert_array_equal(
        one.intervals(unseen, propensity=RowColumn())["low"],
        other.intervals(unseen, propensity=RowColumn())["low"],
    )


def test_repr_is_one_line(boolean_fit, boolean_split, calibrated, real_fit, real_split):
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


def test_questions_about_links_raise_for_other_values(real_fit, real_split):
    calibrated = real_fit.calibrate(real_split.calibration)
    for question in (calibrated.probabilities, calibrated.answers, calibrated.sets, calibrated.discover):
        with pytest.raises(IncompatibleError, match="For real values there are intervals"):
            question([(0, 0)])


@pytest.mark.parametrize(
    ("question", "sentence"),
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
    ],
)
def test_an_object_that_is_not_a_rule_raises(boolean_split, calibrated, question, sentence):
    with pytest.raises(IncompatibleError, match=f"Calibrated has {sentence}"):
        question(calibrated, pairs_of(boolean_split.test))


# ---------------------------------------------------------------- probabilities


def vote_shares(score, members):
    """Return shares of Boolean members shifted inside of 0 and 1, where the logit is finite."""
    return (score * members + 0.5) / (members + 1)


def test_boolean_models_are_calibrated_on_graded_scores_by_default(boolean_fit, boolean_split, calibrated):
    by_model = boolean_fit.calibrate(boolean_split.calibration, by="model")
    assert len(np.unique(calibrated.score)) > 2
    assert set(by_model.score) == {0.0, 1.0}


@pytest.mark.parametrize("curve", [None, Platt(), Platt(on="logit"), Beta(), Isotonic()], ids=str)
def test_probabilities_are_those_of_the_curve(boolean_fit, boolean_split, calibrated, curve):
    test = pairs_of(boolean_split.test)
    fitted = (curve or Platt(on="logit")).fit(vote_shares(calibrated.score, 6), calibrated.values)
    score = boolean_fit.predict_links(test, by="ensemble")
    links = int(calibrated.values.sum())
    low, high = 1 / (len(calibrated) - links + 2), 1 - 1 / (links + 2)
    table = calibrated.probabilities(test, curve)
    np.testing.assert_array_equal(table["probability"], fitted(vote_shares(score, 6)).clip(low, high))
    assert [*table] == ["row", "column", "score", "spread", "probability"]


def test_the_shift_of_vote_shares_matters_to_logits_alone(boolean_fit, boolean_split, calibrated):
    test = pairs_of(boolean_split.test)
    score = boolean_fit.predict_links(test, by="ensemble")
    for curve in (Platt(), Isotonic()):
        unshifted = curve.fit(calibrated.score, calibrated.values)(score)
        np.testing.assert_allclose(
            calibrated.probabilities(test, curve), unshifted.clip(0.0037, 0.9953), atol=2e-4
        )


def test_scores_that_are_not_probabilities_are_calibrated_without_a_logit(boolean_split):
    model = WNMFk((3,), solver=WNMF(ridge=0.1), n_perturbs=2, random_state=0).fit(boolean_split.train)
    calibrated, test = model.calibrate(boolean_split.calibration), pairs_of(boolean_split.test)
    assert 1 - 1e-9 < model.predict_links(test).max() <= 1
    fitted = Platt().fit(calibrated.score, calibrated.values)
    table = calibrated.probabilities(test)
    low, high = table.rule.bounds
    np.testing.assert_array_equal(table["probability"], fitted(model.predict_links(test)).clip(low, high))


def test_probabilities_go_no_further_than_the_calibration_pairs_support(boolean_fit, boolean_split):
    """Ten links and forty non-links, however far apart they score, support no 0.999."""
    part = boolean_split.calibration
    score = boolean_fit.predict_links(pairs_of(part), by="ensemble")
    links = np.flatnonzero((part.values == 1) & (score == 1))[:10]
    nonlinks = np.flatnonzero((part.values == 0) & (score == 0))[:40]
    few = part.subset(np.sort(np.concatenate([links, nonlinks])))
    calibrated, test = boolean_fit.calibrate(few), pairs_of(boolean_split.test)[:20]
    for curve in (Platt(), Platt(on="logit"), Beta(), Isotonic()):
        probability = np.asarray(calibrated.probabilities(test, curve))
        assert probability.min() >= 1 / 42
        assert probability.max() <= 1 - 1 / 12
        assert calibrated.probabilities(test, curve).rule.bounds == pytest.approx((1 / 42, 1 - 1 / 12))


def test_a_base_rate_shifts_the_odds(boolean_split, calibrated):
    test = pairs_of(boolean_split.test)
    links = calibrated.values.mean()
    plain, shifted = calibrated.probabilities(test), calibrated.probabilities(test, base_rate=0.01)
    assert (
        f"suppose that {100 * links:.4g} % of the pairs are links, as among the calibration" in plain.limits
    )
    assert "suppose that 1 % of the pairs are links, as stated" in shifted.limits
    p, q = plain["probability"], shifted["probability"]
    np.testing.assert_allclose(q / (1 - q), p / (1 - p) * (0.01 / 0.99) / (links / (1 - links)))
    np.testing.assert_allclose(calibrated.probabilities(test, base_rate=links)["probability"], p)
    assert q.max() < 0.9  # 209 links cannot support more at one link in a hundred
    for invalid in (0, 1, 1.5, "half"):
        with pytest.raises(InputError, match=r"base_rate is .*; expected a number above 0 and below 1"):
            calibrated.probabilities(test, base_rate=invalid)


class FixedScores:
    """A logistic model whose scores are a given array."""

    boolean = False
    logistic = True

    def __init__(self, scores):
        self.scores = scores

    def score(self, rows, cols):
        return self.scores[rows, cols]


def test_calibrated_probabilities_are_left_as_they_are(boolean_fit):
    """A sigmoid of the score itself would distort them: an error of 0.04."""
    rng = np.random.default_rng(0)
    scores = rng.beta(0.3, 0.3, (200, 200))
    links = rng.random(scores.shape) < scores
    model = copy.copy(boolean_fit)
    model.network_ = Network([0], [0], shape=scores.shape)
    model.factors_, model.members_ = FixedScores(scores), (FixedScores(scores),) * 2
    pairs = every_pair(scores.shape)[1:]
    values = links[tuple(pairs.T)]
    calibrated = model.calibrate(pairs[::2], values[::2].astype(float))
    test, truth = pairs[1::2], values[1::2]
    assert expected_calibration_error(truth, calibrated.probabilities(test)) < 0.01
    assert expected_calibration_error(truth, calibrated.probabilities(test, Platt())) > 0.03


@pytest.mark.parametrize("pairs", [[], np.zeros((0, 2), int)], ids=["list", "array"])
def test_no_calibration_pairs_raise(pairs):
    network = Network.from_dense(np.random.default_rng(0).random((9, 8)))
    with pytest.raises(InputError, match=r"There are 0 calibration pairs; expected at least one"):
        small_fit(network).calibrate(pairs, [])
    with pytest.raises(InputError, match=r"There are 0 calibration pairs"):
        small_fit(network).calibrate(Network([], [], shape=network.shape))


def test_intervals_end_where_the_values_do(calibrated, boolean_split):
    """Links are 0 or 1: an interval beyond them says nothing."""
    unseen = boolean_split.test
    for each in (calibrated, BNMFk((2,), n_perturbs=4, random_state=0).fit(unseen).cross_calibrate(3)):
        pairs = unseen if each is calibrated else boolean_split.calibration
        table = each.intervals(pairs)
        assert table["low"].min() >= 0
        assert table["high"].max() <= 1
        assert np.all(table["low"] <= table["high"])


def test_intervals_of_counts_end_at_zero_alone():
    rng = np.random.default_rng(0)
    counts = rng.poisson(rng.gamma(1, 1, (40, 2)) @ rng.gamma(1, 1, (2, 30))).astype(float)
    pairs = np.argwhere(rng.random(counts.shape) < 0.3)
    known = counts.copy()
    known[tuple(pairs.T)] = np.nan
    model = RNMFk((2,), n_perturbs=4, random_state=0).fit(known)
    assert model.factors_.bounds == (0.0, np.inf)
    assert model.predict_links(pairs).min() >= 0
    half = len(pairs) // 2
    table = model.calibrate(pairs[:half], counts[tuple(pairs[:half].T)]).intervals(pairs[half:])
    assert table["low"].min() == 0
    assert table["high"].max() > known[~np.isnan(known)].max() / 2
    free = RNMFk((2,), n_perturbs=4, random_state=0, regime=real(score_range=None)).fit(known)
    wide = free.calibrate(pairs[:half], counts[tuple(pairs[:half].T)]).intervals(pairs[half:])
    assert wide["low"].min() < 0


def test_an_interval_reaches_a_calibration_value_beyond_the_range_of_the_scores(calibrated):
    scorer = calibrated.scorer
    assert scorer.value_range(np.array([0.0, 1.0])) == (0.0, 1.0)
    assert scorer.value_range(np.array([-2.0, 7.0])) == (-2.0, 7.0)
    assert scorer.value_range(np.zeros(0)) == (0.0, 1.0)
