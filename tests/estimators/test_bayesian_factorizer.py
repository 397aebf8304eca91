"""BayesianFactorizer: draws as members, the choice of the rank, noise, intervals and new rows."""

from __future__ import annotations

import copy
import warnings
from dataclasses import replace

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from latentlink import BayesianFactorizer, LogisticHead, Network, RankedFactorizer, RNMFk, WNMFk, load
from latentlink.errors import IncompatibleError, InputError, LatentLinkError
from latentlink.rank import RankPath
from latentlink.regime import AsIs, Perturb, Regime, posterior, real
from latentlink.solvers import BPMF, LMF, WNMF

QUICK = {"solver": BPMF(max_iter=80, burn_in=30, draws=5), "n_perturbs": 4, "random_state": 0}


def planted(seed=0, shape=(40, 30), rank=2, noise=0.3, known=0.6):
    """Return known entries of a matrix of low rank with biases and noise, and values of the others."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=(shape[0], rank)) @ rng.normal(size=(rank, shape[1]))
    truth += rng.normal(size=(shape[0], 1)) + 0.5 * rng.normal(size=shape[1]) + 1
    X = truth + noise * rng.normal(size=shape)
    there = rng.random(shape) < known
    rows, cols = np.nonzero(~there)
    return np.where(there, X, np.nan), (np.column_stack([rows, cols]), X[~there], truth[~there])


@pytest.fixture(scope="module")
def fitted():
    X, held_out = planted()
    return BayesianFactorizer((2,), **QUICK).fit(X), X, held_out


# -------------------------------------------------------------------- predictions


def test_means_over_draws_predict_better_than_a_draw_and_than_a_fit(fitted):
    model, X, (pairs, _, truth) = fitted

    def error(scores):
        return np.sqrt(np.mean((scores - truth) ** 2))

    mean, draw = error(model.predict_links(pairs)), error(model.members_[0].score(*pairs.T))
    assert mean < 0.8 * draw
    assert mean < error(RNMFk((2,), random_state=0).fit(X).predict_links(pairs))
    assert error(model.predict_links(pairs, by="model")) == pytest.approx(mean, rel=0.15)


def test_the_spread_is_the_deviation_over_draws(fitted):
    model, _, (pairs, _, truth) = fitted
    score, spread = model.predict_links(pairs, return_std=True)
    each = np.array([draw.score(*pairs.T) for draw in model.members_])
    np.testing.assert_allclose(score, each.mean(axis=0), atol=1e-5)
    np.testing.assert_allclose(spread, each.std(axis=0), atol=1e-5)
    assert 0.8 < np.sqrt(np.mean((score - truth) ** 2 / spread**2)) < 1.2


def test_fitted_attributes(fitted):
    model, _, _ = fitted
    assert len(model.members_) == 4 * 5
    assert model.posterior_.chains == 4
    assert model.noise_ == model.posterior_.noise_level == pytest.approx(0.3, rel=0.15)
    assert model.posterior_.r_hat < 1.1
    assert model.components_ is model.H_
    row = model.path_.to_dict()
    assert row["noise_level"] == [model.noise_]
    assert row["r_hat"] == [model.posterior_.r_hat]
    assert "20 draws of 4 chains, of nine in ten scores R-hat" in model._repr_html_()


def test_every_question_can_be_asked(fitted):
    model, _, (pairs, values, _) = fitted
    assert len(model.top_links(5)) == 5
    assert len(model.explain(pairs[0])) == 2 + 3
    assert model.assess(pairs[:3]).score.shape == (3,)
    calibrated = model.calibrate(pairs[:200], values[:200]).intervals(pairs[200:])
    inside = (calibrated["low"] <= values[200:]) & (values[200:] <= calibrated["high"])
    assert 0.8 < inside.mean() < 1


def test_default_rank():
    X, _ = planted(shape=(6, 40))
    assert BayesianFactorizer(**QUICK).fit(X).rank_ == 6
    assert BayesianFactorizer(**QUICK).fit(X.T).rank_ == 6
    X, _ = planted(shape=(12, 9))
    assert BayesianFactorizer(**QUICK).fit(X).rank_ == 8


def test_ranked_factorizer_with_the_solver_is_the_same(fitted):
    model, X, (pairs, _, _) = fitted
    same = RankedFactorizer((2,), **QUICK).fit(X)
    np.testing.assert_array_equal(same.predict_links(pairs), model.predict_links(pairs))


# -------------------------------------------------------------------- the search


def test_a_search_tells_the_path_and_draws_the_chosen_rank_from_all_entries(fitted):
    _, X, (pairs, _, _) = fitted
    chains = QUICK | {"n_perturbs": 8}  # four are too few for a standard error of their held-out errors
    model = BayesianFactorizer((2,), **chains).fit(X)
    search = BayesianFactorizer(range(1, 5), **chains).fit(X)
    assert search.rank_ == 2
    assert "held-out error" in search.choice_.reason
    errors = search.path_.to_dict()["ensemble_error"]
    assert errors[0] > 1.5 * errors[1]
    assert errors[3] < 1.1 * errors[1]  # shrinkage: too many components cost little
    assert search.record_.held_out.shape == (8,)
    # Held-out entries chose the rank; the members know them.
    np.testing.assert_array_equal(search.predict_links(pairs), model.predict_links(pairs))
    assert 0.5 < search.score() < 1
    with pytest.raises(IncompatibleError, match="nothing to score by"):
        model.score()


@pytest.mark.slow
def test_planted_ranks_are_found():
    found = [
        BayesianFactorizer(range(1, 7), **QUICK | {"n_perturbs": 8}).fit(planted(seed, rank=rank)[0]).rank_
        for seed, rank in enumerate((1, 2, 3, 4))
    ]
    assert found == [1, 2, 3, 4]


@pytest.mark.filterwarnings("ignore:Rank 1 is not confirmed")
def test_threads_folders_and_limits_change_nothing(fitted, tmp_path):
    _, X, (pairs, _, _) = fitted
    settings = QUICK | {"n_perturbs": 9, "solver": BPMF(max_iter=30, burn_in=10, draws=2)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        first = BayesianFactorizer((1, 2), **settings).fit(X, folder=tmp_path / "search")
        again = BayesianFactorizer((1, 2), **settings, n_jobs=2).fit(X, folder=tmp_path / "search")
        limited = BayesianFactorizer((2, 1), **settings).fit(X, time_limit=1e-6)
    np.testing.assert_array_equal(first.predict_links(pairs), again.predict_links(pairs))
    assert not limited.complete_
    assert limited.posterior_.chains == 9
    with pytest.raises(IncompatibleError, match=r"regime__speckle is 0\.1 there, 0\.0 here"):
        BayesianFactorizer((2,), **settings).fit(X, folder=tmp_path / "search")


def test_a_fit_can_be_cancelled_and_reports_progress(fitted):
    _, X, _ = fitted
    seen = []
    BayesianFactorizer((1, 2), **QUICK).fit(X, callback=seen.append)
    assert seen[-1].done == seen[-1].total
    with pytest.raises(LatentLinkError, match="cancelled before any rank"):
        BayesianFactorizer((1, 2), **QUICK).fit(X, callback=lambda progress: False)


def test_a_chain_that_did_not_find_the_posterior_is_set_aside(monkeypatch, tmp_path):
    """The fifth chain samples shuffled values, so that it cannot find the factors and has a large error."""
    X, (pairs, _, truth) = planted(noise=0.1)

    class FifthIsShuffled(AsIs):
        def changed(self, values, rng):
            self.made = getattr(self, "made", 0) + 1
            return rng.permutation(values) if self.made == 5 else values

    monkeypatch.setattr(AsIs, "ensemble", lambda self, *data: Perturb.ensemble(FifthIsShuffled(), *data))
    with pytest.warns(ConvergenceWarning, match=r"rank 2 .*: 1 of 8 chains was set aside.*\(R-hat [1-9]"):
        model = BayesianFactorizer((2,), random_state=0).fit(X)
    assert model.record_.set_aside == (4,)
    assert model.posterior_.r_hat_of_all > 1.1
    assert (model.posterior_.chains, len(model.members_)) == (7, 7 * 12)
    assert model.path_.to_dict()["set_aside"] == [1]
    assert model.noise_ == pytest.approx(0.1, rel=0.15)
    assert model.posterior_.is_mixed
    assert np.sqrt(np.mean((model.predict_links(pairs) - truth) ** 2)) < 0.3
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").record_.set_aside == (4,)


# -------------------------------------------------------------------- intervals


def test_intervals_are_their_formula(fitted):
    model, _, (pairs, values, _) = fitted
    table = model.intervals(pairs, 0.8)
    score, spread = model.predict_links(pairs, return_std=True)
    noise = model.posterior_.noise_of(*pairs.T)
    half = 1.2815515655446004 * np.hypot(spread, noise)
    np.testing.assert_allclose(table["low"], score - half)
    np.testing.assert_allclose(table["high"], score + half)
    heavy = model.intervals(pairs, 0.8, weight=4.0)
    np.testing.assert_allclose(heavy["high"] - heavy["low"], 2.563103 * np.hypot(spread, noise / 2))
    assert 0.72 < np.mean((table["low"] <= values) & (values <= table["high"])) < 0.88


@pytest.mark.slow
def test_rows_and_columns_differ_in_their_noise():
    """The second half of the rows and every third column are noisier: intervals are as wide as they must."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=(60, 2)) @ rng.normal(size=(2, 45))
    deviation = np.where(np.arange(60) < 30, 0.2, 0.8)[:, None] * np.where(np.arange(45) % 3, 1.0, 2.0)
    X = truth + deviation * rng.normal(size=(60, 45))
    there = rng.random((60, 45)) < 0.7
    differing = BPMF(max_iter=80, burn_in=30, draws=5, node_noise=True)
    model = BayesianFactorizer((2,), **QUICK | {"solver": differing}).fit(np.where(there, X, np.nan))
    pairs = np.argwhere(~there)
    noise = model.posterior_.noise_of(*pairs.T)
    ratio = noise / deviation[~there]
    assert 0.75 < np.median(ratio[pairs[:, 0] < 30]) < 1.35
    assert 0.75 < np.median(ratio[pairs[:, 0] >= 30]) < 1.35
    table = model.intervals(pairs)
    covered = (table["low"] <= X[~there]) & (X[~there] <= table["high"])
    for part in (pairs[:, 0] < 30, pairs[:, 0] >= 30, pairs[:, 1] % 3 == 0):
        assert 0.84 < covered[part].mean() < 0.96
    plain = BPMF(max_iter=80, burn_in=30, draws=5, node_noise=False)
    alike = BayesianFactorizer((2,), **QUICK | {"solver": plain}).fit(np.where(there, X, np.nan))
    errors = [np.mean((each.predict_links(pairs) - truth[~there]) ** 2) for each in (model, alike)]
    assert errors[0] < 0.8 * errors[1]


