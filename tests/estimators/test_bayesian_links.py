"""BayesianFactorizer of links: every question that can be asked of an ensemble, undirected and directed."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from latentlink import BayesianFactorizer, LinkStack, Network, load
from latentlink.errors import IncompatibleError
from latentlink.factors import sigmoid
from latentlink.metrics import roc_auc
from latentlink.solvers import BayesianLMF, BayesianSymLMF
from latentlink.splitting import holdout
from latentlink.uncertainty import RiskControl

SHORT = {"max_iter": 60, "burn_in": 20, "draws": 4}


def planted(symmetric, seed=0, nodes=40):
    """Return links of a logistic model of rank 2, of which a part is held out, and all probabilities."""
    rng = np.random.default_rng(seed)
    W = 1.5 * rng.normal(size=(nodes, 2))
    H = W if symmetric else 1.5 * rng.normal(size=(nodes - 8, 2))
    biases = rng.normal(size=nodes)
    logits = W @ H.T + biases[:, None] + (biases if symmetric else rng.normal(size=len(H)))
    probabilities = sigmoid(logits)
    rows, cols = np.triu_indices(nodes, 1) if symmetric else np.divmod(np.arange(nodes * len(H)), len(H))
    links = (rng.random(len(rows)) < probabilities[rows, cols]).astype(float)
    network = Network(rows, cols, links, shape=(nodes, len(H)), symmetric=symmetric)
    return holdout(network, 0.3, 0, calibration=0.2), probabilities


@pytest.fixture(scope="module", params=[True, False], ids=["undirected", "directed"])
def fitted(request):
    split, probabilities = planted(request.param)
    solver = (BayesianSymLMF if request.param else BayesianLMF)(**SHORT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = BayesianFactorizer((2,), solver=solver, n_perturbs=4, random_state=0).fit(split.train)
    return model, split, probabilities


def pairs_of(network):
    return np.column_stack([network.rows, network.cols])


def test_scores_are_mean_probabilities_of_the_draws(fitted):
    model, split, probabilities = fitted
    pairs = pairs_of(split.test)
    score, spread = model.predict_links(pairs, return_std=True)
    each = np.array([draw.score(*pairs.T) for draw in model.members_])
    np.testing.assert_allclose(score, each.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(spread, each.std(axis=0), atol=1e-5)
    truth = probabilities[tuple(pairs.T)]
    assert np.corrcoef(score, truth)[0, 1] > 0.75
    assert roc_auc(split.test.values, score) > roc_auc(split.test.values, truth) - 0.14
    # The spread is the size of the errors of the mean.
    assert 0.7 < np.sqrt(np.mean((score - truth) ** 2) / np.mean(spread**2)) < 1.3


def test_pairs_of_an_undirected_network_have_no_direction(fitted):
    model, split, _ = fitted
    if not model.network_.symmetric:
        return
    pairs = pairs_of(split.test)[:20]
    np.testing.assert_allclose(model.predict_links(pairs), model.predict_links(pairs[:, ::-1]), rtol=1e-6)


def test_every_question_can_be_asked(fitted, tmp_path):
    model, split, _ = fitted
    pairs = pairs_of(split.test)
    assert len(model.top_links(5)) == 5
    assert len(model.explain(pairs[0])) >= 2 + 2
    assert model.assess(pairs[:3]).score.shape == (3,)
    calibrated = model.calibrate(split.calibration)
    answers = calibrated.answers(pairs, RiskControl(0.3, 0.2))
    assert answers["answered"].any()
    assert calibrated.discover(pairs, fdr=0.3)["selected"].any()
    probability = np.asarray(calibrated.probabilities(pairs))
    assert np.mean(probability[split.test.values == 1]) > 0.3
    assert model.noise_ == 0
    assert len(model.posterior_.r_hats) == 201
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.predict_links(pairs), model.predict_links(pairs))
    assert type(loaded.solver_) is type(model.solver_)


def test_intervals_of_links_raise(fitted):
    with pytest.raises(IncompatibleError, match="predicts links, which are 0 or 1"):
        fitted[0].intervals([(0, 1)])


def test_new_rows_are_like_fitted_ones(fitted):
    model, split, _ = fitted
    known, network = split.train.known, split.train
    X = np.full(network.shape, np.nan)
    X[network.rows[known], network.cols[known]] = network.values[known]
    if network.symmetric:
        X[network.cols[known], network.rows[known]] = network.values[known]
    rows = model.fold_in(X[:3])
    others = [(i, j) for i in range(3) for j in range(4, 30)]
    scores, spread = rows.predict_links(others, return_std=True)
    assert np.all(spread > 0)
    alone = model.fold_in(X[2:3])
    again = alone.predict_links([(0, j) for _, j in others[-26:]])
    np.testing.assert_allclose(again, scores[-26:], atol=1e-5)
    assert np.corrcoef(scores, model.predict_links(others))[0, 1] > 0.9


def test_a_search_compares_ranks_by_held_out_links(fitted):
    _, split, _ = fitted
    solver = (BayesianSymLMF if split.train.symmetric else BayesianLMF)(**SHORT)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = BayesianFactorizer((1, 2), solver=solver, n_perturbs=4, random_state=0).fit(split.train)
    assert search.path_.ranks == (1, 2)
    assert "held-out error" in search.choice_.reason


def test_the_usual_rank_and_self_loops():
    split, _ = planted(True)
    network = split.train
    loop = Network(
        np.append(network.rows, 3), np.append(network.cols, 3), np.append(network.values, 1.0),
        np.append(network.weights, 1.0), shape=network.shape, symmetric=True,
    )  # fmt: skip
    solver = BayesianSymLMF(max_iter=12, burn_in=4, draws=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        with pytest.warns(UserWarning, match="leaves 1 known self loop out of its fit"):
            solver.solve(loop, 2, 0)
        model = BayesianFactorizer(solver=solver, n_perturbs=2, random_state=0).fit(network)
    assert model.rank_ == 6
    assert len(model.members_) == 4


def test_a_stack_takes_draws_as_members():
    split, _ = planted(True)
    solver = BayesianSymLMF(max_iter=30, burn_in=10, draws=2)
    models = [BayesianFactorizer((2,), solver=solver, n_perturbs=4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        stack = LinkStack(models=models, random_state=0).fit(split.train)
    assert len(stack.members_) == 8
    pairs = pairs_of(split.test)
    assert roc_auc(split.test.values, stack.predict_links(pairs)) > 0.7
