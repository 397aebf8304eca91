"""How sure a score is, when to keep silent, and what can be promised: functions and rules on arrays."""

from latentlink.uncertainty.abstain import judged, spread_threshold
from latentlink.uncertainty.apart import require_apart
from latentlink.uncertainty.calibration import Beta, Calibration, Isotonic, Platt
from latentlink.uncertainty.confidence import CONFIDENCES, confidence_of
from latentlink.uncertainty.conformal import ConformalIntervals, IntervalRule
from latentlink.uncertainty.curves import BetaCurve, Calibrator, SigmoidCurve, StepCurve
from latentlink.uncertainty.discoveries import Discoveries, discover
from latentlink.uncertainty.prediction import Prediction
from latentlink.uncertainty.propensity import Constant, LowRank, Propensity, RowColumn
from latentlink.uncertainty.risk import RiskControl, RiskRule
from latentlink.uncertainty.sets import ConformalSets, SetRule
from latentlink.uncertainty.weights import uq_weights

__all__ = [
    "CONFIDENCES",
    "Beta",
    "BetaCurve",
    "Calibration",
    "Calibrator",
    "ConformalIntervals",
    "ConformalSets",
    "Constant",
    "Discoveries",
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
    "StepCurve",
    "confidence_of",
    "discover",
    "judged",
    "require_apart",
    "spread_threshold",
    "uq_weights",
]
