"""New rows of Boolean factors: for each row the components with the fewest errors on its known entries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from latentlink.factors import Factors
from latentlink.folding.regression import average_row, known_rows
from latentlink.network import Ensemble, Network
from latentlink.regime import Cells
from latentlink.regime.boolean_fit import BooleanFit

__all__ = ["boolean_rows"]


def boolean_rows(network: Network, model: Factors, max_rounds: int = 100) -> Factors:
    """Return a Boolean model with the network's rows in place of its own.

    Greedy coordinate descent: beginning with no component, each row adds or drops the one that lowers its
    errors most, until none does; then every component is assigned where it has a gain, until nothing changes.
    A row without known entries gets
    the components that most of the model's own rows have.

    Parameters
    ----------
    network : Network
        Known entries of the new rows; its columns are the model's.
    model : Factors
        W and H of 0 and 1.
    max_rounds : int
        Largest number of rounds of each of the two phases; a round of the first changes a row once at most.

    Examples
    --------
    >>> model = Factors(np.eye(2), np.array([[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), boolean=True)
    >>> boolean_rows(Network.from_dense([[1, 1, 1], [0, 0, 1]]), model).W
    array([[1., 1.],
           [0., 1.]])
    """
    count = network.shape[0]
    fit = BooleanFit(Cells.of(Ensemble.of(network)), np.zeros((count, model.rank)), model.H)
    for _ in range(max_rounds):
        if not _best_changes(fit):
            break
    for _ in range(max_rounds):
        if not sum(fit.assign(0, c, fit.gains(0, c) > 0) for c in range(fit.rank)):
            break
    W, _ = fit.factors(model.W.dtype)
    W[~known_rows(network)] = average_row(model, binary=True)[0]
    return replace(model, W=W, symmetric=False)


def _best_changes(fit: BooleanFit) -> int:
    """Change the one component of each row that lowers its errors most; return how many rows changed."""
    gains = np.stack([fit.gains(0, c) for c in range(fit.rank)], axis=1)
    held = fit.sides[0] > 0
    better = np.where(held, -gains, gains)
    best = np.argmax(better, axis=1)
    rows = np.flatnonzero(better[np.arange(len(best)), best] > 0)
    wanted = held.copy()
    wanted[rows, best[rows]] ^= True
    return sum(fit.assign(0, c, wanted[:, c]) for c in range(fit.rank))
