"""One seam for all ways of spreading work."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from operator import floordiv, mul
from threading import Event

import pytest

from latentlink.errors import IncompatibleError
from latentlink.parallel import Crew, worker_count


def test_numbers_of_jobs_mean_what_they_mean_in_scikit_learn():
    cores = os.cpu_count()
    assert [worker_count(n) for n in (None, 1, 3, -1)] == [1, 1, 3, cores]
    assert worker_count(-cores - 5) == 1


@pytest.mark.parametrize("wrong", [0, True, 1.5, "2"])
def test_what_is_no_number_of_jobs(wrong):
    with pytest.raises(IncompatibleError, match="n_jobs is"):
        worker_count(wrong)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 4])
def test_every_task_is_done_once(n_jobs):
    with Crew(n_jobs) as crew:
        for task in [(1, 2), (3, 4), (5, 6)]:
            crew.add(mul, *task)
        done = {given: result for _, given, result in crew.done()}
        assert list(crew.done()) == []
    assert done == {(1, 2): 2, (3, 4): 12, (5, 6): 30}


def test_a_given_executor_is_used_and_left_open():
    with ThreadPoolExecutor(1) as pool:
        with Crew(executor=pool) as crew:
            crew.add(pow, 2, 3)
            assert [result for _, _, result in crew.done()] == [8]
        assert pool.submit(pow, 2, 2).result() == 4


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_tasks_may_come_up_on_the_way_and_go_first(n_jobs):
    order = []
    with Crew(n_jobs) as crew:
        for number in range(6):
            crew.add(mul, number, 1)
        for _, (number, _), _ in crew.done():
            order.append(number)
            if number == 0:
                crew.add(mul, 99, 1, first=True)
    assert sorted(order) == [0, 1, 2, 3, 4, 5, 99]
    assert order.index(99) <= n_jobs + 1


def test_who_stops_listening_leaves_nothing_to_be_begun():
    begun = []
    with ThreadPoolExecutor(1) as pool, Crew(executor=pool) as crew:
        held = Event()
        crew.add(begun.append, 0)
        crew.add(held.wait)
        crew.add(begun.append, 1)
        next(crew.done())
        crew.__exit__()
        held.set()
    assert begun == [0]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_come_through(n_jobs):
    with Crew(n_jobs) as crew:
        crew.add(floordiv, 1, 0)
        with pytest.raises(ZeroDivisionError):
            list(crew.done())
