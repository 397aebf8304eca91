"""Estimators: a factorization whose rank is found, with the faces that scikit-learn's users know."""

from latentlink.estimators.bnmfk import BNMFk
from latentlink.estimators.link_predictor import LinkPredictor
from latentlink.estimators.newrows import NewRows
from latentlink.estimators.nmfk import NMFk
from latentlink.estimators.ranked import RankedFactorizer
from latentlink.estimators.rnmfk import RNMFk
from latentlink.estimators.storing import load
from latentlink.estimators.wnmfk import WNMFk

__all__ = ["BNMFk", "LinkPredictor", "NMFk", "NewRows", "RNMFk", "RankedFactorizer", "WNMFk", "load"]
