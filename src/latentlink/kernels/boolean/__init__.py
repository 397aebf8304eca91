"""Compiled gains and errors of Boolean factors, and their twins in NumPy."""
