"""Fits in shards on a Dask cluster have the bits of those in one process, with and without lost workers."""

from __future__ import annotations

import os
import signal

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from latentlink.cluster import LostPartError, PinnedParts
from latentlink.errors import InputError, LatentLinkError
from latentlink.estimators.shards import ShardedNetwork, fit_shards
from latentlink.solvers import LMF, WNMF
from latentlink.solvers.shards import sharded_sweeps, sweep_checkpoint

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    rng = np.random.default_rng(0)
    for part in range(4):
        columns = {"r": rng.integers(0, 60, 400), "c": rng.integers(0, 30, 400), "v": rng.integers(0, 2, 400)}
        pairs = np.unique(np.stack([columns["r"] * 4 + part, columns["c"], columns["v"]]), axis=1)
        first = np.unique(pairs[:2], axis=1, return_index=True)[1]
        table = pyarrow.table(dict(zip("rcv", pairs[:, first], strict=True)))
        parquet.write_table(table, folder / f"{part}.parquet")
    return folder


SOLVER = LMF(max_iter=25, tol=0.0)


def fitted(source, folder, executor=None, solver=SOLVER):
    sharded = ShardedNetwork.from_parquet(
        source, folder / "blocks", n_blocks=5, background=0.1, executor=executor
    )
    return fit_shards(sharded, folder / "fit", solver, 3, n_members=9, random_state=0, executor=executor)


@pytest.fixture(scope="module")
def serial(source, tmp_path_factory):
    return fitted(source, tmp_path_factory.mktemp("serial"))


def assert_same_bits(one, other):
    for ours, expected in zip(one.records, other.records, strict=True):
        np.testing.assert_array_equal(ours.loss, expected.loss)
    for (names, ours), (same, expected) in zip(one.blocks(), other.blocks(), strict=True):
        assert names.tolist() == same.tolist()
        for mine, model in zip(ours, expected, strict=True):
            np.testing.assert_array_equal(mine.W, model.W)
            np.testing.assert_array_equal(mine.H, model.H)


def test_a_cluster_gives_the_same_bits(client, source, serial, tmp_path):
    assert_same_bits(fitted(source, tmp_path, client), serial)


def test_pieces_of_columns_give_the_same_bits(client, source, serial, tmp_path, monkeypatch):
    """Columns are updated in seven pieces, of which several are under way at once."""
    monkeypatch.setattr(sharded_sweeps, "MOST_TERMS", 14 * 8 * 5)
    assert_same_bits(fitted(source, tmp_path, client), serial)


def test_errors_of_workers_are_raised(client, source, tmp_path):
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "a.parquet").write_bytes((source / "0.parquet").read_bytes()[:-4] + b"PAR0")
    with pytest.raises(InputError, match=r"a\.parquet"):
        ShardedNetwork.from_parquet(tmp_path / "bad", tmp_path / "blocks", executor=client)


# The last ones: a new worker takes seconds to begin.


def test_a_killed_worker_is_replaced_from_the_stored_sweep(client, source, serial, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_checkpoint, "SECONDS", 0.0)
    store, sweeps = sweep_checkpoint.SweepCheckpoint.store, []

    def killing(self, losses, columns):
        store(self, losses, columns)
        sweeps.append(len(losses))
        if sweeps == list(range(1, 6)):
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

    begin, made = PinnedParts.__init__, []

    def counted(self, *args):
        made.append(1)
        begin(self, *args)

    monkeypatch.setattr(PinnedParts, "__init__", counted)
    monkeypatch.setattr(sweep_checkpoint.SweepCheckpoint, "store", killing)
    assert_same_bits(fitted(source, tmp_path, client), serial)
    assert len(made) == 2
    # The sweep that was stored last is the only one that is made again.
    assert sweeps == [*range(1, 25), *range(1, 25)]


def test_workers_that_are_lost_again_and_again_are_an_error(client, source, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_checkpoint.SweepCheckpoint, "is_due", lost)
    with pytest.raises(LatentLinkError, match="lost workers 5 times"):
        fitted(source, tmp_path, client, WNMF(ridge=0.1))


def lost(self, sweep):
    raise LostPartError
