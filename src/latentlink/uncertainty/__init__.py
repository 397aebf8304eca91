"""Uncertainty of scores: abstention, calibrated probabilities, risk control, conformal sets, discoveries."""

from latentlink.uncertainty.abstention import abstain_above, spread_threshold, uq_weights
from latentlink.uncertainty.confidence import CONFIDENCES, confidence_of
from latentlink.uncertainty.conformal_intervals import ConformalIntervals, IntervalRule
from latentlink.uncertainty.conformal_sets import ConformalSets, SetRule
from latentlink.uncertainty.cross_conformal import (
    CrossIntervalRule,
    CrossSetRule,
    cross_intervals,
    cross_sets,
)
from latentlink.uncertainty.discovery.chosen_nodes import ChosenNodes
from latentlink.uncertainty.discovery.chosen_pairs import ChosenPairs
from latentlink.uncertainty.discovery.cross_discoveries import CrossDiscoveries
from latentlink.uncertainty.discovery.discoveries import Discoveries, discover
from latentlink.uncertainty.discovery.score_selection import (
    require_not_chosen_by_score,
    require_several_candidates,
    selection_p_value,
)
from latentlink.uncertainty.exchangeability import Exchangeability, compare_pairs
from latentlink.uncertainty.prediction import Prediction
from latentlink.uncertainty.probabilities.calibrators import Beta, Calibration, Isotonic, Platt
from latentlink.uncertainty.probabilities.curves import BetaCurve, Calibrator, SigmoidCurve, StepCurve
from latentlink.uncertainty.probabilities.stated_rate import StatedRate
from latentlink.uncertainty.probabilities.supported_curve import SupportedCurve
from latentlink.uncertainty.propensity.propensities import Constant, LowRank, Propensity, RowColumn
from latentlink.uncertainty.risk_control import RiskControl, RiskRule
from latentlink.uncertainty.unseen_pairs import require_unseen

__all__ = [
    "CONFIDENCES",
    "Beta",
    "BetaCurve",
    "Calibration",
    "Calibrator",
    "ChosenNodes",
    "ChosenPairs",
    "ConformalIntervals",
    "ConformalSets",
    "Constant",
    "CrossDiscoveries",
    "CrossIntervalRule",
    "CrossSetRule",
    "Discoveries",
    "Exchangeability",
    "IntervalRule",
    "Isotonic",
    "LowRank",
    "Platt",
    "Prediction",
    "Propensity",
    "RiskControl",
    "RiskRule",
    "RowColumn",
    "SetRule",
    "SigmoidCurve",
    "StatedRate",
    "StepCurve",
    "SupportedCurve",
    "abstain_above",
    "compare_pairs",
    "confidence_of",
    "cross_intervals",
    "cross_sets",
    "discover",
    "require_not_chosen_by_score",
    "require_several_candidates",
    "require_unseen",
    "selection_p_value",
    "spread_threshold",
    "uq_weights",
]
