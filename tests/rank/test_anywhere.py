"""Here or there, alone or among others: the same records to the last bit."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

from latentlink.rank import Bisect, HeldOut, find_rank
from latentlink.rank.engine import fit_members, summarise, with_drawn_members
from latentlink.regime import Bootstrap, KMeans, Regime, boolean
from latentlink.solvers import BNMF, LMF, RNMF, WNMF
from tests.rank.paths import assert_same_path, assert_same_record, blocks, friends, small_plan

WEIGHED = Regime(perturb=Bootstrap())
PLANS = {
    "real": small_plan(n_members=20),
    "single precision": small_plan(solver=WNMF(max_iter=40, ridge=0.01, precision="float32"), n_members=20),
    "boolean": small_plan(
        network=blocks(), solver=BNMF(max_iter=40, ridge=0.5), regime=boolean(KMeans()), n_members=10
    ),
    "logistic with a background": small_plan(
        network=friends(0.3), solver=LMF(max_iter=20, ridge=1.0), regime=WEIGHED, n_members=10
    ),
    "its ridge chosen": small_plan(solver=RNMF(max_iter=30), n_members=10),
}
every_plan = pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
pytestmark = pytest.mark.filterwarnings(
    "ignore:No rank is stable", "ignore:Rank . is not stable", "ignore::sklearn.exceptions.ConvergenceWarning"
)


@every_plan
def test_threads_and_executors_find_the_same(plan):
    expected = find_rank(plan, (1, 2, 3), HeldOut())
    for n_jobs in (1, 2, 4):
        assert_same_path(find_rank(plan, (1, 2, 3), HeldOut(), n_jobs=n_jobs).path, expected.path)
    with ThreadPoolExecutor(3) as pool:
        found = find_rank(plan, (1, 2, 3), HeldOut(), executor=pool)
    assert_same_path(found.path, expected.path)
    assert (found.choice, found.ridge) == (expected.choice, expected.ridge)


def test_other_processes_find_the_same():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for plan in (PLANS["real"], PLANS["boolean"], PLANS["its ridge chosen"]):
            found = find_rank(plan, (1, 2), HeldOut(), executor=pool)
            assert_same_path(found.path, find_rank(plan, (1, 2), HeldOut()).path)


@pytest.mark.parametrize("name", [name for name in PLANS if name != "its ridge chosen"])
def test_a_rank_alone_is_a_rank_among_others(name):
    plan = PLANS[name]
    among = find_rank(plan, (1, 2, 3), HeldOut())

    def chosen(rank):
        """What the record had been if its rank had been chosen: Boolean members are drawn then."""
        record = among.path[rank]
        return record if rank == among.choice.rank else with_drawn_members(plan.without_hidden(), record)

    for rank in (1, 2, 3):
        assert_same_record(find_rank(plan, (rank,), HeldOut()).path[rank], chosen(rank))
    found = find_rank(plan, Bisect(2, 5), HeldOut())
    for rank in set(found.path.ranks) & {1, 2, 3}:
        again = rank == found.choice.rank
        assert_same_record(found.path[rank], chosen(rank) if again else undrawn(plan, rank))


def undrawn(plan, rank):
    """A record of a rank that was not chosen."""
    bare = plan.without_hidden()
    return summarise(bare, rank, fit_members(bare, rank, range(plan.n_members)))


def test_members_do_not_depend_on_how_many_there_are():
    few, many = (find_rank(small_plan(n_members=n), (2,), HeldOut()).path[2] for n in (3, 20))
    seen = [p for p in range(3) if p not in few.set_aside and p not in many.set_aside]
    assert len(seen) >= 2
    assert [few.held_out[p] for p in seen] == [many.held_out[p] for p in seen]


def test_another_seed_finds_something_else():
    one, other = (find_rank(small_plan(seed=seed), (2,), HeldOut()).path[2] for seed in (0, 1))
    assert not (one.held_out == other.held_out).any()


_IN_A_PROCESS = """
import hashlib, warnings
import numpy as np
from latentlink import WNMFk

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
model = WNMFk((1, 2), n_perturbs=3, random_state=0).fit(rng.random((12, 2)) @ rng.random((2, 9)))
parts = [np.ascontiguousarray(part).tobytes() for each in model.members_ for part in (each.W, each.H)]
print(hashlib.sha256(b"".join(parts)).hexdigest())
"""


def test_a_restart_and_a_cold_cache_change_no_bit(tmp_path):
    """Kernels are compiled in the first process, and loaded in the second."""
    found = [
        subprocess.run(
            [sys.executable, "-c", _IN_A_PROCESS],
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _ in range(2)
    ]
    assert any(tmp_path.iterdir())
    assert len(found[0].strip()) == 64
    assert found[0] == found[1]
