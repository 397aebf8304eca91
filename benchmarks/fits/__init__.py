"""Whole fits of this library and of other packages to the same training data, with their held-out errors."""
