import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import Network
from latentlink.splitting import Split, holdout, kfold, repeated_holdouts
from latentlink.splitting.strata import allocated, value_classes
from tests.network.strategies import networks


def pairs(network):
    """Known pairs; unordered where the network is."""
    known = network.known
    listed = zip(network.rows[known].tolist(), network.cols[known].tolist(), strict=True)
    return {tuple(sorted(pair)) if network.symmetric else pair for pair in listed}


def parts(split):
    return [split.train, split.test] + ([] if split.calibration is None else [split.calibration])


def check_partition(network, split):
    found = [pairs(part) for part in parts(split)]
    assert sum(map(len, found)) == len(set().union(*found))
    assert set().union(*found) == pairs(network)
    assert split.train.with_weights(network.weights) == network
    for part in parts(split)[1:]:
        assert part.background == 0
        assert part.known.all()
        assert part.shape == network.shape
        for row, col, value in zip(part.rows, part.cols, part.values, strict=True):
            place = network.position(int(row), int(col))
            assert network.values[place] == value
            assert split.train.weights[place] == 0


class TestHoldout:
    @given(
        networks(min_known=6),
        st.floats(0.2, 0.5),
        st.sampled_from([0.0, 0.25]),
        st.booleans(),
        st.integers(0, 9),
    )
    def test_the_parts_are_the_whole_and_never_overlap(self, network, share, calibration, stratify, seed):
        split = holdout(network, share, seed, stratify=stratify, calibration=calibration)
        check_partition(network, split)
        assert split.test.n_listed == round(share * network.n_known)
        if calibration:
            assert split.calibration.n_listed == round(calibration * network.n_known)
        else:
            assert split.calibration is None
        again = holdout(
            network, share, np.random.default_rng(seed), stratify=stratify, calibration=calibration
        )
        assert (again.train, again.test, again.calibration) == (split.train, split.test, split.calibration)

    @given(networks(binary=True, min_known=6), st.floats(0.2, 0.5), st.sampled_from([0.0, 0.25]))
    def test_each_value_has_its_share(self, network, share, calibration):
        split = holdout(network, share, 0, calibration=calibration)
        known = network.values[network.known]
        for value in (0, 1):
            size = np.count_nonzero(known == value)
            held = np.count_nonzero(split.test.values == value)
            exact = split.test.n_listed / network.n_known * size
            assert abs(held - exact) < 1
            if calibration:
                kept = np.count_nonzero(split.calibration.values == value)
                assert abs(kept - split.calibration.n_listed / network.n_known * size) <= 1

    def test_many_different_values_are_split_by_tenths(self):
        values = np.random.default_rng(0).normal(size=(100, 100))
        split = holdout(Network.from_dense(values), 0.2, 0)
        edges = np.quantile(values, np.arange(1, 10) / 10)
        held = np.bincount(np.searchsorted(edges, split.test.values), minlength=10)
        assert held.sum() == 2000
        assert np.abs(held - 200).max() <= 1

    def test_without_stratification_the_shares_vary(self):
        network = Network.from_dense(np.tile([0, 1], (40, 20)))
        held = [holdout(network, 0.2, seed, stratify=False).test.values.sum() for seed in range(5)]
        assert len(set(held)) > 1

    @given(networks(min_known=6), st.integers(0, 9))
    def test_nodes_are_kept_on_demand(self, network, seed):
        try:
            split = holdout(network, 0.2, seed, keep_nodes=True)
        except InputError as error:
            assert "keep_nodes spares" in str(error)  # noqa: PT017
            return
        check_partition(network, split)
        before, after = network.known, split.train.known
        if network.symmetric:
            ends = np.r_[network.rows, network.cols]
            assert set(ends[np.r_[before, before]]) == set(ends[np.r_[after, after]])
        else:
            for side in (network.rows, network.cols):
                assert set(side[before]) == set(side[after])
        assert "were spared" in split.train.history[-1].sentence

    def test_a_share_that_would_empty_a_node_is_refused_by_count(self):
        with pytest.raises(InputError, match="spares 4 of 4 known entries, which leaves 0"):
            holdout(Network.from_edges([(i, i) for i in range(4)]), 0.5, keep_nodes=True)

    def test_hidden_entries_stay_out_of_every_part(self):
        network = Network.from_dense(np.ones((4, 4))).hide(range(8))
        split = holdout(network, 0.5, 0)
        assert split.test.n_listed == 4
        assert split.train.n_known == 4
        assert not pairs(split.test) & pairs(network.subset(range(8)).with_weights(np.ones(8)))

    def test_the_background_does_not_fill_in_what_is_hidden(self):
        network = Network.from_edges([(0, 1), (1, 2), (2, 3), (0, 3)], symmetric=True, background=1.0)
        split = holdout(network, 0.5, 0)
        dense = split.train.to_dense()
        assert np.isnan(dense[split.test.rows, split.test.cols]).all()
        assert split.train.background == 1

    def test_history_and_repr_count(self):
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
    def test_the_ith_does_not_depend_on_how_many(self):
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

    def test_wrong_settings_are_refused_at_once(self):
        network = Network.from_dense(np.eye(3))
        with pytest.raises(InputError, match="repeats is 0"):
            repeated_holdouts(network, 0.3, 0)
        with pytest.raises(InputError, match=r"share is 1\.5"):
            repeated_holdouts(network, 1.5, 2)


