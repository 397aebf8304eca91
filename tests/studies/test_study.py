"""Cases are run once, stored as lines, run again with other code, and checked by samples."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from latentlink.experiments import case_runner
from studies import study
from studies.cross_calibration import cross_links
from studies.findings import Finding
from studies.page import page, provenance
from studies.restamping import Restamp, read_restamps, record_restamps, restamp_chains
from studies.study import Check, Study

RAN = []


def run(name, seed):
    RAN.append(seed)
    return {"double": 2 * seed}


def same_run(name, seed):
    RAN.append(seed)
    return {"double": seed + seed}


def third_run(name, seed):
    return {"double": seed * 2}


def other_run(name, seed):
    return {"double": 3 * seed}


@pytest.fixture
def some(tmp_path, monkeypatch):
    """A study of 20 cases in a folder of its own."""
    monkeypatch.setattr(study, "RESULTS", tmp_path)
    monkeypatch.setattr(study, "ProcessPoolExecutor", ThreadPoolExecutor)
    monkeypatch.setattr(case_runner, "ProcessPoolExecutor", lambda workers, **_: ThreadPoolExecutor(workers))
    RAN.clear()
    cases = [{"name": name, "seed": seed} for name in ("a", "b") for seed in range(10)]
    return Study(
        "some", cases, run, lambda lines: [Finding("lines", str(len(lines)), "20", len(lines) == 20)]
    )


def test_every_case_is_run_once(some):
    some.run_missing(1)
    some.run_missing(1)
    assert sorted(RAN) == sorted(2 * list(range(10)))
    assert [line["double"] for line in some.lines()] == [str(2 * seed) for seed in [*range(10)] * 2]
    assert {line["code"] for line in some.lines()} == {some.digest}


def test_only_missing_lines_are_run(some):
    some.run_missing(1)
    some.path.write_text("".join(some.path.read_text().splitlines(keepends=True)[:-2]))
    RAN.clear()
    some.run_missing(1)
    assert sorted(RAN) == [8, 9]
    assert len(some.lines()) == 20


def test_lines_of_other_code_are_run_again(some):
    some.run_missing(1)
    other = replace(some, run=other_run)
    other.run_missing(1)
    assert [line["double"] for line in other.lines()] == [str(3 * seed) for seed in [*range(10)] * 2]


def test_a_check_tells_which_lines_differ_and_writes_nothing(some, tmp_path):
    some.run_missing(1)
    before = {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert some.check(20, 1) == Check(tuple(range(1, 21)), ())
    check = replace(some, run=other_run).check(20, 1)
    assert not check.passed
    assert check.different == (*range(2, 11), *range(12, 21))  # seed 0 gives 0 either way
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def timed_run(name, seed):
    return {"double": 2 * seed, "seconds": len(RAN), "seconds_of_fit": time.perf_counter()}


def test_durations_are_no_difference(some):
    timed = replace(some, run=timed_run)
    timed.run_missing(1)
    assert timed.check(20, 1).passed


def test_a_check_is_spread_over_the_file(some):
    some.run_missing(1)
    check = replace(some, run=same_run).check(4, 1)
    assert [(number - 1) // 5 for number in check.rerun] == [0, 1, 2, 3]


def test_a_check_without_lines_does_not_pass(some):
    assert not some.check(3, 1).passed


def test_a_missing_column_is_a_difference(some):
    some.run_missing(1)
    text = some.path.read_text().splitlines()
    some.path.write_text("".join(f"extra,{line}\n" if line == text[0] else f"0,{line}\n" for line in text))
    assert len(some.check(20, 1).different) == 20


def test_lines_are_restamped_after_a_check_that_passed(some):
    some.run_missing(1)
    same = replace(some, run=same_run)
    check = same.check(3, 1)
    same.restamp(check)
    assert {line["code"] for line in same.lines()} == {same.digest} != {some.digest}
    assert [line["double"] for line in same.lines()] == [str(2 * seed) for seed in [*range(10)] * 2]
    assert read_restamps(same.restamps_path, "some") == [
        Restamp("some", some.digest, same.digest, 20, check.rerun)
    ]
    RAN.clear()
    same.run_missing(1)
    assert not RAN


def test_lines_are_not_restamped_after_a_difference(some):
    some.run_missing(1)
    before = some.path.read_text()
    other = replace(some, run=other_run)
    other.restamp(other.check(20, 1))
    assert some.path.read_text() == before
    assert not other.restamps_path.exists()


def test_the_page_says_that_all_lines_were_computed(some):
    some.run_missing(1)
    text = page(some, list(some.findings(some.lines())))
    assert f"Digest {some.digest}: 20 lines, all computed by this code." in text
    assert "| lines | 20 | 20 | yes |" in text


def test_the_page_says_which_lines_were_rerun_and_what_computed_the_others(some):
    some.run_missing(1)
    same = replace(some, run=same_run)
    check = same.check(3, 1)
    same.restamp(check)
    numbers = ", ".join(map(str, check.rerun))
    assert provenance(same) == (
        f"Digest {same.digest}: 3 of 20 lines were rerun with this code, all equal (lines {numbers}, not "
        f"counting the header); the others were computed by code {some.digest}."
    )
    third = replace(some, run=third_run)
    third.restamp(third.check(2, 1))
    assert f"the others were computed by code {some.digest}." in provenance(third)
    assert f"3 of 20 lines were rerun with code {same.digest}, all equal." in provenance(third)


def test_lines_of_other_code_are_told_of(some):
    some.run_missing(1)
    same = replace(some, run=same_run)
    assert provenance(same).endswith(
        f"The code has changed since: its digest is {same.digest} now, "
        "and 20 lines were not compared with it."
    )


def test_restamps_are_forgotten_when_all_lines_are_run_again(some):
    some.run_missing(1)
    record_restamps(some.restamps_path, [Restamp("another", "a", "b", 1, (1,))])
    same = replace(some, run=same_run)
    same.restamp(same.check(3, 1))
    same.path.unlink()
    same.run_missing(1)
    assert provenance(same) == f"Digest {same.digest}: 20 lines, all computed by this code."
    assert len(read_restamps(same.restamps_path, "another")) == 1


def test_a_return_to_earlier_code_has_one_chain():
    there, onward, back = (
        Restamp("s", old, new, 9, (1,)) for old, new in (("a", "b"), ("b", "c"), ("c", "b"))
    )
    assert restamp_chains([there, onward, back], "b") == [[back, onward, there]]
    assert restamp_chains([there], "a") == []


def test_remarks_stand_above_the_table(some):
    some.run_missing(1)
    assert page(some, []).count("\n\n| quantity |") == 1
    remarked = replace(some, remarks=lambda lines: [f"**Note** {len(lines)} lines.", "Another."])
    text = page(remarked, list(some.findings(some.lines())))
    assert "\n\n**Note** 20 lines.\n\nAnother.\n\n| quantity | result |" in text


def test_a_form_without_power_is_remarked_beside_the_table():
    lines = [
        {"flips": flips, "seed": str(seed), "split_power": "0.5", "cross_power": power}
        for flips, power in (("0.02", "0.8"), ("0.05", "0.0"))
        for seed in range(3)
    ]
    (remark,) = cross_links.remarks(lines)
    assert remark.startswith(
        "**At 5 % flips the cross form of `discover` has no power**: it finds 0.000 of the"
    )
    assert "the split form finds 0.500" in remark
    assert list(cross_links.remarks(lines[:3])) == []
