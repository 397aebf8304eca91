"""Polishing of Boolean factors: flips that lower the errors after thresholding."""

from __future__ import annotations

from dataclasses import replace

from latentlink.factors import Factors
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.cells import Cells
from latentlink.regime.reseed import reseed

__all__ = ["flip_polish"]


def flip_polish(factors: Factors, cells: Cells, max_rounds: int = 100) -> Factors:
    """Flip entries of Boolean factors where that lowers the errors of their product on known cells.

    Coordinate descent: component by component, exactly the rows with a gain are set to 1, then the columns
    (`BooleanFit.optimize`). The weight of the errors never rises and entries without a gain are set to 0, so
    it terminates: it ends when a round changes nothing. Then components are re-initialized to leave local
    minima (`reseed`). A component without any gain ends up empty.

    Parameters
    ----------
    factors : Factors
        W and H of 0 and 1, without biases.
    cells : Cells
        The known cells; all others have zero weight.
    max_rounds : int, default=100
        Largest number of rounds over all components.

    Examples
    --------
    >>> import numpy as np
    >>> from latentlink.network import Ensemble, Network
    >>> cells = Cells.of(Ensemble.of(Network.from_dense([[1, 1, 0], [1, 1, 0], [0, 0, 1]])))
    >>> flip_polish(Factors(np.array([[1.0], [0.0], [1.0]]), np.array([[1.0, 1.0, 0.0]])), cells).W[:, 0]
    array([1., 1., 0.])
    """
    fit = BooleanFit(cells, factors.W, factors.H)
    fit.optimize(max_rounds)
    reseed(fit, max_rounds)
    W, H = fit.factors(factors.W.dtype)
    return replace(factors, W=W, H=H)
