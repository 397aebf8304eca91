"""One process at a time writes to the folder of a run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest

from latentlink.cli.results.folder_lock import LOCK, locked
from latentlink.errors import InputError
from tests.cli.conftest import TINY, labelled_pairs


def holding(folder, seconds=60):
    """Start a process that holds the lock of a folder, and return it when it does."""
    code = (
        "import sys, time; from pathlib import Path; from latentlink.cli.results.folder_lock import locked\n"
        f"with locked(Path({str(folder)!r})): print('held', flush=True); time.sleep({seconds})"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_process_is_told_who_holds_the_folder(tmp_path):
    folder = tmp_path / "above" / "run"
    holder = holding(folder)
    sentence = rf"Another run is being written to .* \(process {holder.pid} on "
    with pytest.raises(InputError, match=sentence), locked(folder):
        pass
    assert [each.name for each in folder.iterdir()] == [LOCK]
    holder.kill()
    holder.communicate()
    with locked(folder):  # the system has released it
        assert str(os.getpid()) in (folder / LOCK).read_text()
    assert list(folder.iterdir()) == []


def test_folders_that_were_created_are_removed_if_they_are_empty(tmp_path):
    with locked(tmp_path / "a" / "b"):
        pass
    assert list(tmp_path.iterdir()) == []
    with suppress(KeyError), locked(tmp_path / "a" / "b"):
        (tmp_path / "a" / "b" / "file").write_text("kept")
        raise KeyError
    assert (tmp_path / "a" / "b" / "file").read_text() == "kept"
    (tmp_path / "mine").mkdir()
    with locked(tmp_path / "mine"):
        pass
    assert (tmp_path / "mine").is_dir()


def test_a_lock_whose_file_was_removed_is_not_taken(tmp_path, monkeypatch):
    removed = []
    stat = os.fstat

    def removed_meanwhile(handle):
        if not removed:
            removed.append((tmp_path / LOCK).unlink())
        return stat(handle)

    monkeypatch.setattr(os, "fstat", removed_meanwhile)
    with locked(tmp_path), pytest.raises(InputError, match="Another run"), locked(tmp_path):
        pass
    assert len(removed) == 1


def command(data, out, *options):
    return [sys.executable, "-m", "latentlink", "fit", data, "--out", out, *TINY, "--jobs", "1", *options]


def started(*arguments):
    words = [str(word) for word in command(*arguments)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [(1, 1), (1, 2)])
def test_of_two_runs_at_once_one_ends_and_the_other_changes_nothing(seeds, tmp_path):
    data, out = tmp_path / "links.csv", tmp_path / "run"
    data.write_text(labelled_pairs())
    both = [started(data, out, "--seed", seed) for seed in seeds]
    outputs = [process.communicate() for process in both]
    codes = [process.returncode for process in both]
    assert 0 in codes
    for process, (_, errors) in zip(both, outputs, strict=True):
        if process.returncode:
            assert process.returncode == 1
            assert "Another run is being written" in errors or "a finished run with seed" in errors
    for name in ("run.json", "links.csv", "model/meta.json", "report.html"):
        assert (out / name).is_file()
    assert not (out / ".work").exists()
    assert not (out / LOCK).exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_a_run_beside_another_is_refused_and_after_a_kill_it_continues(tmp_path):
    data, out = tmp_path / "links.csv", tmp_path / "run"
    data.write_text(labelled_pairs())
    first = started(data, out)
    while not (out / ".work" / "identity.json").exists():
        assert first.poll() is None
        time.sleep(0.005)
    first.send_signal(signal.SIGSTOP)
    before = sorted(str(path) for path in out.rglob("*"))
    second = started(data, out)
    _, errors = second.communicate()
    assert (second.returncode, f"process {first.pid}" in errors) == (1, True)
    assert sorted(str(path) for path in out.rglob("*")) == before
    first.kill()
    first.communicate()
    third = started(data, out)
    _, errors = third.communicate()
    assert third.returncode == 0, errors
    assert (out / "run.json").is_file()
    assert not (out / LOCK).exists()
