"""Members of several ensembles, matched by number."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink.errors import DataWarning
from latentlink.factors import Factors
from latentlink.rank import RankRecord
from latentlink.solvers import Posterior
from latentlink.stacking import common_members


def record(count, set_aside=()):
    """Return an ensemble whose members have their own number as their only factor."""
    members = tuple(
        Factors(np.array([[float(number)]]), np.ones((1, 1)))
        for number in range(count)
        if number not in set_aside
    )
    held_out = np.where(np.isin(np.arange(count), set_aside), np.nan, 0.1)
    ones = np.ones(1)
    return RankRecord(1, members[0], members, ones, ones, 0.1, ones, held_out, set_aside, count)


def numbers(records):
    """Return the numbers of the members that are joined."""
    return [tuple(int(member.W[0, 0]) for member in parts) for parts in common_members(records)]


def test_members_of_the_same_number_are_joined():
    assert numbers([record(3), record(3)]) == [(0, 0), (1, 1), (2, 2)]
    assert numbers([record(2)]) == [(0,), (1,)]


def test_members_that_one_ensemble_has_set_aside_are_left_out():
    assert numbers([record(5, (1,)), record(5, (0, 3)), record(5)]) == [(2, 2, 2), (4, 4, 4)]


def test_ensembles_of_different_sizes_warn_and_are_joined_up_to_the_smallest():
    with pytest.warns(
        DataWarning, match=r"Models with 2 and 4 members are joined .* only 2 of each are used"
    ):
        assert numbers([record(4), record(2), record(4, (0,))]) == [(1, 1, 1)]


def test_draws_of_chains_are_numbered_one_by_one():
    chains = Posterior(2, np.ones(4), np.ones(3), np.ones(3))
    drawn = replace(record(4), held_out=np.zeros(2), posterior=chains)
    assert numbers([drawn, record(4)]) == [(0, 0), (1, 1), (2, 2), (3, 3)]
