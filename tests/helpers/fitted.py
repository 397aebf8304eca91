"""Small data sets, and factorizers fitted to them once a session."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import BNMFk, Network, RankedFactorizer, RNMFk, WNMFk
from latentlink.solvers import LMF, RNMF, WNMF, SymLMF

SMALL = {"ranks": (2,), "n_perturbs": 3, "random_state": 0}


def planted(shape=(12, 9), rank=2, seed=0):
    """Return non-negative data of known rank with a little noise."""
    rng = np.random.default_rng(seed)
    return rng.random((shape[0], rank)) @ rng.random((rank, shape[1])) + 0.01 * rng.random(shape)


def blocks(seed=0, shape=(14, 10)):
    """Return Boolean data of rank 2 with overlapping components and a few flipped cells."""
    rng = np.random.default_rng(seed)
    X = (rng.random((shape[0], 2)) < 0.5) @ (rng.random((2, shape[1])) < 0.5) > 0
    return (X ^ (rng.random(shape) < 0.05)).astype(float)


def friends(size=14, seed=0):
    """Return an undirected network of two groups, with a fifth of its pairs unknown."""
    rng = np.random.default_rng(seed)
    group = np.arange(size) % 2
    links = rng.random((size, size)) < np.where(group[:, None] == group, 0.8, 0.2)
    pairs = [(i, j, int(links[i, j])) for i in range(size) for j in range(i + 1, size) if rng.random() < 0.8]
    return Network.from_edges(pairs, shape=(size, size), symmetric=True)


def with_unknown(X, share=0.15, seed=1):
    """Return a copy of an array with a share of its entries unknown."""
    return np.where(np.random.default_rng(seed).random(X.shape) < share, np.nan, X)


def unseen_rows(seed=5, shape=(6, 9), hidden=0.2):
    """Return rows that no model here was fitted with, some of their entries unknown."""
    return with_unknown(planted(shape, seed=seed), hidden, seed)


def every_pair(shape):
    """Return all pairs of a shape, row by row, shape (pairs, 2)."""
    return np.stack(np.indices(shape), axis=-1).reshape(-1, 2)


def pairs_of(network):
    """Return the listed pairs of a network, shape (pairs, 2)."""
    return np.column_stack([network.rows, network.cols])


def coin_flips(seed, shape=(50, 40), known=0.6):
    """Return a network of which some pairs are known, each a link or not by a coin flip."""
    rng = np.random.default_rng(seed)
    pairs = every_pair(shape)[rng.random(shape[0] * shape[1]) < known]
    return Network.from_edges(
        pairs[:, 0], pairs[:, 1], rng.integers(0, 2, len(pairs)).astype(float), shape=shape
    )


@pytest.fixture(scope="session")
def weighted():
    return WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(with_unknown(planted()))


@pytest.fixture(scope="session")
def biased():
    return RNMFk(solver=RNMF(ridge=0.1), **SMALL).fit(with_unknown(planted() - 0.5))


@pytest.fixture(scope="session")
def boolean_model():
    return BNMFk(**SMALL).fit(with_unknown(blocks()))


@pytest.fixture(scope="session")
def logistic():
    return RankedFactorizer(solver=LMF(ridge=0.5), **SMALL).fit(with_unknown(blocks()))


@pytest.fixture(scope="session")
def undirected():
    return RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL).fit(friends())


@pytest.fixture(scope="session")
def undirected_weighted():
    return WNMFk(solver=WNMF(ridge=0.1), **SMALL).fit(friends())


@pytest.fixture(scope="session")
def undirected_boolean():
    return BNMFk(**SMALL).fit(friends())


@pytest.fixture(
    params=[
        "weighted",
        "biased",
        "boolean_model",
        "logistic",
        "undirected",
        "undirected_weighted",
        "undirected_boolean",
    ]
)
def any_model(request):
    """Return each of the fitted factorizers in turn."""
    return request.getfixturevalue(request.param)
