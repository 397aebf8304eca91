"""Fits of networks that are too large for one machine."""

from latentlink.estimators.shards.fit_shards import fit_shards
from latentlink.estimators.shards.sharded_model import ShardedModel
from latentlink.network.shards import ShardedNetwork

__all__ = ["ShardedModel", "ShardedNetwork", "fit_shards"]
