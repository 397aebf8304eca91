"""Calibrated probabilities: calibrators, the curves that they fit, logistic regression."""
