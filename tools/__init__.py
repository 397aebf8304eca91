"""Checks for contributors: bit-identical results across a change, and the length of call paths."""
