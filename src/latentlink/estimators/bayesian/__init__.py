"""Estimators whose members are draws from a posterior."""

from latentlink.estimators.bayesian.bayesian_factorizer import BayesianFactorizer

__all__ = ["BayesianFactorizer"]
