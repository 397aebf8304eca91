"""Weighted non-negative matrix factorization with automatic rank."""

from __future__ import annotations

from typing import ClassVar

from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.solvers import WNMF, Solver

__all__ = ["WNMFk"]


class WNMFk(RankedFactorizer):
    """Weighted non-negative matrix factorization with automatic rank.

        minimise  sum over listed  w_ij (x_ij - sum_c W_ic H_cj)^2  +  ridge (|W|^2 + |H|^2)   over W, H >= 0,

    at each rank, for members whose data are perturbed (section 3.4 of the paper). Unknown entries have zero
    weight; unlisted ones are zeros with the weight of the background.

    Parameters
    ----------
    ranks, solver, regime, selection, n_perturbs, n_jobs, random_state
        As for `RankedFactorizer`. ``solver=None`` is ``WNMF(max_iter=100, tol=1e-4, precision="float32")``,
        ``regime=None`` is ``real()``; ``boolean()`` makes the factors Boolean.

    Attributes
    ----------
    rank_, choice_, path_, factors_, W_, H_, components_, members_, ...
        As for `RankedFactorizer`.

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
