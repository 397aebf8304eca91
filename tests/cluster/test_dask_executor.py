"""Rank searches on a Dask cluster: the same bits, nothing sent twice, lost and hanging tasks repeated."""

from __future__ import annotations

import os
import signal
import time
from functools import partial

import numpy as np
import pytest

from latentlink import WNMFk
from latentlink.cluster import dask_executor, task_time_out
from latentlink.cluster.shared_objects import Packed
from latentlink.network import Network
from latentlink.parallel import TaskPool
from latentlink.rank import HeldOut, find_rank
from latentlink.solvers import WNMF
from tests.rank.paths import assert_same_path, small_plan

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore:No rank is stable",
        "ignore:Rank . is not stable",
        "ignore::sklearn.exceptions.ConvergenceWarning",
    ),
]
RANKS = (1, 2, 3)
PLAN = small_plan(n_members=10, solver=WNMF(max_iter=40))


@pytest.fixture(scope="module")
def serial():
    return find_rank(PLAN, RANKS, HeldOut())


def squared_unless(marker, number, then):
    """The square of a number; in the first process that gets there, something else happens first."""
    try:
        os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return number * number
    then()
    return number * number


def kill():
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_search_on_a_cluster_gives_the_same_bits_and_stores_every_task(client, serial, tmp_path):
    for folder in (None, tmp_path / "run"):
        result = find_rank(PLAN, RANKS, HeldOut(), executor=client, folder=folder)
        assert_same_path(result.path, serial.path)
        assert (result.choice, result.ridge) == (serial.choice, serial.ridge)
    stored = sorted(path.name for path in (tmp_path / "run").iterdir())
    blocks = [
        f"rank-{rank:04d}-members-{block[0]:03d}-{block[-1]:03d}.npz"
        for rank in RANKS
        for block in PLAN.blocks
    ]
    assert stored == sorted(
        [*blocks, *(f"rank-{rank:04d}-ridges.npz" for rank in RANKS), "ridge.npz", "search.npz"]
    )


def test_an_estimator_takes_a_client(client, tmp_path):
    X = np.random.default_rng(0).random((20, 3)) @ np.random.default_rng(1).random((3, 15))
    model = WNMFk((2, 3), n_perturbs=2, random_state=0)
    expected = model.fit(X).W_.copy()
    np.testing.assert_array_equal(model.fit(X, executor=client, folder=tmp_path / "run").W_, expected)


def test_workers_that_cannot_read_the_folder_are_sent_the_data(client, serial, tmp_path, monkeypatch):
    """Tasks name a folder that is nowhere, as on a machine with other disks."""
    packed = dask_executor.SharedObjects.packed

    def elsewhere(self, function, *args):
        return packed(self, function, *args)._replace(folder=str(tmp_path / "nowhere"))

    monkeypatch.setattr(dask_executor.SharedObjects, "packed", elsewhere)
    result = find_rank(PLAN, RANKS, HeldOut(), executor=client, folder=tmp_path / "run")
    assert_same_path(result.path, serial.path)


def test_tasks_have_names_and_do_not_carry_the_network(client, tmp_path, monkeypatch):
    sent = []
    submit = client.submit

    def noted(function, packed, *args, key, **options):
        sent.append((key.rpartition("-")[0], packed))
        return submit(function, packed, *args, key=key, **options)

    monkeypatch.setattr(client, "submit", noted)
    large = small_plan(network=PLAN.network.transposed(), n_members=4)
    find_rank(large, (2,), HeldOut(), executor=client, folder=tmp_path / "run")
    assert [name for name, _ in sent] == ["rank 2, members 0 to 3", "summary of rank 2"]
    fit = sent[0][1]
    assert isinstance(fit, Packed)
    assert len(fit.keys) == 2  # the plan, and the network that it has
    assert large.network.values.tobytes()[:200] not in fit.content


def test_shared_objects_are_released_in_the_end(client):
    network = Network([0], [1], shape=(123, 45))  # of which there is no other on the workers
    with TaskPool(executor=client) as pool:
        for _ in range(6):
            pool.add(len, network)
        assert [result for *_, result in pool.completed()] == [1] * 6
        assert any(client.run(loaded, network.shape).values())
    deadline = time.monotonic() + 60
    while any(client.run(loaded, network.shape).values()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(client.run(loaded, network.shape).values())


def loaded(shape):
    """Return whether a worker has a network of a shape that it was sent."""
    import gc

    return any(type(each).__name__ == "Network" and each.shape == shape for each in gc.get_objects())


def test_the_error_of_a_task_is_raised(client):
    with TaskPool(executor=client) as pool:
        pool.add(divmod, 1, 0)
        with pytest.raises(ZeroDivisionError):
            list(pool.completed())


def test_a_task_has_one_thread_of_linear_algebra(client):
    with TaskPool(executor=client) as pool:
        pool.add(blas_threads)
        assert [set(result) for *_, result in pool.completed()] == [{1}]


def blas_threads():
    from threadpoolctl import threadpool_info

    np.ones((2, 2)) @ np.ones((2, 2))
    return [each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"]


# The last ones: a new worker takes seconds to begin.


def test_the_tasks_of_a_killed_worker_are_repeated(client, tmp_path):
    with TaskPool(executor=client) as pool:
        for number in range(6):
            pool.add(squared_unless, str(tmp_path / "killed"), number, kill)
        assert sorted(result for *_, result in pool.completed()) == [0, 1, 4, 9, 16, 25]


def test_a_task_that_hangs_is_repeated_elsewhere(client, tmp_path, monkeypatch):
    monkeypatch.setattr(task_time_out, "LEAST_SECONDS", 2.0)
    client.wait_for_workers(2)
    with TaskPool(executor=client) as pool:
        pool.add(squared_unless, str(tmp_path / "hangs"), 2, partial(time.sleep, 20))
        for number in range(3, 9):
            pool.add(pow, number, 2)
        begin = time.monotonic()
        assert sorted(result for *_, result in pool.completed()) == [4, 9, 16, 25, 36, 49, 64]
    assert time.monotonic() - begin < 20
