"""Cases are run once, kept as lines, and run again when the code or a file is another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from statistical import study
from statistical.study import Study, groups, not_above, numbers, share

DONE = []


def run(name, seed):
    DONE.append(seed)
    return {"double": 2 * seed, "arrays": {"all": np.arange(seed)} if name == "long" else {}}


def other_run(name, seed):
    DONE.append(seed)
    return {"double": 3 * seed, "arrays": {}}


@pytest.fixture
def some(tmp_path, monkeypatch):
    """A study of four cases in a folder of its own."""
    monkeypatch.setattr(study, "RESULTS", tmp_path)
    monkeypatch.setattr(study, "ProcessPoolExecutor", ThreadPoolExecutor)
    DONE.clear()
    cases = [{"name": name, "seed": seed} for name in ("long", "short") for seed in (1, 2)]
    return Study("some", cases, run, lambda lines: [])


def test_every_case_is_run_once(some):
    some.finish(1)
    some.finish(1)
    assert sorted(DONE) == [1, 1, 2, 2]
    assert [line["double"] for line in some.kept()] == ["2", "4", "2", "4"]
    assert {line["code"] for line in some.kept()} == {some.mark}


def test_arrays_are_in_a_file_that_the_line_names(some):
    some.finish(1)
    assert [line["file"] for line in some.kept()] == ["long-1.npz", "long-2.npz", "", ""]
    np.testing.assert_array_equal(some.arrays(some.kept()[1])["all"], [0, 1])


def test_a_line_that_lost_its_file_is_run_again(some):
    some.finish(1)
    (some.path.with_suffix("") / "long-2.npz").unlink()
    DONE.clear()
    some.finish(1)
    assert DONE == [2]
    assert len(some.arrays(some.kept()[1])["all"]) == 2


def test_lines_of_another_run_are_run_again(some):
    some.finish(1)
    other = replace(some, run=other_run)
    other.finish(1)
    assert [line["double"] for line in other.kept()] == ["3", "6", "3", "6"]


def test_a_check_tells_whether_lines_come_out_the_same(some, tmp_path):
    some.finish(1)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert some.check(4, 1)
    assert not replace(some, run=other_run).check(4, 1)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_lines_are_grouped_and_read():
    lines = [{"a": "x", "n": "1"}, {"a": "y", "n": "2"}, {"a": "x", "n": "nan"}]
    assert [(key, len(part)) for key, part in groups(lines, "a")] == [(("x",), 2), (("y",), 1)]
    np.testing.assert_array_equal(numbers(lines, "n")["n"], [1, 2, np.nan])


def test_a_share_is_too_large_when_chance_does_not_explain_it():
    assert share(26, 200).startswith("0.130 (26 of 200; 95 % interval 0.087")
    assert not_above(26, 200, 0.1)
    assert not not_above(32, 200, 0.1)
