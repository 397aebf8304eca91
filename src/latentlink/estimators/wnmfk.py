"""Weighted NMF with its rank found."""

from __future__ import annotations

from typing import ClassVar

from latentlink.estimators.ranked import RankedFactorizer
from latentlink.solvers import WNMF, Solver

__all__ = ["WNMFk"]


class WNMFk(RankedFactorizer):
    """Weighted non-negative factorization whose rank is found by an ensemble.

        minimise  sum over listed  w_ij (x_ij - sum_c W_ic H_cj)^2  +  ridge (|W|^2 + |H|^2)   over W, H >= 0,

    at each rank, for members whose data are perturbed (section 3.4 of the paper). Unknown entries have no
    say; unlisted ones are zeros of the background's weight.

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Which ranks to try: ``range(1, 11)``, a search such as ``Bisect(1, 64)``, or None to search by itself.
    solver : Solver or None
        None is ``WNMF()``.
    regime : Regime or None
        None is ``real()``; ``boolean()`` makes the factors Boolean.
    selection : Selection or None
        The rule that chooses the rank.
    n_perturbs : int
        Members of the ensemble at each rank.
    n_jobs : int or None
        Threads; -1 takes all cores. Results are the same for any number.
    random_state : int, Generator, RandomState or None
        Seed of all draws.

    Attributes
    ----------
    rank_, choice_, path_, factors_, W_, H_, components_, members_, ...
        As of `RankedFactorizer`.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((15, 2)) @ rng.random((2, 12))
    >>> X[3, 4], truth = np.nan, X[3, 4]
    >>> model = WNMFk((2,), n_perturbs=4, random_state=0).set_params(solver__ridge=0.0).fit(X)
    >>> bool(abs(model.predict_links([(3, 4)])[0] - truth) < 0.01)
    True
    """

    _method: ClassVar[type[Solver]] = WNMF
