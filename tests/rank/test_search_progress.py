"""Progress of a search: its share of the time, the time left, and whether its end is open."""

from __future__ import annotations

import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core import event
from sklearn.base import clone

from latentlink.network import Network
from latentlink.progress import work_clock
from latentlink.progress.search_progress import ProgressReporter
from latentlink.progress.task_costs import draw_cost, trial_cost
from latentlink.progress.task_pace import Task
from latentlink.rank import Bisect, Doubling, HeldOut, find_rank
from latentlink.regime import KMeans, boolean
from latentlink.solvers import BNMF, RNMF, WNMF
from tests.rank.paths import blocks, small_plan

pytestmark = pytest.mark.filterwarnings(
    "ignore:No rank is stable", "ignore:Rank . is not", "ignore::sklearn.exceptions.ConvergenceWarning"
)


@pytest.fixture
def clock(monkeypatch):
    """A clock that shows the same time until it is set: ``clock.now = 5.0``."""
    hands = SimpleNamespace(now=100.0)
    monkeypatch.setattr(time, "monotonic", lambda: hands.now)
    return hands


def fit(rank, cost=10.0):
    return Task("fit", rank, cost)


def run(reporter, clock, tasks):
    """Report tasks given with their seconds."""
    for task, seconds in tasks:
        clock.now += seconds
        assert reporter.report(task, lambda: 5)


# -------------------------------------------------------------------- the time left, by a clock


def test_the_time_left_is_predicted_from_the_nearest_rank(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0)
    reporter.expect([fit(1), fit(1), fit(1024), fit(1024), fit(1024)])
    run(reporter, clock, [(fit(1), 1.0), (fit(1), 1.0), (fit(1024), 60.0), (fit(1024), 60.0)])
    assert reports[0].seconds_left is None
    assert [each.seconds_left for each in reports[1:]] == pytest.approx([3.0, 120.0, 60.0], rel=1e-6)
    assert [each.share for each in reports] == pytest.approx([1 / 5, 2 / 5, 2 / 5, 122 / 182], rel=1e-6)
    assert [(each.done, each.total, each.rank) for each in reports] == [(k, 5, 5) for k in (1, 2, 3, 4)]


def test_what_the_first_task_loads_is_spent_but_not_expected_again(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0)
    reporter.expect([fit(2)] * 5)
    run(reporter, clock, [(fit(2), 20.0), (fit(2), 1.0), (fit(2), 1.0)])
    assert [each.seconds_left for each in reports] == [None, pytest.approx(3.0), pytest.approx(2.0)]
    assert [each.share for each in reports] == pytest.approx([1 / 5, 21 / 24, 22 / 24])


def test_what_is_compiled_is_neither_spent_nor_a_pace(clock):
    """The first two tasks compile for 30 and 9 seconds, and work for one."""
    reports = []
    with work_clock():
        reporter = ProgressReporter(reports.append, start_time=100.0)
        reporter.expect([fit(2)] * 5)
        for seconds in (30.0, 9.0):
            event.start_event("numba:compiler_lock")
            clock.now += seconds
            event.end_event("numba:compiler_lock")
            run(reporter, clock, [(fit(2), 1.0)])
    assert [each.seconds_left for each in reports] == [None, pytest.approx(3.0)]
    assert [each.share for each in reports] == pytest.approx([1 / 5, 2 / 5])


def test_likely_tasks_are_counted_and_loaded_ones_take_no_time(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0, likely=[fit(2), fit(2)])
    reporter.expect([fit(2)] * 3)
    clock.now += 50.0
    assert reporter.report(fit(2), lambda: None, loaded=True)
    run(reporter, clock, [(fit(2), 4.0), (fit(2), 6.0)])
    assert [each.total for each in reports] == [5, 5, 5]
    assert [each.seconds_left for each in reports] == [None, None, 12.0]
    assert [each.share for each in reports] == pytest.approx([1 / 5, 8 / 20, 16 / 28])


