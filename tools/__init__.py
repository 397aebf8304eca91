"""Checks for those who change the package: what a change must not change, and how far a reader has to walk."""
