"""Fits of one network whose rows are divided among processes."""
