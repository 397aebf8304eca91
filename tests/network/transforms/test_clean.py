"""Cleaning: duplicates, conflicting values, self loops, binary values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.errors import IncompatibleError, InputError
from latentlink.network import (
    Network,
    binarize,
    drop_duplicates,
    drop_self_loops,
    drop_sparse_nodes,
    resolve_conflicts,
    sample_negatives,
)
from tests.network.strategies import networks, networks_with_duplicates

RESOLUTIONS = ["link", "non-link", "mean", "drop"]


def entries(network):
    return list(zip(*(array.tolist() for array in network.entries), strict=True))


class TestDuplicates:
    @settings(max_examples=30)
    @given(networks_with_duplicates())
    def test_each_different_entry_remains_once(self, network):
        cleaned = drop_duplicates(network)
        assert sorted(entries(cleaned)) == sorted(set(entries(network)))
        assert cleaned.history[-1].touched == network.n_listed - cleaned.n_listed
        assert drop_duplicates(cleaned) == cleaned

    def test_a_known_and_a_hidden_entry_of_a_pair_both_remain(self):
        network = Network.from_edges([(0, 0, 1, 0), (0, 0, 1, 1), (0, 0, 1, 1)], duplicates="keep")
        assert sorted(drop_duplicates(network).weights) == [0, 1]

    def test_an_empty_network_gets_a_step_too(self):
        network = Network([], [], shape=(2, 2))
        assert drop_duplicates(network).history[-1].touched == 0


class TestConflicts:
    @settings(max_examples=30)
    @given(networks_with_duplicates(), st.sampled_from(RESOLUTIONS))
    def test_every_pair_is_listed_once_afterwards(self, network, resolution):
        cleaned = resolve_conflicts(network, resolution)
        assert cleaned.is_clean
        assert resolve_conflicts(cleaned, resolution) == cleaned
        pairs = {}
        for row, col, value, weight in entries(network):
            pairs.setdefault((row, col), []).append((value, weight))
        # Hidden entries are ignored beside known ones.
        pairs = {
            pair: [(value, weight) for value, weight in listed if weight] or listed
            for pair, listed in pairs.items()
        }
        conflicts = {pair for pair, listed in pairs.items() if len({value for value, _ in listed}) > 1}
        assert cleaned.history[-1].touched == len(conflicts)
        remaining = {(row, col): (value, weight) for row, col, value, weight in entries(cleaned)}
        assert set(remaining) == set(pairs) - (conflicts if resolution == "drop" else set())
        for pair, (value, weight) in remaining.items():
            values, weights = (np.array(column) for column in zip(*pairs[pair], strict=True))
            assert weight == weights.max()
            mean = np.average(values, weights=weights if weights.any() else None)
            expected = {"link": values.max(), "non-link": values.min(), "mean": mean, "drop": values[0]}
            assert value == pytest.approx(expected[resolution])

    @pytest.mark.parametrize("resolution", RESOLUTIONS)
    def test_a_hidden_entry_never_overrules_a_known_one(self, resolution):
        listed = [("a", "x", 0, 1), ("a", "x", 1, 0), ("b", "x", 1, 1)]
        network = Network.from_edges(listed, duplicates="keep")
        for raw in (network, drop_duplicates(network)):
            cleaned = resolve_conflicts(raw, resolution)
            position = cleaned.position("a", "x")
            assert (cleaned.values[position], cleaned.weights[position]) == (0, 1)
            assert cleaned.history[-1].touched == 0
            assert "3 entries became 2" in cleaned.history[-1].sentence

    def test_only_known_values_are_resolved(self):
        listed = [(0, 0, 2, 1), (0, 0, 9, 0), (0, 0, 4, 1), (0, 0, -9, 0)]
        network = Network.from_edges(listed, duplicates="keep")
        values = {how: resolve_conflicts(network, how).values.tolist() for how in RESOLUTIONS}
        assert values == {"link": [4], "non-link": [2], "mean": [3], "drop": []}

    @pytest.mark.parametrize(
        ("resolution", "sentence"),
        [
            ("link", "1 pair had different values and got the largest; 3 entries became 2."),
            ("mean", "1 pair had different values and got their mean; 3 entries became 2."),
            ("drop", "1 pair had different values and was removed; 3 entries became 1."),
        ],
    )
    def test_the_history_describes_the_resolution(self, resolution, sentence):
        network = Network.from_edges([(0, 1, 1), (0, 1, 0), (1, 1, 1)], duplicates="keep")
        assert resolve_conflicts(network, resolution).history[-1].sentence == sentence

    def test_an_empty_network_stays_empty_and_an_unknown_resolution_raises(self):
        empty = resolve_conflicts(Network([], [], shape=(2, 2)), "link")
        assert (empty.n_listed, empty.history[-1].touched) == (0, 0)
        with pytest.raises(InputError, match="how is 'best'"):
            resolve_conflicts(Network([0], [0], shape=(1, 1)), "best")


@settings(max_examples=30)
@given(networks())
def test_only_self_loops_are_removed(network):
    if not network.square:
        with pytest.raises(IncompatibleError, match="two kinds of nodes"):
            drop_self_loops(network)
        return
    cleaned = drop_self_loops(network)
    assert not cleaned.has_self_loops
    assert cleaned.history[-1].touched == np.count_nonzero(network.rows == network.cols)
    assert cleaned == network.subset(network.rows != network.cols)


class TestBinarize:
    @settings(max_examples=30)
    @given(networks())
    def test_values_above_the_threshold_become_1_and_others_0(self, network):
        cleaned = binarize(network, at=0.5)
        assert cleaned.is_binary
        assert cleaned.values.tolist() == (network.values > 0.5).astype(float).tolist()
        assert cleaned.history[-1].touched == np.count_nonzero(cleaned.values != network.values)
        assert binarize(cleaned, at=0.5) == cleaned

    def test_the_threshold_itself_becomes_0(self):
        assert binarize(Network([0, 0], [0, 1], [2.0, 2.5], shape=(1, 2)), at=2).values.tolist() == [0, 1]

    @pytest.mark.parametrize(("threshold", "shown"), [(np.nan, "nan"), ("x", "'x'"), (None, "None")])
    def test_a_threshold_that_is_not_a_finite_number_raises(self, threshold, shown):
        with pytest.raises(InputError, match=f"at is {shown}; expected a .*number"):
            binarize(Network([0], [0], shape=(1, 1)), at=threshold)


@pytest.mark.parametrize(
    "transform",
    [
        drop_duplicates,
        drop_self_loops,
        sample_negatives,
        lambda X: resolve_conflicts(X, "link"),
        lambda X: binarize(X, 0.5),
        lambda X: drop_sparse_nodes(X, 1),
    ],
)
def test_anything_but_a_network_raises(transform):
    with pytest.raises(InputError, match="type ndarray; expected a Network"):
        transform(np.eye(2))
