"""Consensus matrices of nodes over the members, and measures of their stability."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.cluster.hierarchy import average, cophenet
from scipy.spatial.distance import pdist

from latentlink.errors import InputError
from latentlink.factors import Factors
from latentlink.rank import (
    consensus_matrix,
    consensus_table,
    cophenetic_correlation,
    share_ambiguous,
)
from tests.rank.paths import path_of, record


def ensemble(rank=3, members=5, seed=0, shape=(8, 6)):
    rng = np.random.default_rng(seed)
    factors = tuple(
        Factors(rng.random((shape[0], rank)), rng.random((rank, shape[1]))) for _ in range(members)
    )
    return replace(record(rank), members=factors)


@pytest.mark.parametrize("side", ["rows", "columns"])
def test_the_consensus_is_the_share_of_members_that_join_two_nodes(side):
    one = ensemble()
    result = consensus_matrix(one, side)
    for i in range(len(result)):
        for j in range(len(result)):
            joined = 0
            for member in one.members:
                loadings = member.W if side == "rows" else member.H.T
                joined += loadings[i].argmax() == loadings[j].argmax()
            assert result[i, j] == pytest.approx(joined / 5)


def test_many_nodes_are_sampled_evenly():
    one = ensemble(shape=(101, 6))
    whole, part = consensus_matrix(one, "rows"), consensus_matrix(one, "rows", max_nodes=11)
    np.testing.assert_array_equal(part, whole[::10, ::10])


def test_members_that_agree_are_not_ambiguous():
    blocks = Factors(np.kron(np.eye(2), np.ones((4, 1))), np.ones((2, 5)))
    consensus = consensus_matrix(replace(record(2), members=(blocks,) * 3), "rows")
    assert cophenetic_correlation(consensus) == pytest.approx(1.0)
    assert share_ambiguous(consensus) == 0.0


def test_the_cophenetic_correlation_is_that_of_average_linkage():
    points = np.random.default_rng(0).random((10, 2))
    distances = pdist(points)
    consensus = np.eye(10)
    consensus[np.triu_indices(10, 1)] = 1 - distances / 2
    consensus = np.maximum(consensus, consensus.T)
    expected = cophenet(average(distances), distances)[0]
    assert cophenetic_correlation(consensus) == pytest.approx(expected)


def test_equal_distances_are_represented_perfectly():
    assert cophenetic_correlation(np.ones((4, 4))) == 1.0
    assert cophenetic_correlation(np.ones((1, 1))) == 1.0


def test_ambiguous_pairs_lie_between_the_limits_exclusively():
    consensus = np.eye(4)
    consensus[np.triu_indices(4, 1)] = [0.0, 0.1, 0.2, 0.8, 0.9, 1.0]
    consensus = np.maximum(consensus, consensus.T)
    assert share_ambiguous(consensus) == pytest.approx(2 / 6)
    assert share_ambiguous(consensus, 0.0, 1.0) == pytest.approx(4 / 6)
    assert share_ambiguous(np.ones((1, 1))) == 0.0


def test_the_table_has_both_measures_of_both_sides_at_every_rank():
    path = path_of(ensemble(2), ensemble(3))
    table = consensus_table(path)
    assert table["rank"].tolist() == [2, 3]
    for side in ("rows", "columns"):
        matrix = consensus_matrix(path[3], side)
        assert table[f"cophenetic_{side}"][1] == cophenetic_correlation(matrix)
        assert table[f"ambiguous_{side}"][1] == share_ambiguous(matrix)


def test_invalid_arguments_raise():
    with pytest.raises(InputError, match="nodes"):
        consensus_matrix(ensemble(), "nodes")
    with pytest.raises(InputError, match="max_nodes is 1"):
        consensus_matrix(ensemble(), max_nodes=1)
    for low, high in ((0.9, 0.5), (0.5, 0.5)):
        with pytest.raises(InputError, match=rf"low is {low} and high is {high}; expected low < high"):
            share_ambiguous(np.eye(3), low, high)
    for name, wrong in (("low", -0.1), ("low", 1.5), ("high", -0.1), ("high", 1.5)):
        with pytest.raises(InputError, match=f"{name} is {wrong}; expected a number from 0 to 1"):
            share_ambiguous(np.eye(3), **{name: wrong})


def test_two_nodes_and_one_member_are_enough():
    one = ensemble(members=1)
    whole, part = consensus_matrix(one, "rows"), consensus_matrix(one, "rows", max_nodes=2)
    assert set(np.unique(whole)) <= {0.0, 1.0}
    np.testing.assert_array_equal(part, whole[np.ix_([0, 7], [0, 7])])


def test_the_diagonal_does_not_matter():
    consensus = consensus_matrix(ensemble(), "rows")
    other = consensus - 0.5 * np.eye(len(consensus))
    assert cophenetic_correlation(other) == cophenetic_correlation(consensus)
    assert share_ambiguous(other) == share_ambiguous(consensus)