def test_intervals_of_unknown_nodes_and_invalid_arguments(fitted):
    model, _, _ = fitted
    table = model.intervals([(0, 1), (0, 99)], unknown="nan")
    assert np.isnan(table["low"]).tolist() == [False, True]
    average = model.intervals([(0, 1), (0, 99)], unknown="average")
    assert average["high"][1] - average["low"][1] > average["high"][0] - average["low"][0]
    for coverage in (0, 1, "most"):
        with pytest.raises(InputError, match="coverage is"):
            model.intervals([(0, 1)], coverage)
    with pytest.raises(InputError, match="weight is 0; expected a number > 0"):
        model.intervals([(0, 1)], weight=0)


def test_intervals_of_ratings_stay_on_their_scale():
    X, (pairs, _, _) = planted(noise=0.5)
    ratings = np.clip(np.round(X + 2), 1, 5)
    table = BayesianFactorizer((2,), **QUICK).fit(ratings).intervals(pairs, 0.99)
    assert table["low"].min() == 1
    assert table["high"].max() == 5


@pytest.mark.slow
def test_posterior_intervals_cover_what_they_say():
    """Over planted data sets the share of values inside is the coverage, within its standard error."""
    shares = []
    for seed in range(12):
        X, (pairs, values, _) = planted(seed, shape=(50, 40), known=0.5)
        model = BayesianFactorizer(random_state=seed).fit(X)
        table = model.intervals(pairs, 0.9)
        shares.append(np.mean((table["low"] <= values) & (values <= table["high"])))
    assert 0.88 < np.mean(shares) < 0.92


