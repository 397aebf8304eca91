"""Cases are run once, a stopped run continues, and a line that was half written is run again."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from latentlink.experiments import case_runner
from latentlink.experiments.case_lines import append_lines, columns, grouped, read_lines, write_lines
from latentlink.experiments.case_runner import run_missing, stored_lines

CASES = [{"name": name, "seed": seed} for name in ("a", "b") for seed in range(3)]
RAN = []


def run(name, seed):
    RAN.append((name, seed))
    if name == "wrong":
        raise ValueError("no such case")
    return {"double": 2 * seed}


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setattr(case_runner, "ProcessPoolExecutor", lambda workers, **_: ThreadPoolExecutor(workers))
    RAN.clear()
    return tmp_path / "results.csv"


def test_lines_are_in_the_order_of_the_cases_and_carry_the_stamp(path):
    lines = run_missing(path, CASES, run, stamp={"version": "1"}, workers=2)
    assert [(line["name"], line["seed"], line["double"]) for line in lines] == [
        (name, str(seed), str(2 * seed)) for name in "ab" for seed in range(3)
    ]
    assert {line["version"] for line in lines} == {"1"}
    assert read_lines(path) == lines


def test_only_missing_cases_are_run(path):
    run_missing(path, CASES[:4], run, stamp={"version": "1"})
    RAN.clear()
    run_missing(path, CASES, run, stamp={"version": "1"})
    assert sorted(RAN) == [("b", 1), ("b", 2)]


def test_remarks_are_those_of_the_run_that_computed_a_line(path):
    run_missing(path, CASES[:2], run, stamp={"version": "1"})
    run_missing(path, CASES[:4], run, stamp={"version": "1"}, remarks={"code": "a"})
    lines = run_missing(path, CASES, run, stamp={"version": "1"}, remarks={"code": "b"})
    assert [line["code"] for line in lines] == ["", "", "a", "a", "b", "b"]
    assert [line["code"] for line in read_lines(path)] == [line["code"] for line in lines]


def test_lines_with_another_stamp_are_run_again(path):
    run_missing(path, CASES, run, stamp={"version": "1"})
    RAN.clear()
    lines = run_missing(path, CASES, run, stamp={"version": "2"})
    assert len(RAN) == 6
    assert {line["version"] for line in lines} == {"2"}


def test_lines_of_other_cases_stay(path):
    """Which cases there are may depend on the data at hand."""
    run_missing(path, CASES, run, stamp={"version": "1"})
    lines = run_missing(path, CASES[4:], run, stamp={"version": "1"})
    assert [(line["name"], line["seed"]) for line in lines] == [("b", "1"), ("b", "2")]
    RAN.clear()
    assert len(run_missing(path, CASES, run, stamp={"version": "1"})) == 6
    assert RAN == []


def test_a_line_that_was_half_written_is_run_again(path):
    run_missing(path, CASES, run, stamp={"version": "1.5"})
    path.write_text(path.read_text()[:-2])  # killed while it wrote: "1." instead of "1.5"
    RAN.clear()
    lines = run_missing(path, CASES, run, stamp={"version": "1.5"})
    assert RAN == [("b", 2)]
    assert len(lines) == 6


def test_progress_is_reported_and_an_error_keeps_what_is_done(path):
    reported = []
    with pytest.raises(ValueError, match="no such case"):
        run_missing(
            path,
            [*CASES, {"name": "wrong", "seed": 0}],
            run,
            stamp={},
            workers=1,
            report=lambda *counts: reported.append(counts),
        )
    assert reported == [(count, 7) for count in range(1, 7)]
    assert len(stored_lines(path, CASES)) == 6


def test_files_of_lines(tmp_path):
    path = tmp_path / "lines.csv"
    assert read_lines(path) == []
    append_lines(path, [])
    assert not path.exists()
    append_lines(path, [{"a": 1, "b": 'x, "y"'}])
    append_lines(path, [{"a": 2, "b": ""}])
    assert read_lines(path) == [{"a": "1", "b": 'x, "y"'}, {"a": "2", "b": ""}]
    write_lines(path, [])
    assert not path.exists()


def test_groups_and_columns():
    lines = [{"k": "b", "x": "1"}, {"k": "a", "x": "2.5"}, {"k": "b", "x": "nan"}]
    assert [(key, len(group)) for key, group in grouped(lines, "k")] == [(("b",), 2), (("a",), 1)]
    assert columns(lines, "x")["x"].tolist()[:2] == [1.0, 2.5]
