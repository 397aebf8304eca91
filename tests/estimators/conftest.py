"""Small data, and models fitted to them once."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from latentlink import BNMFk, Network, RankedFactorizer, RNMFk, WNMFk
from latentlink.solvers import LMF, RNMF, WNMF, SymLMF

HERE = Path(__file__).parent
SMALL = {"ranks": (2,), "n_perturbs": 3, "random_state": 0}


def pytest_collection_modifyitems(items):
    """Few sweeps and small ensembles are meant here: that they are too few is no news."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(
                pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"), False
            )
            item.add_marker(pytest.mark.filterwarnings("ignore:.*stable"), False)


def planted(shape=(12, 9), rank=2, seed=0):
    """Non-negative data of known rank with a little noise."""
    rng = np.random.default_rng(seed)
    return rng.random((shape[0], rank)) @ rng.random((rank, shape[1])) + 0.01 * rng.random(shape)


def blocks(seed=0, shape=(14, 10)):
    """Boolean data of rank 2, some components overlapping, with a few cells flipped."""
    rng = np.random.default_rng(seed)
    X = (rng.random((shape[0], 2)) < 0.5) @ (rng.random((2, shape[1])) < 0.5) > 0
    return (X ^ (rng.random(shape) < 0.05)).astype(float)


def friends(size=14, seed=0):
    """An undirected network of two groups, a fifth of its pairs unknown."""
    rng = np.random.default_rng(seed)
    group = np.arange(size) % 2
    links = rng.random((size, size)) < np.where(group[:, None] == group, 0.8, 0.2)
    pairs = [(i, j, int(links[i, j])) for i in range(size) for j in range(i + 1, size) if rng.random() < 0.8]
    return Network.from_edges(pairs, shape=(size, size), symmetric=True)


def every_pair(shape):
    return np.array([(i, j) for i in range(shape[0]) for j in range(shape[1])])


@pytest.fixture(scope="session")
def weighted():
    X = planted()
    X[np.random.default_rng(1).random(X.shape) < 0.15] = np.nan
    return WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(X)


@pytest.fixture(scope="session")
def biased():
    X = planted() - 0.5
    X[np.random.default_rng(1).random(X.shape) < 0.15] = np.nan
    return RNMFk(solver=RNMF(ridge=0.1), **SMALL).fit(X)


@pytest.fixture(scope="session")
def boolean_model():
    X = blocks()
    X[np.random.default_rng(1).random(X.shape) < 0.15] = np.nan
    return BNMFk(**SMALL).fit(X)


@pytest.fixture(scope="session")
def logistic():
    X = blocks()
    X[np.random.default_rng(1).random(X.shape) < 0.15] = np.nan
    return RankedFactorizer(solver=LMF(ridge=0.5), **SMALL).fit(X)


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
    """Each of the models in turn."""
    return request.getfixturevalue(request.param)