# -------------------------------------------------------------------- new rows


def test_new_rows_are_conditional_means_given_the_columns(fitted):
    model, X, _ = fitted
    W = model.transform(X)
    assert np.corrcoef(W.ravel(), model.W_.ravel())[0, 1] > 0.98
    rows = model.fold_in(X[:3])
    pairs = [(0, 1), (2, 5)]
    np.testing.assert_allclose(rows.predict_links(pairs), model.predict_links(pairs), atol=0.15)
    alone = model.fold_in(X[2:3])
    assert alone.predict_links([(0, 5)])[0] == pytest.approx(rows.predict_links([(2, 5)])[0], abs=1e-5)


def test_new_rows_of_few_known_entries_are_less_sure(fitted):
    model, X, _ = fitted
    full, few = X[:1].copy(), X[:1].copy()
    few[0, np.flatnonzero(~np.isnan(few[0]))[2:]] = np.nan
    with pytest.warns(UserWarning, match="Nothing is known of 1 new row"):
        nothing = model.fold_in(np.full((1, X.shape[1]), np.nan))
    everything = [(0, j) for j in range(X.shape[1])]
    spreads = [
        rows.predict_links(everything, return_std=True)[1].mean()
        for rows in (model.fold_in(full), model.fold_in(few), nothing)
    ]
    assert spreads[0] < spreads[1] < spreads[2]
    # Of a row of which nothing is known, the model knows no more than how rows differ.
    assert spreads[2] == pytest.approx(np.nanstd(X - np.nanmean(X, axis=0), axis=0).mean(), rel=0.3)


