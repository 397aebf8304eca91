"""Conditional means or draws of columns given rows, with a prior and a noise that fitted models tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.factors import Factors
from latentlink.kernels import NormalPrior, Unlisted, aligned, drawn_rows, fixed_mode, gram
from latentlink.network import Ensemble
from latentlink.solvers.descent.blocks import Block, make_block, member_groups
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.posterior.normal_wishart import NormalWishart

__all__ = ["column_prior", "conditional_columns", "noise_variance", "with_columns"]

Array = NDArray[Any]

_LEAST_NOISE = 1e-6  # of the mean square of the values, for data without noise
_LEAST_UNIT = 1e-6  # of the largest size of a coordinate, for those that are 0 in all columns


def conditional_columns(
    ensemble: Ensemble,
    models: Sequence[Factors],
    fitted: Sequence[Factors],
    precision: str = "float64",
    variances: Sequence[float] | None = None,
    normals: Array | None = None,
) -> tuple[list[Factors], list[float]]:
    """Return each model with the conditional means or draws of its columns, and its weighted squared error.

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
    normals : array, shape (models, rank + 1), optional
        Standard normal numbers: columns are drawn with them, instead of their means.
    """
    results: list[Factors] = []
    losses: list[float] = []
    if variances is None:
        variances = [noise_variance(ensemble, member, model) for member, model in enumerate(models)]
    with fixed_mode():
        for group in member_groups(len(models), precision):
            block = make_block(ensemble, group, precision)
            rows, cols, _ = pack([models[member] for member in group], block.width, True, precision)
            tau = block.share / np.array([variances[member] for member in block.members])
            Z = aligned((len(cols), cols.shape[1] - 1, block.width), precision)
            Z[...] = 0 if normals is None else normals[block.members].T
            loss = _draw(
                block, rows, cols, column_prior([fitted[member] for member in block.members], tau), Z
            )
            results += [with_columns(models[member], cols[..., lane]) for lane, member in enumerate(group)]
            losses += loss[: len(group)].tolist()
    return results, losses


def _draw(block: Block, rows: Array, cols: Array, prior: NormalPrior, Z: Array) -> Array:
    """Draw the columns in place; return the weighted squared error of each model."""
    unlisted = Unlisted(block.background, gram(rows)) if block.has_background else None
    loss, _ = drawn_rows(block.cols, cols, rows, prior, Z, unlisted)
    if unlisted is not None:
        loss = loss + block.background * (unlisted.gram * gram(cols)).sum(axis=(0, 1))
    return loss * block.share


def with_columns(model: Factors, cols: Array) -> Factors:
    """Return a model with packed columns in place of its own; both sides have biases."""
    row_bias = np.zeros(model.shape[0], cols.dtype) if model.row_bias is None else model.row_bias
    H = np.ascontiguousarray(cols[:, 1:-1].T)
    return replace(model, H=H, col_bias=cols[:, -1] - model.offset / 2, row_bias=row_bias)


def column_prior(fitted: Sequence[Factors], tau: Array) -> NormalPrior:
    """Return the prior of columns like those of each model, the bias last."""
    precisions, linears = [], []
    for model in fitted:
        bias = np.zeros(model.shape[1]) if model.col_bias is None else model.col_bias
        columns = np.vstack([model.H, bias + model.offset / 2]).astype(np.float64)
        squares = columns @ columns.T
        # The unit of a coordinate is its own size, so that the prior is a little of what is there.
        sizes = np.sqrt(np.diag(squares) / columns.shape[1])
        units = np.maximum(sizes, _LEAST_UNIT * (sizes.max() or 1.0)) / np.sqrt(len(columns))
        prior = NormalWishart.prior(columns.mean(axis=1)[None], units[None])
        mean, precision = prior.given(columns.shape[1], columns.sum(axis=1)[None], squares[None]).expected()
        precisions.append(precision[0])
        linears.append(precision[0] @ mean[0])
    size = len(linears[0])
    return NormalPrior(1, size + 1, np.stack(precisions, axis=-1), np.stack(linears, axis=-1)[None], tau)


def noise_variance(ensemble: Ensemble, member: int, model: Factors) -> float:
    """Return the mean weighted squared error of a model on a member's known entries, at least a little.

    Unlisted zeros of a background are known entries too.
    """
    network = ensemble.network
    values, weights = ensemble.member_entries(member)
    scores = replace(model, bounds=None).score(network.rows, network.cols).astype(np.float64)
    count = max(1, int(np.count_nonzero(weights)))
    squares = float(np.sum(weights * (values - scores) ** 2))
    if network.background:
        unlisted = _squares_of_all(model) / (2 if network.symmetric else 1) - float(np.sum(scores**2))
        squares += network.background * max(unlisted, 0.0)
        count += network.n_pairs - network.n_listed
    return max(squares, _LEAST_NOISE * float(np.sum(weights * values**2))) / count or 1.0


def _squares_of_all(model: Factors) -> float:
    """Return the sum of the squared scores of all pairs, by Gram matrices."""
    rows, cols, _ = pack([model], 1, True, np.float64)
    return float(np.sum(gram(rows) * gram(cols)))
