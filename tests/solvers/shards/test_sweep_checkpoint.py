"""Stored sweeps: the last one counts, older files go, damaged ones raise."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import InputError
from latentlink.saving import save_file
from latentlink.solvers.shards import sweep_checkpoint
from latentlink.solvers.shards.row_shard import rows_file
from latentlink.solvers.shards.sweep_checkpoint import SweepCheckpoint

LOSSES = [np.array([3.0, 4.0]), np.array([2.0, 1.0])]


def store(checkpoint, sweep):
    for begin in (0, 5):
        save_file(rows_file(checkpoint.path(sweep), begin), "rows under way", {"factor": np.ones(3)})
    checkpoint.store([LOSSES[0]] * sweep, {"factor": np.full(2, float(sweep))})


def test_the_last_stored_sweep_is_the_one_to_continue_from(tmp_path):
    checkpoint = SweepCheckpoint(tmp_path, "members-000-001")
    assert checkpoint.sweep == -1
    for sweep in (3, 7):
        store(checkpoint, sweep)
    again = SweepCheckpoint(tmp_path, "members-000-001")
    assert again.sweep == 7
    assert again.losses.shape == (7, 2)
    np.testing.assert_array_equal(again.columns["factor"], [7, 7])
    assert len(list(tmp_path.iterdir())) == 3  # the columns, and the rows of two shards
    assert SweepCheckpoint(tmp_path, "members-002-003").sweep == -1
    again.clear()
    assert not list(tmp_path.iterdir())


def test_a_sweep_is_due_after_some_time_and_not_at_once(tmp_path, monkeypatch):
    checkpoint = SweepCheckpoint(tmp_path, "members-000-001")
    assert not checkpoint.is_due(5)
    monkeypatch.setattr(sweep_checkpoint, "SECONDS", 0.0)
    assert [sweep for sweep in range(3) if checkpoint.is_due(sweep)] == [1, 2]
    store(checkpoint, 2)
    assert [sweep for sweep in range(5) if checkpoint.is_due(sweep)] == [3, 4]


@pytest.mark.parametrize("content", [b"", b"not an archive", None])
def test_a_damaged_sweep_raises(tmp_path, content):
    path = tmp_path / "members-000-001-sweep.npz"
    if content is None:
        save_file(path, "sweep under way", {"other": 1})
    else:
        path.write_bytes(content)
    with pytest.raises(InputError):
        SweepCheckpoint(tmp_path, "members-000-001")


def test_where_nothing_is_stored_there_are_no_losses_and_nothing_is_cleared(tmp_path, monkeypatch):
    checkpoint = SweepCheckpoint(tmp_path, "members-000-001")
    assert (checkpoint.losses.shape, checkpoint.columns) == ((0, 0), {})
    checkpoint.clear()
    gone = tmp_path / "members-000-001-sweep-000001-rows-000000000000.npz"
    monkeypatch.setattr(type(tmp_path), "glob", lambda folder, pattern: [gone])
    checkpoint.clear()  # another process deletes the file at the same moment
    assert not list(tmp_path.iterdir())
