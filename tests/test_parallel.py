"""Task pools: serial, on threads, and on executors."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from operator import floordiv, mul
from threading import Event

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from latentlink.errors import IncompatibleError
from latentlink.parallel import TaskPool, one_blas_thread, worker_count


def test_worker_count_follows_scikit_learn():
    cores = os.cpu_count()
    assert [worker_count(n) for n in (None, 1, 3, -1)] == [1, 1, 3, cores]
    assert worker_count(-cores - 5) == 1


@pytest.mark.parametrize("wrong", [0, True, 1.5, "2"])
def test_invalid_n_jobs_raises(wrong):
    with pytest.raises(IncompatibleError, match="n_jobs is"):
        worker_count(wrong)


@pytest.mark.parametrize("n_jobs", [None, 1, 2, 4])
def test_every_task_runs_once(n_jobs):
    with TaskPool(n_jobs) as tasks:
        for args in [(1, 2), (3, 4), (5, 6)]:
            tasks.add(mul, *args)
        results = {args: result for _, args, result in tasks.completed()}
        assert list(tasks.completed()) == []
    assert results == {(1, 2): 2, (3, 4): 12, (5, 6): 30}


def test_a_given_executor_is_used_and_not_shut_down():
    with ThreadPoolExecutor(1) as executor:
        with TaskPool(executor=executor) as tasks:
            tasks.add(pow, 2, 3)
            assert [result for _, _, result in tasks.completed()] == [8]
        assert executor.submit(pow, 2, 2).result() == 4


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_tasks_can_be_added_while_others_run_and_go_first(n_jobs):
    order = []
    with TaskPool(n_jobs) as tasks:
        for number in range(6):
            tasks.add(mul, number, 1)
        for _, (number, _), _ in tasks.completed():
            order.append(number)
            if number == 0:
                tasks.add(mul, 99, 1, first=True)
    assert sorted(order) == [0, 1, 2, 3, 4, 5, 99]
    assert order.index(99) <= n_jobs + 1


def test_leaving_the_pool_cancels_tasks_that_have_not_started():
    started = []
    with ThreadPoolExecutor(1) as executor, TaskPool(executor=executor) as tasks:
        blocked = Event()
        tasks.add(started.append, 0)
        tasks.add(blocked.wait)
        tasks.add(started.append, 1)
        next(tasks.completed())
        tasks.__exit__()
        blocked.set()
    assert started == [0]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_exceptions_of_tasks_are_raised(n_jobs):
    with TaskPool(n_jobs) as tasks:
        tasks.add(floordiv, 1, 0)
        with pytest.raises(ZeroDivisionError):
            list(tasks.completed())


# -------------------------------------------------------------------- linear algebra


def blas_threads():
    """Return the largest number of threads of the linear algebra libraries that are loaded."""
    libraries = [each for each in threadpool_info() if each["user_api"] == "blas"]
    return max((each["num_threads"] for each in libraries), default=1)


@pytest.fixture
def three_threads():
    """Linear algebra with three threads, whatever the machine has."""
    with threadpool_limits(3, user_api="blas"):
        yield


def test_linear_algebra_has_one_thread_inside_and_as_many_as_before_outside(three_threads):
    assert blas_threads() == 3
    with one_blas_thread():
        assert blas_threads() == 1
        with one_blas_thread():
            assert blas_threads() == 1
        assert blas_threads() == 1
    assert blas_threads() == 3


def test_the_threads_are_restored_after_an_error(three_threads):
    with pytest.raises(ZeroDivisionError), one_blas_thread():
        floordiv(1, 0)
    assert blas_threads() == 3


def test_blocks_of_two_threads_that_overlap_leave_no_limit_behind(three_threads):
    """The block that begins first ends first: restoring in that order would keep the limit for good."""
    entered, leave = Event(), Event()

    def second():
        with one_blas_thread():
            entered.set()
            leave.wait(10)
            return blas_threads()

    with ThreadPoolExecutor(1) as executor:
        with one_blas_thread():
            future = executor.submit(second)
            assert entered.wait(10)
        leave.set()
        future.result()
    assert blas_threads() == 3
