"""Readers of matrix files: NumPy arrays, SciPy sparse matrices, Matrix Market."""
