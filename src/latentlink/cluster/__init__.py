"""Tasks in other processes and on other machines: shared data are sent once, and lost tasks repeated."""

from latentlink.cluster.dask_executor import DaskExecutor, RemoteTask, is_dask_client
from latentlink.cluster.pinned_parts import PinnedParts
from latentlink.cluster.serial_parts import Call, LostPartError, Parts, SerialParts, added, tree_sum
from latentlink.cluster.share import Share, claimed, wait_a_moment
from latentlink.cluster.shared_objects import Packed, SharedObjects, run_packed, run_unpacked

__all__ = [
    "Call",
    "DaskExecutor",
    "LostPartError",
    "Packed",
    "Parts",
    "PinnedParts",
    "RemoteTask",
    "SerialParts",
    "Share",
    "SharedObjects",
    "added",
    "claimed",
    "is_dask_client",
    "run_packed",
    "run_unpacked",
    "tree_sum",
    "wait_a_moment",
]
