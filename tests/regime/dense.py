"""Dense reference implementations for Boolean factors, and hypothesis strategies."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from tests.helpers.oracle import dense_problem, member_network
from tests.network.strategies import networks


def dense_cells(ensemble: Ensemble | Network, member: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Ones and weights of all cells of a member; a symmetric pair has half its weight in each direction."""
    network = ensemble if isinstance(ensemble, Network) else member_network(ensemble, member)
    values, weights = dense_problem(network)
    return values > 0.5, weights


def dense_error(ensemble: Ensemble | Network, factors: Factors, member: int = 0) -> float:
    """The total weight of known cells that the Boolean product has wrong."""
    ones, weights = dense_cells(ensemble, member)
    return float(weights[(factors.W @ factors.H > 0) != ones].sum())


def dense_optimize(ensemble: Ensemble | Network, factors: Factors, member: int = 0) -> tuple:
    """Coordinate descent over rows and columns of each component, until nothing changes."""
    ones, weights = dense_cells(ensemble, member)
    U, V = factors.W.astype(int), factors.H.astype(int)
    while True:
        before = U.copy(), V.copy()
        for r in range(U.shape[1]):
            other = U @ V - np.outer(U[:, r], V[r]) > 0
            gain = weights * (1 - other) * (2 * ones - 1)
            U[:, r] = gain @ V[r] > 0
            V[r] = U[:, r] @ gain > 0
        if np.array_equal(U, before[0]) and np.array_equal(V, before[1]):
            return U, V


@st.composite
def ensembles(draw):
    """Ensembles of Boolean networks of every kind, some entries hidden, some held out of some members.

    All weights are multiples of 1/8, so that sums of them are exact in any order.
    """
    network = draw(networks(binary=True))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    members = draw(st.integers(1, 3))
    shape = (network.n_listed, members)
    values = np.where(rng.random(shape) < 0.2, 1 - network.values[:, None], network.values[:, None])
    values = np.where(rng.random(shape) < 0.2, np.nan, values)
    weights = network.weights
    if draw(st.booleans()):
        weights = weights[:, None] * rng.choice([0.0, 0.5, 1.0, 2.0], shape)
    return Ensemble(network, values, weights)


@st.composite
def boolean_factors(draw, shape, largest=4):
    """Factors of 0 and 1, some components empty."""
    rank = draw(st.integers(1, largest))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    density = draw(st.sampled_from([0.0, 0.3, 0.6, 1.0]))
    W, H = (rng.random(size) < density for size in ((shape[0], rank), (rank, shape[1])))
    return Factors(W.astype(float), H.astype(float), boolean=True)


@st.composite
def real_factors(draw, shape, largest=4):
    """Non-negative factors with zeros and with repeated values."""
    rank = draw(st.integers(1, largest))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    W, H = (rng.integers(0, 6, size) / 4 for size in ((shape[0], rank), (rank, shape[1])))
    return Factors(W, H)


def planted(shape, rank, density, flips, seed):
    """A Boolean product, and the same with some cells flipped."""
    rng = np.random.default_rng(seed)
    W, H = rng.random((shape[0], rank)) < density, rng.random((rank, shape[1])) < density
    truth = W.astype(int) @ H.astype(int) > 0
    return truth, truth ^ (rng.random(shape) < flips)
