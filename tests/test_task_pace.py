"""What tasks take, by kind and by the nearest ranks."""

from __future__ import annotations

import pytest

from latentlink.progress.task_pace import Task, TaskPace


def measured(*tasks):
    """Return the pace of tasks given as (kind, rank, cost, seconds), after a slow first task of each kind."""
    pace = TaskPace()
    slow = [(kind, 1, 1.0, 1e6) for kind in dict.fromkeys(kind for kind, *_ in tasks)]
    for kind, rank, cost, seconds in (*slow, *tasks):
        pace.add(Task(kind, rank, cost), seconds)
    return pace


def test_the_first_task_of_a_kind_is_left_out_as_soon_as_there_is_a_second():
    """It loads or compiles code: 50 seconds, and then 1 second each."""
    pace = TaskPace()
    pace.add(Task("trial", 1, 10.0), 50.0)
    assert pace.measured
    assert not pace.settled
    assert pace.seconds({("trial", 8): 10.0, ("fit", 2): 10.0}) == pytest.approx(100.0)
    pace.add(Task("trial", 2, 10.0), 1.0)
    assert pace.settled
    assert pace.seconds({("trial", 1): 10.0, ("trial", 8): 10.0, ("fit", 2): 10.0}) == pytest.approx(3.0)


def test_a_kind_with_a_first_task_alone_takes_what_others_do_but_no_more_than_that():
    pace = measured(("trial", 2, 10.0, 1.0))
    pace.add(Task("summary", 2, 10.0), 30.0)  # loads code
    pace.add(Task("draw", 2, 10.0), 0.5)  # faster than the trial, whatever it loads
    assert pace.seconds({("summary", 2): 10.0}) == pytest.approx(1.0)
    assert pace.seconds({("draw", 2): 10.0}) == pytest.approx(0.5)


def test_before_a_second_task_a_unit_takes_what_first_tasks_took():
    pace = TaskPace()
    pace.add(Task("trial", 1, 10.0), 5.0)
    pace.add(Task("fit", 1, 30.0), 3.0)
    assert not pace.settled
    assert pace.seconds({("fit", 4): 10.0}) == pytest.approx(1.0)
    assert pace.seconds({("summary", 4): 10.0}) == pytest.approx(2.0)  # 8 seconds for 40 units


def test_before_anything_is_measured_a_unit_counts_as_a_second():
    pace = TaskPace()
    assert not pace.measured
    assert not pace.settled
    assert pace.seconds({("fit", 2): 3.0, ("trial", 4): 4.0}) == 7.0
    assert pace.seconds({}) == 0.0


def test_tasks_take_what_those_at_the_nearest_ranks_took():
    """At twice the rank a measurement counts an eighth: weights 1 and 1/8, then 1/8 and 1."""
    pace = measured(("fit", 8, 10.0, 1.0), ("fit", 16, 10.0, 4.0))
    assert pace.measured
    assert pace.seconds({("fit", 8): 9.0}) == pytest.approx(9 * (0.1 + 0.4 / 8) / 1.125)
    assert pace.seconds({("fit", 16): 9.0}) == pytest.approx(9 * (0.1 / 8 + 0.4) / 1.125)
    assert pace.seconds({("fit", 64): 1.0}) == pytest.approx((0.1 / 512 + 0.4 / 64) / (1 / 512 + 1 / 64))
    both = pace.seconds({("fit", 8): 9.0, ("fit", 16): 9.0})
    assert both == pytest.approx(9 * 0.5)


def test_a_late_task_is_not_predicted_by_the_average_of_many_early_ones():
    early = [("fit", rank, 10.0, 1.0) for rank in (1, 2, 3, 4)]
    pace = measured(*early, ("fit", 32, 10.0, 5.0))
    assert pace.seconds({("fit", 30): 10.0}) == pytest.approx(5.0, rel=0.01)


def test_tasks_at_one_rank_count_by_their_cost():
    pace = measured(("fit", 4, 10.0, 1.0), ("fit", 4, 30.0, 1.0))
    assert pace.seconds({("fit", 4): 40.0}) == pytest.approx(2.0)


def test_kinds_are_measured_apart():
    pace = measured(("fit", 4, 10.0, 5.0), ("summary", 4, 10.0, 1.0))
    assert pace.seconds({("fit", 4): 10.0}) == pytest.approx(5.0)
    assert pace.seconds({("summary", 4): 10.0}) == pytest.approx(1.0)
    assert pace.seconds({("draw", 4): 20.0}) == pytest.approx(6.0)  # not measured yet: as all others


def test_trials_tell_how_fits_depend_on_the_rank():
    """A trial counts a quarter of a fit of the same rank, and no fit counts for a trial."""
    pace = measured(("fit", 1, 10.0, 1.0), ("trial", 8, 10.0, 9.0))
    weights = 1 / 512, 1 / 4
    expected = (0.1 * weights[0] + 0.9 * weights[1]) / sum(weights)
    assert pace.seconds({("fit", 8): 1.0}) == pytest.approx(expected)
    assert pace.seconds({("trial", 1): 1.0}) == pytest.approx(0.9)
