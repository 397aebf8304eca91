"""Random splits of a network into training, test and calibration parts."""

from latentlink.splitting.holdout import holdout, repeated_holdouts
from latentlink.splitting.kfold import kfold
from latentlink.splitting.node_holdout import node_holdout
from latentlink.splitting.split import Split

__all__ = ["Split", "holdout", "kfold", "node_holdout", "repeated_holdouts"]
