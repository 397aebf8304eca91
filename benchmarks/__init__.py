"""Speed and memory, measured: ``python -m benchmarks`` runs all and writes benchmarks/results."""
