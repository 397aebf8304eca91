"""Boolean NMF with its rank found."""

from __future__ import annotations

from typing import Any, ClassVar

from latentlink.estimators.ranked import RankedFactorizer
from latentlink.regime import KMeans, Regime, boolean
from latentlink.solvers import BNMF, Solver

__all__ = ["BNMFk"]


class BNMFk(RankedFactorizer):
    """Boolean factorization whose rank is found by an ensemble.

        x_ij  is about  1 where some component c has W_ic = H_cj = 1, else 0,

    with factors of 0 and 1: real ones are fitted, cut and polished by flips (section 3.6 of the paper). Data
    are 0 and 1. ``predict_links`` says 0 or 1; with ``by="ensemble"`` the share of members that say 1.

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Which ranks to try: ``range(1, 11)``, a search such as ``Bisect(1, 64)``, or None to search by itself.
    solver : Solver or None
        None is ``BNMF()``.
    regime : Regime or None
        None is ``boolean(KMeans())``; ``real()`` leaves the factors real.
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
    >>> X = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 1, 1]]
    >>> model = BNMFk((1, 2), n_perturbs=4, random_state=0).fit(X)
    >>> model.predict_links([(0, 0), (0, 3)])
    array([1., 0.])
    """

    _method: ClassVar[type[Solver]] = BNMF

    def _default_regime(self, solver: Any) -> Regime:
        del solver
        return boolean(KMeans())
