"""Curves from scores to probabilities."""

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
    return scores, rng.random(3000) < expit(0.4 * logit(scores) - 0.7)  # too sure, and too high


def smoothed(links):
    yes, no = links.sum(), (~links).sum()
    return np.where(links, (yes + 1) / (yes + 2), 1 / (no + 2))


def likelihood(theta, features, target):
    z = features @ theta
    return np.sum(np.logaddexp(0, z) - target * z)


@pytest.mark.parametrize("on", ["score", "logit"])
def test_platt_is_the_maximum_of_the_likelihood(on, data):
    scores, links = data
    curve = Platt(on=on).fit(scores, links)
    feature = scores if on == "score" else logit(np.clip(scores, 1e-6, 1 - 1e-6))
    features = np.column_stack([feature, np.ones(len(feature))])
    best = minimize(likelihood, [0.0, 0.0], (features, smoothed(links)), tol=1e-10).x
    assert (curve.slope, curve.intercept) == pytest.approx(tuple(best), rel=1e-4)
    np.testing.assert_allclose(curve(scores), expit(features @ [curve.slope, curve.intercept]))


def test_platt_without_its_targets_is_a_logistic_regression(data):
    scores, links = data
    plain = LogisticRegression(C=1e8).fit(scores[:, None], links).predict_proba(scores[:, None])[:, 1]
    np.testing.assert_allclose(Platt().fit(scores, links)(scores), plain, atol=2e-3)


def test_beta_is_the_maximum_of_the_likelihood(data):
    scores, links = data
    curve = Beta().fit(scores, links)
    inside = np.clip(scores, 1e-6, 1 - 1e-6)
    features = np.column_stack([np.log(inside), -np.log(1 - inside), np.ones(len(inside))])
    best = minimize(likelihood, np.zeros(3), (features, smoothed(links)), tol=1e-10).x
    assert (curve.a, curve.b, curve.c) == pytest.approx(tuple(best), rel=1e-3, abs=1e-4)


@pytest.mark.parametrize("seed", range(8))
def test_beta_is_the_best_curve_that_does_not_fall(seed):
    """Where a coefficient would be negative, against a search that is held at 0 or above."""
    rng = np.random.default_rng(seed)
    scores = rng.uniform(0.02, 0.98, 400)
    bent = 0.9 - 1.2 * np.abs(scores - 0.6) if seed % 2 else 0.1 + 1.2 * np.abs(scores - 0.4)
    links = rng.random(400) < bent
    features = np.column_stack([np.log(scores), -np.log(1 - scores), np.ones(400)])
    arguments = features, smoothed(links)
    free = minimize(likelihood, np.zeros(3), arguments, tol=1e-10).x
    held = minimize(
        likelihood, np.zeros(3), arguments, bounds=[(0, None), (0, None), (None, None)], tol=1e-12
    )
    curve = Beta().fit(scores, links)
    assert min(free[:2]) < 0 <= min(curve.a, curve.b)
    assert likelihood(np.array([curve.a, curve.b, curve.c]), *arguments) == pytest.approx(held.fun, rel=1e-6)


def test_isotonic_is_that_of_scikit_learn(data):
    scores, links = data
    weights = np.random.default_rng(1).random(len(scores))
    model = IsotonicRegression(out_of_bounds="clip").fit(scores, links, sample_weight=weights)
    asked = np.linspace(-1, 2, 500)
    np.testing.assert_allclose(Isotonic().fit(scores, links, weights)(asked), model.predict(asked))


