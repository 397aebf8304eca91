"""Blocks of members: as many lanes as hold them, and the same results in any number of lanes."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.network import Ensemble, Network
from latentlink.rank.engine import fit_members
from latentlink.solvers.descent.blocks import make_block, member_groups
from tests.rank.paths import small_plan


@pytest.mark.parametrize(
    ("members", "precision", "lanes"),
    [
        (1, "float32", 1), (2, "float32", 8), (8, "float32", 8), (9, "float32", 16), (16, "float32", 16),
        (1, "float64", 1), (4, "float64", 4), (5, "float64", 8),
    ],
)  # fmt: skip
def test_a_block_has_the_fewest_lanes_that_hold_its_members(members, precision, lanes, monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")
    network = Network.from_dense(np.random.default_rng(0).random((4, 3)))
    block = make_block(Ensemble.of(network, members), range(members), precision)
    assert block.members == [*range(members), *[members - 1] * (lanes - members)]
    assert block.rows.values.shape == (12, lanes)


def test_groups_are_full_blocks(monkeypatch):
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")
    assert member_groups(20, "float32") == [range(16), range(16, 20)]
    assert member_groups(9, "float64") == [range(8), range(8, 9)]


def test_members_do_not_depend_on_the_lanes_of_their_block():
    plan = small_plan(n_members=16)
    many, few = (fit_members(plan, 2, range(count)) for count in (12, 3))  # of 16 and of 8 lanes
    for one, other in zip(many, few, strict=False):
        np.testing.assert_array_equal(one.factors.W, other.factors.W)
        np.testing.assert_array_equal(one.factors.H, other.factors.H)
