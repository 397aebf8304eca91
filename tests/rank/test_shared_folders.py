"""Several processes in one run folder, and disks that are full: no result is wrong, none is lost."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from latentlink.errors import InputError, LatentLinkError, StorageError
from latentlink.rank import HeldOut, find_rank
from latentlink.rank import ridge as ridge_module
from latentlink.rank.checkpoint import Checkpoint
from latentlink.rank.ridge import RidgeChoice
from latentlink.saving import load_file, save_file
from latentlink.solvers import WNMF
from tests.rank.paths import assert_same_path, small_plan
from tests.rank.racing import claim, race, search

pytestmark = pytest.mark.filterwarnings(
    "ignore:No rank is stable", "ignore:Rank . is not stable", "ignore::sklearn.exceptions.ConvergenceWarning"
)
AUTOMATIC = {"solver": WNMF(max_iter=20)}


@pytest.fixture
def full_disk(monkeypatch):
    """Return a function after which only so many files can be written."""
    sync = os.fsync

    def arm(n_files, number=errno.ENOSPC):
        left = iter(range(n_files))

        def fsync(handle):
            if next(left, None) is None:
                raise OSError(number, os.strerror(number))
            sync(handle)

        monkeypatch.setattr(os, "fsync", fsync)

    yield arm
    monkeypatch.undo()


@pytest.mark.slow
def test_of_several_searches_on_different_data_one_gets_the_folder(tmp_path):
    results = race(claim, tmp_path, n_rounds=100)
    assert [sum(accepted) for accepted in results] == [1] * 100


@pytest.mark.slow
def test_two_runs_of_one_search_share_a_folder(tmp_path):
    for one, other in race(search, tmp_path, n_rounds=4, ranks=((1, 2), (1, 2))):
        assert one == other


@pytest.mark.slow
def test_runs_over_different_ranks_have_one_ridge(tmp_path):
    for one, other in race(search, tmp_path, n_rounds=4, ranks=((1, 2), (2, 3, 4))):
        assert one[0] == other[0]
        assert one[1][2] == other[1][2]


def test_a_folder_claimed_after_it_was_looked_at_belongs_to_the_first(tmp_path, monkeypatch):
    """The claim and the first task of the other process come between the two looks."""
    exists, calls = Path.exists, []

    def late(path, *args, **kwargs):
        answer = exists(path, *args, **kwargs)
        if path.name == "search.npz" and not calls:
            calls.append(path)
            find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path)
        return answer

    monkeypatch.setattr(Path, "exists", late)
    Checkpoint(tmp_path, small_plan())
    with pytest.raises(LatentLinkError, match="other settings"):
        Checkpoint(tmp_path, small_plan(seed=1))


def test_the_first_choice_of_the_ridge_is_used_by_all(tmp_path):
    checkpoint = Checkpoint(tmp_path, small_plan(**AUTOMATIC))
    first, second = (RidgeChoice(ridge, "", ()) for ridge in (0.5, 0.25))
    assert checkpoint.store_ridge(first) == first
    assert checkpoint.store_ridge(second) == first
    assert checkpoint.ridge() == first


# -------------------------------------------------------------------- trials of ridges


def test_a_search_stopped_between_trials_keeps_the_finished_ones(tmp_path, monkeypatch):
    tried, original = [], ridge_module.fit_members

    def fit_members(plan, rank, members):
        tried.append(rank)
        return original(plan, rank, members)

    monkeypatch.setattr(ridge_module, "fit_members", fit_members)
    with pytest.raises(LatentLinkError, match="cancelled"):
        find_rank(small_plan(**AUTOMATIC), (1, 2), HeldOut(), folder=tmp_path, callback=lambda report: False)
    assert len(tried) == 1
    result = find_rank(small_plan(**AUTOMATIC), (1, 2), HeldOut(), folder=tmp_path)
    assert sorted(tried) == [1, 2]
    assert_same_path(result.path, find_rank(small_plan(**AUTOMATIC), (1, 2), HeldOut()).path)


@pytest.mark.parametrize(
    "tree", [None, [], [1], [(0.1, 2, 0.5)], [("0.1", 1, 0.5)], [(0.1, 1)], (1, 2)], ids=str
)
def test_a_file_without_its_trials_raises(tmp_path, tree):
    checkpoint = Checkpoint(tmp_path, small_plan(**AUTOMATIC))
    checkpoint.store_trials(1, tree)
    with pytest.raises(InputError, match="does not have the trials of ridges at rank 1 that its name says"):
        checkpoint.trials(1)


@pytest.mark.parametrize("name", ["ridge.npz", "search.npz"])
def test_a_file_of_another_content_raises(tmp_path, name):
    find_rank(small_plan(**AUTOMATIC), (1,), HeldOut(), folder=tmp_path)
    if name == "ridge.npz":
        (tmp_path / name).unlink()
        Checkpoint(tmp_path, small_plan(**AUTOMATIC)).store_ridge({"seed": 0})
    else:
        save_file(tmp_path / name, "search", {"seed": 0})
    with pytest.raises(InputError, match=r"does not have a choice|does not describe a search"):
        find_rank(small_plan(**AUTOMATIC), (1,), HeldOut(), folder=tmp_path)


# -------------------------------------------------------------------- disks


@pytest.mark.parametrize("n_files", range(0, 12, 2))
def test_a_full_disk_is_named_and_the_search_continues_later(tmp_path, full_disk, n_files):
    folder = tmp_path / "search"
    full_disk(n_files)
    with pytest.raises(StorageError, match=r"search' cannot be written.*No space left.* Free some space"):
        find_rank(small_plan(**AUTOMATIC), (1, 2), HeldOut(), folder=folder)
    stored = sorted(path.name for path in folder.iterdir())
    assert all(not name.startswith(".") for name in stored)
    full_disk(99)
    result = find_rank(small_plan(**AUTOMATIC), (1, 2), HeldOut(), folder=folder)
    assert set(stored) <= {path.name for path in folder.iterdir()}
    assert_same_path(result.path, find_rank(small_plan(**AUTOMATIC), (1, 2), HeldOut()).path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path, full_disk):
    full_disk(0, errno.EROFS)
    with pytest.raises(StorageError, match=r"Read-only file system.*the same search continues from there\."):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path / "search")
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match=r"Not a directory\. Name another folder"):
        find_rank(small_plan(), (1,), HeldOut(), folder=tmp_path / "file" / "search")


def test_a_storage_error_is_an_os_error_too():
    assert issubclass(StorageError, OSError)
    assert issubclass(StorageError, LatentLinkError)


def test_without_hard_links_the_claim_is_exclusive_too(tmp_path, monkeypatch):
    def refused(source, target):
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refused)
    Checkpoint(tmp_path, small_plan())
    assert load_file(tmp_path / "search.npz", "search", {})["seed"] == 0
    with pytest.raises(LatentLinkError, match="other settings"):
        Checkpoint(tmp_path, small_plan(seed=1))
    assert [path.name for path in tmp_path.iterdir()] == ["search.npz"]
