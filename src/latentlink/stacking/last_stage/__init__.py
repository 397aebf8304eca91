"""The last stage of a stack: from scores and features of a pair to the logit of a link."""

from latentlink.stacking.last_stage.additive_stage import AdditiveStage
from latentlink.stacking.last_stage.boosted_trees import BoostedTrees
from latentlink.stacking.last_stage.mixed_stage import MixedStage, fit_last_stage
from latentlink.stacking.last_stage.training_pairs import TrainingPairs

__all__ = ["AdditiveStage", "BoostedTrees", "MixedStage", "TrainingPairs", "fit_last_stage"]
