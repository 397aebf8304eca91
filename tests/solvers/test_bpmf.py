"""BPMF: what its draws depend on, and what they do not depend on."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BPMF, Posterior
from tests.helpers.cases import Case, assert_same_factors, copied, parts
from tests.helpers.oracle import all_scores, dense_problem

SHORT = BPMF(max_iter=6, burn_in=2, draws=2)
PLAIN = BPMF(max_iter=6, burn_in=2, draws=2, pattern_features=0, node_noise=False)
CASES = [Case(SHORT, symmetric, background) for symmetric in (False, True) for background in (0.0, 0.1, 1.0)]

every_case = pytest.mark.parametrize("case", CASES, ids=str)


def low_rank(shape=(40, 30), rank=2, noise=0.1, seed=0, known=0.5, scale=1.0):
    """Return a network of known entries of a matrix of low rank with biases, and the matrix without noise."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
    truth = scale * (truth + rng.normal(size=(shape[0], 1)) + rng.normal(size=shape[1]) + 3)
    X = truth + scale * noise * rng.normal(size=shape)
    X[rng.random(shape) > known] = np.nan
    return Network.from_dense(X), truth


# -------------------------------------------------------------------- the posterior


def test_noise_and_scores_of_planted_data():
    network, truth = low_rank()
    solved = BPMF().solve(Ensemble.of(network, 8), 3, 0)
    chains = Posterior.of(solved.chains)
    assert chains.is_mixed
    assert chains.noise_level == pytest.approx(0.1, rel=0.1)
    rows, cols = (each.ravel() for each in np.indices(truth.shape))
    scores = np.array([draw.score(rows, cols) for draw in solved.draws])
    errors = scores.mean(axis=0) - truth.ravel()
    # The mean is better than a draw, and the spread of draws is the size of its errors.
    assert np.mean(errors**2) < 0.7 * np.mean((scores[0] - truth.ravel()) ** 2)
    assert 0.85 < np.sqrt(np.mean(errors**2 / scores.var(axis=0))) < 1.15
    np.testing.assert_allclose(solved.score(rows, cols), scores.mean(axis=0), rtol=1e-5)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_unit_of_the_data_does_not_matter(scale):
    (network, _), (scaled, _) = low_rank(), low_rank(scale=scale)
    one, other = SHORT.solve(network, 2, 0), SHORT.solve(scaled, 2, 0)
    np.testing.assert_allclose(all_scores(one.members[0]), all_scores(other.members[0]) / scale, rtol=1e-4)
    np.testing.assert_allclose(one.chains[0].noise, other.chains[0].noise / scale, rtol=1e-6)


def test_a_common_factor_of_all_weights_does_not_matter_but_for_the_noise():
    network, _ = low_rank()
    heavy = network.with_weights(4 * network.weights)
    one, other = SHORT.solve(network, 2, 0), SHORT.solve(heavy, 2, 0)
    np.testing.assert_allclose(all_scores(one.members[0]), all_scores(other.members[0]), rtol=1e-4)
    np.testing.assert_allclose(2 * one.chains[0].noise, other.chains[0].noise, rtol=1e-6)


def test_weights_are_precisions():
    """Entries of noise 3 with a weight of 1/9 tell as much as their noise allows, and no more."""
    network, truth = low_rank(noise=0.0, known=0.7)
    rng = np.random.default_rng(3)
    noisy = rng.random(network.n_listed) < 0.6
    deviation = np.where(noisy, 0.6, 0.1)
    values = network.values + deviation * rng.normal(size=network.n_listed)
    rows, cols = (each.ravel() for each in np.indices(truth.shape))

    def error(weights):
        solved = BPMF().solve(Ensemble.of(network.with_values(values).with_weights(weights), 8), 2, 1)
        noise = Posterior.of(solved.chains).noise_level
        return np.sqrt(np.mean((solved.score(rows, cols) - truth.ravel()) ** 2)), noise

    weighted, noise = error(0.01 / deviation**2)
    alike, _ = error(np.ones(network.n_listed))
    assert weighted < 0.8 * alike
    assert noise == pytest.approx(0.1, rel=0.1)


