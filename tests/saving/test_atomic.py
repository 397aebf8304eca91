"""Files and folders are written atomically: after a crash the old content is complete, or the new one."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import numpy as np
import pytest

from latentlink.errors import InputError, StorageError
from latentlink.saving import load_file, load_tree, save_file, save_tree, write_atomically
from latentlink.saving.atomic import storage_errors


class Crash(BaseException):
    """An interrupt, which is not an Exception."""


@pytest.fixture
def crash_at(monkeypatch):
    """Return a function after which the n-th renames raise."""
    rename = os.replace

    def arm(*calls):
        count = iter(range(1, 100))

        def replace(source, target):
            if next(count) in calls:
                raise Crash
            rename(source, target)

        monkeypatch.setattr(os, "replace", replace)

    yield arm
    monkeypatch.undo()


@pytest.fixture
def old(tmp_path):
    save_tree(tmp_path / "model", "model", "old")
    return tmp_path / "model"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def loaded(folder):
    return load_tree(folder, "model", {})


@pytest.mark.parametrize("content", [b"new", lambda file: file.write(b"new")])
def test_a_file_is_replaced(tmp_path, content):
    for before in (None, b"old"):
        path = tmp_path / f"{before}"
        if before:
            path.write_bytes(before)
        write_atomically(path, content)
        assert path.read_bytes() == b"new"
    assert names(tmp_path) == ["None", "b'old'"]


def test_a_crash_while_writing_leaves_the_old_file(tmp_path):
    def write(file):
        file.write(b"half")
        raise Crash

    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(Crash):
        write_atomically(tmp_path / "file", write)
    assert names(tmp_path) == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_crash_while_renaming_leaves_the_old_file(tmp_path, crash_at):
    save_file(tmp_path / "task", "task", "old")
    crash_at(1)
    with pytest.raises(Crash):
        save_file(tmp_path / "task", "task", "new")
    assert names(tmp_path) == ["task"]
    assert load_file(tmp_path / "task", "task", {}) == "old"


def test_files_have_the_usual_permissions(tmp_path, old):
    (tmp_path / "plain").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    write_atomically(tmp_path / "file", b"")
    for usual, ours in (("plain", "file"), ("plain", "model/meta.json"), ("folder", "model")):
        modes = {stat.S_IMODE((tmp_path / name).stat().st_mode) for name in (usual, ours)}
        assert len(modes) == 1


def test_a_file_cannot_replace_a_folder_and_needs_an_existing_one(tmp_path):
    with pytest.raises(InputError, match="is a folder; expected the name of a file"):
        write_atomically(tmp_path, b"")
    for save in (save_file, save_tree):
        with pytest.raises(
            InputError, match=r"There is no folder .*nowhere' to write 'x' in. Create it first"
        ):
            save(tmp_path / "nowhere" / "x", "task", None)


def test_symbolic_links_are_followed(tmp_path, old):
    (tmp_path / "link").symlink_to(old)
    save_tree(tmp_path / "link", "model", "new", overwrite=True)
    assert (tmp_path / "link").is_symlink()
    assert loaded(old) == loaded(tmp_path / "link") == "new"


# ---------------------------------------------------------------- folders


def test_a_folder_is_replaced_with_overwrite(tmp_path, old):
    with pytest.raises(InputError, match=r"exists already\. Choose another name, or pass overwrite=True"):
        save_tree(old, "model", "new")
    assert loaded(old) == "old"
    save_tree(old, "other", np.arange(3), overwrite=True)
    np.testing.assert_array_equal(load_tree(old, "other", {}), [0, 1, 2])
    assert names(tmp_path) == ["model"]


def test_an_empty_folder_is_replaced_with_overwrite(tmp_path):
    (tmp_path / "model").mkdir()
    with pytest.raises(InputError, match="exists already"):
        save_tree(tmp_path / "model", "model", "new")
    save_tree(tmp_path / "model", "model", "new", overwrite=True)
    assert loaded(tmp_path / "model") == "new"


@pytest.mark.parametrize(
    "spoil",
    [
        lambda folder: (folder / "notes.txt").write_text("mine"),
        lambda folder: (folder / "arrays.npz").unlink(),
        lambda folder: (folder / "meta.json").write_text("{"),
        lambda folder: (folder / "meta.json").write_text("[]"),
        lambda folder: (folder / "meta.json").write_text(json.dumps({"format": "other"})),
    ],
)
def test_a_folder_that_was_not_saved_by_us_is_never_replaced(tmp_path, old, spoil):
    spoil(old)
    before = {path.name: path.read_bytes() for path in old.iterdir()}
    with pytest.raises(InputError, match="not a folder that latentlink saved"):
        save_tree(old, "model", "new", overwrite=True)
    assert {path.name: path.read_bytes() for path in old.iterdir()} == before
    assert names(tmp_path) == ["model"]


def test_a_file_is_never_replaced_by_a_folder(tmp_path):
    (tmp_path / "model").write_text("mine")
    with pytest.raises(InputError, match="not a folder that latentlink saved"):
        save_tree(tmp_path / "model", "model", "new", overwrite=True)
    assert (tmp_path / "model").read_text() == "mine"


def test_an_invalid_tree_changes_nothing(tmp_path, old):
    with pytest.raises(InputError):
        save_tree(old, "model", object(), overwrite=True)
    assert loaded(old) == "old"
    assert names(tmp_path) == ["model"]


def test_a_crash_while_saving_for_the_first_time_leaves_nothing(tmp_path, crash_at):
    crash_at(1)
    with pytest.raises(Crash):
        save_tree(tmp_path / "model", "model", "new")
    assert names(tmp_path) == []


@pytest.mark.parametrize("call", [1, 2])
def test_a_crash_while_replacing_leaves_the_old_folder(tmp_path, old, crash_at, call):
    crash_at(call)
    with pytest.raises(Crash):
        save_tree(old, "model", "new", overwrite=True)
    assert names(tmp_path) == ["model"]
    assert loaded(old) == "old"


def test_a_crash_while_writing_leaves_the_old_folder(tmp_path, old, monkeypatch):
    def fail(handle):
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="the disk is full"):
        save_tree(old, "model", "new", overwrite=True)
    monkeypatch.undo()
    assert names(tmp_path) == ["model"]
    assert loaded(old) == "old"


def die_between_renames(old, crash_at):
    """Simulate a process that dies between the two renames, without any clean-up."""
    crash_at(2, 3)
    with pytest.raises(Crash):
        save_tree(old, "model", "new", overwrite=True)
    crash_at()
    assert names(old.parent) == [".model.previous"]


def test_after_a_death_between_renames_the_old_folder_is_loaded(old, crash_at):
    die_between_renames(old, crash_at)
    assert loaded(old) == "old"


def test_after_a_death_between_renames_the_old_folder_needs_overwrite(tmp_path, old, crash_at):
    die_between_renames(old, crash_at)
    with pytest.raises(InputError, match="exists already"):
        save_tree(old, "model", "new")
    assert names(tmp_path) == ["model"]
    save_tree(old, "model", "new", overwrite=True)
    assert loaded(old) == "new"
    assert names(tmp_path) == ["model"]


def test_leftovers_of_a_death_after_the_renames_are_removed(tmp_path, old):
    save_tree(tmp_path / ".model.previous", "model", "older")
    assert loaded(old) == "old"
    save_tree(old, "model", "new", overwrite=True)
    assert loaded(old) == "new"
    assert names(tmp_path) == ["model"]


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOSPC, "No space left on device. Free some space, or name another folder. Unchanged."),
        (errno.EDQUOT, "Free some space, or name another folder. Unchanged."),
        (errno.EACCES, "Permission denied. Change the permissions, or name another folder. Unchanged."),
        (errno.EROFS, "Change the permissions, or name another folder. Unchanged."),
        (errno.ENOENT, "No such file or directory. Name another folder. Unchanged."),
        (errno.ENOTDIR, "Not a directory. Name another folder. Unchanged."),
    ],
)
def test_the_advice_fits_the_cause(number, advice):
    with pytest.raises(StorageError) as error, storage_errors(Path("there"), "Unchanged."):
        raise OSError(number, os.strerror(number))
    assert str(error.value).startswith("Files in the folder 'there' cannot be written or read: ")
    assert str(error.value).endswith(advice)
