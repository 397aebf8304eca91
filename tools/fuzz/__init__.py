"""Fuzzing: mutated files, each read in a child process with limits on time and memory."""
