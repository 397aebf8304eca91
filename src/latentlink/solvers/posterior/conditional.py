"""Conditional means of columns given rows, with a prior and a noise that fitted models tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.kernels import NormalPrior, aligned, drawn_rows, fixed_mode, gram
from latentlink.network import Ensemble
from latentlink.solvers.descent.blocks import make_block, member_groups
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.posterior.normal_wishart import NormalWishart

__all__ = ["conditional_columns", "noise_variance"]

Array = NDArray[Any]

_LEAST_NOISE = 1e-6  # of the mean square of the values, for data without noise


def conditional_columns(
    ensemble: Ensemble,
    models: Sequence[Factors],
    fitted: Sequence[Factors],
    precision: str = "float64",
    variances: Sequence[float] | None = None,
) -> tuple[list[Factors], list[float]]:
    """Return each model with the conditional means of its columns, and its weighted squared error.

    Parameters
    ----------
    ensemble : Ensemble
        The data of each model; an undirected network lists its whole diagonal.
    models : sequence of Factors
        Rows are given; columns are replaced.
    fitted : sequence of Factors
        Models whose columns tell what columns are like: their mean and covariance, with a little of the prior
        of `NormalWishart`.
    precision : str
    variances : sequence of float, optional
        Noise of each model; by default that of its errors on the data.
    """
    results: list[Factors] = []
    losses: list[float] = []
    with fixed_mode():
        for group in member_groups(len(models), precision):
            block = make_block(ensemble, group, precision)
            given = [models[member] for member in group]
            rows, cols, offsets = pack(given, block.width, True, precision)
            priors = [_prior(fitted[member]) for member in block.members]
            if variances is None:
                levels = [noise_variance(ensemble, member, models[member]) for member in block.members]
            else:
                levels = [variances[member] for member in block.members]
            size = rows.shape[1]
            parts = [np.stack(each, axis=-1) for each in zip(*priors, strict=True)]
            tau = block.share / np.array(levels)
            prior = NormalPrior(1, size, parts[0], parts[1], tau)
            Z = aligned((len(cols), size - 1, block.width), precision)
            Z[...] = 0
            G = gram(rows) if block.has_background else np.zeros((size, size, block.width))
            loss = drawn_rows(block.cols, cols, rows, G, block.background, prior, Z)
            if block.has_background:
                loss = loss + block.background * (G * gram(cols)).sum(axis=(0, 1))
            for lane, model in enumerate(given):
                half = model.offset / 2
                H, bias = np.ascontiguousarray(cols[:, 1:-1, lane].T), cols[:, -1, lane] - half
                row_bias = np.zeros(len(rows)) if model.row_bias is None else model.row_bias
                results.append(replace(model, H=H, col_bias=bias, row_bias=row_bias))
                losses.append(float(loss[lane] * block.share))
    return results, losses


def _prior(model: Factors) -> tuple[Array, Array]:
    """Return precision and linear term of columns like those of a model, the bias last."""
    bias = np.zeros(model.shape[1]) if model.col_bias is None else model.col_bias
    columns = np.vstack([model.H, bias + model.offset / 2]).astype(np.float64)
    squares = columns @ columns.T
    # The unit of a coordinate is its own size, a little of the largest where it has none.
    sizes = np.sqrt(np.diag(squares) / columns.shape[1])
    units = np.maximum(sizes, 1e-6 * (sizes.max() or 1.0)) / np.sqrt(len(columns))
    prior = NormalWishart.prior(columns.mean(axis=1), units)
    mean, precision = prior.given(columns.shape[1], columns.sum(axis=1), squares).expected()
    return precision, precision @ mean


def noise_variance(ensemble: Ensemble, member: int, model: Factors) -> float:
    """Return the mean weighted squared error of a model on a member's known entries, at least a little."""
    network = ensemble.network
    values, weights = ensemble.member_entries(member)
    scores = replace(model, bounds=None).score(network.rows, network.cols)
    count = max(1, np.count_nonzero(weights))
    squares = float(np.sum(weights * (values - scores) ** 2)) / count
    return max(squares, _LEAST_NOISE * float(np.sum(weights * values**2)) / count) or 1.0
