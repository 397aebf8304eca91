"""Non-negative matrix factorization with automatic rank."""

from __future__ import annotations

from typing import ClassVar

from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.solvers import NMF, Solver

__all__ = ["NMFk"]


class NMFk(RankedFactorizer):
    """Non-negative matrix factorization with automatic rank.

        minimise  sum over known  (x_ij - sum_c W_ic H_cj)^2   over W, H >= 0,

    at each rank, for members whose data are perturbed (section 3.1 of the paper). Every known entry has
    weight 1; for other weights choose `WNMFk`. There is no penalty, so that a row with fewer known entries
    than components is not determined and may be scored far off the scale: where many entries are unknown,
    choose `WNMFk`, whose ridge is chosen by held-out error.

    Parameters
    ----------
    ranks, solver, regime, selection, n_perturbs, n_jobs, random_state
        As for `RankedFactorizer`. ``solver=None`` is ``NMF(max_iter=100, tol=1e-4, precision="float32")``,
        ``regime=None`` is ``real()``; ``boolean()`` makes the factors Boolean.

    Attributes
    ----------
    rank_, choice_, path_, factors_, W_, H_, components_, members_, ...
        As for `RankedFactorizer`.

    See Also
    --------
    WNMFk : the same with weights and a ridge.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((15, 2)) @ rng.random((2, 12))
    >>> NMFk(range(1, 4), n_perturbs=4, random_state=0).fit(X).rank_
    2
    """

    _method: ClassVar[type[Solver]] = NMF
