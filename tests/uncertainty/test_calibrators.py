"""Calibration methods: Platt, beta and isotonic."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, logit
from sklearn.base import clone
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.saving import load_file, save_file
from latentlink.uncertainty import Beta, BetaCurve, Isotonic, Platt, SigmoidCurve, StepCurve

ALL = [Platt(), Platt(on="logit"), Beta(), Isotonic()]


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    scores = rng.beta(1, 1, 3000)
    return scores, rng.random(3000) < expit(0.4 * logit(scores) - 0.7)  # too extreme, and too high


def platt_targets(links):
    n_links, n_nonlinks = links.sum(), (~links).sum()
    return np.where(links, (n_links + 1) / (n_links + 2), 1 / (n_nonlinks + 2))


def negative_log_likelihood(theta, features, target):
    z = features @ theta
    return np.sum(np.logaddexp(0, z) - target * z)


@pytest.mark.parametrize("on", ["score", "logit"])
def test_platt_maximises_the_likelihood(on, data):
    scores, links = data
    curve = Platt(on=on).fit(scores, links)
    feature = scores if on == "score" else logit(np.clip(scores, 1e-6, 1 - 1e-6))
    features = np.column_stack([feature, np.ones(len(feature))])
    best = minimize(negative_log_likelihood, [0.0, 0.0], (features, platt_targets(links)), tol=1e-10).x
    assert (curve.slope, curve.intercept) == pytest.approx(tuple(best), rel=1e-4)
    np.testing.assert_allclose(curve(scores), expit(features @ [curve.slope, curve.intercept]))


def test_platt_is_close_to_a_plain_logistic_regression(data):
    scores, links = data
    plain = LogisticRegression(C=1e8).fit(scores[:, None], links).predict_proba(scores[:, None])[:, 1]
    np.testing.assert_allclose(Platt().fit(scores, links)(scores), plain, atol=2e-3)


def test_beta_maximises_the_likelihood(data):
    scores, links = data
    curve = Beta().fit(scores, links)
    inside = np.clip(scores, 1e-6, 1 - 1e-6)
    features = np.column_stack([np.log(inside), -np.log(1 - inside), np.ones(len(inside))])
    best = minimize(negative_log_likelihood, np.zeros(3), (features, platt_targets(links)), tol=1e-10).x
    assert (curve.a, curve.b, curve.c) == pytest.approx(tuple(best), rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_beta_is_the_best_non_decreasing_curve(seed):
    """Where a coefficient would be negative, against a minimisation with bounds of 0."""
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.02, 0.98, 400)
    bent = 0.9 - 1.2 * np.abs(scores - 0.6) if seed % 2 else 0.1 + 1.2 * np.abs(scores - 0.4)
    links = rng.random(400) < bent
    features = np.column_stack([np.log(scores), -np.log(1 - scores), np.ones(400)])
    arguments = features, platt_targets(links)
    free = minimize(negative_log_likelihood, np.zeros(3), arguments, tol=1e-10).x
    bounds = [(0, None), (0, None), (None, None)]
    bounded = minimize(negative_log_likelihood, np.zeros(3), arguments, bounds=bounds, tol=1e-12)
    curve = Beta().fit(scores, links)
    assert min(free[:2]) < 0 <= min(curve.a, curve.b)
    loss = negative_log_likelihood(np.array([curve.a, curve.b, curve.c]), *arguments)
    assert loss == pytest.approx(bounded.fun, rel=1e-6)


def test_isotonic_is_that_of_scikit_learn(data):
    scores, links = data
    weights = np.random.default_rng(1).random(len(scores))
    model = IsotonicRegression(out_of_bounds="clip").fit(scores, links, sample_weight=weights)
    new = np.linspace(-1, 2, 500)
    np.testing.assert_allclose(Isotonic().fit(scores, links, weights)(new), model.predict(new))


@pytest.mark.parametrize("calibration", ALL, ids=repr)
class TestEveryCalibration:
    def test_it_estimates_the_true_probabilities(self, calibration, data):
        scores, links = data
        rng = np.random.default_rng(5)
        new = rng.random(20_000)
        truth = expit(0.4 * logit(new) - 0.7)
        probabilities = calibration.fit(scores, links)(new)
        assert np.sqrt(np.mean((probabilities - truth) ** 2)) < 0.06
        assert np.sqrt(np.mean((new - truth) ** 2)) > 0.2

    def test_it_is_non_decreasing_from_0_to_1(self, calibration, data):
        probabilities = calibration.fit(*data)(np.linspace(0, 1, 200))
        assert (np.diff(probabilities) >= 0).all()
        assert probabilities.min() >= 0
        assert probabilities.max() <= 1

    def test_a_weight_is_a_count(self, calibration, data):
        scores, links = data[0][:200], data[1][:200]
        counts = np.random.default_rng(2).integers(0, 3, 200)
        weighted = calibration.fit(scores, links, counts)
        repeated = calibration.fit(np.repeat(scores, counts), np.repeat(links, counts))
        used = scores[counts > 0]
        np.testing.assert_allclose(weighted(used), repeated(used), atol=2e-4)

    def test_it_can_be_saved(self, calibration, data, tmp_path):
        curve = calibration.fit(*data)
        save_file(tmp_path / "curve.npz", "curve", curve)
        classes = {cls.__name__: cls for cls in (SigmoidCurve, BetaCurve, StepCurve)}
        loaded = load_file(tmp_path / "curve.npz", "curve", classes)
        np.testing.assert_array_equal(loaded(data[0]), curve(data[0]))

    def test_perfect_scores_stay_finite(self, calibration):
        probabilities = calibration.fit([0.0] * 10 + [1.0] * 10, [0] * 10 + [1] * 10)([0.0, 1.0])
        assert np.isfinite(probabilities).all()
        assert probabilities[0] < 0.5 < probabilities[1]

    @pytest.mark.parametrize("score", [0.0, 0.1, 0.3, 0.5, 0.7])
    @pytest.mark.parametrize("n", [40, 55])
    def test_equal_scores_give_a_constant_curve(self, calibration, score, n):
        """The mean of 55 equal numbers may differ from them by a rounding error, which must give no slope."""
        links = np.arange(n) % 4 == 0
        target = links if isinstance(calibration, Isotonic) else platt_targets(links)
        assert calibration.fit([score] * n, links)([score, 0.2, 0.9]) == pytest.approx([target.mean()] * 3)

    def test_a_pair_of_weight_0_has_no_effect(self, calibration, data):
        scores, links = data[0][:100], data[1][:100]
        more = np.append(scores, [0.0, 1.0]), np.append(links, [True, False])
        weighted = calibration.fit(*more, np.append(np.ones(100), [0, 0]))
        np.testing.assert_array_equal(weighted(scores), calibration.fit(scores, links)(scores))

    def test_the_order_of_the_pairs_does_not_matter(self, calibration, data):
        order = np.random.default_rng(0).permutation(3000)
        one, other = calibration.fit(*data), calibration.fit(data[0][order], data[1][order])
        np.testing.assert_allclose(one(data[0]), other(data[0]), atol=1e-6)

    def test_both_classes_are_needed(self, calibration):
        scores = np.linspace(0, 1, 30)
        with pytest.raises(IncompatibleError, match="has 0 calibration links of positive weight; expected"):
            calibration.fit(scores, np.zeros(30))
        with pytest.raises(IncompatibleError, match="has 0 calibration non-links of positive weight"):
            calibration.fit(scores, scores > 0.5, scores > 0.5)

    def test_too_few_pairs_raise(self, calibration):
        """Ten links and ten non-links are the least; a pair counts as one, whatever its weight."""
        scores, links = np.linspace(0, 1, 20), np.arange(20) % 2 == 1
        calibration.fit(scores, links)
        with pytest.raises(IncompatibleError, match=r"has 9 calibration links of positive weight; .* 10"):
            calibration.fit(scores[:-1], links[:-1], np.full(19, 100.0))
        with pytest.raises(IncompatibleError, match="has 1 calibration non-link of positive weight"):
            calibration.fit([0.1, *[0.9] * 10], [0, *[1] * 10])

    def test_invalid_input_raises(self, calibration):
        scores, links = np.linspace(0, 1, 60), np.arange(60) % 2
        masked = np.arange(60) == 7
        with pytest.raises(InputError, match="score of pair 7 is masked"):
            calibration.fit(np.ma.masked_array(scores, masked), links)
        with pytest.raises(InputError, match="label of pair 7 is masked"):
            calibration.fit(scores, np.ma.masked_array(links, masked))
        with pytest.raises(InputError, match=r"label of pair 0 is 0\.5"):
            calibration.fit([0.1, 0.2], [0.5, 1])
        with pytest.raises(InputError, match="score of pair 1 is nan"):
            calibration.fit([0.1, np.nan], [0, 1])

    def test_it_is_a_settings_object(self, calibration):
        assert clone(calibration).get_params() == calibration.get_params()


@pytest.mark.parametrize("calibration", [Platt(on="logit"), Beta()], ids=repr)
def test_scores_outside_0_to_1_raise(calibration, data):
    with pytest.raises(InputError, match=r"score of pair 1 is 1.2; expected a number from 0 to 1"):
        calibration.fit([0.1, 1.2] * 10, [0, 1] * 10)
    with pytest.raises(InputError, match="score of pair 0 is -3"):
        calibration.fit(*data)([-3.0])


def test_a_negative_slope_warns():
    with pytest.warns(DataWarning, match=r"Platt\(\) has a fitted slope of -.* reverse the order"):
        Platt().fit([0.1, 0.2, 0.8, 0.9] * 5, [1, 1, 0, 0] * 5)


def test_beta_is_constant_where_higher_scores_mean_fewer_links():
    flat = Beta().fit([0.1, 0.2, 0.8, 0.9] * 5, [1, 1, 0, 0] * 5)
    assert flat([0.1, 0.9]) == pytest.approx([0.5, 0.5])


@settings(max_examples=10)
@given(*2 * [st.lists(st.floats(0, 1), min_size=10, max_size=15)])
def test_beta_coefficients_are_never_negative(links, nonlinks):
    curve = Beta().fit(links + nonlinks, [1] * len(links) + [0] * len(nonlinks))
    assert min(curve.a, curve.b) >= 0


def test_parameters_are_checked():
    with pytest.raises(IncompatibleError, match="on='rank'"):
        Platt(on="rank").fit([0.1, 0.2], [0, 1])
