"""One count over several fits, and the bar that draws it."""

from __future__ import annotations

import io
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from numba.core import event

import latentlink
from latentlink.errors import InputError
from latentlink.progress import (
    Progress,
    StagedProgress,
    StepProgress,
    cancels,
    progress_bar,
    work_clock,
    work_seconds,
)
from latentlink.progress.drawn_bar import time_left
from latentlink.progress.work_clock import compiled_seconds


class Terminal(io.StringIO):
    """A text file that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def clock(monkeypatch):
    """A clock that shows the same time until it is set: ``clock.now = 5.0``."""
    hands = SimpleNamespace(now=100.0)
    monkeypatch.setattr(time, "monotonic", lambda: hands.now)
    return hands


def run_stage(staged, clock, model, seconds):
    """Report all tasks of one stage, each of so many seconds, at a true estimate of the time left."""
    callback = staged.stage(model)
    answers = []
    for done, each in enumerate(seconds, 1):
        clock.now += each
        left = float(sum(seconds[done:]))
        answers.append(callback(Progress(done, len(seconds), 2, left, sum(seconds[:done]) / sum(seconds))))
    return answers


@pytest.mark.parametrize(
    ("answer", "expected"), [(False, True), (np.False_, True), (None, False), (0, False)]
)
def test_only_false_cancels(answer, expected):
    assert cancels(answer) is expected


def test_the_count_over_several_fits_never_restarts(clock):
    reports = []
    staged = StagedProgress(reports.append, [1.0, 1.0, 1.0])
    for model, total in (("LMF", 4), ("WNMF", 8), ("inner folds", 2)):
        run_stage(staged, clock, model, [1.0] * total)
    staged.finish()
    assert [report.done for report in reports] == [int(1000 * report.share) for report in reports]
    assert {report.total for report in reports} == {1000}
    assert [report.model for report in reports[:14]] == ["LMF"] * 4 + ["WNMF"] * 8 + ["inner folds"] * 2
    shares = [report.share for report in reports]
    assert shares == sorted(shares)
    assert [report.finished for report in reports] == [False] * 14 + [True]
    assert (reports[-1].done, reports[-1].share, reports[-1].seconds_left) == (1000, 1.0, 0.0)


def test_the_time_left_is_that_of_the_stage_and_of_the_stages_to_come_by_their_weights(clock):
    reports = []
    staged = StagedProgress(reports.append, [2.0, 1.0, 4.0])
    run_stage(staged, clock, "first", [5.0, 15.0])  # 10 seconds for a unit of weight
    assert [each.seconds_left for each in reports] == [15.0 + 50, 50.0]
    assert [each.share for each in reports] == [5 / 70, 20 / 70]
    run_stage(staged, clock, "second", [4.0])  # (20 + 4) / 3 a unit
    assert (reports[-1].seconds_left, reports[-1].share) == (32.0, 24 / 56)
    assert staged.seconds == [20.0]
    staged.weights[2] = 0.5  # shorter than was expected
    run_stage(staged, clock, "third", [1.0, 3.0])
    assert [each.seconds_left for each in reports[-2:]] == [3.0, pytest.approx(0.028)]
    assert [each.share for each in reports[-2:]] == [25 / 28, pytest.approx(1 / 1.001)]


def test_the_share_of_the_whole_never_decreases_though_a_stage_takes_longer_than_expected(clock):
    reports = []
    staged = StagedProgress(reports.append, [1.0, 1.0])
    callback = staged.stage("search")
    for done, left in ((1, 1.0), (2, 60.0), (3, 20.0)):
        clock.now += 1.0
        callback(Progress(done, 9, None, left, 0.5))
    shares = [each.share for each in reports]
    assert shares == sorted(shares)
    assert reports[1].seconds_left > 60


def test_work_that_was_stored_counts_as_long_as_it_took(clock):
    """Half of a stage was loaded, the rest takes ten seconds: the whole took twenty."""
    reports = []
    staged = StagedProgress(reports.append, [1.0, 1.0])
    callback = staged.stage("loaded in part")
    callback(Progress(5, 10, None, 10.0, 0.5))
    assert (reports[0].seconds_left, reports[0].share) == (30.0, 0.25)
    clock.now += 10.0
    callback(Progress(10, 10, None, 0.0, 1.0))
    assert reports[1].share == 0.5


def test_an_open_end_of_a_stage_or_of_one_to_come_is_passed_on(clock):
    reports = []
    staged = StagedProgress(reports.append, [1.0, 1.0, 1.0], [True, True])
    for model in ("WNMF", "LMF"):
        callback = staged.stage(model)
        for open_ended in (True, False):
            clock.now += 1.0
            callback(Progress(1, 2, None, 1.0, 0.5, open_ended=open_ended))
    callback = staged.stage("inner folds")
    callback(Progress(1, 2, None, 1.0, 0.5))
    staged.finish()
    assert [each.open_ended for each in reports] == [True, True, True, False, False, False]


def test_of_an_open_stage_the_least_time_is_left_and_the_share_is_that_of_the_stage(clock):
    """A second was spent; one more is left at least, but three are expected, and another such stage."""
    reports = []
    staged = StagedProgress(reports.append, [1.0, 1.0])
    callback = staged.stage("WNMF")
    clock.now += 1.0
    callback(Progress(1, 2, None, 1.0, 0.25, open_ended=True))
    assert (reports[0].seconds_left, reports[0].share) == (1.0 + 2.0, 1 / 8)
    callback(Progress(2, 3, None, 9.0, 0.25, open_ended=True))  # the share is an older one
    assert (reports[1].seconds_left, reports[1].share) == (9.0 + 12.0, 1 / 8)


def test_a_stage_that_cannot_tell_its_time_yet_takes_what_those_before_it_took(clock):
    """Ten seconds for a unit of weight: 20 for the second stage, of which 4 have passed."""
    reports = []
    staged = StagedProgress(reports.append, [1.0, 2.0, 1.0])
    run_stage(staged, clock, "first", [10.0])
    callback = staged.stage("second")
    clock.now += 4.0
    callback(Progress(1, 5, None, None, 0.2))
    assert (reports[-1].seconds_left, reports[-1].share) == (16.0 + 10.0, 14 / 40)
    clock.now += 26.0
    callback(Progress(2, 5, None, None, 0.2))  # longer than was expected
    assert reports[-1].seconds_left == pytest.approx(40 / 3)
    assert reports[-1].share == pytest.approx(0.75)


def test_a_cancelled_fit_does_not_say_that_all_is_done(clock):
    reports = []
    staged = StagedProgress(lambda report: bool(reports.append(report)), [1.0, 1.0])
    run_stage(staged, clock, "search", [1.0])
    staged.finish()
    last = reports[-1]
    assert (last.done, last.total, last.share, last.finished) == (500, 1000, 0.5, True)


def test_an_unknown_time_stays_unknown_and_an_answer_is_passed_on(clock):
    staged = StagedProgress(lambda report: report.seconds_left is not None, [1.0, 1.0])
    callback = staged.stage("LMF")
    assert [callback(Progress(done, 2, 2, None, done / 2)) for done in (1, 2)] == [False, False]
    assert staged.cancelled
    assert run_stage(staged, clock, "WNMF", [3.0]) == [True]
    assert StagedProgress(None, [1.0, 1.0]).stage("LMF") is None
    StagedProgress(None, [1.0, 1.0]).finish()


def test_steps_of_equal_duration(clock):
    reports = []
    steps = StepProgress(reports.append, 6)
    for _ in range(6):
        clock.now += 10.0
        assert steps.step()
    expected = [Progress(k, 6, None, 10.0 * (6 - k), k / 6) for k in range(2, 6)]
    last = Progress(6, 6, None, 0.06, 60 / 60.06)  # work after the last step
    assert reports == [Progress(1, 6, None, None, 1 / 6), *expected, last]
    reports.clear()
    loading = StepProgress(reports.append, 4)
    for seconds in (30.0, 2.0, 2.0):
        clock.now += seconds
        loading.step()
    assert [each.seconds_left for each in reports] == [None, 32.0, 2.0]
    assert not StepProgress(lambda report: False, 2).step()
    assert StepProgress(None, 1).step()


# -------------------------------------------------------------------- time to compile and load code


def compiles(clock, seconds, kind="numba:compile"):
    """Let numba say that it is busy for so long, as it does around its own work."""
    for each in dict.fromkeys(("numba:compiler_lock", kind)):
        event.start_event(each)
    clock.now += seconds
    for each in dict.fromkeys((kind, "numba:compiler_lock")):
        event.end_event(each)


def test_the_clock_of_the_work_does_not_count_what_is_compiled_or_loaded(clock):
    with work_clock():
        begin = work_seconds()
        clock.now += 3.0
        compiles(clock, 20.0)
        with work_clock():  # of a fit inside
            compiles(clock, 5.0, "numba:compiler_lock")
            assert work_seconds() == begin + 3.0
        event.start_event("numba:compiler_lock")
        clock.now += 7.0
        assert work_seconds() == begin + 3.0  # under way
        event.start_event("numba:compiler_lock")  # another thread waits for it
        event.end_event("numba:compiler_lock")
        clock.now += 1.0
        event.end_event("numba:compiler_lock")
        clock.now += 2.0
        assert work_seconds() == begin + 5.0
    compiles(clock, 20.0)
    assert work_seconds() == clock.now
    assert compiled_seconds() == 0.0


def test_an_end_without_a_beginning_does_not_stop_the_clock(clock):
    """Another thread may have begun to compile before the fit."""
    event.start_event("numba:compiler_lock")
    with work_clock():
        begin = work_seconds()
        event.end_event("numba:compiler_lock")
        clock.now += 2.0
        compiles(clock, 9.0)
        assert work_seconds() == begin + 2.0


def test_numba_tells_when_it_compiles():
    numba = pytest.importorskip("numba")
    with work_clock():
        begin, worked = time.monotonic(), work_seconds()
        numba.njit(lambda x: x + 1)(1)
        took = time.monotonic() - begin
        assert work_seconds() - worked < 0.5 * took


def test_what_a_stage_compiles_is_no_pace_of_the_stages_to_come(clock):
    """Ten seconds of compilation and two steps of one second: four seconds for two more stages."""
    reports = []
    with work_clock():
        staged = StagedProgress(reports.append, [1.0, 1.0, 1.0])
        steps = StepProgress(staged.stage("features"), 2)
        compiles(clock, 10.0)
        for _ in range(2):
            clock.now += 1.0
            steps.step()
        staged.stage("model")
    assert [each.seconds_left for each in reports] == [None, pytest.approx(4.0, abs=0.01)]
    assert reports[1].share == pytest.approx(1 / 3, abs=0.001)
    assert staged.seconds == [pytest.approx(2.0)]


@pytest.mark.parametrize(("kind", "more"), [("numba:compile", 35.0), ("numba:compiler_lock", 0.0)])
def test_if_a_stage_compiled_code_those_to_come_are_expected_to_as_well(clock, kind, more):
    """10 seconds for a unit of 2 let expect 35 for the next of 7; code that is loaded is there."""
    reports = []
    with work_clock():
        staged = StagedProgress(reports.append, [1.0, 1.0, 1.0], compiling=[2.0, 7.0])
        callback = staged.stage("features")
        compiles(clock, 10.0, kind)
        clock.now += 1.0
        callback(Progress(1, 2, None, 1.0, 0.5))
        callback = staged.stage("model")
        callback(Progress(1, 2, None, 1.0, 0.5))
    assert reports[0].seconds_left == pytest.approx(1.0 + 4.0 + more)
    assert reports[1].seconds_left < 4.0  # the third stage compiles nothing


def test_a_bar_is_redrawn_on_a_terminal_and_ends_with_a_line():
    file = Terminal()
    show = progress_bar(file)
    show(Progress(1, 4, None, None, 0.25, "LMF (1 of 2)"))
    show(Progress(4, 4, 3, 0.0, 1.0, "LMF (1 of 2)", finished=True))
    first, last = file.getvalue().split("\r")[1:]
    assert first == f"[{'#' * 8}{' ' * 22}]   25 %  LMF (1 of 2)"
    assert last.rstrip() == f"[{'#' * 30}]  100 %  rank 3"
    assert last.endswith("\n")
    assert len(last.rstrip("\n")) >= len(first)  # covers what was there


def test_in_a_file_there_is_a_line_for_each_tenth():
    file = io.StringIO()
    show = progress_bar(file)
    for done in range(1, 101):
        show(Progress(done, 100, 4, 100.0 - done, done / 100, finished=done == 100))
    lines = file.getvalue().splitlines()
    assert 10 <= len(lines) <= 12
    assert lines[0] == "  1 %  rank 4 so far  about 99 s left"
    assert lines[-1] == "100 %  rank 4"


def test_a_time_of_an_open_end_is_called_a_least_time():
    file = io.StringIO()
    progress_bar(file)(Progress(1, 9, 4, 12.0, 0.1, open_ended=True))
    assert file.getvalue() == " 10 %  rank 4 so far  at least 12 s left\n"


def test_a_least_time_of_a_few_seconds_is_not_told():
    """A search that may go on for minutes said "at least 0 s left" all the time."""
    for seconds, words in ((0.2, ""), (9.0, ""), (11.0, "at least 11 s left")):
        assert time_left(Progress(1, 9, 4, seconds, 0.1, open_ended=True)) == words
    assert time_left(Progress(1, 9, 4, 0.2, 0.9)) == "about 1 s left"


def test_the_bar_is_a_name_of_the_package_and_writes_to_standard_error(capsys):
    latentlink.progress_bar()(Progress(1, 1, 2, 0.0, 1.0, finished=True))
    assert "100 %  rank 2" in capsys.readouterr().err


def closed_file():
    file = io.StringIO()
    file.close()
    return file


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("log.txt", r"progress_bar is 'log.txt', a path; expected .* open\('log.txt', \"w\"\), or None"),
        (Path("log.txt"), "a path; expected an open text file"),
        (5, "progress_bar is 5; expected an open text file, such as sys.stdout, or None"),
        (closed_file(), "is closed; expected an open text file. Open it for as long as the fit runs"),
        (io.BytesIO(), "takes no text; expected a text file that is open for writing"),
    ],
    ids=["name", "path", "number", "closed", "binary"],
)
def test_a_bar_is_drawn_in_an_open_text_file(file, sentence):
    with pytest.raises(InputError, match=sentence):
        progress_bar(file)


def test_a_file_for_reading_takes_no_text(tmp_path):
    (tmp_path / "log.txt").write_text("")
    with (tmp_path / "log.txt").open() as file, pytest.raises(InputError, match="takes no text"):
        progress_bar(file)


def test_a_file_that_is_closed_before_the_fit_raises_before_any_work():
    file = io.StringIO()
    show = progress_bar(file)
    file.close()
    with pytest.raises(InputError, match="is closed; expected an open text file"):
        latentlink.WNMFk().fit(object(), callback=show)


def test_an_object_that_takes_text_is_enough():
    lines = []
    file = SimpleNamespace(write=lines.append, flush=lambda: None)
    progress_bar(file)(Progress(1, 1, 2, 0.0, 1.0, finished=True))
    assert lines == ["100 %  rank 2\n"]
