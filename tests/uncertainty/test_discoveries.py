"""Selection with a bounded false discovery rate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.uncertainty import discover

SCORES = st.lists(st.integers(0, 20), min_size=1, max_size=40)


@settings(max_examples=60)
@given(SCORES, st.lists(st.integers(0, 15), min_size=9, max_size=60), st.sampled_from([0.1, 0.3]))
def test_against_the_step_up_procedure(candidates, nonlinks, fdr):
    discoveries = discover(candidates, nonlinks, fdr)
    p = np.array([(1 + sum(n >= c for n in nonlinks)) / (1 + len(nonlinks)) for c in candidates])
    np.testing.assert_allclose(discoveries.p_values, p)
    ordered = np.sort(p)
    passed = np.flatnonzero(ordered <= fdr * np.arange(1, len(p) + 1) / len(p) * (1 + 1e-12))
    expected = p <= ordered[passed[-1]] if len(passed) else np.zeros(len(p), bool)
    assert discoveries.selected.tolist() == expected.tolist()
    assert len(discoveries) == expected.sum()
    scores = np.array(candidates)
    assert discoveries.threshold == (scores[expected].min() if expected.any() else np.inf)
    assert not len(discoveries) or len(discoveries) >= discoveries.shortest


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.slow
def test_the_false_discovery_rate_is_bounded(ties):
    """Over 300 draws of 200 candidates, 50 of them links."""
    rng, shares, power = np.random.default_rng(0), [], []
    link = np.arange(200) < 50
    for _ in range(300):
        scores, nonlinks = rng.normal(size=200) + 3 * link, rng.normal(size=500)
        if ties:
            scores, nonlinks = scores.round(1), nonlinks.round(1)
        selected = discover(scores, nonlinks, 0.2).selected
        shares.append(np.mean(~link[selected]) if selected.any() else 0.0)
        power.append(np.mean(selected[link]))
    assert np.mean(shares) <= 0.2 * 0.75 + 3 * np.std(shares) / np.sqrt(300)
    assert np.mean(shares) > 0.08  # not more conservative than needed
    assert np.mean(power) > 0.7


@settings(max_examples=60)
@given(
    st.lists(st.integers(0, 6), min_size=1, max_size=15), st.lists(st.integers(0, 5), min_size=4, max_size=30)
)
def test_a_selected_candidate_counted_among_the_nonlinks_leaves_the_number_selected(candidates, nonlinks):
    """The bound rests on this, with ties too."""
    scores, discoveries = np.array(candidates), discover(candidates, nonlinks, 0.3)
    for j in np.flatnonzero(discoveries.selected):
        among = np.append(nonlinks, scores[j])
        p = (among[:, None] >= scores).sum(axis=0) / len(among)
        p[j] = 0
        ordered = np.sort(p)
        passed = np.flatnonzero(ordered <= 0.3 * np.arange(1, len(p) + 1) / len(p) * (1 + 1e-12))
        assert passed[-1] + 1 == len(discoveries)


def test_a_larger_rate_never_selects_fewer_and_only_the_order_matters():
    rng = np.random.default_rng(0)
    scores, nonlinks = rng.normal(size=100) + np.repeat([2, 0], 50), rng.normal(size=200)
    before = np.zeros(100, bool)
    for fdr in (0.05, 0.1, 0.2, 0.5):
        selected = discover(scores, nonlinks, fdr).selected
        assert (selected | ~before).all()
        np.testing.assert_array_equal(discover(np.exp(scores), np.exp(nonlinks), fdr).selected, selected)
        before = selected


def test_without_links_something_is_selected_in_a_share_fdr_of_the_draws_at_most():
    rng = np.random.default_rng(0)
    selected = [len(discover(rng.normal(size=50), rng.normal(size=200), 0.1)) > 0 for _ in range(300)]
    assert np.mean(selected) <= 0.1 + 3 * np.sqrt(0.09 / 300)


def test_the_shortest_list():
    discoveries = discover(np.arange(1000), np.zeros(99), fdr=0.1)
    assert discoveries.shortest == 100
    assert "a list has 100 or more, or none" in discoveries.limits
    assert len(discover(np.r_[np.ones(99), -np.ones(901)], np.zeros(99))) == 0
    assert len(discover(np.r_[np.ones(100), -np.ones(900)], np.zeros(99))) == 100
    assert discover([1.0], np.zeros(99)).shortest == 1


def test_a_single_candidate_is_selected_by_its_p_value():
    """Of 9 non-links one at the score of the candidate: p is 0.2."""
    nonlinks = np.r_[np.zeros(8), 1.0]
    assert [len(discover([1.0], nonlinks, fdr)) for fdr in (0.1, 0.19, 0.2)] == [0, 0, 1]


def test_the_limits_state_the_guarantee():
    limits = discover(np.arange(10), np.zeros(99), fdr=0.1).limits
    for part in ("at most 10 % are non-links", "99 known non-links", "drawn in the same way", "whole list"):
        assert part in limits


def test_invalid_input_raises():
    with pytest.raises(IncompatibleError, match=r"has 8 known non-links for fdr=0.1; expected at least 9"):
        discover([1.0], np.zeros(8))
    assert len(discover([1.0], np.zeros(9))) == 1
    with pytest.raises(InputError, match="no candidates"):
        discover([], np.zeros(20))
    with pytest.raises(InputError, match="fdr is 0; expected"):
        discover([1.0], np.zeros(20), fdr=0)
    with pytest.raises(InputError, match="non-link's score of pair 0 is nan"):
        discover([1.0], [np.nan] * 20)
