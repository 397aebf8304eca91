"""Questions to a fitted model: scores, spread, best pairs, explanations, guarantees; for any `PairModel`."""

from latentlink.scoring.best_pairs import Candidates, recommend, top_links
from latentlink.scoring.calibrated import Calibrated
from latentlink.scoring.calibration_pairs import CalibrationPairs
from latentlink.scoring.cross_calibrated import CrossCalibrated, FoldModel
from latentlink.scoring.drawn_pairs import DrawnPairs, calibration_of_links_alone, were_sampled
from latentlink.scoring.explain import explain_pair, explained_kinds, explained_pairs
from latentlink.scoring.pair_degrees import PairDegrees
from latentlink.scoring.pair_model import Members, PairModel
from latentlink.scoring.scorer import Scorer
from latentlink.scoring.training_spread import TrainingSpread
from latentlink.scoring.unknown_nodes import average_scores
from latentlink.scoring.untested_pairs import UntestedPairs

__all__ = [
    "Calibrated",
    "CalibrationPairs",
    "Candidates",
    "CrossCalibrated",
    "DrawnPairs",
    "FoldModel",
    "Members",
    "PairDegrees",
    "PairModel",
    "Scorer",
    "TrainingSpread",
    "UntestedPairs",
    "average_scores",
    "calibration_of_links_alone",
    "explain_pair",
    "explained_kinds",
    "explained_pairs",
    "recommend",
    "top_links",
    "were_sampled",
]
