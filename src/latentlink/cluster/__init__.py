"""Tasks in other processes and on other machines: shared data are sent once, and lost tasks repeated."""

from latentlink.cluster.dask_executor import DaskExecutor, RemoteTask, is_dask_client
from latentlink.cluster.share import Share, claimed, wait_a_moment
from latentlink.cluster.shared_objects import Packed, SharedObjects, run_packed, run_unpacked

__all__ = [
    "DaskExecutor",
    "Packed",
    "RemoteTask",
    "Share",
    "SharedObjects",
    "claimed",
    "is_dask_client",
    "run_packed",
    "run_unpacked",
    "wait_a_moment",
]
