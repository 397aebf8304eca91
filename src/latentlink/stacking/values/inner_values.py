"""Hidden entries of inner folds: what models and other columns say of them, fitted without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Network
from latentlink.parallel import TaskPool, Workers
from latentlink.progress import Callback, StepProgress
from latentlink.scoring import PairModel
from latentlink.splitting import Split
from latentlink.stacking.inner_folds import FittedEnsemble, cancelled_before_the_last_stage
from latentlink.stacking.values.column_kernels import ColumnKernels
from latentlink.stacking.values.value_columns import ValueColumns

__all__ = ["KERNEL_STEPS", "MeanModel", "hidden_columns", "mean_kernels", "mean_of_all", "mean_residuals"]

Array = NDArray[Any]
Settings = tuple[float, float, float]

KERNEL_STEPS = 2  # what the regressions of a fold count for in the progress, beside the fit of a model


@dataclass(frozen=True, eq=False)
class MeanModel:
    """The mean of the members of an ensemble, before their scores are clipped.

    Attributes
    ----------
    members : sequence of PairModel
        Their scores are not clipped.
    """

    members: Sequence[PairModel]

    @classmethod
    def of(cls, members: Sequence[Factors]) -> MeanModel:
        """Return the mean of the members of a factorization."""
        return cls([replace(member, bounds=None) for member in members])

    def score(self, rows: Array, cols: Array) -> Array:
        """Return the mean score of pairs of indices."""
        total = np.zeros(len(rows))
        for member in self.members:
            total += member.score(rows, cols)
        return total / len(self.members)

    def all_scores(self) -> Array:
        """Return the scores of all pairs, for tables of few columns."""
        n, _ = self.members[0].shape
        total = sum(member.block(0, n, 0).astype(np.float64) for member in self.members)
        return np.asarray(total) / len(self.members)


def mean_residuals(models: Sequence[MeanModel], network: Network) -> Array:
    """Return what the mean of several models leaves of the listed entries."""
    scores = [model.score(network.rows, network.cols) for model in models]
    return network.values - np.mean(scores, axis=0)


def mean_kernels(models: Sequence[MeanModel], network: Network, settings: Settings | None) -> ColumnKernels:
    """Return regressions of the columns of a table, whose holes the mean of several models fills at first."""
    return ColumnKernels.of(network, mean_of_all(models), settings)


def mean_of_all(models: Sequence[MeanModel]) -> Array:
    """Return the mean score of all pairs by several models, for tables of few columns."""
    return np.mean([model.all_scores() for model in models], axis=0)


def hidden_columns(
    ensembles: Sequence[FittedEnsemble],
    splits: Sequence[Split],
    settings: Settings | None,
    n_jobs: int | None = None,
    executor: Workers | None = None,
    callback: Callback | None = None,
) -> list[Array]:
    """Return all columns of each part after it was hidden, shape (columns, entries).

    Parameters
    ----------
    ensembles : sequence of FittedEnsemble
    splits : sequence of Split
    settings : tuple of float or None
        Those of the regressions of columns, None for none.
    n_jobs, executor, callback
        As for a fit.
    """
    steps = len(ensembles) + (KERNEL_STEPS if settings is not None else 0)
    progress = StepProgress(callback, len(splits) * steps)
    fitted: dict[tuple[int, int], MeanModel] = {}
    with TaskPool(n_jobs, executor) as pool:
        for part, split in enumerate(splits):
            for column, ensemble in enumerate(ensembles):
                pool.add(_fitted, (part, column), ensemble, split.train)
        for _, ((part, column), *_rest), model in pool.completed():
            fitted[part, column] = model
            if not progress.step():
                raise cancelled_before_the_last_stage()
    tables = []
    for part, split in enumerate(splits):
        i, j = split.test.rows, split.test.cols
        models = [fitted[part, column] for column in range(len(ensembles))]
        kernels = None if settings is None else mean_kernels(models, split.train, settings)
        columns = ValueColumns.of(split.train, mean_residuals(models, split.train), kernels)
        tables.append(np.array([*(model.score(i, j) for model in models), *columns.features(i, j)]))
        if settings is not None and not progress.step(KERNEL_STEPS):
            raise cancelled_before_the_last_stage()
    return tables


def _fitted(number: tuple[int, int], ensemble: FittedEnsemble, train: Network) -> MeanModel:
    del number  # by which the result is assigned
    return MeanModel.of(ensemble.fitted_members(train))
