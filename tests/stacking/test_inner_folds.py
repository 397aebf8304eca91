"""Inner folds: each known pair is tested once, hidden pairs stay hidden, the background is sampled."""

from __future__ import annotations

import time
from dataclasses import replace
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest

from latentlink import Network
from latentlink.random import rng_for
from latentlink.rank.engine import Plan
from latentlink.regime import AsIs, KMeans, boolean, real
from latentlink.solvers import BNMF, LMF, WNMF
from latentlink.splitting import Split, holdout, kfold
from latentlink.stacking import FittedEnsemble, enough_folds, hidden_logits, inner_folds, mean_logits
from tests.helpers.fitted import pairs_of
from tests.helpers.joint_fits import groups, links_of

TOTAL = 30 * 29 // 2  # pairs of 30 nodes


def codes(network):
    """Return a number for each listed pair."""
    return network.rows * 30 + network.cols


def test_each_known_pair_is_hidden_and_tested_in_one_of_five_folds():
    network = groups()
    splits = list(inner_folds(network, 0))
    assert len(splits) == 5
    tested = np.concatenate([codes(split.test) for split in splits])
    np.testing.assert_array_equal(np.sort(tested), np.sort(codes(network)))
    for split in splits:
        assert not set(codes(split.train)[split.train.known]) & set(codes(split.test))
        values = dict(zip(codes(network), network.values, strict=True))
        assert [values[code] for code in codes(split.test)] == split.test.values.tolist()


def test_folds_depend_on_the_seed_alone():
    one, same, other = (next(inner_folds(groups(), seed)) for seed in (0, 0, 1))
    assert one.test == same.test
    assert one.test != other.test


def test_with_a_background_the_folds_have_its_share_and_hidden_pairs_stay_hidden():
    train = holdout(links_of(groups(), 0.3), 0.2, 0, calibration=0.1).train
    hidden, known = set(codes(train)[~train.known]), set(codes(train)[train.known])
    unlisted = TOTAL - train.n_listed
    splits = list(inner_folds(train, 0))
    tested = np.concatenate([codes(split.test) for split in splits])
    assert len(np.unique(tested)) == len(tested)
    assert known < set(tested)
    assert not hidden & set(tested)
    drawn = np.concatenate([split.test.weights[split.test.values == 0] for split in splits])
    np.testing.assert_allclose(drawn.sum(), 0.3 * unlisted)
    for split in splits:
        part = split.train
        assert set(codes(part)[part.known]) == known - set(codes(split.test))
        assert hidden <= set(codes(part)[~part.known])
        # four fifths of the weight of all zeros
        np.testing.assert_allclose(part.background * (TOTAL - part.n_listed), 0.8 * 0.3 * unlisted)


def test_fewer_than_five_known_pairs_have_fewer_folds():
    network = Network([0, 0, 1, 1], [0, 1, 0, 1], [1.0, 0.0, 0.0, 1.0], shape=(2, 2))
    assert [split.test.n_listed for split in inner_folds(network, 0)] == [1, 1, 1, 1]


def test_a_single_unlisted_pair_of_the_background_is_tested_too():
    network = Network([0, 0, 1], [0, 1, 0], [1.0, 1.0, 0.0], shape=(2, 2)).with_background(0.5)
    splits = list(inner_folds(network, 0))
    tested = {tuple(pair) for split in splits for pair in pairs_of(split.test).tolist()}
    assert tested == {(0, 0), (0, 1), (1, 0), (1, 1)}
    # Four folds, so that three quarters of the background are left, in that one pair if it is not tested.
    assert [split.train.background for split in splits] == [pytest.approx(0.75 * 0.5)] * 4


def test_folds_are_those_of_a_key_of_their_own():
    network = groups()
    expected = kfold(network, 5, rng_for(7, 2**32 - 4))
    for one, other in zip(inner_folds(network, 7), expected, strict=True):
        assert one.test == other.test


# ---------------------------------------------------------------- scores of hidden pairs


def ensemble_of(solver, network, regime=None, rank=1):
    regime = real().set_params(perturb=AsIs()) if regime is None else regime
    return FittedEnsemble(Plan(network, solver, regime, 2, 0), rank)


def test_hidden_logits_are_those_of_each_ensemble_in_its_column():
    network = groups(16)
    ensembles = [
        ensemble_of(WNMF(ridge=0.1, max_iter=20), network),
        ensemble_of(WNMF(ridge=0.5, max_iter=20), network, rank=2),
    ]
    splits = list(inner_folds(network, 0))[:2]
    logits = hidden_logits(ensembles, splits)
    for of_ensembles, split in zip(logits, splits, strict=True):
        for found, ensemble in zip(of_ensembles, ensembles, strict=True):
            assert found.shape == (2, split.test.n_listed)
            np.testing.assert_array_equal(found, ensemble.member_logits(split))
        means = np.column_stack([(one + other) / 2 for one, other in of_ensembles])
        np.testing.assert_array_equal(mean_logits(of_ensembles), means)
    for one, other in zip(hidden_logits(ensembles, splits, n_jobs=2), logits, strict=True):
        for each, same in zip(one, other, strict=True):
            np.testing.assert_array_equal(each, same)


