"""Runs of ``latentlink fit``: settings, folders, calibration, decisions and files."""
