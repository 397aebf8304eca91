"""Costs, forks, rounds: the machinery that all comparisons share."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest
from benchmarks.measuring.costs import costs_of
from benchmarks.measuring.forks import in_fork
from benchmarks.measuring.machine import circumstances
from benchmarks.measuring.rounds import interleaved, medians, seconds_of


def burn(seconds):
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        pass


def test_processor_time_is_not_that_of_the_clock():
    costs, _ = costs_of(lambda: time.sleep(0.05), short=0.0)
    assert costs["wall_s"] >= 0.05
    assert costs["cpu_s"] < 0.04
    costs, _ = costs_of(lambda: burn(0.05), short=0.0)
    assert costs["cpu_s"] >= 0.05


def test_memory_is_what_a_job_adds_at_its_peak():
    held = np.ones(4_000_000)  # 32 MB that are there before

    def job():
        record, size = costs_of(lambda: np.ones(8_000_000).size + held.size, short=0.0)
        return {**record, "size": size}

    record = in_fork(job)
    assert record["size"] == 12_000_000
    assert 55 < record["added_mb"] < 80


def test_short_calls_are_repeated():
    calls = []
    costs_of(lambda: calls.append(0), short=0.5)
    assert len(calls) == 5


def test_a_fork_changes_nothing_here():
    here = []
    assert in_fork(lambda: {"pid": float(os.getpid()), "n": here.append(1) or len(here)})["n"] == 1
    assert here == []


@pytest.mark.parametrize(
    ("job", "note"),
    [
        (lambda: 1 / 0, "Failed: ZeroDivisionError: division by zero"),
        (lambda: time.sleep(60), "Not done after 0 s, and stopped."),
        (lambda: os._exit(3), "The process ended with code 3 and without a result."),
    ],
)
def test_a_job_without_a_result_has_a_note(job, note):
    assert in_fork(job, limit=0.2) == {"note": note}


def test_jobs_alternate_and_long_ones_are_not_repeated():
    order = []

    def job(name, seconds):
        return lambda: order.append(name) or {"wall_s": seconds}

    found = interleaved({"a": job("a", 1.0), "b": job("b", 9.0), "c": lambda: {"note": "No."}}, 3, long=5.0)
    assert order == ["a", "b", "a", "a"]
    assert [found[name]["runs"] for name in "abc"] == [3, 1, 1]
    assert found["c"]["note"] == "No."


def test_medians_are_of_the_records_that_have_the_field():
    records = [{"x": 3.0, "name": "m"}, {"x": 1.0, "name": "m"}, {"note": "Failed."}]
    assert medians(records) == {"x": 2.0, "name": "m"}


def test_the_first_call_does_not_count():
    pauses = iter([0.2, 0.0, 0.0, 0.0])
    assert seconds_of({"job": lambda: time.sleep(next(pauses))}, rounds=3)["job"] < 0.15


def test_circumstances_name_no_path_of_the_machine():
    found = circumstances()
    assert found["machine"]["cores"] == os.cpu_count()
    assert os.sep not in str(found["machine"])
    assert len(found["code"]) == 12
