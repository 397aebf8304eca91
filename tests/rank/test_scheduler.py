"""Tasks of a search: the same bits wherever they run, progress, and cancelling."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context

import numpy as np
import pytest

from latentlink.errors import InputError, LatentLinkError
from latentlink.progress.search_progress import ProgressReporter
from latentlink.rank import Agreement, Bisect, HeldOut, SilhouetteCutoff, find_rank, scheduler
from latentlink.rank.engine import fit_members, summarise, with_redrawn_members
from latentlink.rank.ridge import probe_ranks
from latentlink.rank.scheduler import Scheduler
from latentlink.regime import Bootstrap, KMeans, Regime, boolean
from latentlink.solvers import BNMF, LMF, RNMF, WNMF
from tests.rank.paths import assert_same_path, assert_same_record, blocks, friends, small_plan

# Each has more members than fit into one block.
PLANS = {
    "real": small_plan(n_members=10),
    "single precision": small_plan(solver=WNMF(max_iter=40, ridge=0.01, precision="float32"), n_members=20),
    "boolean": small_plan(
        network=blocks(), solver=BNMF(max_iter=40, ridge=0.5), regime=boolean(KMeans()), n_members=10
    ),
    "logistic with a background": small_plan(
        network=friends(0.3),
        solver=LMF(max_iter=20, ridge=1.0),
        regime=Regime(perturb=Bootstrap()),
        n_members=10,
    ),
    "automatic ridge": small_plan(solver=RNMF(max_iter=30), n_members=10),
}
RANKS = (1, 2, 3)
every_plan = pytest.mark.parametrize("name", PLANS)
pytestmark = pytest.mark.filterwarnings(
    "ignore:No rank is stable", "ignore:Rank . is not stable", "ignore::sklearn.exceptions.ConvergenceWarning"
)


@cache
def serial(name):
    """The result of a search in the calling thread."""
    return find_rank(PLANS[name], RANKS, HeldOut())


def summary(plan, rank):
    """The record of a rank that was not chosen, without a search."""
    bare = plan.without_hidden()
    return summarise(bare, rank, fit_members(bare, rank, range(plan.n_members)))


# -------------------------------------------------------------------- reproducibility


@pytest.mark.slow
@every_plan
def test_threads_and_executors_give_the_same_bits(name):
    plan = PLANS[name]
    assert len(plan.blocks) > 1
    with ThreadPoolExecutor(2) as executor:
        results = [
            find_rank(plan, RANKS, HeldOut(), n_jobs=3),
            find_rank(plan, RANKS, HeldOut(), executor=executor),
        ]
    expected = serial(name)
    for result in results:
        assert_same_path(result.path, expected.path)
        assert (result.choice, result.ridge) == (expected.choice, expected.ridge)


@pytest.mark.slow
def test_other_processes_give_the_same_bits():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        for name in ("boolean", "automatic ridge"):
            result = find_rank(PLANS[name], RANKS, HeldOut(), executor=executor)
            assert_same_path(result.path, serial(name).path)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PLANS if name != "automatic ridge"])
def test_a_rank_does_not_depend_on_the_other_ranks_visited(name):
    plan, several = PLANS[name], serial(name)

    def record_if_chosen(rank):
        """The record with the Gibbs samples that Boolean members get at the chosen rank."""
        record = several.path[rank]
        return record if rank == several.choice.rank else with_redrawn_members(plan.without_hidden(), record)

    for rank in RANKS:
        assert_same_record(find_rank(plan, (rank,), HeldOut()).path[rank], record_if_chosen(rank))
    bisected = find_rank(plan, Bisect(2, 4), HeldOut())
    for rank in set(bisected.path.ranks) & set(RANKS):
        chosen = rank == bisected.choice.rank
        assert_same_record(bisected.path[rank], record_if_chosen(rank) if chosen else summary(plan, rank))


def test_members_do_not_depend_on_their_number():
    few, many = (find_rank(small_plan(n_members=n), (2,), HeldOut()).path[2] for n in (3, 20))
    common = [p for p in range(3) if p not in few.set_aside and p not in many.set_aside]
    assert len(common) >= 2
    assert [few.held_out[p] for p in common] == [many.held_out[p] for p in common]


def test_another_seed_gives_other_members():
    one, other = (find_rank(small_plan(seed=seed), (2,), HeldOut()).path[2] for seed in (0, 1))
    assert not (one.held_out == other.held_out).any()


_IN_A_PROCESS = """
import hashlib
import numpy as np
from latentlink import Network
from latentlink.rank.engine import Plan, fit_members
from latentlink.regime import real
from latentlink.solvers import WNMF