# -------------------------------------------------------------------- what draws depend on


@every_case
def test_hidden_and_unknown_entries_have_zero_weight(case):
    network = case.network()
    changed = network.with_values(np.where(network.known, network.values, 1e30))
    assert_same_factors(SHORT.solve(changed, 2, 0).members[0], SHORT.solve(network, 2, 0).members[0])
    ensemble = case.ensemble(own_weights=False)
    unknown = np.isnan(ensemble.values)
    weights = np.where(unknown, 0.0, ensemble.weights[:, None])
    hidden = Ensemble(ensemble.network, np.where(unknown, 7.0, ensemble.values), weights)
    for one, other in zip(
        SHORT.solve(ensemble, 2, 0).members, SHORT.solve(hidden, 2, 0).members, strict=True
    ):
        np.testing.assert_allclose(all_scores(one), all_scores(other), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("case", [case for case in CASES if case.background], ids=str)
def test_listed_background_is_the_same_background(case):
    network = case.network()
    values, weights = dense_problem(network)
    if case.symmetric:
        weights = np.triu(2 * weights, 1)
    rows, cols = np.nonzero((weights > 0) | (np.triu(weights == 0, 1) if case.symmetric else True))
    listed = Network(
        rows, cols, values[rows, cols], weights[rows, cols], shape=network.shape, symmetric=case.symmetric
    )
    result, expected = (PLAIN.solve(each, 2, 0) for each in (network, listed))
    np.testing.assert_allclose(result.chains[0].noise, expected.chains[0].noise, rtol=1e-8)
    np.testing.assert_allclose(result.records[0].loss[1:], expected.records[0].loss[1:], rtol=1e-8)
    np.testing.assert_allclose(
        all_scores(result.members[0]), all_scores(expected.members[0]), rtol=1e-4, atol=1e-5
    )


@every_case
def test_a_chain_does_not_depend_on_the_others(case):
    ensemble = case.ensemble(members=9)
    rngs = member_rngs(0, 2, 9)
    together = SHORT.solve(ensemble, 2, rngs)
    for member in (0, 4, 8):
        alone = Ensemble(ensemble.network, ensemble.values[:, [member]], ensemble.weights[:, [member]])
        chain = SHORT.solve(alone, 2, member_rngs(0, 2, 9)[member]).chains[0]
        for one, other in zip(chain.draws, together.chains[member].draws, strict=True):
            assert_same_factors(one, other)
        np.testing.assert_array_equal(chain.noise, together.chains[member].noise)


@every_case
@pytest.mark.parametrize("form", ["plain", "reference"])
def test_every_form_of_the_kernels_agrees(case, form, monkeypatch):
    ensemble = case.ensemble(members=2)
    monkeypatch.setenv("LATENTLINK_KERNELS", "lanes")
    result = SHORT.solve(ensemble, 2, 0)
    monkeypatch.setenv("LATENTLINK_KERNELS", form)
    expected = SHORT.solve(ensemble, 2, 0)
    for one, other in zip(result.chains, expected.chains, strict=True):
        np.testing.assert_allclose(one.trace, other.trace, rtol=1e-6, atol=1e-8)


def test_seeds_and_inputs():
    network, _ = low_rank()
    values = network.values.copy()
    first, again, other = (SHORT.solve(network, 2, seed).members[0] for seed in (0, 0, 1))
    assert_same_factors(first, again)
    assert not np.allclose(first.W, other.W)
    np.testing.assert_array_equal(network.values, values)
    start = copied(first)
    SHORT.solve(network, 2, 0, start=start)
    assert_same_factors(start, first)


# -------------------------------------------------------------------- draws, refit, settings


def test_draws_are_those_of_evenly_spaced_sweeps():
    network, _ = low_rank()
    every = BPMF(max_iter=10, burn_in=4, draws=6).solve(network, 2, 0)
    assert every.chains[0].trace.shape == (6, 201)
    assert [len(chain.draws) for chain in every.chains] == [6]
    np.testing.assert_allclose(every.chains[0].trace[:, -1], np.log(every.chains[0].noise))
    some = BPMF(max_iter=10, burn_in=4, draws=3).solve(network, 2, 0).chains[0]
    for draw, expected in zip(some.draws, every.chains[0].draws[1::2], strict=True):
        assert_same_factors(draw, expected)
    assert {array.dtype for array in parts(every.members[0]).values()} == {np.dtype("float32")}
    assert len(every.records[0].loss) == 7  # at the start, and of each draw
    residual = network.values - every.members[0].score(network.rows, network.cols)
    assert every.records[0].loss[-1] == pytest.approx(np.sum(residual[network.known] ** 2), rel=1e-4)


@pytest.mark.parametrize("background", [0.0, 0.2])
def test_refit_is_the_conditional_mean_of_the_columns(background):
    network = Case(SHORT, False, background).network()
    rng = np.random.default_rng(0)
    n, m = network.shape
    centre = Factors(
        rng.normal(size=(n, 2)), rng.normal(size=(2, m)), rng.normal(size=n), rng.normal(size=m), 0.3
    )
    fitted = SHORT.refit(network, centre).members[0]
    np.testing.assert_array_equal(fitted.W, centre.W)
    values, weights = dense_problem(network)
    residual = np.where(network.known, network.values - centre.score(network.rows, network.cols), 0)
    noise = np.sum(weights * (values - all_scores(centre)) ** 2) / np.count_nonzero(weights)
    if not background:
        assert noise == pytest.approx(np.sum(network.weights * residual**2) / network.n_known)
    columns = np.vstack([centre.H, centre.col_bias])
    # The prior: the columns' mean, and their scatter with a third of their mean squares added.
    shifted = np.vstack([centre.H, centre.col_bias + 0.15])
    average = columns.mean(axis=1)
    scatter = m * np.cov(columns, bias=True) + np.diag(np.mean(shifted**2, axis=1) / 3)
    precision = (m + 3) * np.linalg.inv(scatter)
    design = np.column_stack([centre.W, np.ones(n)])
    for j in range(m):
        P = precision + design.T @ (weights[:, j, None] * design) / noise
        right = design.T @ (weights[:, j] * (values[:, j] - centre.row_bias - 0.3)) / noise
        expected = np.linalg.solve(P, right + precision @ average)
        np.testing.assert_allclose([*fitted.H[:, j], fitted.col_bias[j]], expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"burn_in": -1}, "burn_in=-1; expected a whole number"),
        ({"draws": 0}, "draws=0; expected a whole number"),
        (
            {"burn_in": 150},
            r"burn_in=150 and draws=12 in max_iter=160 .* at least 162 sweeps\. Raise max_iter",
        ),
        ({"tol": 1e-3}, "do not converge to a point. Set max_iter"),
        ({"extrapolate": True}, "do not converge to a point. Set max_iter"),
    ],
)
def test_invalid_settings_raise(settings, message):
    with pytest.raises(IncompatibleError, match=message):
        BPMF(**settings).solve(low_rank()[0], 2, 0)


def test_sweeps_of_descent_do_not_exist():
    with pytest.raises(IncompatibleError, match="samples by `solve`"):
        SHORT.sweeps(None, None, None, None)


def test_extreme_data_stay_finite():
    constant = Network.from_dense(np.full((5, 4), 3.0))
    exact = Network.from_dense(np.outer(np.arange(1.0, 7), np.arange(1.0, 6)))
    single = Network.from_dense([[2.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for network in (constant, exact, single):
            for precision in ("float64", "float32"):
                solver = BPMF(precision=precision)
                chain = solver.solve(network, 3, 0).chains[0]
                assert np.isfinite(chain.trace).all()
                assert np.isfinite(chain.score(network.rows, network.cols)).all()
    model = replace(BPMF().solve(exact, 1, 0).members[0])
    np.testing.assert_allclose(all_scores(model), exact.values.reshape(6, 5), atol=1.0)
