"""Expected costs of the tasks of a rank search, by which its progress is counted and its time estimated.

Measured on several solvers and data sets, the time of a fit grows with its members and with the rank plus
about four: gathering an entry costs as much as updating a few components. The unit is that of one member and
one component; what a unit takes is measured during the search.
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["draw_cost", "fit_cost", "search_cost", "summary_cost", "trial_cost"]

_GATHERING = 4.0  # components whose update takes as long as all that does not depend on the rank
_SUMMARY_SHARE = 0.5  # of the fit of all members: alignment, refit and polish of one model, and scores
_DRAW_SHARE = 1.2  # of the fit of all members: Gibbs sampling, from .4 to 1.4 on two data sets
_TRIAL_FACTOR = 1.2  # trials begin at ridges that converge slowly


def fit_cost(rank: int, members: int) -> float:
    """Return the cost of fitting some members at a rank.

    Examples
    --------
    >>> fit_cost(4, 8), summary_cost(4, 8), trial_cost(4, 8)
    (64.0, 32.0, 76.8)
    """
    return members * (rank + _GATHERING)


def summary_cost(rank: int, members: int) -> float:
    """Return the cost of summarising a rank of so many members."""
    return _SUMMARY_SHARE * fit_cost(rank, members)


def trial_cost(rank: int, fits: int) -> float:
    """Return the cost of trying ridges at a rank, by so many fits of one member."""
    return _TRIAL_FACTOR * fit_cost(rank, fits)


def draw_cost(rank: int, members: int) -> float:
    """Return the cost of Gibbs-sampling the undetermined entries of Boolean members: about that of a fit."""
    return _DRAW_SHARE * fit_cost(rank, members)


def search_cost(visited: Iterable[int], members: int, probes: Iterable[int], fits: int) -> float:
    """Return the cost of a whole search.

    Parameters
    ----------
    visited : iterable of int
        The ranks visited.
    members : int
        Members at each of them.
    probes : iterable of int
        The ranks at which ridges were tried.
    fits : int
        Fits of each trial.
    """
    ranks = sum(fit_cost(rank, members) + summary_cost(rank, members) for rank in visited)
    return ranks + sum(trial_cost(rank, fits) for rank in probes)