rng = np.random.default_rng(0)
network = Network.from_dense(rng.random((12, 2)) @ rng.random((2, 9)))
members = fit_members(Plan(network, WNMF(ridge=0.1, max_iter=30), real(), 3), 2, range(3))
sides = [side for member in members for side in (member.factors.W, member.factors.H)]
print(hashlib.sha256(b"".join(np.ascontiguousarray(side).tobytes() for side in sides)).hexdigest())
"""


@pytest.mark.slow
def test_a_cold_and_a_warm_compile_cache_give_the_same_bits(tmp_path):
    """Kernels are compiled in the first process, and loaded from the cache in the second."""
    digests = [
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
    assert len(digests[0].strip()) == 64
    assert digests[0] == digests[1]


# -------------------------------------------------------------------- progress


def test_progress_counts_all_tasks_and_has_the_choice_so_far():
    reports = []
    plan = small_plan(n_members=20)
    n_blocks = len(plan.blocks)
    result = find_rank(plan, (1, 2, 3), SilhouetteCutoff(), callback=reports.append)
    assert result.complete
    n_tasks = n_blocks + 1  # the last of which summarises the rank
    assert [report.done for report in reports[:-1]] == list(range(1, 3 * n_tasks + 1))
    assert [report.finished for report in reports] == [False] * (3 * n_tasks) + [True]
    shares = [report.share for report in reports]
    assert shares == sorted(shares)
    assert shares[-2] < shares[-1] == 1.0
    assert {report.total for report in reports} == {3 * n_tasks}
    assert [report.rank for report in reports[:n_blocks]] == [None] * n_blocks
    assert reports[n_blocks].rank == 1
    assert reports[-1].rank == result.choice.rank
    assert reports[0].seconds_left is None
    assert [report.seconds_left > 0 for report in reports[n_tasks:]] == [True] * (2 * n_tasks) + [False]


def test_the_last_report_comes_after_all_work(monkeypatch):
    """Undetermined entries of a Boolean model are drawn at the end, which takes time too."""
    events = []
    plan = small_plan(network=blocks(), solver=BNMF(ridge=0.5), regime=boolean(KMeans()), n_members=4)
    monkeypatch.setitem(
        find_rank.__globals__, "with_redrawn_members", lambda plan, record: events.append("drawn") or record
    )
    find_rank(plan, (2,), HeldOut(), callback=lambda report: events.append(report.finished))
    assert events[-2:] == ["drawn", True]


def test_the_total_is_corrected_when_a_search_adds_ranks():
    reports = []
    result = find_rank(small_plan(), Bisect(1, 8), HeldOut(), callback=reports.append)
    n_tasks = len(small_plan().blocks) + 1  # more than one block if the host has no vector instructions
    assert reports[0].total > 4 * n_tasks  # ranks 1, 2, 4 and 8, and some of those between
    assert reports[-1].total == reports[-1].done == len(result.path) * n_tasks
    assert all(report.done <= report.total for report in reports)
    shares = [report.share for report in reports]
    assert shares == sorted(shares)
    assert shares[0] < 0.1
    assert reports[-1].finished


def test_trials_of_ridges_are_tasks_and_can_be_cancelled():
    reports = []
    plan = small_plan(solver=WNMF(max_iter=40))
    result = find_rank(plan, (1, 2), HeldOut(), callback=reports.append)
    assert reports[0].total == reports[-1].total == len(probe_ranks((1, 2))) + 2 * (len(plan.blocks) + 1)
    assert (reports[0].rank, reports[-1].rank) == (None, result.choice.rank)
    with pytest.raises(LatentLinkError, match="cancelled before any rank was finished"):
        find_rank(plan, (1, 2), HeldOut(), callback=lambda report: np.False_)


def test_tasks_loaded_from_a_checkpoint_do_not_enter_the_estimate_of_the_time(tmp_path):
    find_rank(small_plan(), (1, 2), HeldOut(), folder=tmp_path)
    reports = []
    find_rank(small_plan(), (1, 2, 3), HeldOut(), folder=tmp_path, callback=reports.append)
    n_loaded = 2 * len(small_plan().blocks)
    assert [report.seconds_left for report in reports[:n_loaded]] == [None] * n_loaded
    assert reports[n_loaded].seconds_left is None  # the first task, which may load code
    assert reports[n_loaded + 1].seconds_left > 0  # the second summary


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_callback_that_returns_false_cancels_and_finished_ranks_stay(n_jobs):
    plan, reports = small_plan().without_hidden(), []
    result = find_rank(
        plan,
        (1, 2, 3, 4, 5),
        Agreement(),
        n_jobs=n_jobs,
        callback=lambda report: reports.append(report) or report.rank is None,  # until a rank is finished
    )
    assert not result.complete
    assert reports[-1].finished
    assert reports[-1].share < 1
    assert reports[-1].done < reports[-1].total
    assert len(result.path) == 1
    assert result.choice.rank in result.path.ranks
    for record in result.path:
        assert_same_record(record, summary(plan, record.rank))


def test_only_false_cancels():
    assert find_rank(small_plan(), (1, 2), HeldOut(), callback=lambda report: None).complete
    assert find_rank(small_plan(), (1, 2), HeldOut(), callback=lambda report: 0).complete


def test_a_search_cancelled_before_any_rank_is_finished_raises():
    with pytest.raises(LatentLinkError, match="cancelled before any rank was finished"):
        find_rank(small_plan(n_members=20), (1, 2), HeldOut(), callback=lambda report: False)


def test_exceptions_of_the_callback_are_raised():
    def broken(report):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        find_rank(small_plan(), (1, 2), HeldOut(), callback=broken, n_jobs=2)


# -------------------------------------------------------------------- time limit


@pytest.mark.filterwarnings("ignore:Rank 1 is not confirmed", "ignore:Rank 3 is not confirmed")
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_out_of_time_a_search_ends_with_the_ranks_that_are_finished(n_jobs):
    plan = small_plan(solver=WNMF(max_iter=40)).without_hidden()
    reports = []
    result = find_rank(plan, range(1, 9), HeldOut(), n_jobs=n_jobs, time_limit=1e-9, callback=reports.append)
    assert not result.complete
    last = reports[-1]
    assert (last.share, last.seconds_left, last.done, last.finished) == (1.0, 0.0, last.total, True)
    assert result.choice.rank in result.path.ranks
    assert 1 <= len(result.path) <= n_jobs  # a rank whose members are fitted is summarised too
    assert result.ridge.tried  # those that were tried until then
    ranks = ", ".join(map(str, result.path.ranks))
    noun = "rank" if len(result.path) == 1 else "ranks"
    passed = "; it took longer than the 1e-09 s that it had, since one rank is always finished"
    end = f"; the search ended at its time limit, after {noun} {ranks}"
    assert result.choice.reason.endswith(end + (passed if len(result.path) == 1 else ""))


@pytest.mark.filterwarnings("ignore:Rank 1 is not confirmed", "ignore:Rank 3 is not confirmed")
def test_a_rank_that_cannot_be_finished_in_time_is_not_begun(monkeypatch):
    """Ranks of 80 seconds within 200: two are finished, the third would take until 240."""
    ahead, clock = [0.0], time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: clock() + ahead[0])
    fit = scheduler.fit_members

    def slow(plan, rank, block):
        ahead[0] += 80.0 / len(plan.blocks)
        return fit(plan, rank, block)

    monkeypatch.setattr(scheduler, "fit_members", slow)
    for limit, count in ((200.0, 2), (230.0, 3), (10.0, 1)):
        ahead[0] = 0.0
        plan = small_plan(solver=WNMF(max_iter=5, ridge=0.1))
        result = find_rank(plan, (3, 3, 4, 5, 6), HeldOut(), time_limit=limit)
        assert len(result.path) == count
        assert not result.complete


def test_a_search_within_its_time_is_complete():
    result, unlimited = (find_rank(small_plan(), (1, 2), HeldOut(), time_limit=t) for t in (1e6, None))
    assert result.complete
    assert result.choice == unlimited.choice
    assert_same_path(result.path, unlimited.path)


@pytest.mark.filterwarnings("ignore:Rank 1 is not confirmed", "ignore:Rank 3 is not confirmed")
def test_a_search_out_of_time_continues_from_its_folder(tmp_path):
    plan = small_plan(solver=WNMF(max_iter=40))
    first = find_rank(plan, (1, 2, 3), HeldOut(), folder=tmp_path, time_limit=1e-9)
    second = find_rank(plan, (1, 2, 3), HeldOut(), folder=tmp_path)
    assert (first.complete, second.complete) == (False, True)
    assert_same_record(second.path[1], first.path[1])
    unlimited = find_rank(plan, (1, 2, 3), HeldOut())
    assert second.ridge == first.ridge == unlimited.ridge  # all ridges were tried
    assert_same_path(second.path, unlimited.path)


@pytest.mark.parametrize("wrong", [0, -1, np.nan, -np.inf, "10", True])
def test_a_time_limit_that_is_no_time_raises(wrong, tmp_path):
    with pytest.raises(InputError, match=r"time_limit is .*; expected a number > 0"):
        find_rank(small_plan(), (1, 2), HeldOut(), time_limit=wrong, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_trials_of_ridges_count_as_computed_unless_they_were_loaded(tmp_path):
    """Trials that a folder holds take no time, so that there is no pace yet."""
    plan = small_plan(solver=RNMF(max_iter=10), n_members=2)
    computed, loaded = [], []
    find_rank(plan, (1, 2), HeldOut(), callback=computed.append, folder=tmp_path)
    find_rank(plan, (1, 2), HeldOut(), callback=loaded.append, folder=tmp_path)
    assert [report.seconds_left is None for report in computed] == [True] + [False] * (len(computed) - 1)
    assert loaded[1].seconds_left is None


def test_a_search_can_be_cancelled_while_its_members_are_loaded(tmp_path):
    plan = small_plan(n_members=20)
    find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    calls = []
    with pytest.raises(LatentLinkError, match="cancelled before any rank was finished"):
        find_rank(plan, (1, 2), HeldOut(), folder=tmp_path, callback=lambda report: bool(calls.append(1)))
    assert len(calls) == 1


def test_trials_that_a_folder_holds_take_no_time(tmp_path):
    """The first search is cancelled after one of its trials, before a ridge was chosen."""
    plan = small_plan(solver=RNMF(max_iter=10), n_members=2)
    ranks = (1, 2)
    assert len(probe_ranks(ranks)) == 2
    with pytest.raises(LatentLinkError, match="cancelled before any rank was finished"):
        find_rank(plan, ranks, HeldOut(), callback=lambda report: False, folder=tmp_path)
    reports = []
    find_rank(plan, ranks, HeldOut(), callback=reports.append, folder=tmp_path)
    assert [report.seconds_left for report in reports[:2]] == [None, None]  # one loaded, one computed
    assert reports[-1].seconds_left == 0


@pytest.mark.parametrize(("now", "over"), [(4.99, False), (5.0, True), (5.01, True)])
def test_the_time_is_over_at_the_deadline(monkeypatch, now, over):
    monkeypatch.setattr(time, "monotonic", lambda: now)
    scheduler = Scheduler(small_plan(), HeldOut(), Bisect(), None, None, ProgressReporter(None, deadline=5.0))
    assert scheduler.out_of_time is over


def test_trials_of_ridges_loaded_from_a_checkpoint_do_not_enter_the_estimate(tmp_path):
    """The choice of the ridge is removed from the folder, but not its trials."""
    plan = small_plan(solver=WNMF(max_iter=40))
    find_rank(plan, (1, 2), HeldOut(), folder=tmp_path)
    (tmp_path / "ridge.npz").unlink()
    reports = []
    find_rank(plan, (1, 2), HeldOut(), folder=tmp_path, callback=reports.append)
    n_loaded = len(probe_ranks((1, 2))) + 2 * len(plan.blocks)
    assert [report.seconds_left for report in reports[:n_loaded]] == [None] * n_loaded
