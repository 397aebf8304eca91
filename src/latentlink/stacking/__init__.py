"""Models joined: inner folds, graph features, the last stage, and the stacked model that they make."""

from latentlink.stacking.common_members import common_members, common_numbers
from latentlink.stacking.drawn_non_links import (
    drawn_pairs,
    each_once,
    is_links_alone,
    knows_links_only,
    with_drawn_non_links,
)
from latentlink.stacking.graph_features import FeatureKinds, GraphFeatures
from latentlink.stacking.inner_folds import (
    FittedEnsemble,
    enough_folds,
    folds_needed,
    hidden_features,
    hidden_logits,
    inner_folds,
    mean_logits,
)
from latentlink.stacking.last_stage import AdditiveStage, BoostedTrees, MixedStage, fit_last_stage
from latentlink.stacking.links_alone import learned_network, no_warnings_of_empty_lines
from latentlink.stacking.listed_links import HiddenLinks, ListedLinks
from latentlink.stacking.requirements import (
    raise_if_not_links,
    raise_if_too_few_links,
    warn_of_fitted_links,
    warn_of_nodes_without_links,
    warn_of_self_pairs,
)
from latentlink.stacking.score_weights import fit_score_weights, share_of_links
from latentlink.stacking.stacked_model import StackedMembers, StackedModel

__all__ = [
    "AdditiveStage",
    "BoostedTrees",
    "FeatureKinds",
    "FittedEnsemble",
    "GraphFeatures",
    "HiddenLinks",
    "ListedLinks",
    "MixedStage",
    "StackedMembers",
    "StackedModel",
    "common_members",
    "common_numbers",
    "drawn_pairs",
    "each_once",
    "enough_folds",
    "fit_last_stage",
    "fit_score_weights",
    "folds_needed",
    "hidden_features",
    "hidden_logits",
    "inner_folds",
    "is_links_alone",
    "knows_links_only",
    "learned_network",
    "mean_logits",
    "no_warnings_of_empty_lines",
    "raise_if_not_links",
    "raise_if_too_few_links",
    "share_of_links",
    "warn_of_fitted_links",
    "warn_of_nodes_without_links",
    "warn_of_self_pairs",
    "with_drawn_non_links",
]
