"""The figures of each experiment, by matplotlib."""
