"""One count over several fits, and the bar that draws it."""

from __future__ import annotations

import io

import numpy as np
import pytest

import latentlink
from latentlink.progress import Progress, StagedProgress, cancels, progress_bar


class Terminal(io.StringIO):
    """A text file that says it is a terminal."""

    def isatty(self):
        return True


def stage_reports(staged, model, total, seconds_left=1.0):
    """Report all tasks of one stage."""
    callback = staged.stage(model)
    return [callback(Progress(i, total, 2, seconds_left, i / total)) for i in range(1, total + 1)]


@pytest.mark.parametrize(
    ("answer", "expected"), [(False, True), (np.False_, True), (None, False), (0, False)]
)
def test_only_false_cancels(answer, expected):
    assert cancels(answer) is expected


def test_the_count_over_several_fits_never_restarts():
    reports = []
    staged = StagedProgress(reports.append, 3)
    for model, total in (("LMF", 4), ("WNMF", 8), ("inner folds", 2)):
        stage_reports(staged, model, total)
    staged.finish()
    assert [report.done for report in reports] == [*range(1, 15), 14]
    assert [report.model for report in reports[:14]] == ["LMF"] * 4 + ["WNMF"] * 8 + ["inner folds"] * 2
    shares = [report.share for report in reports]
    np.testing.assert_allclose(shares[:4], np.arange(1, 5) / 12)
    np.testing.assert_allclose(shares[4:12], 1 / 3 + np.arange(1, 9) / 24)
    assert shares == sorted(shares)
    assert [report.finished for report in reports] == [False] * 14 + [True]
    assert reports[0].total == 12  # three stages like the first
    assert reports[11].total == 18  # 12 tasks in two stages
    assert (reports[-1].total, reports[-1].share, reports[-1].seconds_left) == (14, 1.0, 0.0)
    assert all(report.seconds_left >= 0 for report in reports)


def test_an_unknown_time_stays_unknown_and_an_answer_is_passed_on():
    staged = StagedProgress(lambda report: report.seconds_left is not None, 2)
    assert stage_reports(staged, "LMF", 2, None) == [False, False]
    assert stage_reports(staged, "WNMF", 2, 3.0) == [True, True]
    assert StagedProgress(None, 2).stage("LMF") is None
    StagedProgress(None, 2).finish()


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


def test_the_bar_is_a_name_of_the_package_and_writes_to_standard_error(capsys):
    latentlink.progress_bar()(Progress(1, 1, 2, 0.0, 1.0, finished=True))
    assert "100 %  rank 2" in capsys.readouterr().err
