"""Solvers whose members are chains of draws from a posterior."""