def test_while_the_end_is_open_the_time_left_is_the_least_and_the_share_is_modest(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0, likely=[fit(2)], further=[fit(2)] * 6)
    reporter.expect([fit(2)] * 3)
    run(reporter, clock, [(fit(2), 1.0), (fit(2), 1.0)])
    reporter.further = ()
    run(reporter, clock, [(fit(2), 1.0)])
    open_ended = [(each.open_ended, each.seconds_left) for each in reports]
    assert open_ended == [(True, None), (True, 2.0), (False, 1.0)]
    assert [each.share for each in reports] == pytest.approx([1 / 9, 2 / 9, 3 / 4])
    assert reports[0].total == 4


def test_further_tasks_never_make_the_share_larger(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0, likely=[fit(2)] * 6, further=[fit(2)])
    reporter.expect([fit(2)] * 2)
    run(reporter, clock, [(fit(2), 1.0)])
    assert reports[0].share == pytest.approx(1 / 8)


def test_work_at_the_end_is_left_after_the_last_task(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0, closing=[Task("draw", 2, 5.0)])
    reporter.expect([fit(2)] * 2)
    run(reporter, clock, [(fit(2), 2.0)] * 2)
    assert (reports[1].seconds_left, reports[1].share) == (1.0, pytest.approx(4 / 5))


def test_before_the_last_call_the_share_is_below_one_and_some_time_is_left(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0)
    reporter.expect([fit(2)] * 2)
    run(reporter, clock, [(fit(2), 2.0)] * 2)
    assert 0.99 < reports[1].share < 1
    assert 0 < reports[1].seconds_left < 0.01
    reporter.finish(2)
    last = reports[2]
    assert (last.share, last.seconds_left, last.finished, last.open_ended) == (1.0, 0.0, True, False)


def test_the_time_left_ends_at_the_limit_and_then_the_end_is_not_open(clock):
    """Ten seconds; the tasks would take longer, so that the share is that of the limit."""
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0, further=[fit(2)] * 9, deadline=110.0)
    reporter.expect([fit(2)] * 9)
    run(reporter, clock, [(fit(2), 0.5), (fit(2), 0.5), (fit(2), 4.0), (fit(2), 6.0)])
    assert [each.seconds_left for each in reports[:3]] == [None, 3.5, 5.0]
    assert [each.open_ended for each in reports] == [True, True, False, False]
    assert [each.share for each in reports[:3]] == pytest.approx([1 / 18, 2 / 18, 0.5])
    assert 0 < reports[3].seconds_left < 0.02  # the limit has passed, but this task had begun
    assert 0.99 < reports[3].share < 1
    reporter.finish(2)
    last = reports[-1]
    assert (last.done, last.total, last.share, last.finished) == (4, 4, 1.0, True)


def test_a_search_within_its_limit_has_the_share_of_its_work(clock):
    reports = []
    reporter = ProgressReporter(reports.append, start_time=100.0, deadline=200.0)
    reporter.expect([fit(2)] * 4)
    run(reporter, clock, [(fit(2), 1.0)] * 3)
    assert [each.share for each in reports] == pytest.approx([1 / 4, 2 / 4, 3 / 4])


def test_a_cancelled_search_does_not_say_that_all_is_done(clock):
    reports = []
    reporter = ProgressReporter(lambda report: bool(reports.append(report)), start_time=100.0)
    reporter.expect([fit(2)] * 3)
    reporter.likely = [fit(3)]
    clock.now += 1.0
    assert not reporter.report(fit(2), lambda: 2)
    reporter.finish(2)
    last = reports[-1]
    assert (last.done, last.total, last.share, last.finished) == (1, 4, reports[0].share, True)
    assert last.share < 0.3
    assert last.seconds_left == 0


def test_an_answer_of_false_cancels_and_without_a_callback_nothing_does(clock):
    reporter = ProgressReporter(lambda report: False)
    reporter.expect([fit(2)])
    assert not reporter.report(fit(2), lambda: None)
    assert ProgressReporter(None).report(fit(2), lambda: None)


# -------------------------------------------------------------------- whole searches


def reports_of(plan, ranks, rule=None, **options):
    """Return the progress of a search, and its result."""
    reports = []
    result = find_rank(plan, ranks, rule or HeldOut(), callback=reports.append, **options)
    return reports, result


