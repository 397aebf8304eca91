"""Chains of undirected networks: a pair is one fact, whose score is the mean of two entries."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import BayesianFactorizer, Network
from latentlink.solvers import BPMF, BayesianNMF

SHORT = {"max_iter": 6, "burn_in": 2, "draws": 2}


def planted(nodes=50, known=0.5, noise=0.5, seed=0, nonnegative=False):
    """Return an undirected network of rank 3 with noise, its unknown pairs and their values."""
    rng = np.random.default_rng(seed)
    U = rng.gamma(1, size=(nodes, 3)) if nonnegative else rng.normal(size=(nodes, 3))
    rows, cols = np.triu_indices(nodes)
    values = (U @ U.T)[rows, cols] + noise * rng.normal(size=len(rows))
    values = np.maximum(values, 0) if nonnegative else values
    given = rng.random(len(rows)) < known
    network = Network(rows[given], cols[given], values[given], shape=(nodes, nodes), symmetric=True)
    return network, np.column_stack([rows, cols])[~given], values[~given]


@pytest.mark.parametrize("background", [0.0, 0.3])
@pytest.mark.parametrize(
    "solver", [BPMF(**SHORT), BPMF(**SHORT, precision="float32"), BayesianNMF(**SHORT)], ids=str
)
def test_the_loss_is_the_squared_error_of_the_scores_of_pairs(solver, background):
    """Not that of the entries, whose scores differ in the two directions."""
    network, _, _ = planted(20, nonnegative=True)
    weights = np.random.default_rng(1).random(network.n_listed)
    weights[:5] = 0
    network = network.with_weights(weights).with_background(background)
    solved = solver.solve(network, 2, 0)
    rows, cols = np.triu_indices(20)
    values, of_pairs = np.zeros((20, 20)), np.full((20, 20), background)
    values[network.rows, network.cols] = np.where(network.known, network.values, 0)
    of_pairs[network.rows, network.cols] = network.weights
    for draw, loss in zip(solved.chains[0].draws, solved.chains[0].losses, strict=True):
        assert not np.allclose(draw.W @ draw.H, (draw.W @ draw.H).T, rtol=0.01)
        errors = values[rows, cols] - draw.score(rows, cols)
        assert np.sum(of_pairs[rows, cols] * errors**2) == pytest.approx(loss, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("solver", [BPMF(), BayesianNMF()], ids=str)
def test_intervals_cover_and_the_noise_is_that_of_a_pair(solver):
    inside, noise = [], []
    for seed in range(4):
        network, pairs, values = planted(seed=seed, nonnegative=solver.needs_nonnegative)
        model = BayesianFactorizer((3,), solver=solver, random_state=seed).fit(network)
        table = model.intervals(pairs, 0.9)
        inside.append(np.mean((table["low"] <= values) & (values <= table["high"])))
        noise.append(model.noise_)
    assert 0.87 < np.mean(inside) < 0.93
    assert np.mean(noise) == pytest.approx(0.5, rel=0.1)


def test_nodes_of_an_undirected_network_have_one_noise():
    network, _, _ = planted(20)
    alike, asked = (BPMF(**SHORT, node_noise=each).solve(network, 2, 0).chains[0] for each in (False, True))
    assert asked.node_noise is None
    np.testing.assert_array_equal(asked.noise, alike.noise)
