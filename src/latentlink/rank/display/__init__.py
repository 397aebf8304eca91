"""Rank paths as figures and as HTML."""
