"""BayesianNMF: the sampler leaves the posterior invariant, and its components are parts."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.stats import ks_2samp
from sklearn.exceptions import ConvergenceWarning

from latentlink import BayesianFactorizer, Network, load
from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble
from latentlink.random import member_rngs
from latentlink.regime import posterior
from latentlink.solvers import BayesianNMF
from latentlink.solvers.descent.blocks import make_block
from latentlink.solvers.descent.packing import pack
from latentlink.solvers.posterior.noise_level import NOISE_RATE, NOISE_SHAPE, NoiseLevel
from latentlink.solvers.posterior.nonnegative_sweeps import NonnegativeSweeps
from tests.helpers.cases import Case, assert_same_factors

SHAPE, RANK, LANES = (5, 4), 2, 8
SHORT = BayesianNMF(max_iter=8, burn_in=2, draws=2)


def prior_draw(rng):
    """Draw a model and the precision of its noise from the prior, for data of unit size."""
    sides = [
        rng.exponential(size=(nodes, RANK)) / rng.exponential(size=RANK) for nodes in SHAPE
    ]  # the rates are Gamma(1, 1)
    return Factors(sides[0], sides[1].T), rng.gamma(NOISE_SHAPE) / NOISE_RATE


def statistics(model, tau):
    scores = model.score(*(each.ravel() for each in np.indices(SHAPE)))
    return {
        "tau": tau,
        "score of a pair": scores[0],
        "score of the last pair": scores[19],
        "total": np.log(scores.sum()),
        "first of W": model.W[0, 0],
        "last of H": model.H[-1, -1],
        "size of W": np.log(model.W.sum()),
        "share of the first component": float(model.W[:, 0].sum() / model.W.sum()),
    }


def sampled(rng, sweeps):
    """Draw models from the prior, data from each model, and return the models after some sweeps."""
    own = np.random.default_rng(5)
    rows, cols = np.divmod(np.sort(own.choice(20, 14, replace=False)), SHAPE[1])
    network = Network(rows, cols, np.ones(14), own.choice([0.5, 1.0, 3.0], 14), shape=SHAPE)
    drawn = [prior_draw(rng) for _ in range(LANES)]
    values = [
        model.score(network.rows, network.cols) + rng.normal(size=14) / np.sqrt(tau * network.weights)
        for model, tau in drawn
    ]
    block = make_block(Ensemble(network, np.stack(values, axis=1), network.weights), range(LANES), "float64")
    rows, cols, _ = pack([model for model, _ in drawn], LANES, False, "float64")
    counts = np.full(LANES, 14.0)
    level = NoiseLevel(np.ones(LANES), counts, counts)
    chains = NonnegativeSweeps(block, (rows, cols), rng.spawn(LANES), level, np.ones(LANES))
    chains.tau[:] = [tau for _, tau in drawn]
    for _ in range(sweeps):
        chains.sweep()
    models = [Factors(rows[..., lane], cols[..., lane].T) for lane in range(LANES)]
    return [statistics(*each) for each in zip(models, chains.tau, strict=True)]


@pytest.mark.slow
def test_sweeps_leave_the_joint_distribution_of_model_and_data_as_it_is():
    """Models from the prior, data from the models, sweeps given the data: the models are from the prior."""
    rng = np.random.default_rng(7)
    after = [each for _ in range(100) for each in sampled(rng, 3)]
    before = [statistics(*prior_draw(rng)) for _ in range(4000)]
    found = {
        name: ks_2samp([each[name] for each in before], [each[name] for each in after]).pvalue
        for name in before[0]
    }
    assert min(found.values()) > 1e-3, found


@pytest.mark.parametrize("background", [0.0, 0.2])
@pytest.mark.parametrize("symmetric", [False, True])
def test_a_chain_does_not_depend_on_the_others_or_on_the_form_of_the_kernels(
    symmetric, background, monkeypatch
):
    ensemble = Case(SHORT, symmetric, background).ensemble(members=3)
    together = SHORT.solve(ensemble, 2, member_rngs(0, 2, 3))
    alone = Ensemble(ensemble.network, ensemble.values[:, [1]], ensemble.weights[:, [1]])
    chain = SHORT.solve(alone, 2, member_rngs(0, 2, 3)[1]).chains[0]
    assert_same_factors(chain.draws[-1], together.chains[1].draws[-1])
    monkeypatch.setenv("LATENTLINK_KERNELS", "reference")
    for one, other in zip(SHORT.solve(ensemble, 2, 0).chains, together.chains, strict=True):
        np.testing.assert_allclose(one.trace, other.trace, rtol=1e-5, atol=1e-6)


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    W = rng.exponential(size=(40, 3)) * (rng.random((40, 3)) < 0.5)
    H = rng.exponential(size=(3, 30)) * (rng.random((3, 30)) < 0.5)
    X = np.maximum(W @ H + 0.05 * rng.normal(size=(40, 30)), 0)
    hidden = rng.random(X.shape) < 0.3
    solver = BayesianNMF(max_iter=150, burn_in=60, draws=5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = BayesianFactorizer((3,), solver=solver, n_perturbs=4, random_state=0).fit(
            np.where(hidden, np.nan, X)
        )
    return model, (W @ H, hidden), (W, H)


def test_components_are_the_parts_that_were_planted(fitted):
    model, (truth, hidden), (W, _) = fitted
    assert model.W_.min() >= 0
    assert min(draw.W.min() for draw in model.members_) >= 0
    # Each planted part has a component of its own.
    cosines = (model.W_ / np.linalg.norm(model.W_, axis=0)).T @ (W / np.linalg.norm(W, axis=0))
    assert np.all(cosines.max(axis=0) > 0.98)
    assert len(set(cosines.argmax(axis=0))) == 3
    pairs = np.argwhere(hidden)
    score, spread = model.predict_links(pairs, return_std=True)
    error = score - truth[hidden]
    assert np.sqrt(np.mean(error**2)) < 0.1
    assert np.mean(spread) > 0
    assert 0.03 < model.noise_ < 0.08


def test_every_question_can_be_asked(fitted, tmp_path):
    model, (truth, hidden), _ = fitted
    pairs = np.argwhere(hidden)
    table = model.intervals(pairs, 0.9)
    assert np.mean((table["low"] <= truth[hidden]) & (truth[hidden] <= table["high"])) > 0.8
    assert len(model.top_links(3)) == 3
    assert len(model.explain(pairs[0])) == 3
    calibrated = model.calibrate(pairs[:150], truth[hidden][:150]).intervals(pairs[150:])
    assert np.all(calibrated["low"] <= calibrated["high"])
    rows = model.fold_in(np.where(hidden, np.nan, truth)[:2])
    np.testing.assert_allclose(rows.predict_links([(0, 3)]), model.predict_links([(0, 3)]), atol=0.3)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(load(tmp_path / "model").predict_links(pairs), model.predict_links(pairs))


def test_settings_that_do_not_fit_together_raise():
    X = np.abs(np.random.default_rng(0).normal(size=(6, 5)))
    with pytest.raises(
        IncompatibleError, match=r"parts, which a rotation would mix. Choose regime=posterior\(parts"
    ):
        BayesianFactorizer((2,), solver=SHORT, regime=posterior()).fit(X)
    with pytest.raises(IncompatibleError, match="needs values >= 0"):
        BayesianFactorizer((2,), solver=SHORT).fit(X - 2)
