"""Reading of data files by the command line."""
