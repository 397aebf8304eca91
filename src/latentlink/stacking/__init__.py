"""Models joined: inner folds, graph features, the last stage, and the stacked model that they make."""

from latentlink.stacking.common_members import common_members
from latentlink.stacking.graph_features import FEATURES, GraphFeatures
from latentlink.stacking.inner_folds import FittedEnsemble, hidden_logits, inner_folds
from latentlink.stacking.quadratic_stage import QuadraticStage, fit_quadratic_stage
from latentlink.stacking.requirements import raise_if_not_links, raise_if_too_few_links
from latentlink.stacking.score_weights import fit_score_weights
from latentlink.stacking.stacked_model import StackedMembers, StackedModel

__all__ = [
    "FEATURES",
    "FittedEnsemble",
    "GraphFeatures",
    "QuadraticStage",
    "StackedMembers",
    "StackedModel",
    "common_members",
    "fit_quadratic_stage",
    "fit_score_weights",
    "hidden_logits",
    "inner_folds",
    "raise_if_not_links",
    "raise_if_too_few_links",
]
