"""Fixtures of the tests of the command line."""

from __future__ import annotations

import csv
from types import SimpleNamespace

import numpy as np
import pytest

from latentlink import cli


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch):
    """Remove environment variables about terminals."""
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsys):
    """Return a function that runs a command, and returns its exit code, output and errors."""

    def call(*args):
        capsys.readouterr()
        with pytest.raises(SystemExit) as exit:
            cli.main([str(arg) for arg in args])
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return SimpleNamespace(code=exit.value.code, out=shown.out, err=shown.err)

    return call


def table(path):
    """Return the lines of a CSV file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def labelled_pairs(seed=0, nodes=30):
    """Return links and non-links of two groups of nodes."""
    rng = np.random.default_rng(seed)
    lines = []
    for a in range(nodes):
        for b in range(a + 1, nodes):
            if rng.random() < 0.5:
                link = rng.random() < (0.9 if a % 2 == b % 2 else 0.1)
                lines.append(f"n{a:02},n{b:02},{int(link)}")
    return "source,target,value\n" + "\n".join(lines) + "\n"


TINY = ("--method", "wnmfk", "--ranks", "2", "--members", "2")
"""Options of a fit that takes a fraction of a second."""


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A folder with a data file and a finished run, which no test may change."""
    folder = tmp_path_factory.mktemp("finished")
    (folder / "links.csv").write_text(labelled_pairs())
    with pytest.raises(SystemExit) as exit:
        cli.main(["fit", str(folder / "links.csv"), "--out", str(folder / "run"), *TINY, "--json"])
    assert exit.value.code == 0
    return folder
