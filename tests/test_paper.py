"""Presets of the paper: their settings, and figures of the reference implementation."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network, datasets, load, paper
from latentlink.errors import IncompatibleError, RankWarning
from latentlink.factors import Factors
from latentlink.regime import Otsu
from latentlink.solvers import NMF, WNMF
from latentlink.splitting import holdout

FACTORIZERS = [paper.NMFk, paper.WNMFk, paper.RNMFk, paper.BNMFk]
every_method = pytest.mark.parametrize("method", FACTORIZERS, ids=lambda method: method.__name__)


@pytest.fixture(scope="module")
def reference_data():
    """The matrix, mask and start on which figures of the reference implementation were taken."""
    rng = np.random.default_rng(0)
    n, m, k = 60, 40, 4
    X = rng.gamma(0.5, size=(n, k)) @ rng.gamma(0.5, size=(k, m)) + 0.05 * rng.random((n, m))
    M = rng.random((n, m)) < 0.8
    W, H = rng.random((n, k)), rng.random((k, m))
    return X, M, Factors(W, H)


def squares(model, X, M=1.0):
    return float(np.sum(M * (X - model.W @ model.H) ** 2))


# -------------------------------------------------------------------- settings


@every_method
@pytest.mark.parametrize("threshold", [None, "kmeans", "otsu", "search"])
def test_presets_have_the_settings_of_the_paper(method, threshold):
    model = method(range(1, 4), threshold=threshold, random_state=0)
    regime = model.used_regime()
    assert (regime.starts, regime.speckle, regime.polish, regime.set_aside) == (1, 0, False, False)
    assert regime.is_boolean == (threshold is not None)
    if threshold is None:
        assert regime.perturb.epsilon == 0.015
        assert (regime.align.centres, regime.align.silhouettes) == ("median", "angle")
    else:
        assert (regime.perturb.eps_pos, regime.perturb.eps_neg) == (0.015, 0.015)
        assert (regime.align.centres, regime.product) == ("majority", "sum")
        assert type(regime.threshold).__name__.lower() == threshold
    assert model.used_selection().threshold == 0.8
    assert getattr(model.used_solver(), "ridge", 0.0) <= 0.06


@every_method
def test_a_preset_over_several_ranks_does_not_ask_for_what_it_leaves_out(method):
    """Nothing is held out by design. Warnings are errors here."""
    X = datasets.planted_boolean(rows=40, columns=30, rank=2, flips=0.0, seed=0).network
    model = method(range(1, 4), n_perturbs=4, random_state=0).fit(X)
    assert model.choice_.status == "unconfirmed"
    noise = np.random.default_rng(0).integers(0, 2, (20, 15)).astype(float)
    with pytest.warns(
        RankWarning, match="No rank is stable: no rank has a least silhouette >= 0.8;"
    ) as caught:
        method(range(4, 6), n_perturbs=4, random_state=0).fit(noise)
    assert len([each for each in caught if each.category is RankWarning]) == 1


def test_boolean_nmf_thresholds_by_two_means_unless_told_otherwise():
    assert paper.BNMFk((2,)).regime.is_boolean
    assert not paper.BNMFk((2,), threshold=None).regime.is_boolean
    assert isinstance(paper.WNMFk((2,), threshold=Otsu()).regime.threshold, Otsu)


def test_an_unknown_threshold_raises():
    with pytest.raises(IncompatibleError, match="'median'; expected one of 'kmeans', 'otsu', 'search'"):
        paper.BNMFk((2,), threshold="median")


@every_method
def test_every_preset_fits_is_saved_and_keeps_all_members(method, tmp_path):
    network = holdout(datasets.dog().network, 0.1, 0).train
    model = method((4,), n_perturbs=4, random_state=0).fit(network)
    assert len(model.members_) == 4
    assert np.isnan(model.record_.held_out).all()
    model.save(tmp_path / "model")
    pairs = [("r03c05", "sun"), ("r10c10", "dog")]
    np.testing.assert_array_equal(load(tmp_path / "model").predict_links(pairs), model.predict_links(pairs))


@pytest.mark.parametrize("base", [paper.WNMFk, paper.RNMFk, paper.BNMFk])
def test_logistic_ensembles_take_the_rank_of_the_base_and_the_biases_of_lmf(base):
    network = datasets.planted_boolean(rows=30, columns=20, rank=2, seed=1).network
    model = paper.logistic(base((2,), n_perturbs=2, random_state=0)).fit(network)
    lmf = model.lmf_
    assert (lmf.rank_, lmf.solver_.ridge, lmf.solver_.centred) == (2, 1.0, False)
    rows, cols = np.indices(network.shape).reshape(2, -1)
    base_scores = model.estimator_.factors_
    plain = base_scores.W @ base_scores.H
    for bias, axis in ((base_scores.row_bias, 1), (base_scores.col_bias, 0)):
        plain = plain + (0 if bias is None else np.expand_dims(bias, axis))
    logits = plain + base_scores.offset + lmf.factors_.row_bias[:, None] + lmf.factors_.col_bias
    expected = 1 / (1 + np.exp(-logits[rows, cols]))
    np.testing.assert_allclose(model.factors_.score(rows, cols), expected, rtol=1e-6)


@pytest.mark.parametrize("method", [paper.LMF, paper.SymLMF])
def test_logistic_factorizations_have_no_offset_and_a_fixed_ridge(method):
    rng = np.random.default_rng(0)
    pairs = [(i, j, float((i + j) % 3 == 0)) for i in range(20) for j in range(i) if rng.random() < 0.7]
    model = method(2, n_perturbs=2, random_state=0).fit(Network.from_edges(pairs, symmetric=True))
    assert (model.rank_, model.factors_.offset, model.solver_.ridge) == (2, 0.0, 1.0)


def test_scores_of_the_plain_product_can_be_clipped_at_one():
    network = datasets.dog().network
    plain = paper.BNMFk((5,), n_perturbs=4, random_state=0)
    clipped = paper.BNMFk((5,), n_perturbs=4, random_state=0).set_params(regime__score_range=(0, 1))
    pairs = np.indices(network.shape).reshape(2, -1).T
    scores = plain.fit(network).predict_links(pairs)
    assert scores.max() > 1
    clipped_scores = clipped.fit(network).predict_links(pairs)
    np.testing.assert_allclose(clipped_scores, np.minimum(scores, 1), rtol=0, atol=1e-10)
    assert clipped_scores.max() <= 1


# -------------------------------------------------------------------- figures of the reference


def test_multiplicative_nmf_has_the_losses_of_the_reference(reference_data):
    """H is updated first there, so rows and columns are exchanged here."""
    X, _, start = reference_data
    transposed = Network.from_dense(X.T)
    begin = Factors(start.H.T, start.W.T)
    for sweeps, expected in ((1, 1821.34976), (100, 24.649760)):
        solver = NMF(updates="multiplicative", max_iter=sweeps, tol=0.0)
        model = solver.solve(transposed, 4, start=begin).members[0]
        assert squares(model, X.T) == pytest.approx(expected, rel=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("ridge", "expected"), [(1e-6, 0.39990), (0.1, 27.51274), (1.0, 264.17671)])
def test_weighted_nmf_has_the_objective_of_the_reference(reference_data, ridge, expected):
    X, M, start = reference_data
    network = Network.from_dense(X, mask=M)
    model = WNMF(ridge=ridge, max_iter=3000, tol=0.0).solve(network, 4, start=start).members[0]
    objective = squares(model, X, M) + ridge * (np.sum(model.W**2) + np.sum(model.H**2))
    assert objective == pytest.approx(expected, rel=2e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("updates", "expected"), [("multiplicative", 0.5704), ("descent", 0.5368)])
def test_many_sweeps_of_nmf_reach_the_loss_of_the_reference_or_less(reference_data, updates, expected):
    """The reference implementation has .5695 after 2,000 sweeps; exact descent ends lower."""
    X, _, start = reference_data
    solver = NMF(updates=updates, max_iter=2000, tol=0.0, cycles=1, extrapolate=False)
    begin = Factors(start.H.T, start.W.T)
    model = solver.solve(Network.from_dense(X.T), 4, start=begin).members[0]
    assert squares(model, X.T) == pytest.approx(expected, rel=2e-3)


@pytest.mark.slow
@pytest.mark.parametrize(("updates", "expected"), [("multiplicative", 0.402), ("descent", 0.400)])
def test_nmf_with_a_mask_fits_the_known_entries(reference_data, updates, expected):
    """The mask of the reference implementation does not work: it ends at 233.5 on the known entries."""
    X, M, start = reference_data
    solver = NMF(updates=updates, max_iter=5000, tol=0.0)
    model = solver.solve(Network.from_dense(X, mask=M), 4, start=start).members[0]
    assert squares(model, X, M) == pytest.approx(expected, abs=0.002)
