"""What is known of a matrix or network, and how much it weighs."""

from latentlink.network.network import Network, Step

__all__ = ["Network", "Step"]
