"""R-hat and effective sample size of chains."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.factors import Factors
from latentlink.solvers import Chain, Posterior
from latentlink.solvers.posterior.chain_records import chains_apart
from latentlink.solvers.posterior.mixing import effective_sizes, split_r_hats


def autoregressive(chains, draws, correlation, quantities=1, seed=0):
    """Return stationary chains in which each draw has a correlation with the one before."""
    rng = np.random.default_rng(seed)
    traces = rng.normal(size=(chains, draws, quantities))
    for n in range(1, draws):
        traces[:, n] = correlation * traces[:, n - 1] + np.sqrt(1 - correlation**2) * traces[:, n]
    return traces


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregressive_chain(correlation):
    """Its autocorrelations sum to (1 + correlation) / (1 - correlation), which is known exactly."""
    traces = autoregressive(8, 4000, correlation, 20)
    expected = 8 * 4000 * (1 - correlation) / (1 + correlation)
    assert np.mean(effective_sizes(traces)) == pytest.approx(expected, rel=0.1)
    assert np.all(split_r_hats(traces) < 1.02)


def test_r_hat_is_its_formula():
    traces = np.random.default_rng(1).normal(size=(3, 9, 2)) + np.arange(3)[:, None, None]
    halves = np.concatenate([traces[:, :4], traces[:, 5:]])
    within = np.mean([half.var(axis=0, ddof=1) for half in halves], axis=0)
    between = np.var([half.mean(axis=0) for half in halves], axis=0, ddof=1)
    np.testing.assert_allclose(split_r_hats(traces), np.sqrt((0.75 * within + between) / within))


def test_chains_apart_and_chains_that_drift_are_noticed():
    traces = autoregressive(4, 200, 0.0, 3)
    apart = traces + np.array([0, 0, 0, 3.0])[:, None, None]
    drifting = traces + np.linspace(0, 4, 200)[:, None]
    for wrong in (apart, drifting):
        assert np.all(split_r_hats(wrong) > 1.3)
        assert np.all(effective_sizes(wrong) < 0.1 * effective_sizes(traces))


def test_short_chains_and_constants():
    assert np.isnan(split_r_hats(np.zeros((2, 3, 4)))).all()
    assert np.isnan(effective_sizes(np.zeros((2, 3, 4)))).all()
    np.testing.assert_array_equal(split_r_hats(np.ones((2, 8, 1))), 1.0)
    assert split_r_hats(np.repeat([[[0.0]], [[1.0]]], 8, axis=1))[0] == np.inf


def test_a_posterior_summarises_its_chains():
    model = Factors(np.ones((2, 1)), np.ones((1, 2)))
    traces = autoregressive(3, 50, 0.0, 11)
    chains = [Chain((model, model), np.array([1.0, 2.0]), trace) for trace in traces]
    found = Posterior.of(chains)
    assert (found.chains, len(found.noise)) == (3, 6)
    assert found.noise_level == pytest.approx(np.sqrt(2.5))
    assert found.r_hat == pytest.approx(np.quantile(split_r_hats(traces)[:10], 0.9))
    assert found.effective_size == pytest.approx(np.quantile(effective_sizes(traces)[:10], 0.1))
    assert found.is_mixed
    assert "6 draws of 3 chains" in found.summary()
    short = [Chain((model,), np.ones(1), trace[:3]) for trace in traces]
    assert not Posterior.of(short).is_mixed
    np.testing.assert_array_equal(chains[0].score([0, 1], [0, 1]), [1.0, 1.0])


def test_chains_that_are_set_aside_are_in_one_r_hat_alone():
    model = Factors(np.ones((2, 1)), np.ones((1, 2)))
    traces = autoregressive(4, 200, 0.0, 11)
    traces[3] += 5
    chains = [Chain((model,), np.full(1, 1.0 + number), trace) for number, trace in enumerate(traces)]
    found, every = Posterior.of(chains[:3], chains[3:]), Posterior.of(chains)
    assert (found.r_hat_of_all, found.r_hat) == (every.r_hat, Posterior.of(chains[:3]).r_hat)
    assert found.r_hat < 1.1 < 2 < found.r_hat_of_all
    assert found.chains == 3
    assert found.noise.max() == 3
    assert f"({every.r_hat:.2f} with chains set aside)" in found.summary()
    assert "aside" not in every.summary()
    assert np.isnan(every.r_hat_of_all)


def test_few_independent_draws_are_short():
    model = Factors(np.ones((2, 1)), np.ones((1, 2)))
    for draws, long in ((100, True), (15, False)):
        chains = [Chain((model,), np.ones(1), trace) for trace in autoregressive(2, draws, 0.0, 11)]
        assert Posterior.of(chains).is_long == long


@pytest.mark.parametrize(
    ("losses", "apart"),
    [
        ([[1.0, 1.1, 0.9]] * 7 + [[9.0, 9.1, 8.9]], (7,)),
        ([[9.0, 9.1, 8.9]] + [[1.0, 1.1, 0.9]] * 3, (0,)),
        ([[1.0, 1.1, 0.9]] * 3 + [[9.0, 9.0, 9.0]] * 5, (4, 5, 6, 7)),  # the upper half at most
        ([[1.0, 1.1, 0.9]] * 7 + [[1.0, 1.0, 2.9]], ()),  # its last draw alone is far
        ([[1.0, 1.1, 0.9]] * 7 + [[1.9, 1.9, 1.9]], ()),  # less than twice
        ([[0.2, 1.8, 1.0]] * 7 + [[1.9, 3.0, 2.6]], ()),  # not far for draws that differ so much
        ([[1.0, 1.1, 0.9]] * 3 + [[np.nan] * 3], (3,)),
        ([[1.0]], ()),
    ],
)
def test_chains_are_apart_by_all_of_their_draws(losses, apart):
    model = Factors(np.ones((2, 1)), np.ones((1, 2)))
    chains = [
        Chain((model,) * len(own), np.ones(len(own)), np.zeros((4, 2)), losses=np.array(own))
        for own in losses
    ]
    assert chains_apart(chains, 0.0) == apart
    assert chains_apart(chains, 1e6) == tuple(p for p in apart if np.isnan(losses[p][0]))


def test_chains_that_have_mixed_are_not_apart():
    """Losses of long chains of a small posterior: of 400 chains one in four was lost by its last draw."""
    model = Factors(np.ones((2, 1)), np.ones((1, 2)))
    rng = np.random.default_rng(0)
    for _ in range(50):
        own = [rng.chisquare(6, 12) for _ in range(8)]
        chains = [Chain((model,) * 12, np.ones(12), np.zeros((4, 2)), losses=each) for each in own]
        assert chains_apart(chains, 0.0) == ()
