"""The command line of the studies."""

from __future__ import annotations

import shutil
import sys

import pytest

from studies import __main__ as command
from studies import study


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Call the command on a copy of the results of two studies."""
    for name in ("ties", "ratings"):
        shutil.copy(study.RESULTS / f"{name}.csv", tmp_path)
    monkeypatch.setattr(study, "RESULTS", tmp_path)
    monkeypatch.setattr(command, "RATINGS", tmp_path / "no_such_file")

    def called(*words):
        monkeypatch.setattr(sys, "argv", ["studies", *words])
        return command.main()

    return called


def test_pages_are_written_from_stored_lines(call, tmp_path):
    before = (tmp_path / "ties.csv").read_text()
    assert call("--report", "ties", "ratings") == 0
    assert (tmp_path / "ties.md").read_text().count("| yes |") == 3
    assert "MovieLens-100k" in (tmp_path / "ratings.md").read_text()
    assert (tmp_path / "ties.csv").read_text() == before


def test_a_study_without_its_file_is_reported_as_not_met(call, capsys):
    assert call("ratings") == 1
    assert "ratings: not run, there is no file" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [(["--restamp", "ties"], "--restamp needs --check N"), (["tides"], "there is no study 'tides'")],
)
def test_wrong_arguments_are_explained(call, capsys, words, message):
    with pytest.raises(SystemExit):
        call(*words)
    assert message in capsys.readouterr().err
