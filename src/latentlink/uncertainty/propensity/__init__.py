"""Propensities: models of the probability that a pair was observed."""
