"""Holdout and k-fold splits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from latentlink.splitting import Split, holdout, kfold, repeated_holdouts
from latentlink.splitting.strata import allocated, value_classes
from tests.network.strategies import networks


def pairs(network):
    """Return the known pairs, unordered if the network is symmetric."""
    known = network.known
    listed = zip(network.rows[known].tolist(), network.cols[known].tolist(), strict=True)
    return {tuple(sorted(pair)) if network.symmetric else pair for pair in listed}


def parts(split):
    return [split.train, split.test] + ([] if split.calibration is None else [split.calibration])


def assert_partition(network, split):
    sets = [pairs(part) for part in parts(split)]
    assert sum(map(len, sets)) == len(set().union(*sets))
    assert set().union(*sets) == pairs(network)
    assert split.train.with_weights(network.weights) == network
    for part in parts(split)[1:]:
        assert part.background == 0
        assert part.known.all()
        assert part.shape == network.shape
        for row, col, value in zip(part.rows, part.cols, part.values, strict=True):
            position = network.position(int(row), int(col))
            assert network.values[position] == value
            assert split.train.weights[position] == 0


class TestHoldout:
    @settings(max_examples=50)
    @given(
        networks(min_known=6),
        st.floats(0.2, 0.5),
        st.sampled_from([0.0, 0.25]),
        st.booleans(),
        st.integers(0, 9),
    )
    @pytest.mark.slow
    def test_the_parts_are_a_partition_of_the_known_entries(
        self, network, share, calibration, stratify, seed
    ):
        split = holdout(network, share, seed, stratify=stratify, calibration=calibration)
        assert_partition(network, split)
        assert split.test.n_listed == round(share * network.n_known)
        if calibration:
            assert split.calibration.n_listed == round(calibration * network.n_known)
        else:
            assert split.calibration is None
        again = holdout(
            network, share, np.random.default_rng(seed), stratify=stratify, calibration=calibration
        )
        assert (again.train, again.test, again.calibration) == (split.train, split.test, split.calibration)

    @settings(max_examples=50)
    @given(networks(binary=True, min_known=6), st.floats(0.2, 0.5), st.sampled_from([0.0, 0.25]))
    @pytest.mark.slow
    def test_each_value_has_its_share_in_every_part(self, network, share, calibration):
        split = holdout(network, share, 0, calibration=calibration)
        known = network.values[network.known]
        for value in (0, 1):
            size = np.count_nonzero(known == value)
            tested = np.count_nonzero(split.test.values == value)
            exact = split.test.n_listed / network.n_known * size
            assert abs(tested - exact) < 1
            if calibration:
                calibrating = np.count_nonzero(split.calibration.values == value)
                assert abs(calibrating - split.calibration.n_listed / network.n_known * size) <= 1

    def test_many_different_values_are_stratified_by_deciles(self):
        values = np.random.default_rng(0).normal(size=(100, 100))
        split = holdout(Network.from_dense(values), 0.2, 0)
        edges = np.quantile(values, np.arange(1, 10) / 10)
        tested = np.bincount(np.searchsorted(edges, split.test.values), minlength=10)
        assert tested.sum() == 2000
        assert np.abs(tested - 200).max() <= 1

    def test_without_stratification_the_shares_vary(self):
        network = Network.from_dense(np.tile([0, 1], (40, 20)))
        links = [holdout(network, 0.2, seed, stratify=False).test.values.sum() for seed in range(5)]
        assert len(set(links)) > 1

    @given(networks(min_known=6), st.integers(0, 9))
    @pytest.mark.slow
    def test_keep_nodes_leaves_an_entry_of_every_node_in_training(self, network, seed):
        try:
            split = holdout(network, 0.2, seed, keep_nodes=True)
        except InputError as error:
            assert "keep_nodes=True excludes" in str(error)  # noqa: PT017
            return
        assert_partition(network, split)
        before, after = network.known, split.train.known
        if network.symmetric:
            ends = np.r_[network.rows, network.cols]
            assert set(ends[np.r_[before, before]]) == set(ends[np.r_[after, after]])
        else:
            for side in (network.rows, network.cols):
                assert set(side[before]) == set(side[after])
        assert "were excluded, so that every node keeps one" in split.train.history[-1].sentence

    @pytest.mark.parametrize("symmetric", [False, True])
    def test_keep_nodes_excludes_the_first_entry_of_each_node_and_no_other(self, symmetric):
        """Nodes that are rows only, columns only and both; the entries are recounted in the drawn order."""
        edges = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5), (4, 5)]
        network = Network.from_edges(edges, symmetric=symmetric)
        for seed in range(20):
            order = np.random.default_rng(seed).permutation(np.flatnonzero(network.known))
            seen, excluded = set(), 0
            for i, j in zip(network.rows[order], network.cols[order], strict=True):
                ends = {i, j} if symmetric else {("row", i), ("col", j)}
                excluded += not ends <= seen
                seen |= ends
            split = holdout(network, 0.1, np.random.default_rng(seed), keep_nodes=True)
            assert f"; {excluded} were excluded" in split.train.history[-1].sentence

    def test_a_share_that_would_empty_a_node_raises(self):
        with pytest.raises(
            InputError, match="excludes 4 of 4 known entries, which leaves 0 to hold out; expected at least 2"
        ):
            holdout(Network.from_edges([(i, i) for i in range(4)]), 0.5, keep_nodes=True)

    def test_all_entries_that_no_node_needs_can_be_held_out(self):
        """In a matrix of 2 x 2, nodes keep two entries if the first two share none of them, else three."""
        network = Network.from_dense(np.ones((2, 2)))
        seen = set()
        for seed in range(20):
            sentence = holdout(network, 0.25, seed, keep_nodes=True).train.history[-1].sentence
            room = 4 - int(sentence.split("; ")[1].split(" ")[0])
            seen.add(room)
            assert holdout(network, room / 4, seed, keep_nodes=True).test.n_listed == room
            with pytest.raises(InputError, match=f"leaves {room} to hold out; expected at least {room + 1}"):
                holdout(network, (room + 1) / 4, seed, keep_nodes=True)
        assert seen == {1, 2}

    def test_hidden_entries_stay_out_of_every_part(self):
        network = Network.from_dense(np.ones((4, 4))).hide(range(8))
        split = holdout(network, 0.5, 0)
        assert split.test.n_listed == 4
        assert split.train.n_known == 4
        assert not pairs(split.test) & pairs(network.subset(range(8)).with_weights(np.ones(8)))

    def test_held_out_entries_are_unknown_whatever_the_background(self):
        network = Network.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)], symmetric=True, background=1.0)
        split = holdout(network, 0.5, 0)
        dense = split.train.to_dense()
        assert np.isnan(dense[split.test.rows, split.test.cols]).all()
        assert split.train.background == 1

    def test_history_and_repr_have_the_counts(self):
        split = holdout(Network.from_dense(np.eye(4)), 0.25, 0, calibration=0.25)
        assert repr(split) == "Split: 8 to train, 4 to test, 4 to calibrate"
        assert split.train.history[-1].sentence == "Held out 8 of 16 known entries."
        assert split.test.history[-1].touched == 8
        assert repr(holdout(Network.from_dense(np.eye(4)), 0.25, 0)) == "Split: 12 to train, 4 to test"

    def test_a_split_never_changes(self):
        split = holdout(Network.from_dense(np.eye(4)), 0.25, 0)
        with pytest.raises(AttributeError):
            split.test = split.train
        assert isinstance(split, Split)


class TestRepeated:
    def test_the_ith_split_does_not_depend_on_the_number_of_repeats(self):
        network = Network.from_dense(np.eye(6))
        three = list(repeated_holdouts(network, 0.3, 3, rng=7))
        five = list(repeated_holdouts(network, 0.3, 5, rng=7, calibration=0.0))
        assert [split.test for split in three] == [split.test for split in five[:3]]
        assert len({tuple(split.test.rows * 6 + split.test.cols) for split in five}) == 5

    def test_a_generator_and_none_are_seeds_too(self):
        network = Network.from_dense(np.eye(6))
        one, other = (list(repeated_holdouts(network, 0.3, 2, np.random.default_rng(1))) for _ in range(2))
        assert [split.test for split in one] == [split.test for split in other]
        assert len(list(repeated_holdouts(network, 0.3, 2))) == 2
        assert len(list(repeated_holdouts(network, 0.3, 2, np.int64(3), stratify=False))) == 2

    def test_invalid_arguments_raise_at_once(self):
        network = Network.from_dense(np.eye(3))
        with pytest.raises(InputError, match="repeats is 0"):
            repeated_holdouts(network, 0.3, 0)
        with pytest.raises(InputError, match=r"share is 1\.5"):
            repeated_holdouts(network, 1.5, 2)


class TestFolds:
    @settings(max_examples=50)
    @given(networks(min_known=4), st.integers(2, 4), st.booleans())
    @pytest.mark.slow
    def test_every_known_entry_is_tested_once(self, network, folds, stratify):
        splits = list(kfold(network, folds, rng=0, stratify=stratify))
        for split in splits:
            assert_partition(network, split)
        tested = [pairs(split.test) for split in splits]
        assert sum(map(len, tested)) == network.n_known
        assert set().union(*tested) == pairs(network)
        assert max(map(len, tested)) - min(map(len, tested)) <= 1

    @settings(max_examples=50)
    @given(networks(binary=True, min_known=4), st.integers(2, 4))
    @pytest.mark.slow
    def test_each_value_is_spread_evenly_over_the_folds(self, network, folds):
        counts = [split.test.values.sum() for split in kfold(network, folds, rng=0)]
        assert max(counts) - min(counts) <= 1

    @pytest.mark.parametrize("folds", [1, 10])
    def test_the_number_of_folds_is_checked(self, folds):
        with pytest.raises(
            InputError,
            match=f"folds is {folds}; expected a whole number from 2 to 9, the number of known entries",
        ):
            kfold(Network.from_dense(np.eye(3)), folds)


@pytest.mark.parametrize(
    ("share", "calibration", "message"),
    [
        (0.0, 0.0, r"share is 0\.0"),
        (1.0, 0.0, r"share is 1\.0"),
        (np.nan, 0.0, "share is nan"),
        (0.5, -0.1, r"calibration is -0\.1"),
        (0.5, 0.5, "a sum below 1"),
        (0.01, 0.0, "0 to test"),
        (0.99, 0.0, "0 to train"),
        (0.5, 0.01, "0 to calibrate"),
    ],
)
def test_shares_that_leave_a_part_empty_raise(share, calibration, message):
    with pytest.raises(InputError, match=message):
        holdout(Network.from_dense(np.eye(3)), share, calibration=calibration)


@pytest.mark.parametrize("split", [lambda network: holdout(network, 0.5), lambda network: kfold(network, 2)])
def test_networks_that_cannot_be_split_raise(split):
    with pytest.raises(InputError, match="all 9 listed entries are hidden"):
        split(Network.from_dense(np.eye(3)).hide(range(9)))
    with pytest.raises(IncompatibleError, match="needs every pair listed once"):
        split(Network([0, 0], [1, 1], shape=(2, 2)))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.data())
def test_allocation_has_the_total_and_stays_within_the_room(sizes, data):
    sizes = np.array(sizes)
    assume(sizes.sum() > 0)
    room = np.array([data.draw(st.integers(0, int(size))) for size in sizes])
    total = data.draw(st.integers(0, int(room.sum())))
    counts = allocated(sizes, total, room)
    assert counts.sum() == total
    assert (counts <= room).all()
    unlimited = allocated(sizes, total, sizes)
    assert (np.abs(unlimited - total * sizes / sizes.sum()) < 1).all()


def test_equal_values_are_in_one_class():
    values = np.r_[np.zeros(500), np.arange(100.0)]
    classes = value_classes(values)
    assert classes.max() <= 9
    assert len(set(classes[:500])) == 1


def test_repeats_from_a_generator_derive_their_seeds_from_its_next_number():
    network = Network.from_dense(np.arange(40.0).reshape(5, 8))
    drawn = repeated_holdouts(network, 0.3, 2, np.random.default_rng(5))
    seed = int(np.random.default_rng(5).integers(2**63))
    for one, other in zip(drawn, repeated_holdouts(network, 0.3, 2, seed), strict=True):
        assert one.test == other.test


def test_up_to_twenty_values_are_classes_and_more_are_in_deciles():
    twenty = np.tile(np.arange(20.0), 3)
    np.testing.assert_array_equal(value_classes(twenty), twenty)
    for count in (21, 40, 1000):
        values = np.random.default_rng(count).permutation(count).astype(float)
        borders = np.quantile(values, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
        np.testing.assert_array_equal(value_classes(values), (values[:, None] > borders).sum(axis=1))


def test_parts_of_a_single_entry():
    split = holdout(Network.from_dense(np.eye(4)[:2]), 0.125, 0, calibration=0.125)
    assert repr(split) == "Split: 6 to train, 1 to test, 1 to calibrate"
    split = holdout(Network.from_dense([[1, 0, 1]]), 0.34, 0, calibration=0.34)
    assert repr(split) == "Split: 1 to train, 1 to test, 1 to calibrate"
