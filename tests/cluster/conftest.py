"""One small cluster of processes for all tests of a module."""

from __future__ import annotations

import logging

import pytest


@pytest.fixture(scope="module")
def client():
    """A Dask client with two workers of one thread, each a process; skipped without Dask."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
    )
    with cluster, distributed.Client(cluster) as connected:
        yield connected
