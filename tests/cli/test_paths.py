"""Paths that the system refuses are told in a sentence, whatever command they are given to."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from latentlink.cli.failures import exit_code

from .conftest import TINY, labelled_pairs

LONG = "x" * 300
DEEP = "/".join(["folder"] * 1000)


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_text(labelled_pairs())
    return path


@pytest.fixture
def refused(tmp_path):
    """Return a function of the kind of a path that returns one that the system refuses."""
    (tmp_path / "file").write_text("")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")

    def path(kind):
        return tmp_path / {"long": LONG, "deep": DEEP, "file": "file/run", "circle": "circle/run"}[kind]

    return path


KINDS = pytest.mark.parametrize("kind", ["long", "deep", "file", "circle"])


def assert_told(shown):
    assert shown.code == 1
    assert "Internal error" not in shown.err
    assert shown.err.count("Error: ") == 1
    assert len(shown.err) < 500


@KINDS
def test_a_folder_of_a_run_that_cannot_be_created(kind, refused, links, run):
    shown = run("fit", links, "--out", refused(kind), *TINY)
    assert_told(shown)


@KINDS
@pytest.mark.parametrize("command", ["top", "report", "predict", "explain", "fit", "evaluate"])
def test_a_path_that_cannot_be_read(kind, command, refused, links, run, tmp_path):
    more = {"predict": [links], "explain": ["a", "b"], "fit": ["--out", tmp_path / "run"]}.get(command, [])
    assert_told(run(command, refused(kind), *more))


@KINDS
def test_a_file_that_cannot_be_written(kind, refused, finished, run):
    assert_told(run("predict", finished / "run", finished / "links.csv", "--out", refused(kind)))


@pytest.mark.skipif(sys.platform != "linux", reason="/proc is of Linux")
def test_a_place_without_new_folders(links, run):
    shown = run("fit", links, "--out", "/proc/x", *TINY)
    assert_told(shown)
    assert "The folder /proc/x cannot be created" in shown.err


def test_a_file_that_the_program_lacks_is_its_fault(capsys):
    def command():
        raise FileNotFoundError(2, "No such file or directory", "assets/page.html")

    assert exit_code(command, ["top"]) == 2
    shown = capsys.readouterr().err
    assert "Internal error, FileNotFoundError" in shown
    Path(re.search(r"the log is in\s+(\S+)\.$", shown.strip())[1]).unlink()
