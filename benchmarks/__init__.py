"""Benchmarks of speed and memory: ``python -m benchmarks --keep`` runs all and writes benchmarks/results."""
