"""What is known of a matrix or network, and how much it weighs."""

from latentlink.network.clean import binarize, drop_duplicates, drop_self_loops, resolve_conflicts
from latentlink.network.ensemble import Ensemble
from latentlink.network.negatives import sample_negatives
from latentlink.network.network import Network
from latentlink.network.nodes import drop_sparse_nodes
from latentlink.network.step import Step
from latentlink.network.views import View

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
