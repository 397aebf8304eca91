"""The descent loop: blocks of members, packing, sweeps, extrapolation and convergence."""
