"""Parts of a network that are kept apart: for training, for testing, for calibration."""

from latentlink.splitting.holdout import holdout, repeated_holdouts
from latentlink.splitting.kfold import kfold
from latentlink.splitting.split import Split

__all__ = ["Split", "holdout", "kfold", "repeated_holdouts"]
