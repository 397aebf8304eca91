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
    ranks, solver, regime, selection, n_perturbs, n_jobs, random_state
        As for `RankedFactorizer`. ``solver=None`` is ``BNMF(max_iter=200, tol=1e-4, precision="float32")``,
        ``regime=None`` is ``boolean(KMeans())``; ``real()`` leaves the factors real.

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
