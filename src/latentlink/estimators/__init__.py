"""Estimators with scikit-learn's interface: factorizers with automatic rank, and models joined from them."""

from latentlink.estimators.automatic import METHODS, MethodChoice, choose_method, make_estimator
from latentlink.estimators.bayesian import BayesianFactorizer
from latentlink.estimators.bnmfk import BNMFk
from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.estimators.link_model import LinkModel
from latentlink.estimators.link_predictor import LinkPredictor
from latentlink.estimators.link_stack import LinkStack
from latentlink.estimators.loading.persistence import load
from latentlink.estimators.logistic_head import LogisticHead
from latentlink.estimators.nmfk import NMFk
from latentlink.estimators.rnmfk import RNMFk
from latentlink.estimators.values import ValueStack
from latentlink.estimators.wnmfk import WNMFk

__all__ = [
    "METHODS",
    "BNMFk",
    "BayesianFactorizer",
    "LinkModel",
    "LinkPredictor",
    "LinkStack",
    "LogisticHead",
    "MethodChoice",
    "NMFk",
    "RNMFk",
    "RankedFactorizer",
    "ValueStack",
    "WNMFk",
    "choose_method",
    "load",
    "make_estimator",
]
