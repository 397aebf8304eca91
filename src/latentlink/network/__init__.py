"""What is known of a matrix or network, and how much it weighs."""

from latentlink.network.ensemble import Ensemble
from latentlink.network.network import Network
from latentlink.network.step import Step
from latentlink.network.views import View

__all__ = ["Ensemble", "Network", "Step", "View"]