class TestFolds:
    @given(networks(min_known=4), st.integers(2, 4), st.booleans())
    def test_every_known_entry_is_tested_once(self, network, folds, stratify):
        splits = list(kfold(network, folds, rng=0, stratify=stratify))
        for split in splits:
            check_partition(network, split)
        tested = [pairs(split.test) for split in splits]
        assert sum(map(len, tested)) == network.n_known
        assert set().union(*tested) == pairs(network)
        assert max(map(len, tested)) - min(map(len, tested)) <= 1

    @given(networks(binary=True, min_known=4), st.integers(2, 4))
    def test_each_value_is_dealt_out_evenly(self, network, folds):
        counts = [split.test.values.sum() for split in kfold(network, folds, rng=0)]
        assert max(counts) - min(counts) <= 1

    @pytest.mark.parametrize("folds", [1, 10])
    def test_the_number_of_folds_is_checked(self, folds):
        with pytest.raises(InputError, match=f"folds is {folds}; expected from 2 to 9"):
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
def test_shares_that_leave_a_part_empty_are_refused(share, calibration, message):
    with pytest.raises(InputError, match=message):
        holdout(Network.from_dense(np.eye(3)), share, calibration=calibration)


@pytest.mark.parametrize("split", [lambda it: holdout(it, 0.5), lambda it: kfold(it, 2)])
def test_networks_that_cannot_be_split_are_refused(split):
    with pytest.raises(InputError, match="all 9 listed entries are hidden"):
        split(Network.from_dense(np.eye(3)).hide(range(9)))
    with pytest.raises(IncompatibleError, match="needs every pair listed once"):
        split(Network([0, 0], [1, 1], shape=(2, 2)))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.data())
def test_allocation_keeps_the_total_and_the_room(sizes, data):
    sizes = np.array(sizes)
    assume(sizes.sum() > 0)
    room = np.array([data.draw(st.integers(0, int(size))) for size in sizes])
    total = data.draw(st.integers(0, int(room.sum())))
    given_ = allocated(sizes, total, room)
    assert given_.sum() == total
    assert (given_ <= room).all()
    free = allocated(sizes, total, sizes)
    assert (np.abs(free - total * sizes / sizes.sum()) < 1).all()


def test_value_classes_bin_ties_together():
    values = np.r_[np.zeros(500), np.arange(100.0)]
    classes = value_classes(values)
    assert classes.max() <= 9
    assert len(set(classes[:500])) == 1
