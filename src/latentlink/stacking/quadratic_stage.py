"""The last stage: a quadratic form of scores and features, learned from held-out pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.kernels import quadratic_form
from latentlink.network import Network
from latentlink.progress import Callback, StepProgress
from latentlink.stacking.inner_folds import cancelled_before_the_last_stage
from latentlink.stacking.score_weights import values_and_weights
from latentlink.uncertainty.probabilities.logistic_regression import center_and_scale, logistic_weights

__all__ = ["SAMPLE_SIZE", "QuadraticStage", "fit_quadratic_stage", "stratified_sample"]

Array = NDArray[np.float64]

_SLOPE_PENALTY = 1.0
SAMPLE_SIZE = 50_000  # pairs to learn from, about half of each class: more improve a hundred weights little
_PRODUCT_PENALTIES = (10.0, 100.0, 1000.0, np.inf)  # candidates; the last leaves a plain sum


@dataclass(frozen=True, eq=False)
class QuadraticStage:
    """A quadratic form of columns, continued by its tangent beyond the range of the training values.

        f(x) = c + sum_f a_f z_f + sum_f sum_g B_fg z_f z_g,    z_f = (x_f - center_f) / scale_f

    where every z_f lies between its least and its largest value in training; beyond, the tangent at that
    border goes on, since squares of values outside the training range can be arbitrarily wrong.

    Attributes
    ----------
    center, scale : array, shape (columns,)
    low, high : array, shape (columns,)
        The range of z in training.
    constant : float
        c.
    slopes : array, shape (columns,)
        a.
    products : array, shape (columns, columns)
        B, symmetric.
    """

    center: Array
    scale: Array
    low: Array
    high: Array
    constant: float
    slopes: Array
    products: Array

    def value(self, columns: Sequence[NDArray[Any]]) -> Array:
        """Return the value of the form, for columns of any one shape."""
        table = np.stack([np.ravel(each) for each in columns]).astype(np.float64, copy=False)
        borders = self.low, self.high
        value = quadratic_form(
            table, self.center, self.scale, borders, self.constant, self.slopes, self.products
        )
        return value.reshape(np.shape(columns[0]))

    def contributions(self, columns: Sequence[NDArray[Any]]) -> list[Array]:
        """Return the term of each column in the value; a product counts half for each of its columns."""
        # With x the z clipped to its borders, x (a + B x) is the term of f there; the tangent adds
        # (z - x) (a + 2 B x): together a z + (2 z - x) B x.
        z = [(x - center) / scale for x, center, scale in zip(columns, self.center, self.scale, strict=True)]
        clipped = [each.clip(low, high) for each, low, high in zip(z, self.low, self.high, strict=True)]
        gradients = np.tensordot(self.products, np.stack(clipped), axes=1)
        return [
            slope * each + (2 * each - inside) * gradient
            for slope, each, inside, gradient in zip(self.slopes, z, clipped, gradients, strict=True)
        ]


def fit_quadratic_stage(
    tables: Sequence[Array], tests: Sequence[Network], callback: Callback | None = None
) -> QuadraticStage:
    """Fit the form, as the logit of a link, by penalised maximum likelihood.

    The penalty of products is chosen by cross-validation over the parts: few pairs allow no products, many
    allow them freely.

    Parameters
    ----------
    tables : sequence of arrays, shape (pairs, columns)
        Scores and features of the held-out pairs of each part.
    tests : sequence of Network
        The known values of these pairs.
    callback : callable, optional
        Receives the progress; raises LatentLinkError if it cancels the fit.
    """
    table = np.vstack(tables)
    values, weights = values_and_weights(tests)
    parts = np.repeat(np.arange(len(tables)), [len(each) for each in tables])
    sample, multiplicity = stratified_sample(values)
    table, values, weights = table[sample], values[sample], weights[sample] * multiplicity
    parts = parts[sample]
    # With fewer of a class than parts, some forms would be fitted to one class alone.
    if min((values == 1).sum(), (values == 0).sum()) < len(tables):
        return _fitted(table, values, weights, np.inf)
    losses = np.zeros(len(_PRODUCT_PENALTIES))
    progress = StepProgress(callback, len(losses) * len(tables))
    for index, penalty in enumerate(_PRODUCT_PENALTIES):
        for part in range(len(tables)):
            losses[index] += _held_out_loss(penalty, table, values, weights, parts == part)
            if not progress.step():
                raise cancelled_before_the_last_stage()
    return _fitted(table, values, weights, _PRODUCT_PENALTIES[int(np.argmin(losses))])


def stratified_sample(values: Array) -> tuple[NDArray[np.intp], Array]:
    """Return the pairs to learn from, and how many each stands for; the rarer class is kept whole."""
    kept, multiplicity = [], []
    for label in (0, 1):
        positions = np.flatnonzero(values == label)
        sample = positions[:: max(1, 2 * len(positions) // SAMPLE_SIZE)]
        kept.append(sample)
        multiplicity.append(np.full(len(sample), len(positions) / max(1, len(sample))))
    order = np.argsort(np.concatenate(kept), kind="stable")
    return np.concatenate(kept)[order], np.concatenate(multiplicity)[order]


def _held_out_loss(
    penalty: float, table: Array, values: Array, weights: Array, tested: NDArray[np.bool_]
) -> float:
    """Return the cross-entropy of the tested pairs under the form fitted to the others."""
    form = _fitted(table[~tested], values[~tested], weights[~tested], penalty)
    logits = form.value(list(table[tested].T))
    return float(weights[tested] @ (np.logaddexp(0, logits) - values[tested] * logits))


def _fitted(table: Array, values: Array, weights: Array, penalty: float) -> QuadraticStage:
    center, scale = center_and_scale(table)
    z = (table - center) / scale
    count = z.shape[1]
    first, second = np.triu_indices(count) if np.isfinite(penalty) else np.zeros((2, 0), np.intp)
    coefficients = logistic_weights(
        np.hstack([z, z[:, first] * z[:, second]]),
        values,
        weights,
        np.repeat([_SLOPE_PENALTY, penalty], [count, len(first)]),
    )
    products = np.zeros((count, count))
    products[first, second] = coefficients[count:-1]
    return QuadraticStage(
        center,
        scale,
        z.min(axis=0),
        z.max(axis=0),
        float(coefficients[-1]),
        coefficients[:count],
        (products + products.T) / 2,
    )
