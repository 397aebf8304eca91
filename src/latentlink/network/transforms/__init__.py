"""Functions from Network to Network: cleaning, sampling of non-links, symmetry."""