def wide_plan():
    """A product of rank 9 with noise, whose search doubles the rank beyond the first ranks."""
    rng = np.random.default_rng(0)
    X = rng.random((40, 9)) ** 3 @ rng.random((9, 36)) ** 3
    noisy = np.maximum(X + 0.02 * rng.normal(size=X.shape), 0)
    return small_plan(network=Network.from_dense(noisy), solver=WNMF(ridge=0.001, max_iter=100), n_members=6)


@pytest.mark.slow
def test_a_search_that_doubles_the_rank_says_so_until_it_has_doubled_it_the_last_time():
    reports, result = reports_of(wide_plan(), Doubling())
    top = max(rank for rank in result.path.ranks if rank & (rank - 1) == 0)
    assert top >= 16
    open_ended = [report.open_ended for report in reports]
    last = open_ended.index(False)
    assert last > 0
    assert not any(open_ended[last:])
    tasks = len(wide_plan().blocks) + 1
    doubled = len([rank for rank in result.path.ranks if rank <= top and rank & (rank - 1) == 0])
    assert last == doubled * tasks - 1  # the summary of the last doubled rank ends it
    shares = [report.share for report in reports]
    assert shares == sorted(shares)
    assert max(shares[:-1]) < shares[-1] == 1.0
    assert min(report.seconds_left for report in reports[2:-1]) > 0
    assert reports[-1].seconds_left == 0


def test_searches_of_listed_ranks_and_between_limits_have_an_end():
    for ranks in ((1, 2), Bisect(1, 4)):
        reports, _ = reports_of(small_plan(), ranks)
        assert not any(report.open_ended for report in reports)


def test_a_doubling_search_of_small_data_has_an_end():
    """The ranks up to 8 are visited in any case, and no rank is above the smaller side."""
    plan = small_plan()
    assert min(plan.network.shape) > 8
    rows = np.arange(8)
    reports, _ = reports_of(small_plan(network=Network.from_dense(np.add.outer(rows, rows) + 1.0)), None)
    assert not any(report.open_ended for report in reports)


def test_the_report_of_the_last_task_of_some_ranks_knows_the_ranks_that_follow():
    """The share would be nearly 1 and no time left, before the ranks between are announced."""
    reports, result = reports_of(small_plan(), Bisect(1, 8))
    tasks = len(small_plan().blocks) + 1
    assert len(result.path) > 4
    first = reports[4 * tasks - 1]
    assert first.total > first.done == 4 * tasks
    assert first.share < 0.95


def test_tasks_are_announced_with_their_costs(monkeypatch):
    """Trials of four members with each ridge of the grid, at each of the ranks."""
    reported, report = [], ProgressReporter.report
    monkeypatch.setattr(
        ProgressReporter,
        "report",
        lambda self, task, *rest: reported.append(task) or report(self, task, *rest),
    )
    plan = small_plan(solver=RNMF(max_iter=10), n_members=8)
    reports_of(plan, (1, 2))
    fits = 4 * len(RNMF.ridge_grid)
    assert reported[:2] == [Task("trial", rank, trial_cost(rank, fits)) for rank in (1, 2)]
    assert {(task.kind, task.rank) for task in reported[2:]} == {
        (kind, rank) for kind in ("fit", "summary") for rank in (1, 2)
    }


def test_draws_of_boolean_members_are_expected_at_the_end(monkeypatch):
    seen = []
    finish = ProgressReporter.finish
    monkeypatch.setattr(
        ProgressReporter, "finish", lambda self, *args: seen.append(self.closing) or finish(self, *args)
    )
    plan = small_plan(network=blocks(), solver=BNMF(ridge=0.5), regime=boolean(KMeans()), n_members=4)
    reports, result = reports_of(plan, (1, 2))
    rank = result.choice.rank
    assert seen == [(Task("draw", rank, draw_cost(rank, 4)),)]
    assert reports[-2].done == reports[-2].total
    assert reports[-2].share < 0.99
    reports_of(replace(plan, regime=clone(plan.regime).set_params(polish=False)), (1, 2))
    reports_of(small_plan(), (1, 2))
    assert seen[1:] == [(), ()]
