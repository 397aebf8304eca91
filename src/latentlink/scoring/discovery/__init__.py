"""Discoveries among all untested pairs, and checks of candidates that are given."""
