"""Flips: the last errors that thresholds leave."""

from __future__ import annotations

from dataclasses import replace

from latentlink.factors import Factors
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.cells import Cells
from latentlink.regime.reseed import reseed

__all__ = ["flip_polish"]


def flip_polish(factors: Factors, cells: Cells, max_rounds: int = 100) -> Factors:
    """Flip rows and columns of Boolean components wherever that leaves fewer errors on known cells.

    Component by component, the rows that gain are held and no others, then the columns. Errors are those of
    the Boolean product. Their weight never rises, and what gains nothing is let go, so no state comes twice:
    it ends when a whole round changes nothing. A component that covers nothing of use ends up empty.

    Parameters
    ----------
    factors : Factors
        W and H of 0 and 1, without biases.
    cells : Cells
        What is known; other cells have no say.
    max_rounds : int
        Rounds over all components at the most.

    Examples
    --------
    >>> import numpy as np
    >>> from latentlink.network import Ensemble, Network
    >>> cells = Cells.of(Ensemble.of(Network.from_dense([[1, 1, 0], [1, 1, 0], [0, 0, 1]])))
    >>> flip_polish(Factors(np.array([[1.0], [0.0], [1.0]]), np.array([[1.0, 1.0, 0.0]])), cells).W[:, 0]
    array([1., 1., 0.])
    """
    fit = BooleanFit(cells, factors.W, factors.H)
    fit.settle(max_rounds)
    reseed(fit, max_rounds)
    W, H = fit.factors(factors.W.dtype)
    return replace(factors, W=W, H=H)
