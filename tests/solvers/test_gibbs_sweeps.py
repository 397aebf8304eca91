"""The sampler leaves the posterior invariant, and its priors are those of the docstrings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import ks_2samp, wishart

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers.descent.blocks import make_block
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.posterior.gibbs_sweeps import (
    ChainData,
    GibbsSweeps,
    factor_units,
)
from latentlink.solvers.posterior.node_noise import GRID
from latentlink.solvers.posterior.node_prior import SCALE_RATE, NodePrior
from latentlink.solvers.posterior.noise_level import NOISE_RATE, NOISE_SHAPE
from latentlink.solvers.posterior.normal_wishart import NormalWishart
from tests.helpers.structures import in_lanes

SHAPE, RANK, LANES = (5, 4), 1, 8


# -------------------------------------------------------------------- the prior of nodes


def drawn_by(distribution, rng):
    """Return a mean and a precision matrix that a distribution of one chain draws."""
    mean, precision = distribution.draw([rng])
    return mean[0], precision[0]


def test_normal_wishart_has_the_moments_of_its_formulas():
    rng = np.random.default_rng(0)
    nodes = rng.normal(size=(30, 3)) @ np.array([[1.0, 0.3, 0], [0, 0.5, 0.2], [0, 0, 2.0]]) + [1.0, 0, -1]
    prior = NormalWishart.prior(np.array([[0.5, 0, 0]]), np.array([[1.0, 2.0, 0.5]]))
    given = prior.given(30, nodes.sum(axis=0)[None], (nodes.T @ nodes)[None])
    average = nodes.mean(axis=0)
    apart = average - prior.mean[0]
    scatter = np.diag([1.0, 4.0, 0.25]) + 30 * np.cov(nodes.T, bias=True)
    scatter += 2 * 30 / 32 * np.outer(apart, apart)
    np.testing.assert_allclose(given.scatter[0], scatter)
    np.testing.assert_allclose(given.mean[0], (2 * prior.mean[0] + 30 * average) / 32)
    assert (given.count, given.freedom[0]) == (32, 33)
    draws = [drawn_by(given, rng) for _ in range(4000)]
    mean, precision = (each[0] for each in given.expected())
    np.testing.assert_allclose(precision, wishart(33, np.linalg.inv(scatter)).mean())
    means, precisions = (np.array(each) for each in zip(*draws, strict=True))
    np.testing.assert_allclose(precisions.mean(axis=0), precision, rtol=0.05, atol=0.05)
    np.testing.assert_allclose(means.mean(axis=0), mean, atol=0.02)
    # Given the precision, the mean varies by its inverse over the count; (30 - 1) from the inverse Wishart.
    np.testing.assert_allclose(np.cov(means.T), scatter / 32 / (33 - 3 - 1), rtol=0.15, atol=2e-3)


def test_variance_of_precision_is_that_of_the_wishart_distribution():
    rng = np.random.default_rng(1)
    scatter = np.array([[2.0, 0.5], [0.5, 1.0]])
    prior = NormalWishart(2.0, np.zeros((1, 2)), np.array([7.0]), scatter[None])
    precisions = np.array([drawn_by(prior, rng)[1] for _ in range(8000)])
    expected = wishart(7, np.linalg.inv(scatter)).var()
    np.testing.assert_allclose(precisions.var(axis=0), expected, rtol=0.1)


@pytest.mark.parametrize("counts", [(2, 2, 2), (3, 0, 1)], ids=["equal", "differing"])
def test_the_prior_of_a_chain_does_not_depend_on_other_chains_or_their_features(counts):
    rng = np.random.default_rng(2)
    features = [np.linalg.qr(rng.normal(size=(12, count)))[0] * np.sqrt(12) for count in counts]
    nodes = in_lanes(rng.normal(size=(12, 4, LANES)))
    nodes[..., 3:] = nodes[..., 2:3]

    def drawn(chains, lanes, width):
        """Draw the prior twice: the second time given coefficients."""
        prior = NormalWishart.prior(np.zeros((len(chains), 3)), np.ones((len(chains), 3)))
        own = NodePrior(prior, [features[chain] for chain in chains], width, np.float64)
        rngs = [np.random.default_rng(chain) for chain in chains]
        for _ in range(2):
            precision, linear = own.draw(in_lanes(nodes[..., lanes]), slice(1, 4), rngs)
        return precision, np.broadcast_to(linear, (12, 3, width)), own

    together = drawn([0, 1, 2], slice(None), LANES)
    for chain, count in enumerate(counts):
        alone = drawn([chain], slice(chain, chain + 1), 1)
        np.testing.assert_array_equal(together[0][..., chain], alone[0][..., 0])
        np.testing.assert_array_equal(together[1][..., chain], alone[1][..., 0])
        np.testing.assert_array_equal(together[2].coefficients[chain, :count], alone[2].coefficients[0])
        assert not together[2].coefficients[chain, count:].any()
    # Lanes beyond the chains repeat the last one.
    np.testing.assert_array_equal(together[1][..., 3:], together[1][..., [2] * 5])


# -------------------------------------------------------------------- the whole sampler


class Drawn(NamedTuple):
    """A model and all that its data depend on."""

    model: Factors
    tau: float
    coefficients: tuple[np.ndarray, ...]
    scales: tuple[float, ...]
    relative: tuple[np.ndarray, ...]
    shapes: tuple[float, ...]


def prior_draw(rng, features, differing):
    """Draw from the prior, for data of unit spread without offset.

    Relative precisions are 1 unless ``differing``.
    """
    sides, coefficients, scales, relative, shapes = [], [], [], [], []
    units = factor_units(RANK, np.ones(1))[:, 0]
    for side, nodes in enumerate(SHAPE):
        own = units[::-1] if side else units  # the bias is the first of rows, last of columns
        mean, precision = drawn_by(NormalWishart.prior(np.zeros((1, RANK + 1)), own[None]), rng)
        root = np.linalg.cholesky(np.linalg.inv(precision))
        scale = rng.gamma(1.0) / SCALE_RATE
        B = rng.normal(size=(features[side].shape[1], RANK + 1)) @ root.T / np.sqrt(scale)
        sides.append(mean + features[side] @ B + rng.normal(size=(nodes, RANK + 1)) @ root.T)
        shape = rng.choice(GRID)
        coefficients.append(B)
        scales.append(scale)
        relative.append(
            np.maximum(rng.gamma(shape, 1 / shape, nodes), 1e-30) if differing else np.ones(nodes)
        )
        shapes.append(shape)
    rows, cols = sides
    model = Factors(rows[:, 1:], cols[:, :-1].T, row_bias=rows[:, 0], col_bias=cols[:, -1])
    return Drawn(
        model, rng.gamma(NOISE_SHAPE) / NOISE_RATE, *map(tuple, (coefficients, scales, relative, shapes))
    )


def listed_pairs():
    """Return a network of 14 of the 20 pairs, with weights."""
    rng = np.random.default_rng(5)
    rows, cols = np.divmod(np.sort(rng.choice(20, 14, replace=False)), SHAPE[1])
    return Network(rows, cols, np.ones(14), rng.choice([0.5, 1.0, 3.0], 14), shape=SHAPE)


def statistics(drawn):
    """Return some numbers that characterize what was drawn."""
    model = drawn.model
    scores = model.score(*(each.ravel() for each in np.indices(SHAPE)))
    numbers = {
        "tau": drawn.tau,
        "score of a known pair": scores[0],
        "score of an unknown pair": scores[19],
        "square of the scores": np.mean(scores**2),
        "size of W": np.abs(model.W).sum(),
        "size of H": np.abs(model.H).sum(),
        "row bias": model.row_bias[1],
        "square of the column biases": np.mean(model.col_bias**2),
        "product of bias and factor": float(np.abs(model.row_bias @ model.W[:, 0])),
    }
    for side in (0, 1):
        numbers[f"precision of a node of side {side}"] = drawn.relative[side][0]
        numbers[f"least precision of side {side}"] = np.log(drawn.relative[side]).min()
        numbers[f"shape of side {side}"] = drawn.shapes[side]
        if drawn.coefficients[side].size:
            numbers[f"scale of side {side}"] = drawn.scales[side]
            numbers[f"coefficients of side {side}"] = np.abs(drawn.coefficients[side]).sum()
    return numbers


def sampled(rng, sweeps, features, differing, wrong=1.0):
    """Draw models from the prior, data from each model, and return the models after some sweeps."""
    network = listed_pairs()
    drawn = [prior_draw(rng, features, differing) for _ in range(LANES)]
    values = []
    for each in drawn:
        r, c = each.relative
        precision = each.tau * r[network.rows] * c[network.cols] * network.weights / wrong
        noise = rng.normal(size=14) / np.sqrt(precision)
        values.append(each.model.score(network.rows, network.cols) + noise)
    block = make_block(Ensemble(network, np.stack(values, axis=1), network.weights), range(LANES), "float64")
    rows, cols, offsets = pack([each.model for each in drawn], LANES, True, "float64")
    counts = np.full(LANES, 14.0)
    # The rate of the noise is that of unit weights; here weights are what they are.
    data = ChainData(np.ones(LANES), counts, counts, [features] * LANES, differing)
    chains = GibbsSweeps(block, rows, cols, offsets, data, rng.spawn(LANES))
    chains.tau[:] = [each.tau for each in drawn]
    for side in (0, 1):
        chains.priors[side].coefficients[:] = [each.coefficients[side] for each in drawn]
        chains.priors[side].scales[:] = [each.scales[side] for each in drawn]
        if differing:
            chains.noise[side].relative[...] = np.stack([each.relative[side] for each in drawn], axis=1)
            chains.noise[side].shapes[:] = [each.shapes[side] for each in drawn]
    for _ in range(sweeps):
        chains.sweep()
    return [statistics(state(chains, lane)) for lane in range(LANES)]


def state(chains, lane):
    """Return the state of a chain as it was drawn."""
    rows, cols = chains.rows[..., lane], chains.cols[..., lane]
    model = Factors(rows[:, 1:-1], cols[:, 1:-1].T, row_bias=rows[:, 0], col_bias=cols[:, -1])
    relative = [side.relative[:, lane].copy() for side in chains.noise] or [np.ones(nodes) for nodes in SHAPE]
    return Drawn(
        model,
        chains.tau[lane],
        tuple(side.coefficients[lane] for side in chains.priors),
        tuple(side.scales[lane] for side in chains.priors),
        tuple(relative),
        tuple(side.shapes[lane] for side in chains.noise) or (1.0, 1.0),
    )


def p_values(replicates, sweeps, count=0, differing=False, wrong=1.0):
    """Return for each statistic the p-value that it has the prior distribution after the sweeps."""
    rng = np.random.default_rng(7)
    fixed = np.random.default_rng(8)
    features = []
    for nodes in SHAPE:
        centred = fixed.normal(size=(nodes, count))
        centred -= centred.mean(axis=0)
        features.append(np.linalg.qr(centred)[0] * np.sqrt(nodes))
    features = tuple(features)
    after = [
        each for _ in range(replicates // LANES) for each in sampled(rng, sweeps, features, differing, wrong)
    ]
    before = [statistics(prior_draw(rng, features, differing)) for _ in range(5 * replicates)]
    return {
        name: ks_2samp([each[name] for each in before], [each[name] for each in after]).pvalue
        for name in before[0]
        if differing or "side" not in name or "shape" not in name
    }


@pytest.mark.slow
@pytest.mark.parametrize(("count", "differing"), [(0, False), (2, False), (2, True)])
def test_sweeps_leave_the_joint_distribution_of_model_and_data_as_it_is(count, differing):
    """Models from the prior, data from the models, sweeps given the data: the models are from the prior."""
    found = p_values(1200, 4, count, differing)
    assert min(found.values()) > 1e-3, found


@pytest.mark.slow
def test_a_wrong_noise_would_be_noticed():
    found = p_values(800, 2, wrong=3.0)
    assert found["tau"] < 1e-6
