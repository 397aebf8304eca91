"""Selective risk control: the guarantee over many draws, and the arithmetic of the tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom
from sklearn.base import clone

from latentlink.errors import IncompatibleError, InputError
from latentlink.saving import load_file, save_file
from latentlink.uncertainty import RiskControl, RiskRule


def draw(rng, n, rate, values=None):
    """Confidences, and answers that are wrong at a rate that depends on them."""
    confidence = rng.random(n) if values is None else rng.choice(values, n)
    return confidence, rng.random(n) < rate(confidence)


PROFILES = {
    "falling": lambda c: 0.4 * (1 - c) ** 2,
    "at the edge": lambda c: np.full_like(c, 0.1),
    "just above": lambda c: np.full_like(c, 0.102),
    "not monotone": lambda c: np.where((c > 0.5) & (c < 0.7), 0.3, 0.05),
    "worst first": lambda c: 0.15 * c,
}
GRID = (np.arange(20_000) + 0.5) / 20_000


def true_risk(rule, rate):
    answered = rule.answers(GRID)
    return rate(GRID)[answered].mean() if answered.any() else 0.0


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.slow
def test_the_guarantee_fails_no_more_often_than_delta(name):
    """Three standard deviations of 300 draws are allowed for; a rule without tests fails here by far."""
    rng, control = np.random.default_rng(0), RiskControl(alpha=0.1, delta=0.1)
    rules = [control.calibrate(*draw(rng, 300, PROFILES[name])) for _ in range(300)]
    violated = np.mean([true_risk(rule, PROFILES[name]) > 0.1 for rule in rules])
    assert violated <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / 300)


def test_the_empirical_threshold_violates_it():
    """Why tests are needed: the largest coverage with a share of wrong answers of at most alpha."""
    rng, violated, rate = np.random.default_rng(0), 0, PROFILES["falling"]
    for _ in range(100):
        confidence, wrong = draw(rng, 300, rate)
        order = np.argsort(-confidence)
        good = np.flatnonzero(np.cumsum(wrong[order]) <= 0.1 * np.arange(1, 301))
        least = confidence[order[good[-1]]] if len(good) else 0.99
        violated += rate(GRID[GRID.searchsorted(least) :]).mean() > 0.1
    assert violated > 40


def test_the_guarantee_holds_with_ties():
    """Confidences of few values, such as shares of votes."""
    values = np.arange(9) / 8
    rng, control = np.random.default_rng(0), RiskControl(alpha=0.1, delta=0.1)
    violated = 0
    for _ in range(300):
        rule = control.calibrate(*draw(rng, 300, PROFILES["falling"], values))
        answered = values[values > rule.threshold]
        violated += bool(len(answered)) and PROFILES["falling"](answered).mean() > 0.1
    assert violated / 300 <= 0.15


@pytest.mark.parametrize("seed", range(6))
def test_the_guarantee_holds_with_ties_and_errors_on_both_sides_of_alpha(seed):
    rng, control, violated = np.random.default_rng(seed), RiskControl(alpha=0.1, delta=0.1), 0
    values = np.arange(int(rng.integers(3, 12)))[::-1]
    share = rng.dirichlet(np.ones(len(values)))
    above = np.cumsum(share)
    wanted = np.diff((0.1 + rng.normal(0, 0.004, len(values))) * above, prepend=0) / share
    rate = np.clip(wanted, 0, 1)
    error = np.cumsum(rate * share) / above  # of all values from the highest on
    for _ in range(150):
        drawn = rng.choice(len(values), 120, p=share)
        answered = control.calibrate(values[drawn], rng.random(120) < rate[drawn]).answers(values)
        violated += answered.any() and error[answered.sum() - 1] > 0.1
    assert violated / 150 <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / 150)


def test_the_coverage_is_close_to_the_largest_possible():
    rng = np.random.default_rng(0)
    rule = RiskControl(0.1, 0.1).calibrate(*draw(rng, 5000, PROFILES["falling"]))
    assert 0.75 < rule.coverage < 0.9  # the whole curve reaches 0.1 at a coverage of 0.87
    assert rule.risk < 0.1


def test_if_all_are_right_all_are_answered():
    rule = RiskControl(0.05, 0.1).calibrate(np.arange(100), np.zeros(100))
    assert (rule.threshold, rule.answered, rule.wrong, rule.coverage) == (-np.inf, 100, 0, 1.0)
    assert rule.p_value == pytest.approx(0.95**100)
    assert rule.answers([-1e300]).all()


def test_if_all_are_wrong_none_is_answered():
    rule = RiskControl(0.05, 0.1).calibrate(np.arange(100), np.ones(100))
    assert (rule.threshold, rule.answered, rule.wrong, rule.coverage) == (np.inf, 0, 0, 0.0)
    assert np.isnan(rule.risk)
    assert np.isnan(rule.p_value)
    assert not rule.answers([1e300]).any()
    assert "No pair may be answered" in rule.limits
    assert "100 calibration pairs" in rule.limits


@settings(max_examples=60)
@given(st.integers(0, 2**32 - 1), st.integers(30, 200), st.booleans())
def test_the_rule_passes_every_test_up_to_its_own_threshold(seed, n, ties):
    rng = np.random.default_rng(seed)
    confidence, wrong = draw(rng, n, PROFILES["falling"], np.arange(6) / 5 if ties else None)
    control = RiskControl(0.1, 0.1, steps=1000)  # every number of pairs
    rule = control.calibrate(confidence, wrong)
    answered = rule.answers(confidence)
    assert (answered.sum(), wrong[answered].sum()) == (rule.answered, rule.wrong)
    if not rule.answered:
        return
    assert rule.p_value == pytest.approx(binom.cdf(rule.wrong, rule.answered, 0.1))
    first = min(max(n // 4, 22), 88)
    for threshold in np.unique(confidence[confidence >= rule.threshold]):
        above = confidence > threshold
        if above.sum() >= first:
            assert binom.cdf(wrong[above].sum(), above.sum(), 0.1) <= 0.1


def test_the_order_of_the_pairs_does_not_matter():
    rng = np.random.default_rng(3)
    confidence, wrong = draw(rng, 200, PROFILES["falling"], np.arange(20))
    order = rng.permutation(200)
    assert RiskControl().calibrate(confidence, wrong) == RiskControl().calibrate(
        confidence[order], wrong[order]
    )


def test_the_least_number_of_pairs():
    control = RiskControl(0.05, 0.1)
    assert control.least == 45
    assert 0.95**45 <= 0.1 < 0.95**44
    with pytest.raises(
        IncompatibleError, match=r"RiskControl\(\) has 44 calibration pairs; expected at least 45"
    ):
        control.calibrate(np.arange(44), np.zeros(44))
    assert control.calibrate(np.arange(45), np.zeros(45)).coverage == 1


def test_the_limits_state_the_guarantee():
    limits = RiskControl(0.05, 0.1).calibrate(np.arange(100), np.zeros(100)).limits
    for part in (
        "at most 5 % are wrong",
        "probability 90 %",
        "100 calibration pairs",
        "not for each",
        "short list may do worse",
        "in the long run",
        "void",
    ):
        assert part in limits


def test_a_rule_can_be_saved(tmp_path):
    rule = RiskControl().calibrate(np.arange(100), np.ones(100))
    save_file(tmp_path / "rule.npz", "rule", rule)
    loaded = load_file(tmp_path / "rule.npz", "rule", {"RiskRule": RiskRule})
    assert repr(loaded) == repr(rule)


def test_parameters():
    assert clone(RiskControl(0.2, 0.05, start=40)).get_params() == {
        "alpha": 0.2, "delta": 0.05, "start": 40, "steps": 50,
    }  # fmt: skip
    confidence, wrong = np.arange(100), np.zeros(100)
    for parameters, message in [
        ({"alpha": 0}, r"RiskControl has alpha=0; expected a number above 0 and below 1"),
        ({"delta": 1.0}, r"RiskControl has delta=1\.0; expected a number above 0 and below 1"),
        ({"steps": 0}, "RiskControl has steps=0; expected a whole number >= 1"),
        ({"steps": 2.5}, r"RiskControl has steps=2\.5; expected a whole number >= 1"),
        ({"start": 44}, "RiskControl has start=44; expected a whole number >= 45"),
        ({"start": 45.5}, r"RiskControl has start=45\.5; expected a whole number >= 45"),
    ]:
        with pytest.raises(IncompatibleError, match=message):
            RiskControl(**parameters).calibrate(confidence, wrong)
    with pytest.raises(IncompatibleError, match="RiskControl has alpha=1;"):
        _ = RiskControl(1).least


def test_more_steps_than_pairs_are_as_many_as_there_are_pairs():
    confidence, wrong = draw(np.random.default_rng(3), 200, lambda c: 0.1 * (1 - c))
    rules = [RiskControl(0.1, steps=steps).calibrate(confidence, wrong) for steps in (150, 200, 5000, 10**12)]
    assert rules[0].answered > 0
    assert all(rule == rules[0] for rule in rules)


def test_invalid_arrays_raise():
    confidence = np.arange(100)
    with pytest.raises(InputError, match="confidence of pair 2 is nan"):
        RiskControl().calibrate([0.1, 0.2, np.nan], [0, 0, 0])
    with pytest.raises(InputError, match=r"wrong mark of pair 0 is 0\.5"):
        RiskControl().calibrate(confidence, np.full(100, 0.5))
    masked = np.ma.masked_array(confidence, confidence == 7)
    with pytest.raises(InputError, match="confidence of pair 7 is masked"):
        RiskControl().calibrate(masked, np.zeros(100))


def passed_in_loops(confidence, wrong, control, first):
    """The last number of answers that passes, by a loop over the tests of pairs with distinct confidences."""
    n, order = len(confidence), np.argsort(-confidence)
    answered = sorted({round(a) for a in np.linspace(first, n, control.steps)})
    passed = 0
    for a in answered:
        if binom.cdf(wrong[order[:a]].sum(), a, control.alpha) > control.delta:
            break
        passed = a
    return passed


@pytest.mark.parametrize("n", [22, 40, 87, 88, 91, 120, 881, 1200])
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_the_sequence_begins_at_a_quarter_of_the_pairs_within_its_limits(n, steps):
    """At alpha = delta = 0.1, 22 pairs are the least, so that the first test has 22 to 220."""
    control = RiskControl(0.1, 0.1, steps=steps)
    first = 22 if n < 88 else n // 4 if n // 4 <= 220 else 220
    rng, passed = np.random.default_rng(n), []
    for _ in range(12):
        confidence, wrong = draw(rng, n, lambda c: 0.25 * (1 - c))
        rule = control.calibrate(confidence, wrong)
        assert rule.answered == passed_in_loops(confidence, wrong, control, first)
        passed.append(rule.answered)
    assert steps == 1 or n < 88 or max(passed) > 0


@pytest.mark.parametrize(("n", "first"), [(22, 22), (91, 22), (92, 23), (880, 220), (1200, 220)])
def test_the_first_test_decides_whether_any_pair_is_answered(n, first):
    """The wrong answers begin right after the pairs of the first test, or one wrong answer more is in it."""
    control, confidence = RiskControl(0.1, 0.1, steps=2), -np.arange(n)
    allowed = int(binom.ppf(0.1, first, 0.1))
    allowed -= binom.cdf(allowed, first, 0.1) > 0.1
    after = np.arange(n) >= first
    rule = control.calibrate(confidence, after | (np.arange(n) < allowed))
    assert rule.answered == first
    assert control.calibrate(confidence, after | (np.arange(n) <= allowed)).answered == 0


def test_a_p_value_equal_to_delta_passes():
    assert RiskControl(0.5, 0.25).calibrate([1.0, 2.0], [0, 0]).answered == 2
    assert RiskControl(0.5, 0.2499).least == 3


def test_one_step_tests_the_first_number_alone():
    rule = RiskControl(0.1, 0.1, steps=1).calibrate(np.arange(100), np.zeros(100))
    assert rule.answered == 25
