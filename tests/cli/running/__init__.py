"""Runs of the command line."""
