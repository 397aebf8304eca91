"""Propensities: models of the chance that a pair was observed."""
