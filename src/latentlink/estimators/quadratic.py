"""A quadratic form of scores, learned from pairs that none of them has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.estimators.stacking import values_and_weights
from latentlink.kernels import quadratic_form
from latentlink.network import Network
from latentlink.uncertainty.regression import logistic_weights, middle_and_scale

__all__ = ["Quadratic", "learned_quadratic"]

Array = NDArray[np.float64]

_SLOPES = 1.0  # penalty of the slopes
_ENOUGH = 50_000  # pairs to learn from, about half of each kind: more teach a hundred weights little
_PRODUCTS = (10.0, 100.0, 1000.0, np.inf)  # penalties of products that are tried; the last leaves a plain sum


@dataclass(frozen=True, eq=False)
class Quadratic:
    """A quadratic form of columns, with a tangent beyond the values that it was learned from.

        f(x) = c + sum_f a_f z_f + sum_f sum_g B_fg z_f z_g,    z_f = (x_f - middle_f) / scale_f

    where every z_f lies between its least and its largest value when the form was learned; beyond, the
    tangent at that border goes on, since squares of values that were never seen would say anything.

    Attributes
    ----------
    middle, scale : array, shape (columns,)
    low, high : array, shape (columns,)
        The range of z.
    constant : float
        c.
    slopes : array, shape (columns,)
        a.
    products : array, shape (columns, columns)
        B, symmetric.
    """

    middle: Array
    scale: Array
    low: Array
    high: Array
    constant: float
    slopes: Array
    products: Array

    def value(self, columns: Sequence[NDArray[Any]]) -> Array:
        """Return the form's value, of columns of any one shape."""
        table = np.stack([np.ravel(each) for each in columns]).astype(np.float64, copy=False)
        borders = self.low, self.high
        value = quadratic_form(
            table, self.middle, self.scale, borders, self.constant, self.slopes, self.products
        )
        return value.reshape(np.shape(columns[0]))

    def parts(self, columns: Sequence[NDArray[Any]]) -> list[Array]:
        """Return what each column has in the value beside the constant; a product counts half for each."""
        # With x the z cut to its borders, x (a + B x) is the part of f there; the tangent adds
        # (z - x) (a + 2 B x): together a z + (2 z - x) B x.
        z = [(x - middle) / scale for x, middle, scale in zip(columns, self.middle, self.scale, strict=True)]
        inside = [each.clip(low, high) for each, low, high in zip(z, self.low, self.high, strict=True)]
        pulls = np.tensordot(self.products, np.stack(inside), axes=1)
        return [
            slope * each + (2 * each - within) * pull
            for slope, each, within, pull in zip(self.slopes, z, inside, pulls, strict=True)
        ]


def learned_quadratic(tables: Sequence[Array], tests: Sequence[Network]) -> Quadratic:
    """Return the form that says best, as a logit, which pairs are links.

    How much products are held back is chosen by what forms learned from all parts but one say of that one:
    few pairs allow none, many allow them freely.

    Parameters
    ----------
    tables : sequence of arrays, shape (pairs, columns)
        What each score says of the pairs of each part.
    tests : sequence of Network
        What is known of these pairs.
    """
    table = np.vstack(tables)
    values, weights = values_and_weights(tests)
    parts = np.repeat(np.arange(len(tables)), [len(each) for each in tables])
    kept, times = _enough_of_each_kind(values)
    table, values, weights, parts = table[kept], values[kept], weights[kept] * times, parts[kept]
    # With fewer of a kind than parts, some forms would be learned from one kind alone.
    few = min((values == 1).sum(), (values == 0).sum()) < len(tables)
    if few:
        return _fitted(table, values, weights, np.inf)
    losses = [
        sum(_loss(penalty, table, values, weights, parts == part) for part in range(len(tables)))
        for penalty in _PRODUCTS
    ]
    return _fitted(table, values, weights, _PRODUCTS[int(np.argmin(losses))])


def _enough_of_each_kind(values: Array) -> tuple[NDArray[np.intp], Array]:
    """Return which pairs to learn from, and how many each stands for; of the rarer kind none is left out."""
    kept, times = [], []
    for kind in (0, 1):
        places = np.flatnonzero(values == kind)
        taken = places[:: max(1, 2 * len(places) // _ENOUGH)]
        kept.append(taken)
        times.append(np.full(len(taken), len(places) / max(1, len(taken))))
    order = np.argsort(np.concatenate(kept), kind="stable")
    return np.concatenate(kept)[order], np.concatenate(times)[order]


def _loss(penalty: float, table: Array, values: Array, weights: Array, tested: NDArray[np.bool_]) -> float:
    """Return -log p of what is known of the pairs tested, p learned from the others."""
    form = _fitted(table[~tested], values[~tested], weights[~tested], penalty)
    logits = form.value(list(table[tested].T))
    return float(weights[tested] @ (np.logaddexp(0, logits) - values[tested] * logits))


def _fitted(table: Array, values: Array, weights: Array, penalty: float) -> Quadratic:
    middle, scale = middle_and_scale(table)
    z = (table - middle) / scale
    count = z.shape[1]
    first, second = np.triu_indices(count) if np.isfinite(penalty) else np.zeros((2, 0), np.intp)
    found = logistic_weights(
        np.hstack([z, z[:, first] * z[:, second]]),
        values,
        weights,
        np.repeat([_SLOPES, penalty], [count, len(first)]),
    )
    products = np.zeros((count, count))
    products[first, second] = found[count:-1]
    return Quadratic(
        middle,
        scale,
        z.min(axis=0),
        z.max(axis=0),
        float(found[-1]),
        found[:count],
        (products + products.T) / 2,
    )
