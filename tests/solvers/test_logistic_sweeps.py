"""The logistic samplers leave the joint distribution of model and links as it is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ks_2samp

from latentlink.factors import Factors, sigmoid
from latentlink.network import Ensemble, Network
from latentlink.solvers.descent.blocks import make_block
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.links import node_mirror
from latentlink.solvers.posterior.logistic_sweeps import LogisticSweeps
from latentlink.solvers.posterior.normal_wishart import NormalWishart

LANES, OFFSET = 8, 0.4
# Deviations of bias and factors; smaller where they are learned, since learned ones are heavy-tailed and the
# augmentation holds for logits up to 12 or so.
UNITS = {False: np.array([0.7, 1.2, 1.2]), True: np.array([0.3, 0.2, 0.2])}
SIGNS = np.array([1.0, -1.0])


def node_draw(rng, nodes, learned, flip):
    """Draw nodes from the prior; the bias is first, or last if they are columns."""
    units = UNITS[learned][::-1] if flip else UNITS[learned]
    centre = np.zeros(3)
    centre[-1 if flip else 0] = OFFSET / 2
    if not learned:
        return centre + units * rng.normal(size=(nodes, 3))
    mean, precision = NormalWishart.prior(centre[None], units[None]).draw([rng])
    return mean[0] + rng.normal(size=(nodes, 3)) @ np.linalg.cholesky(np.linalg.inv(precision[0])).T


def prior_draw(rng, symmetric, learned):
    rows = node_draw(rng, 6, learned, False)
    if symmetric:
        biases = rows[:, 0] - OFFSET / 2
        return Factors(rows[:, 1:], (rows[:, 1:] * SIGNS).T, biases, biases, OFFSET, logistic=True)
    cols = node_draw(rng, 4, learned, True)
    return Factors(
        rows[:, 1:], cols[:, :-1].T, rows[:, 0] - OFFSET / 2, cols[:, -1] - OFFSET / 2, OFFSET, logistic=True
    )


def listed_pairs(symmetric):
    """Return a network of some pairs."""
    rng = np.random.default_rng(5)
    rows, cols = (each.ravel() for each in np.indices((6, 6 if symmetric else 4)))
    kept = np.flatnonzero(rows < cols if symmetric else rows >= 0)
    kept = np.sort(rng.choice(kept, 11 if symmetric else 16, replace=False))
    shape = (6, 6) if symmetric else (6, 4)
    return Network(rows[kept], cols[kept], np.ones(len(kept)), shape=shape, symmetric=symmetric)


def statistics(model):
    logits = Factors(model.W, model.H, model.row_bias, model.col_bias, model.offset)
    scores = logits.score(*(each.ravel() for each in np.indices(model.shape)))
    return {
        "logit of a pair": scores[1],
        "logit of the last pair": scores[-2],
        "square of the logits": np.mean(scores**2),
        "size of W": np.abs(model.W).sum(),
        "square of the last component": np.mean(model.H[-1] ** 2),
        "row bias": model.row_bias[1],
        "square of the column biases": np.mean(model.col_bias**2),
        "product of bias and factor": float(np.abs(model.row_bias @ model.W[:, 0])),
    }


def sampled(rng, sweeps, network, learned):
    """Draw models from the prior, links from each model, and return the models after some sweeps."""
    symmetric = network.symmetric
    drawn = [prior_draw(rng, symmetric, learned) for _ in range(LANES)]
    logits = [
        Factors(each.W, each.H, each.row_bias, each.col_bias, each.offset).score(network.rows, network.cols)
        for each in drawn
    ]
    values = [(rng.random(network.n_listed) < sigmoid(own)).astype(float) for own in logits]
    block = make_block(Ensemble(network, np.stack(values, axis=1), network.weights), range(LANES), "float64")
    rows, cols, offsets = pack(drawn, LANES, True, "float64")
    mirror = node_mirror(SIGNS, "float64") if symmetric else None
    chains = LogisticSweeps(block, (rows, cols), rng.spawn(LANES), offsets, UNITS[learned], mirror, learned)
    for _ in range(sweeps):
        chains.sweep()
    models = [
        Factors(
            rows[:, 1:-1, lane], cols[:, 1:-1, lane].T,
            rows[:, 0, lane] - OFFSET / 2, cols[:, -1, lane] - OFFSET / 2, OFFSET,
        )
        for lane in range(LANES)
    ]  # fmt: skip
    return [statistics(model) for model in models]


def p_values(replicates, symmetric, learned, sweeps=3):
    rng = np.random.default_rng(7)
    network = listed_pairs(symmetric)
    after = [each for _ in range(replicates // LANES) for each in sampled(rng, sweeps, network, learned)]
    before = [statistics(prior_draw(rng, symmetric, learned)) for _ in range(5 * replicates)]
    return {
        name: ks_2samp([each[name] for each in before], [each[name] for each in after]).pvalue
        for name in before[0]
    }


@pytest.mark.slow
@pytest.mark.parametrize("learned", [False, True], ids=["given", "learned"])
@pytest.mark.parametrize("symmetric", [False, True], ids=["two-sided", "mirrored"])
def test_sweeps_leave_the_joint_distribution_of_model_and_links_as_it_is(symmetric, learned):
    """Models from the prior, links from the models, sweeps given the links: the models are from the prior."""
    found = p_values(800, symmetric, learned)
    assert min(found.values()) > 1e-3, found


def test_weights_are_powers_of_the_likelihood():
    """The mean of one free coordinate over a long chain is that of its density on a grid."""
    network = Network([0, 0, 0], [0, 1, 2], [1.0, 0.0, 1.0], [2.0, 0.5, 1.0], shape=(1, 3))
    rng = np.random.default_rng(0)
    block = make_block(Ensemble.of(network, LANES), range(LANES), "float64")
    start = Factors(np.zeros((1, 1)), np.zeros((1, 3)), np.zeros(1), np.array([0.3, -0.2, 1.0]), 0.0)
    rows, cols, offsets = pack([start] * LANES, LANES, True, "float64")
    fixed = cols.copy()
    chains = LogisticSweeps(block, (rows, cols), rng.spawn(LANES), offsets, np.array([1.5, 1.0]), None, False)
    biases = []
    for _ in range(1500):
        chains._draw_side(0)
        rows[:, 1] = 0  # the only unknown is the bias of the row
        biases.append(rows[0, 0].copy())
    np.testing.assert_array_equal(cols, fixed)
    grid = np.linspace(-8, 8, 4001)[:, None]
    logits = grid + start.col_bias
    density = -0.5 * (grid[:, 0] / 1.5) ** 2
    density += np.sum(network.weights * (network.values * logits - np.logaddexp(0, logits)), axis=1)
    density = np.exp(density - density.max())
    density /= density.sum()
    mean = float(density @ grid[:, 0])
    assert np.mean(biases) == pytest.approx(mean, abs=0.05)
    assert np.var(biases) == pytest.approx(float(density @ grid[:, 0] ** 2) - mean**2, rel=0.06)