# -------------------------------------------------------------------- saving, settings


def test_saved_and_loaded(fitted, tmp_path):
    model, _, (pairs, _, _) = fitted
    model.save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert type(loaded) is BayesianFactorizer
    assert loaded.noise_ == model.noise_
    np.testing.assert_array_equal(loaded.intervals(pairs)["low"], model.intervals(pairs)["low"])
    np.testing.assert_array_equal(loaded.posterior_.r_hats, model.posterior_.r_hats)
    model.path_.save(tmp_path / "path")
    assert len(type(model.path_).load(tmp_path / "path")[2].members) == 20


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (BayesianFactorizer(solver=WNMF()), "expected one that samples, such as BPMF"),
        (
            BayesianFactorizer(regime=real()),
            r"perturb=UniformScale\(\) and threshold=None. Choose regime=posterior",
        ),
        (
            BayesianFactorizer(regime=Regime(perturb=AsIs())),
            r"align=CosineAlign\(\) for BPMF, whose .* at random",
        ),
        (WNMFk(regime=posterior()), r"align=RotationAlign\(\) for WNMF, whose components are parts"),
        (BayesianFactorizer(n_perturbs=0), "n_perturbs=0"),
        (BayesianFactorizer(solver=BPMF(draws=200)), "Raise max_iter"),
    ],
)
def test_settings_that_do_not_fit_together_raise(estimator, message):
    with pytest.raises(IncompatibleError, match=message):
        estimator.fit(planted()[0])


def test_a_logistic_head_joins_draws():
    rng = np.random.default_rng(0)
    X = (planted(noise=0.1)[0] > 1).astype(float)
    X[rng.random(X.shape) < 0.3] = np.nan
    lmf = RankedFactorizer((2,), solver=LMF(ridge=1.0, max_iter=20), n_perturbs=20, random_state=0)
    model = LogisticHead(BayesianFactorizer((2,), **QUICK), lmf=lmf).fit(X)
    assert len(model.members_) == 20
    scores = model.predict_links(np.argwhere(X == 1)), model.predict_links(np.argwhere(X == 0))
    assert scores[0].mean() > scores[1].mean() + 0.3


def test_undirected_networks_and_backgrounds():
    rng = np.random.default_rng(0)
    place = rng.normal(size=(30, 2))
    X = place @ place.T + 0.2 * rng.normal(size=(30, 30))
    rows, cols = np.triu_indices(30, 1)
    known = rng.random(len(rows)) < 0.7
    network = Network(rows[known], cols[known], X[rows, cols][known], shape=(30, 30), symmetric=True)
    model = BayesianFactorizer((2,), **QUICK).fit(network)
    pairs = np.column_stack([rows, cols])[~known]
    scores = model.predict_links(pairs)
    np.testing.assert_allclose(scores, model.predict_links(pairs[:, ::-1]))
    assert np.corrcoef(scores, (place @ place.T)[rows, cols][~known])[0, 1] > 0.95
    links = Network(rows[X[rows, cols] > 1], cols[X[rows, cols] > 1], shape=(30, 30), symmetric=True)
    weak = BayesianFactorizer((2,), **QUICK).fit(links.with_background(0.5))
    inside = weak.predict_links(np.column_stack([links.rows, links.cols]))
    assert inside.mean() > weak.predict_links(np.column_stack([rows, cols])).mean() + 0.2


# -------------------------------------------------------------------- loading what does not fit together


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"chains": 3}, "3 chains of 20 draws"),
        ({"chains": 0}, "0 chains of 20 draws"),
        ({"noise": np.ones(3)}, "the noise at rank 2"),
        ({"noise": np.full(20, -1.0)}, "a noise at rank 2 that is not a number >= 0"),
        ({"r_hats": np.zeros((2, 2))}, "the r_hats at rank 2"),
        ({"effective_sizes": np.array(["a", "b"])}, "the effective_sizes at rank 2"),
        (None, "without chains"),
    ],
)
def test_damaged_chains_are_not_loaded(fitted, tmp_path, changes, message):
    model = copy.copy(fitted[0])
    if changes is None:
        errors = {"held_out": np.zeros(20), "held_out_ensemble": np.zeros(20)}
        record = replace(model.record_, posterior=None, **errors)
    else:
        record = replace(model.record_, posterior=replace(model.posterior_, **changes))
    model.path_ = RankPath((record,))
    model.save(tmp_path / "model")
    with pytest.raises(InputError, match=message):
        load(tmp_path / "model")
