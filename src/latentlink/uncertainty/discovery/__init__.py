"""Discoveries: selection with a bounded false discovery rate, and candidates that void it."""
