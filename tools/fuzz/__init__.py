"""Fuzzing: mutated files are read in child processes with limits on time and memory."""
