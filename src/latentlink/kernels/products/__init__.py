"""Descent on the rows of a factor by sums of products of coordinates."""
