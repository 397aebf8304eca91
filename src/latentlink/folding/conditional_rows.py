"""New rows of models that are draws from a posterior: their conditional distribution given the columns.

A new row is one more row of the same kind: its factors and bias have the mean and covariance of the fitted
rows of a draw, and its known entries the noise of that draw. Given these and the columns it is normal. The
central model gets the mean. Members get a draw each, so that their spread includes what the known entries of
the row leave open. The random numbers of a member are the same for all rows, so that no row depends on the
others, and their mean over the members is 0.

Of links the conditional distribution is not normal: rows are drawn by Gibbs sampling, each alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers.posterior.conditional import conditional_columns, noise_variance
from latentlink.solvers.posterior.conditional_links import conditional_links

__all__ = ["conditional_rows"]

Array = NDArray[Any]


def conditional_rows(
    network: Network, models: Sequence[Factors], training: Network | None = None
) -> list[Factors]:
    """Return each model with the network's rows in place of its own.

    Parameters
    ----------
    network : Network
        Known entries of the new rows; its columns are the models'.
    models : sequence of Factors
        A single one gets the conditional means, several get draws.
    training : Network, optional
        The network that the models were fitted to, which tells their noise; by default the new rows do.
    """
    count = network.shape[0]
    data = Ensemble.of(network.transposed(), len(models))
    fitted = [replace(model, symmetric=False, bounds=None).transposed() for model in models]
    new = [replace(each, H=np.zeros((each.rank, count)), col_bias=np.zeros(count)) for each in fitted]
    if models[0].logistic:
        return _exchanged(models, conditional_links(network.transposed(), new, fitted))
    variances = None
    if training is not None:
        variances = [noise_variance(Ensemble.of(training), 0, model) for model in models]
    normals = _normals(len(models), models[0].rank + 1) if len(models) > 1 else None
    drawn, _ = conditional_columns(data, new, fitted, variances=variances, normals=normals)
    return _exchanged(models, drawn)


def _exchanged(models: Sequence[Factors], drawn: Sequence[Factors]) -> list[Factors]:
    """Return the models with the columns of the transposed ones as rows."""
    return [
        replace(
            model,
            W=np.ascontiguousarray(each.H.T, model.W.dtype),
            row_bias=np.asarray(each.col_bias, model.W.dtype),
            symmetric=False,
        )
        for model, each in zip(models, drawn, strict=True)
    ]


def _normals(members: int, size: int) -> Array:
    """Return standard normal numbers for each member, whose mean over the members is 0."""
    normals = np.random.default_rng(0).standard_normal((members, size))
    normals -= normals.mean(axis=0)
    return normals * np.sqrt(members / (members - 1))
