"""Relative precisions of nodes against their formula, with the same random numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import gamma

from latentlink.kernels import Listed
from latentlink.solvers.posterior.node_noise import GRID, NodeNoise

LANES, CHAINS = 4, 2
DEGREES = np.array([3, 0, 5, 1])


def listed_of(per_member):
    rng = np.random.default_rng(0)
    n = DEGREES.sum()
    values = rng.normal(size=(n, LANES))
    values[rng.random(values.shape) < 0.2] = np.nan
    weights = np.where(rng.random((n, LANES) if per_member else n) < 0.2, 0.0, 1.5)
    return Listed(np.concatenate([[0], np.cumsum(DEGREES)]), np.zeros(n, int), values, weights)


class Noted:
    """A generator that notes its uniform number."""

    def __init__(self, seed):
        self._rng = np.random.default_rng(seed)
        self.gammas = self.uniform = None

    def standard_gamma(self, shapes):
        self.gammas = self._rng.standard_gamma(shapes)
        self.shapes = np.array(shapes)
        return self.gammas

    def random(self):
        self.uniform = self._rng.random()
        return self.uniform


@pytest.mark.parametrize("per_member", [False, True])
@pytest.mark.parametrize("share", [1.0, 0.5, np.array([1.0, 0.5, 0.25, 0.25])])
def test_draws_are_their_formula(share, per_member):
    listed = listed_of(per_member)
    noise = NodeNoise(listed, share, CHAINS)
    shares = np.broadcast_to(share, LANES)
    known = ~np.isnan(listed.values) & ((listed.weights if per_member else listed.weights[:, None]) > 0)
    counts = np.array([part.sum(axis=0) for part in np.split(known, np.cumsum(DEGREES)[:-1])])
    assert (noise.relative == 1).all()
    rng = np.random.default_rng(1)
    a, variances = np.full(CHAINS, 4.0), np.zeros((4, CHAINS))
    for sweep in range(3):
        losses, tau = rng.random((4, LANES)) * 3, rng.random(LANES) + 0.5
        rngs = [Noted(seed) for seed in (sweep, sweep + 10)]
        totals = noise.draw(losses, tau, rngs)
        for k, own in enumerate(rngs):
            np.testing.assert_allclose(own.shapes, a[k] + shares[k] * counts[:, k] / 2)
            expected = own.gammas / (a[k] + tau[k] * shares[k] * losses[:, k] / 2)
            np.testing.assert_allclose(noise.relative[:, k], expected)
            assert totals[k] == pytest.approx(expected @ losses[:, k])
            density = np.array([gamma.logpdf(expected, each, scale=1 / each).sum() for each in GRID])
            steps = np.cumsum(np.exp(density - density.max()))
            a[k] = GRID[np.searchsorted(steps, own.uniform * steps[-1])]
            variances[:, k] += 1 / expected
        np.testing.assert_array_equal(noise.shapes, a)
        for part in (noise.relative, totals):  # lanes beyond the chains repeat the last
            np.testing.assert_array_equal(part[..., 2], part[..., 1])
            np.testing.assert_array_equal(part[..., 3], part[..., 1])
        noise.record()
    for k in range(CHAINS):
        np.testing.assert_allclose(noise.deviations(k), np.sqrt(variances[:, k] / 3))


def test_before_the_first_sweep_there_are_no_deviations():
    assert NodeNoise(listed_of(False), 1.0, CHAINS).deviations(0).tolist() == [0] * 4


def test_the_grid_goes_from_a_half_to_512():
    assert (GRID[0], GRID[-1], len(GRID)) == (0.5, 512, 41)
    np.testing.assert_allclose(GRID[1:] / GRID[:-1], 2**0.25)
