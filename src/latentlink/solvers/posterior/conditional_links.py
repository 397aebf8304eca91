"""Conditional means or draws of columns of links given rows, by Gibbs sampling of each column alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincinv

from latentlink.factors import Factors
from latentlink.kernels import Listed, NormalPrior, RandomNumbers, aligned, drawn_logistic_rows, fixed_mode
from latentlink.kernels.posterior.augmentation import TERMS
from latentlink.network import Ensemble, Network
from latentlink.solvers.descent.blocks import make_block, member_groups
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.posterior.conditional import column_prior, with_columns

__all__ = ["conditional_links"]

Array = NDArray[Any]

_SWEEPS, _BURN_IN = 40, 10  # of chains that begin at the mean of all columns
_CHAINS = 8  # of a single model, whose draws are averaged


def conditional_links(
    network: Network, models: Sequence[Factors], fitted: Sequence[Factors]
) -> list[Factors]:
    """Return each model with conditional columns: of one model their means, of several a draw for each.

    The random numbers of a column depend on the model and on the rows of its entries, so that no column
    depends on the others.

    Parameters
    ----------
    network : Network
        Known links of the columns.
    models : sequence of Factors
        Rows are given; columns are replaced.
    fitted : sequence of Factors
        Models whose columns tell what columns are like, as for `conditional_columns`.
    """
    single = len(models) == 1
    used, like = (list(each) * (_CHAINS if single else 1) for each in (models, fitted))
    results: list[Factors] = []
    totals: list[Array] = []
    with fixed_mode():
        for group in member_groups(len(used), "float64"):
            block = make_block(Ensemble.of(network, len(used)), group, "float64")
            own = [like[member] for member in block.members]
            prior = column_prior(own, np.full(block.width, 1.0))
            rows, cols, _ = pack([used[member] for member in block.members], block.width, True, "float64")
            mean = np.stack([_mean_column(each) for each in own], axis=-1)
            cols[:, 1:] = mean
            rngs = [np.random.default_rng([0, member]) for member in block.members]
            totals.append(_sampled(block.cols, cols, rows, prior, rngs, keep_mean=single))
            final = totals[-1] if single else cols
            results += [with_columns(used[member], final[..., n]) for n, member in enumerate(group)]
    if not single:
        return results
    columns = np.mean(np.concatenate(totals, axis=2)[..., :_CHAINS], axis=2)
    return [with_columns(models[0], columns)]


def _mean_column(model: Factors) -> Array:
    bias = 0.0 if model.col_bias is None else float(np.mean(model.col_bias))
    return np.append(model.H.mean(axis=1), bias + model.offset / 2)


def _sampled(
    listed: Listed,
    cols: Array,
    rows: Array,
    prior: NormalPrior,
    rngs: Sequence[np.random.Generator],
    keep_mean: bool,
) -> Array:
    """Run the chains of all columns, in place; return the mean after the burn-in."""
    count, size, width = cols.shape
    total = np.zeros_like(cols)
    shapes = np.broadcast_to(listed.weights.reshape(len(listed.indices), -1), (len(listed.indices), width))
    unit = bool(np.all((shapes == 1) | (shapes == 0)))
    for sweep in range(_SWEEPS):
        normals = aligned((count, size - 1, width), cols.dtype)
        normals[...] = np.stack([rng.standard_normal(size - 1) for rng in rngs], axis=-1)
        uniforms = np.stack([rng.random((len(rows), TERMS)) for rng in rngs], axis=-1)[listed.indices]
        gammas = aligned(uniforms.shape, cols.dtype)
        gammas[...] = -np.log1p(-uniforms) if unit else gammaincinv(shapes[:, None], uniforms)
        drawn_logistic_rows(listed, cols, rows, prior, RandomNumbers(0, count, normals, gammas))
        if keep_mean and sweep >= _BURN_IN:
            total += cols
    return total / (_SWEEPS - _BURN_IN)
