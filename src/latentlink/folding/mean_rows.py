"""New rows under a ridge: pulled towards the mean of the fitted rows, not towards 0.

Fitted rows are many, and a ridge that pulls them to 0 is made up for by larger columns. A new row has the
columns as they are: pulled to 0, a row of a few ratings of 5 is predicted to have ratings of 2. So its
factors u, in the scale in which the penalties of rows and columns are equal,

    minimise  sum_j weight_j (x_j - u h_j)^2 + pull |u - mean|^2,   u >= 0,

with the mean of the fitted rows. A row of which nothing is known is the mean, and each known value moves it.
The pull is the ridge, but no less than the mean squared error of the fit over the mean variance of the fitted
rows, with which the minimum is the most probable row if components are independent.

The second sum is that of one more known value for each component: mean_c sqrt(pull), in a column that has
the component alone, with sqrt(pull). So the solver itself finds the minimum, without its ridge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.folding.sparse_rows import noise_of
from latentlink.network import Ensemble, Network
from latentlink.solvers import Solver

__all__ = ["MeanRows", "pulled_to_mean"]

Array = NDArray[Any]

_LEAST_VARIANCE = 1e-3  # of the mean square of the factors, where all fitted rows are alike


def pulled_to_mean(solver: Solver) -> bool:
    """Return whether new rows are pulled towards the mean: under a ridge and a squared error."""
    return bool(solver.squared_error and solver.penalties[0])


@dataclass(frozen=True, eq=False)
class MeanRows:
    """The pull of new rows towards the mean of the fitted rows, as known values in further columns.

    Attributes
    ----------
    targets : array, shape (models, rank)
        The further known values of each model, the same in all rows.
    roots : array, shape (models,)
        The factor of each further column, the square root of the pull.
    """

    targets: Array
    roots: Array

    @classmethod
    def of(
        cls, models: Sequence[Factors], scales: Sequence[Array], ridge: float, training: Network
    ) -> MeanRows:
        """Return the pull of some models, whose factors are scaled before.

        Parameters
        ----------
        models : sequence of Factors
        scales : sequence of arrays, shape (rank,)
            By which the row factors of each model are multiplied.
        ridge : float
            The least pull.
        training : Network
            The network that the models were fitted to.
        """
        own = [model.W.astype(np.float64) * scale for model, scale in zip(models, scales, strict=True)]
        pulls = [
            max(ridge, noise_of(model, training) / _variance(W)) for model, W in zip(models, own, strict=True)
        ]
        roots = np.sqrt(pulls)
        return cls(roots[:, None] * [W.mean(axis=0) for W in own], roots)

    def design(self, rows: Sequence[Factors]) -> list[Factors]:
        """Return models with the further columns; the row factors are the same arrays."""
        return [
            replace(each, H=np.hstack([each.H, root * np.eye(each.rank, dtype=each.H.dtype)]), col_bias=None)
            for each, root in zip(rows, self.roots, strict=True)
        ]

    def known(self, network: Network) -> Network:
        """Return new rows with a known entry in each further column, whose values `ensemble` has."""
        n, m = network.shape
        count = self.targets.shape[1]
        rows, cols = (each.ravel() for each in np.indices((n, count)))
        return Network(
            np.concatenate([network.rows, rows]),
            np.concatenate([network.cols, m + cols]),
            np.concatenate([network.values, np.ones(n * count)]),
            np.concatenate([network.weights, np.ones(n * count)]),
            shape=(n, m + count),
            background=network.background,
        )

    def ensemble(self, transposed: Network, count: int) -> Ensemble:
        """Return the transposed rows for all models, with the values of each in the further columns.

        Parameters
        ----------
        transposed : Network
            Columns of new rows; the further columns are its last rows.
        count : int
            Number of new rows.
        """
        further = transposed.rows - (transposed.shape[0] - self.targets.shape[1])
        at = (further >= 0) & (transposed.cols < count)
        values = np.repeat(transposed.values[:, None], len(self.targets), axis=1)
        values[at] = self.targets.T[further[at]]
        return Ensemble(transposed, values, transposed.weights)


def _variance(W: Array) -> float:
    """Return the mean variance of the components, at least a little of their mean square."""
    return max(float(W.var(axis=0).mean()), _LEAST_VARIANCE * float(np.mean(W**2))) or 1.0
