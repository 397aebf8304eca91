"""Task pools: serial, on threads, and on executors."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from operator import floordiv, mul
from threading import Barrier, Event, get_ident

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from latentlink.errors import IncompatibleError
from latentlink.parallel import TaskPool, one_blas_thread, run_parts, worker_count


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


class TestParts:
    """Parts of a task, shared with threads that have no task of their own."""

    @staticmethod
    def threads_of_parts(parts, wait_for=1):
        """Run parts of which ``wait_for`` must be under way at once; return the thread of each."""
        barrier, threads = Barrier(wait_for), {}

        def part(index):
            if index < wait_for:
                barrier.wait(timeout=20)
            threads[index] = get_ident()

        run_parts(part, parts)
        return [threads[index] for index in range(parts)]

    def test_outside_of_a_task_they_run_here_in_order(self):
        order = []
        run_parts(order.append, 5)
        assert order == [0, 1, 2, 3, 4]

    def test_an_idle_thread_helps(self):
        with TaskPool(2) as tasks:
            tasks.add(self.threads_of_parts, 4, 2)
            [(_, _, threads)] = tasks.completed()
        assert len(set(threads)) == 2

    @pytest.mark.parametrize("n_jobs", [1, 3])
    def test_every_part_runs_once(self, n_jobs):
        with TaskPool(n_jobs) as tasks:
            for parts in (0, 1, 2, 50):
                tasks.add(self.threads_of_parts, parts)
            assert sorted(len(threads) for _, _, threads in tasks.completed()) == [0, 1, 2, 50]

    def test_busy_threads_are_not_asked(self):
        """Two tasks on two threads: neither gets help while both are under way."""
        begun, ended = Barrier(2), Barrier(2)

        def task():
            begun.wait(timeout=20)
            threads = self.threads_of_parts(8)
            ended.wait(timeout=20)
            return {*threads, get_ident()}

        with TaskPool(2) as tasks:
            tasks.add(task)
            tasks.add(task)
            assert [len(threads) for _, _, threads in tasks.completed()] == [1, 1]

    def test_an_error_in_a_helping_thread_is_raised(self):
        def fail(index):
            barrier.wait(timeout=20)
            raise ValueError(f"part {index}")

        barrier = Barrier(2)
        with TaskPool(2) as tasks:
            tasks.add(run_parts, fail, 2)
            with pytest.raises(ValueError, match=r"part [01]"):
                list(tasks.completed())

    def test_a_given_executor_runs_the_parts_of_a_task_in_one_thread(self):
        with ThreadPoolExecutor(3) as executor, TaskPool(executor=executor) as tasks:
            tasks.add(self.threads_of_parts, 6)
            [(_, _, threads)] = tasks.completed()
        assert len(set(threads)) == 1
