"""Small networks to evaluate, and models that need no fit."""

from __future__ import annotations

import numpy as np

from latentlink import Network


def groups(size=60, n_groups=3, within=0.5, between=0.03, seed=0, **options):
    """Return an undirected network of links within groups, and a few between them."""
    rng = np.random.default_rng(seed)
    group = rng.integers(0, n_groups, size)
    chance = np.where(group[:, None] == group, within, between)
    linked = np.triu(rng.random((size, size)) < chance, 1)
    return Network(*np.nonzero(linked), shape=(size, size), symmetric=True, **options), group


def labelled(shape=(40, 30), symmetric=False, seed=0, known=0.6):
    """Return listed links and non-links of two groups of rows and columns."""
    rng = np.random.default_rng(seed)
    row, col = rng.integers(0, 2, shape[0]), rng.integers(0, 2, shape[1])
    linked = rng.random(shape) < np.where(row[:, None] == col, 0.8, 0.2)
    listed = rng.random(shape) < known
    if symmetric:
        listed = np.triu(listed, 1)
    rows, cols = np.nonzero(listed)
    return Network(rows, cols, linked[rows, cols].astype(float), shape=shape, symmetric=symmetric)


def ratings(shape=(60, 40), seed=0, known=0.5):
    """Return ratings from 1 to 5 of rows with tastes for columns."""
    rng = np.random.default_rng(seed)
    scores = 3 + rng.normal(size=(shape[0], 1)) * 0.5 + rng.normal(size=shape[1]) * 0.5
    scores = scores + np.outer(rng.normal(size=shape[0]), rng.normal(size=shape[1]))
    scores = np.clip(scores + rng.normal(size=shape) * 0.3, 1, 5)
    scores[rng.random(shape) > known] = np.nan
    return Network.from_dense(scores)


def degree_only(size=150, seed=0):
    """Return an undirected network whose links depend on the strengths of nodes and on nothing else."""
    rng = np.random.default_rng(seed)
    strength = rng.pareto(2, size) + 0.5
    chance = np.minimum(0.9, np.outer(strength, strength) / strength.sum() * 4)
    return Network(
        *np.nonzero(np.triu(rng.random((size, size)) < chance, 1)), shape=(size, size), symmetric=True
    )


class ByGroup:
    """A model that knows the groups, and takes no part in scikit-learn's conventions."""

    def __init__(self, group, spread=None):
        self.group, self.spread = group, spread

    def fit(self, network):
        self.fitted = network

    def predict_links(self, pairs):
        return (self.group[pairs[:, 0]] == self.group[pairs[:, 1]]).astype(float)


class WithSpread(ByGroup):
    def predict_links(self, pairs, return_std=False):
        scores = super().predict_links(pairs)
        return (scores, 0.1 + scores * self.spread) if return_std else scores
