"""Gibbs sampling of factorizations: hyperparameters, sweeps, chains and their convergence."""
