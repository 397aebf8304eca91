"""Upper bounds of counts in settings: beyond them nobody means the value, and no fit would return."""

from __future__ import annotations

__all__ = [
    "MOST_BINS",
    "MOST_CYCLES",
    "MOST_ITERATIONS",
    "MOST_JOBS",
    "MOST_MEMBERS",
    "MOST_NODES",
    "MOST_RANKS",
    "MOST_ROUNDS",
    "MOST_STARTS",
    "MOST_SWEEPS",
]

# Members of an ensemble at each rank; the standard error of a spread is below a hundredth from 10,000 on.
MOST_MEMBERS = 100_000
# Random starts of each member.
MOST_STARTS = 1_000
# Passes over one row before the next, in compiled code that cannot be interrupted.
MOST_CYCLES = 1_000
# Sweeps of a solver with a tolerance, where max_iter is only a limit, and pairs that are sampled at most.
MOST_ITERATIONS = 10**15
# Sweeps of a solver with tol=0, which does all of them.
MOST_SWEEPS = 1_000_000
# Rounds of an alignment or a search for thresholds, which take a few until they converge.
MOST_ROUNDS = 10_000
# Bins of a histogram, which are arrays of that size for each component of each member.
MOST_BINS = 1_000_000
# Rows and columns of a network that is fitted; the factors have 8 bytes for each of them at rank 1.
MOST_NODES = 2**32
# Ranks that are listed by name; an iterable may have no end.
MOST_RANKS = 65_536
# Threads of one fit.
MOST_JOBS = 4_096
