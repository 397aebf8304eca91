"""Networks too large for one machine: their entries in blocks of rows on a disk."""

from latentlink.network.shards.sharded_network import ShardedNetwork

__all__ = ["ShardedNetwork"]
