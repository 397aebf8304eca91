"""The descent loop of all solvers: blocks of members, packing, sweeps, extrapolation and convergence."""
