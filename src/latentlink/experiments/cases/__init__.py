"""The runs of each experiment: which there are, how one is computed, and tables of all of them."""