@pytest.mark.parametrize("calibration", ALL, ids=repr)
class TestEveryCalibration:
    def test_probabilities_are_put_right(self, calibration, data):
        scores, links = data
        rng = np.random.default_rng(5)
        new = rng.random(20_000)
        truth = expit(0.4 * logit(new) - 0.7)
        found = calibration.fit(scores, links)(new)
        assert np.sqrt(np.mean((found - truth) ** 2)) < 0.06
        assert np.sqrt(np.mean((new - truth) ** 2)) > 0.2

    def test_it_never_falls(self, calibration, data):
        found = calibration.fit(*data)(np.linspace(0, 1, 200))
        assert (np.diff(found) >= 0).all()
        assert found.min() >= 0
        assert found.max() <= 1

    def test_a_weight_is_a_count(self, calibration, data):
        scores, links = data[0][:200], data[1][:200]
        counts = np.random.default_rng(2).integers(0, 3, 200)
        weighted = calibration.fit(scores, links, counts)
        repeated = calibration.fit(np.repeat(scores, counts), np.repeat(links, counts))
        asked = scores[counts > 0]
        np.testing.assert_allclose(weighted(asked), repeated(asked), atol=2e-4)

    def test_it_can_be_saved(self, calibration, data, tmp_path):
        curve = calibration.fit(*data)
        save_file(tmp_path / "curve.npz", "curve", curve)
        known = {each.__name__: each for each in (SigmoidCurve, BetaCurve, StepCurve)}
        again = load_file(tmp_path / "curve.npz", "curve", known)
        np.testing.assert_array_equal(again(data[0]), curve(data[0]))

    def test_perfect_scores_stay_finite(self, calibration):
        found = calibration.fit([0.0] * 10 + [1.0] * 10, [0] * 10 + [1] * 10)([0.0, 1.0])
        assert np.isfinite(found).all()
        assert found[0] < 0.5 < found[1]

    @pytest.mark.parametrize("score", [0.0, 0.1, 0.3, 0.5, 0.7])
    @pytest.mark.parametrize("n", [40, 43, 55, 1000])
    def test_scores_that_are_all_the_same_tell_nothing_of_others(self, calibration, score, n):
        """The mean of equal numbers may miss them by a rounding error: no slope must come of it."""
        links = np.arange(n) % 4 == 0
        target = links if isinstance(calibration, Isotonic) else smoothed(links)
        assert calibration.fit([score] * n, links)([score, 0.2, 0.9]) == pytest.approx([target.mean()] * 3)

    def test_a_pair_without_weight_has_no_say(self, calibration, data):
        scores, links = data[0][:100], data[1][:100]
        more = np.append(scores, [0.0, 1.0]), np.append(links, [True, False])
        weighted = calibration.fit(*more, np.append(np.ones(100), [0, 0]))
        np.testing.assert_array_equal(weighted(scores), calibration.fit(scores, links)(scores))

    def test_the_order_of_the_pairs_has_no_say(self, calibration, data):
        order = np.random.default_rng(0).permutation(3000)
        one, other = calibration.fit(*data), calibration.fit(data[0][order], data[1][order])
        np.testing.assert_allclose(one(data[0]), other(data[0]), atol=1e-6)

    def test_both_classes_are_needed(self, calibration):
        scores = np.linspace(0, 1, 30)
        with pytest.raises(IncompatibleError, match="has 0 calibration links of positive weight; expected"):
            calibration.fit(scores, np.zeros(30))
        with pytest.raises(IncompatibleError, match="has 0 calibration non-links of positive weight"):
            calibration.fit(scores, scores > 0.5, scores > 0.5)

    def test_a_handful_of_pairs_tells_no_probability(self, calibration):
        """Ten links and ten non-links are the least; a pair counts as one, however much it weighs."""
        scores, links = np.linspace(0, 1, 20), np.arange(20) % 2 == 1
        calibration.fit(scores, links)
        with pytest.raises(IncompatibleError, match=r"has 9 calibration links of positive weight; .* 10"):
            calibration.fit(scores[:-1], links[:-1], np.full(19, 100.0))
        with pytest.raises(IncompatibleError, match="has 1 calibration non-link of positive weight"):
            calibration.fit([0.1, *[0.9] * 10], [0, *[1] * 10])

    def test_bad_numbers_are_refused(self, calibration):
        with pytest.raises(InputError, match=r"label of pair 0 is 0\.5"):
            calibration.fit([0.1, 0.2], [0.5, 1])
        with pytest.raises(InputError, match="score of pair 1 is nan"):
            calibration.fit([0.1, np.nan], [0, 1])

    def test_it_is_a_settings_object(self, calibration):
        assert clone(calibration).get_params() == calibration.get_params()


@pytest.mark.parametrize("calibration", [Platt(on="logit"), Beta()], ids=repr)
def test_curves_of_probabilities_take_no_other_scores(calibration, data):
    with pytest.raises(InputError, match=r"score of pair 1 is 1.2; expected a number from 0 to 1"):
        calibration.fit([0.1, 1.2] * 10, [0, 1] * 10)
    with pytest.raises(InputError, match="score of pair 0 is -3"):
        calibration.fit(*data)([-3.0])


def test_a_slope_that_falls_is_told():
    with pytest.warns(DataWarning, match="slope of -"):
        Platt().fit([0.1, 0.2, 0.8, 0.9] * 5, [1, 1, 0, 0] * 5)


def test_beta_never_falls():
    flat = Beta().fit([0.1, 0.2, 0.8, 0.9] * 5, [1, 1, 0, 0] * 5)
    assert flat([0.1, 0.9]) == pytest.approx([0.5, 0.5])


@settings(deadline=None, max_examples=15)
@given(*2 * [st.lists(st.floats(0, 1), min_size=10, max_size=15)])
def test_beta_coefficients_are_never_negative(links, nonlinks):
    curve = Beta().fit(links + nonlinks, [1] * len(links) + [0] * len(nonlinks))
    assert min(curve.a, curve.b) >= 0


def test_settings_are_checked():
    with pytest.raises(IncompatibleError, match="on='rank'"):
        Platt(on="rank").fit([0.1, 0.2], [0, 1])
