"""Boolean factorization with automatic rank."""

from __future__ import annotations

from typing import ClassVar

from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.regime import KMeans, Regime, boolean
from latentlink.solvers import BNMF, Solver

__all__ = ["BNMFk"]


class BNMFk(RankedFactorizer):
    """Boolean factorization with automatic rank.

        x_ij  =  1 where some component c has W_ic = H_cj = 1, else 0,

    with factors of 0 and 1: real factors are fitted, binarized and polished by bit flips (section 3.6 of the
    paper). Data are 0 and 1. ``predict_links`` returns 0 or 1; with ``by="ensemble"`` the share of members
    that predict 1.

    Parameters
    ----------
    ranks : iterable of int, search, or None
        Ranks to try: ``range(1, 11)``, a search such as ``Bisect(1, 64)``, or None for an automatic range.
    solver : Solver or None
        None is ``BNMF(max_iter=200, tol=1e-4, precision="float32")``.
    regime : Regime or None
        None is ``boolean(KMeans())``; ``real()`` leaves the factors real.
    selection : Selection or None
        The rule that chooses the rank; None is ``Agreement()``.
    n_perturbs : int
        Members of the ensemble at each rank.
    n_jobs : int or None
        Threads; -1 is all cores. Results are the same for any number.
    random_state : int, Generator, RandomState or None
        Seed of all random draws.

    Attributes
    ----------
    rank_, choice_, path_, factors_, W_, H_, components_, members_, ...
        As for `RankedFactorizer`.

    Examples
    --------
    >>> X = [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 1, 1]]
    >>> model = BNMFk((1, 2), n_perturbs=4, random_state=0).fit(X)
    >>> model.predict_links([(0, 0), (0, 3)])
    array([1., 0.])
    """

    _method: ClassVar[type[Solver]] = BNMF

    def _default_regime(self) -> Regime:
        return boolean(KMeans())
