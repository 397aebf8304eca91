"""One seam for all ways of spreading work."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from latentlink.errors import IncompatibleError
from latentlink.parallel import run, worker_count


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
    done = dict(run(lambda a, b: a * b, [(1, 2), (3, 4), (5, 6)], n_jobs))
    assert done == {(1, 2): 2, (3, 4): 12, (5, 6): 30}
    assert list(run(pow, [], n_jobs)) == []


def test_a_given_executor_is_used_and_left_open():
    with ThreadPoolExecutor(1) as pool:
        assert dict(run(pow, [(2, 3)], executor=pool)) == {(2, 3): 8}
        assert pool.submit(pow, 2, 2).result() == 4


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_errors_come_through(n_jobs):
    with pytest.raises(ZeroDivisionError):
        list(run(lambda x: 1 // x, [(1,), (0,)], n_jobs))
