"""Calibrated probabilities: calibration methods, the curves that they fit, and logistic regression."""
