"""Functions from Network to Network: cleaning, sampled non-links, symmetry."""
