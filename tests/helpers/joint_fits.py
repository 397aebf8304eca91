"""LogisticHead and LinkStack fitted once a session, and small networks of links and non-links for them."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import BNMFk, LinkStack, LogisticHead, Network, RankedFactorizer, RNMFk, WNMFk
from latentlink.solvers import LMF, RNMF, WNMF
from tests.helpers.oracle import linear_scores

FEW = {"n_perturbs": 2, "random_state": 0}


def groups(size=30, seed=0):
    """Return an undirected network of three groups, with half of its pairs known."""
    rng = np.random.default_rng(seed)
    group = np.arange(size) % 3
    links = rng.random((size, size)) < np.where(group[:, None] == group, 0.9, 0.1)
    pairs = [(i, j, int(links[i, j])) for i in range(size) for j in range(i + 1, size) if rng.random() < 0.5]
    return Network.from_edges(pairs, shape=(size, size), symmetric=True)


def links_of(network, background):
    """Return the links of a network, with all other pairs in the background."""
    return network.subset(network.known & (network.values == 1)).with_background(background)


def bipartite(seed=0):
    """Return a network of links between two kinds of nodes, with 70 % of its pairs known."""
    rng = np.random.default_rng(seed)
    X = ((rng.random((25, 2)) < 0.5) @ (rng.random((2, 18)) < 0.5) > 0) ^ (rng.random((25, 18)) < 0.1)
    return Network.from_dense(np.where(rng.random(X.shape) < 0.7, X, np.nan))


def weighted_base(ranks=(1,), **settings):
    """Return an unfitted base of least cost, with a fixed ridge."""
    return WNMFk(ranks, solver=WNMF(ridge=0.1), **(FEW | settings))


def logistic_part(ranks=(1,), solver=LMF, **settings):
    """Return an unfitted logistic model of least cost, with a fixed ridge."""
    return RankedFactorizer(ranks, solver=solver(ridge=1.0, max_iter=50, tol=1e-3), **(FEW | settings))


def small_head(**settings):
    """Return an unfitted LogisticHead of least cost."""
    base = weighted_base(**settings)
    return LogisticHead(base, lmf=logistic_part())


def small_stack(**settings):
    """Return an unfitted LinkStack of least cost: two models with fixed ridges."""
    models = [weighted_base(), logistic_part()]
    return LinkStack(models=models, **({"random_state": 0} | settings))


def all_logits(factors):
    """Return the scores of all pairs before the link; undirected ones are means of both directions."""
    scores = linear_scores(factors)
    return ((scores + scores.T) / 2 if factors.symmetric else scores).ravel()


@pytest.fixture(scope="session")
def weighted_head():
    return LogisticHead(weighted_base((1, 2))).fit(groups())


@pytest.fixture(scope="session")
def biased_head():
    return LogisticHead(RNMFk((2,), solver=RNMF(ridge=0.1), **FEW), lmf=logistic_part()).fit(groups())


@pytest.fixture(scope="session")
def boolean_head():
    return LogisticHead(BNMFk((2,), **FEW), lmf=logistic_part()).fit(groups())


@pytest.fixture(scope="session")
def paper_head():
    return LogisticHead(weighted_base((2,)), form="paper", lmf=logistic_part()).fit(groups())


@pytest.fixture(scope="session")
def undirected_stack():
    return LinkStack((1,), **FEW).fit(groups())


@pytest.fixture(scope="session")
def bipartite_stack():
    return LinkStack((1,), **FEW).fit(bipartite())


HEADS = [
    "weighted_head",
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("biased_head", "boolean_head")),
]
STACKS = [pytest.param(name, marks=pytest.mark.slow) for name in ("undirected_stack", "bipartite_stack")]


@pytest.fixture(params=HEADS)
def head(request):
    """Return each LogisticHead in turn."""
    return request.getfixturevalue(request.param)


@pytest.fixture(params=STACKS)
def stack(request):
    """Return each LinkStack in turn."""
    return request.getfixturevalue(request.param)


@pytest.fixture(params=[*HEADS, *STACKS])
def joint_model(request):
    """Return each LogisticHead and each LinkStack in turn."""
    return request.getfixturevalue(request.param)
