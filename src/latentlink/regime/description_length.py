"""Description length of a Boolean model: the bits that encode its factors and its errors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln

from latentlink.regime.boolean_fit import BooleanFit

__all__ = ["description_length"]


def description_length(fit: BooleanFit) -> float:
    """Return the description length in bits of W, H and the errors of their Boolean product on known cells.

    A column of W with s ones among n entries takes log2(n + 1) bits for s and log2 C(n, s) for their
    positions; likewise a row of H, and the errors among the known cells. More components make fewer errors:
    the sum is smallest where a further component costs as much as it saves (minimum description length).
    Errors and known cells are counted by their weights.

    Examples
    --------
    >>> from latentlink.network import Ensemble, Network
    >>> from latentlink.regime import Cells
    >>> X = np.kron(np.eye(2), np.ones((8, 8)))
    >>> cells = Cells.of(Ensemble.of(Network.from_dense(X)))
    >>> one = BooleanFit(cells, X[:, :1], np.ones((1, 16)))
    >>> both = BooleanFit(cells, X[:, [0, 8]], X[[0, 8]])
    >>> description_length(both) < description_length(one)
    True
    """
    known = fit.cells.total
    bits = _bits(known, min(fit.error(), known)).item()
    return float(bits + sum(_bits(len(side), side.sum(axis=0)).sum() for side in fit.sides))


def _bits(cells: float, ones: object) -> NDArray[np.float64]:
    """Return log2(cells + 1) + log2 C(cells, ones)."""
    chosen = np.asarray(ones, np.float64)
    log_binomial = gammaln(cells + 1) - gammaln(chosen + 1) - gammaln(cells - chosen + 1)
    return np.asarray((np.log(cells + 1) + log_binomial) / np.log(2))
