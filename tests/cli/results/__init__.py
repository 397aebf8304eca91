"""Results of the command line."""
