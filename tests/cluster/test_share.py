"""Shares of a run folder: order, claims, and those of processes that have ended."""

from __future__ import annotations

import os

import pytest

from latentlink.cluster import Share, claimed
from latentlink.errors import InputError
from latentlink.rank import HeldOut, find_rank
from latentlink.rank.checkpoint import Checkpoint
from tests.rank.paths import assert_same_path, small_plan


@pytest.mark.filterwarnings("ignore::latentlink.errors.RankWarning", "ignore::UserWarning")
def test_one_share_alone_takes_all_tasks(tmp_path):
    plan = small_plan(n_members=10)
    with Share(2, 3) as share:
        result = find_rank(plan, (1, 2), HeldOut(), executor=share, folder=tmp_path)
    assert_same_path(result.path, find_rank(plan, (1, 2), HeldOut()).path)


def test_a_task_that_is_claimed_is_not_computed_until_the_claim_is_void(tmp_path):
    claim = Checkpoint(tmp_path, small_plan()).claim(2, range(4))
    with claimed(claim) as ours, claimed(claim) as theirs:
        assert (ours, theirs) == (True, False)
        assert claim.exists()
    assert not claim.exists()
    claim.touch()
    os.utime(claim, (0, 0))  # of a process that has ended
    with claimed(claim) as ours:
        assert ours
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize(("number", "count"), [(0, 2), (3, 2)])
def test_a_share_that_is_none_raises(number, count):
    with pytest.raises(InputError, match=f"The share is {number}/{count}; expected"):
        Share(number, count)