@pytest.mark.parametrize("background", [0.0, 0.3])
def test_values_of_hidden_pairs_have_zero_weight_in_the_logits(background):
    network = links_of(groups(16), background) if background else groups(16)
    split = next(inner_folds(network, 0))
    train = split.train
    flipped = train.with_values(np.where(train.known, train.values, 1 - train.values))
    ensemble = ensemble_of(LMF(ridge=1.0, max_iter=20), network)
    logits = ensemble.member_logits(split)
    np.testing.assert_array_equal(ensemble.member_logits(replace(split, train=flipped)), logits)
    assert logits.shape == (2, split.test.n_listed)
    assert logits.min() < 0  # before the link: no probabilities


def test_logits_of_boolean_members_are_plain_products():
    network = groups(16)
    ensemble = ensemble_of(BNMF(ridge=0.5, max_iter=20), network, boolean(KMeans()), rank=3)
    products = ensemble.member_logits(next(inner_folds(network, 0)))
    assert np.isin(products, np.arange(7)).all()


def test_the_mean_is_that_of_the_members():
    """Members are fitted without perturbation from different starts; two are given, and one alone."""
    network = groups(16)
    split = next(inner_folds(network, 0))
    regime = real().set_params(perturb=AsIs(), speckle=0.0)
    means = [
        mean_logits(
            [
                FittedEnsemble(
                    Plan(network, WNMF(ridge=0.1, max_iter=200), regime, members, 0), 1
                ).member_logits(split)
            ]
        )
        for members in (1, 2, 3)
    ]
    np.testing.assert_allclose(means[1:], [means[0]] * 2, atol=1e-3)


def test_the_time_left_is_that_of_the_fits_left_at_the_pace_so_far(monkeypatch):
    splits = list(inner_folds(groups(16), 0))[:3]
    ensembles = [SimpleNamespace(member_logits=lambda split: np.zeros((2, split.test.n_listed)))] * 2
    reports, times = [], count(100.0, 6.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(times))
    hidden_logits(ensembles, splits, callback=reports.append)
    left = [None, *(pytest.approx(6.0 * (6 - done)) for done in range(2, 6))]  # a single step is no pace
    expected = [(done, 6, None, left[done - 1], pytest.approx(done / 6)) for done in range(1, 6)]
    found = [(r.done, r.total, r.rank, r.seconds_left, r.share) for r in reports]
    assert found == [*expected, (6, 6, None, pytest.approx(0.036), pytest.approx(1 / 1.001))]


@pytest.mark.parametrize("kind", ["without a background", "nothing unlisted"])
def test_without_unlisted_zeros_the_folds_are_those_of_the_known_pairs(kind):
    network = groups(16)
    if kind == "nothing unlisted":
        values = np.random.default_rng(0).integers(0, 2, (6, 5)).astype(float)
        network = Network.from_dense(values).with_background(0.5)
    expected = kfold(network, 5, rng_for(3, 2**32 - 4))
    for one, other in zip(inner_folds(network, 3), expected, strict=True):
        assert (one.train, one.test) == (other.train, other.test)


# -------------------------------------------------------------------- enough folds


def some_splits(count, size, links=0.3):
    """Splits whose test parts have so many pairs."""
    rng = np.random.default_rng(0)
    for number in range(count):
        values = (rng.random(size) < links).astype(float)
        test = Network(np.zeros(size, int), np.arange(size), values, shape=(1, size))
        yield Split(test, test.with_weights(np.full(size, number + 1.0)))


def test_few_pairs_are_taken_from_all_folds_as_they_are():
    splits = list(some_splits(10, 40))
    taken = enough_folds(splits, 40)
    assert [each.test for each in taken] == [each.test for each in splits]


def test_of_many_pairs_three_folds_and_a_sample_are_taken():
    taken = enough_folds(some_splits(10, 60_000), 60_000)
    assert len(taken) == 3
    for number, split in enumerate(taken, 1):
        sizes = [(split.test.values == label).sum() for label in (0, 1)]
        assert all(5_500 < size <= 50_000 // 6 for size in sizes)
        # The pairs of each class stand for all of their class.
        assert split.test.weights.sum() == pytest.approx(number * 60_000)
        assert split.train.n_listed == 60_000


def test_folds_are_taken_until_there_are_enough_pairs():
    assert len(enough_folds(some_splits(10, 8_000), 8_000)) == 7
