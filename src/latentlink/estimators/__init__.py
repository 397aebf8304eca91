"""Estimators: a factorization whose rank is found, with the faces that scikit-learn's users know."""

from latentlink.estimators.bnmfk import BNMFk
from latentlink.estimators.calibrated import Calibrated
from latentlink.estimators.link_predictor import LinkPredictor
from latentlink.estimators.link_stack import LinkStack
from latentlink.estimators.logistic_head import LogisticHead
from latentlink.estimators.newrows import NewRows
from latentlink.estimators.nmfk import NMFk
from latentlink.estimators.promised import Promised
from latentlink.estimators.ranked import RankedFactorizer
from latentlink.estimators.rnmfk import RNMFk
from latentlink.estimators.storing import load
from latentlink.estimators.wnmfk import WNMFk

__all__ = [
    "BNMFk",
    "Calibrated",
    "LinkPredictor",
    "LinkStack",
    "LogisticHead",
    "NMFk",
    "NewRows",
    "Promised",
    "RNMFk",
    "RankedFactorizer",
    "WNMFk",
    "load",
]
