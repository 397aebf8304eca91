"""Checks of the fitted state of a loaded estimator."""
