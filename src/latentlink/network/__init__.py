"""Network: a partly known matrix or network with entry weights; its readers, writers and transforms."""

from latentlink.network.compressed import View
from latentlink.network.ensemble import Ensemble
from latentlink.network.history import Step
from latentlink.network.network import Network
from latentlink.network.transforms.clean import binarize, drop_duplicates, drop_self_loops, resolve_conflicts
from latentlink.network.transforms.negatives import sample_negatives
from latentlink.network.transforms.sparse_nodes import drop_sparse_nodes

__all__ = [
    "Ensemble",
    "Network",
    "Step",
    "View",
    "binarize",
    "drop_duplicates",
    "drop_self_loops",
    "drop_sparse_nodes",
    "resolve_conflicts",
    "sample_negatives",
]
