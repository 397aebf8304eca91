"""Recommender factorization with biases and automatic rank."""

from __future__ import annotations

from typing import ClassVar

from latentlink.estimators.factorizer import RankedFactorizer
from latentlink.solvers import RNMF, Solver

__all__ = ["RNMFk"]


class RNMFk(RankedFactorizer):
    """Recommender factorization with biases and automatic rank.

        x_ij  =  mu + b_i + c_j + sum_c W_ic H_cj  +  error,   W, H >= 0,

    by penalised least squares on known entries (section 3.5 of the paper). Values may have any sign. Each
    member has its own mean and biases; the score is the mean over the members.

    Parameters
    ----------
    ranks, solver, regime, selection, n_perturbs, n_jobs, random_state
        As for `RankedFactorizer`. ``solver=None`` is ``RNMF(max_iter=100, tol=1e-4, precision="float32")``,
        ``regime=None`` is ``real()``.

    Attributes
    ----------
    rank_, choice_, path_, factors_, W_, H_, components_, members_, ...
        As for `RankedFactorizer`. Biases and mean are in ``factors_`` and in each member.

    Examples
    --------
    >>> import numpy as np
    >>> ratings = [[5.0, 3.0, 4.0], [4.0, 2.0, np.nan], [1.0, np.nan, 1.0]]
    >>> model = RNMFk((1,), n_perturbs=4, random_state=0).fit(ratings)
    >>> score, spread = model.predict_links([(2, 1)], return_std=True)
    >>> bool(score[0] < 2)
    True
    """

    _method: ClassVar[type[Solver]] = RNMF
