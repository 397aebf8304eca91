"""Packed tasks: shared objects are packed once, loaded once, and missing ones are noticed."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest

from latentlink.cluster.mapped_parts import joined, split_parts
from latentlink.cluster.shared_objects import MissingContentError, SharedObjects, forget, run_packed
from latentlink.cluster.task_failures import raise_task_failure, unfinished
from latentlink.errors import InputError, LatentLinkError
from latentlink.parallel import TaskPool
from latentlink.rank.engine import fit_members
from tests.rank.paths import small_plan


def itself(shared, number=0):
    del number
    return shared


def test_an_object_is_packed_and_loaded_once(tmp_path):
    plan = small_plan()
    shared = SharedObjects(tmp_path)
    first, second = (shared.packed(itself, plan, number) for number in range(2))
    assert first.keys == second.keys
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(first.keys)
    loaded = run_packed(first, {})
    assert loaded is not plan
    assert loaded is run_packed(second, {})
    assert loaded.network == plan.network
    assert not loaded.network.values.flags.writeable
    forget(first.keys)
    assert run_packed(first, {}) is not loaded


def test_a_plan_with_another_solver_has_the_same_network():
    shared = SharedObjects(None)
    plan = small_plan()
    keys = [shared.packed(itself, each).keys for each in (plan, plan.holding_nothing_out())]
    assert keys[0][-1] == keys[1][-1]
    assert keys[0][0] != keys[1][0]


def test_contents_are_sent_where_files_cannot_be_read(tmp_path):
    shared = SharedObjects(tmp_path)
    packed = shared.packed(itself, small_plan(seed=5))
    elsewhere = packed._replace(folder=str(tmp_path / "nowhere"))
    with pytest.raises(MissingContentError, match="nowhere"):
        run_packed(elsewhere, {})
    contents = {key: shared.content(key) for key in packed.keys}
    assert run_packed(elsewhere, contents).seed == 5


def test_a_file_that_was_cut_short_raises():
    content = joined([b"some", bytes(200)])
    with pytest.raises(InputError, match=r"192 bytes; expected 384\. It was cut short"):
        split_parts(memoryview(content[:192]))


def test_arrays_are_aligned():
    parts = split_parts(memoryview(joined([b"x", np.arange(3.0).tobytes(), b""])))
    np.testing.assert_array_equal(np.frombuffer(parts[1]), [0, 1, 2])


KilledWorker = type("KilledWorker", (Exception,), {})  # named as that of Dask


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            KilledWorker("attempted to run 4 times"),
            r"'rank 64' ended every worker.*4 times.* memory",
        ),
        (ModuleNotFoundError("No module named 'latentlink'"), r"No module named.*Install latentlink"),
    ],
)
def test_failures_of_a_cluster_are_sentences(error, sentence):
    with pytest.raises(LatentLinkError, match=sentence):
        raise_task_failure("rank 64", error)
    assert "was sent 5 times" in str(unfinished("rank 64", 5))


@pytest.mark.slow
def test_processes_share_the_data_of_a_folder(tmp_path):
    plan = small_plan()
    with (
        ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor,
        TaskPool(executor=executor, folder=tmp_path / "run") as pool,
    ):
        pool.add(fit_members, plan, 2, range(4))
        [(*_, members)] = pool.completed()
    assert [path.name for path in (tmp_path / "run").iterdir()] == []
    for one, other in zip(members, fit_members(plan, 2, range(4)), strict=True):
        np.testing.assert_array_equal(one.factors.W, other.factors.W)
