"""ValueStack: predictions of ratings and tables, what they are made of, saving and what it refuses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import BayesianFactorizer, Network, RNMFk, ValueStack, load
from latentlink.errors import IncompatibleError, InputError, LatentLinkError
from latentlink.solvers import BPMF, LMF
from latentlink.splitting import holdout
from latentlink.stacking.values import LinearStage, ValueColumns

pytestmark = pytest.mark.filterwarnings("ignore:The chains at rank")

SHORT = BPMF(max_iter=60, burn_in=20, draws=6)
MODELS = [BayesianFactorizer((2,), solver=SHORT, n_perturbs=2), RNMFk((2,), n_perturbs=4)]


def ratings(seed=0, shape=(60, 300)):
    """Return ratings from 1 to 5 with holes; more columns than a table for regressions has."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(shape[0], 2)) @ rng.normal(size=(2, shape[1])) + 0.7 * rng.normal(size=shape[1])
    X = np.clip(np.rint(3 + scores + 0.5 * rng.normal(size=shape)), 1, 5)
    return Network.from_dense(np.where(rng.random(shape) < 0.3, X, np.nan))


def table(seed=0):
    """Return a table of few columns on a curve, with holes."""
    rng = np.random.default_rng(seed)
    t = rng.uniform(0, 2 * np.pi, 120)
    X = np.cos(t[:, None] + np.linspace(0, 3, 8)) ** 3 + 0.05 * rng.normal(size=(120, 8))
    return Network.from_dense(np.where(rng.random(X.shape) < 0.8, X, np.nan))


@pytest.fixture(scope="module")
def rated():
    split = holdout(ratings(), 0.2, 0)
    return ValueStack(models=MODELS, random_state=0).fit(split.train), split


@pytest.fixture(scope="module")
def tabled():
    split = holdout(table(), 0.2, 0)
    return ValueStack((2,), n_perturbs=2, random_state=0).fit(split.train), split


def error(model, test, units=None):
    predicted = model.predict_links(np.column_stack([test.rows, test.cols]))
    if units is not None:
        predicted = units.scores(predicted, test.cols)
    return np.sqrt(np.mean((predicted - test.values) ** 2))


# -------------------------------------------------------------------- predictions


def test_ratings_are_predicted_as_well_as_by_the_first_model(rated):
    model, split = rated
    assert model.kernels_ is None
    assert model.kind_.name == "scale"
    assert error(model, split.test) < 1.02 * error(model.models_[0], split.test, model.units_)
    assert model.stage_.errors[1] <= model.stage_.errors[0]


def test_tables_gain_from_regressions_of_columns(tabled):
    model, split = tabled
    assert model.kernels_ is not None
    assert error(model, split.test) < 0.7 * min(
        error(each, split.test, model.units_) for each in model.models_
    )


def test_scores_are_means_of_members_within_the_scale(rated):
    model, split = rated
    pairs = np.column_stack([split.test.rows, split.test.cols])[:50]
    each = np.array([member.score(*pairs.T) for member in model.members_])
    score, spread = model.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(score, each.mean(axis=0), rtol=1e-6)
    assert each.min() >= 1
    assert each.max() <= 5
    free = [replace(member, bounds=None).score(*pairs.T) for member in model.members_]
    np.testing.assert_allclose(spread, np.std(free, axis=0), rtol=1e-5, atol=1e-8)
    # Twelve draws of the posterior, and four members of the other model, three times.
    assert len(model.members_) == 12
    assert not np.allclose(model.members_[0].models[0].W, model.members_[4].models[0].W)
    np.testing.assert_array_equal(model.members_[0].models[1].W, model.members_[4].models[1].W)


def test_blocks_are_scores_of_all_pairs(tabled):
    model, _ = tabled
    rows, cols = (each.ravel() for each in np.indices(model.network_.shape))
    whole = model.factors_.score(rows, cols).reshape(model.network_.shape)
    np.testing.assert_allclose(model.factors_.block(3, 9, 2), whole[3:9, 2:], rtol=1e-6, atol=1e-7)
    for one, block in zip(model.members_[:2], model._members().blocks(3, 9, 2), strict=False):
        expected = one.score(rows, cols).reshape(whole.shape)[3:9, 2:]
        np.testing.assert_allclose(block, expected, rtol=1e-6, atol=1e-7)


def test_every_question_can_be_asked(rated):
    model, split = rated
    best = model.top_links(5)
    assert (np.diff(best["score"]) <= 0).all()
    assert len(model.recommend(0, 3)) == 3
    explained = model.explain((0, 1), by="model")
    linear = replace(model.factors_, bounds=None)
    assert explained["contribution"].sum() == pytest.approx(float(linear.score(0, 1)[0]))
    assert {"similar columns", "similar rows", "numbers of known entries"} <= set(explained["part"])
    assert model.assess([(0, 1)]).abstained.shape == (1,)
    table = model.calibrate(split.test).intervals([(0, 1), (2, 3)])
    assert (table["low"] <= table["high"]).all()
    new = model.fold_in([(0, 5.0), (1, 1.0)])
    assert 1 <= new.predict_links([(0, 2)])[0] <= 5


def test_what_members_share_is_computed_once_for_the_explanations_of_many_pairs(tabled, monkeypatch):
    """A report explains a hundred pairs by a hundred members, which would take longer than many a fit."""
    model = tabled[0]
    rows, cols = np.array([0, 5, 5, 11]), np.array([3, 0, 7, 2])
    one_by_one = [
        [member.contributions(*pair) for pair in zip(rows, cols, strict=True)]
        for member in model.members_[:3]
    ]
    asked = []
    features = ValueColumns.features
    monkeypatch.setattr(
        ValueColumns, "features", lambda self, i, j: asked.append(len(i)) or features(self, i, j)
    )
    together = list(model.members_.contributions(rows, cols))
    assert asked == [4]
    for ours, theirs in zip(together[:3], one_by_one, strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert a == pytest.approx(b)


@pytest.mark.slow
def test_cross_calibration_covers(rated):
    model, split = rated
    calibrated = model.cross_calibrate(3)
    pairs = np.column_stack([split.test.rows, split.test.cols])
    table = calibrated.intervals(pairs)
    covered = (table["low"] <= split.test.values) & (split.test.values <= table["high"])
    assert covered.mean() > 0.85


def test_undirected_values():
    rng = np.random.default_rng(0)
    a = rng.normal(size=40)
    i, j = np.triu_indices(40, 1)
    there = rng.random(len(i)) < 0.6
    network = Network(
        i[there],
        j[there],
        (a[i] * a[j] + 0.1 * rng.normal(size=len(i)))[there],
        shape=(40, 40),
        symmetric=True,
    )
    model = ValueStack(models=MODELS[:1], random_state=0).fit(network)
    forth = np.column_stack([i, j])[~there]
    score = model.predict_links(forth)
    np.testing.assert_allclose(score, model.predict_links(forth[:, ::-1]), rtol=1e-6)
    assert np.sqrt(np.mean((score - (a[i] * a[j])[~there]) ** 2)) < 0.35


# -------------------------------------------------------------------- fits


def test_seeds_threads_and_folders(rated, tmp_path):
    model, split = rated
    pairs = np.column_stack([split.test.rows, split.test.cols])[:50]
    again = ValueStack(models=MODELS, n_jobs=2, random_state=0).fit(split.train, folder=tmp_path / "run")
    np.testing.assert_array_equal(again.predict_links(pairs), model.predict_links(pairs))
    continued = ValueStack(models=MODELS, random_state=0).fit(split.train, folder=tmp_path / "run")
    np.testing.assert_array_equal(continued.predict_links(pairs), model.predict_links(pairs))


def test_progress_has_one_count_and_can_cancel(tabled):
    _, split = tabled
    seen = []
    stack = ValueStack(models=MODELS[:1], random_state=0)
    stack.fit(split.train, callback=seen.append)
    shares = [each.share for each in seen]
    assert shares == sorted(shares)
    assert shares[-1] == 1
    with pytest.raises(LatentLinkError, match="cancelled"):
        stack.fit(split.train, callback=lambda progress: progress.share < 0.5)


def test_saved_and_loaded(rated, tabled, tmp_path):
    for name, (model, split) in {"ratings": rated, "table": tabled}.items():
        model.save(tmp_path / name)
        loaded = load(tmp_path / name)
        pairs = np.column_stack([split.test.rows, split.test.cols])
        for one, other in zip(
            model.predict_links(pairs, return_std=True),
            loaded.predict_links(pairs, return_std=True),
            strict=True,
        ):
            np.testing.assert_array_equal(one, other)
        assert loaded.kind_ == model.kind_


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("residuals_", np.zeros(3), "residuals"),
        ("stage_", 3, "LinearStage"),
        ("kernels_", None, "predictions; expected"),
    ],
)
def test_damaged_stacks_are_not_loaded(tabled, tmp_path, name, value, message):
    model, _ = tabled
    damaged = ValueStack((2,), n_perturbs=2, random_state=0)
    damaged.__dict__.update(model.__dict__)
    setattr(damaged, name, value)
    damaged.save(tmp_path / "model")
    with pytest.raises(InputError, match=message):
        load(tmp_path / "model")


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("weights", lambda weights: weights * np.nan, "weights of its last stage that are not finite"),
        (
            "ranges",
            lambda ranges: ranges[:, ::-1].copy(),
            "ranges of its last stage that end before they begin",
        ),
    ],
)
def test_damaged_stages_are_not_loaded(tabled, tmp_path, name, change, message):
    model, _ = tabled
    damaged = ValueStack((2,), n_perturbs=2, random_state=0)
    damaged.__dict__.update(model.__dict__)
    damaged.stage_ = replace(model.stage_, **{name: change(getattr(model.stage_, name))})
    assert isinstance(damaged.stage_, LinearStage)
    damaged.save(tmp_path / "model")
    with pytest.raises(InputError, match=message):
        load(tmp_path / "model")


def test_a_stage_of_one_prediction_alone_is_loaded(tabled, tmp_path):
    model, _ = tabled
    plain = ValueStack((2,), n_perturbs=2, random_state=0)
    plain.__dict__.update(model.__dict__)
    plain.stage_ = replace(model.stage_, penalty=np.inf)
    plain.save(tmp_path / "model")
    assert load(tmp_path / "model").stage_.penalty == np.inf


# -------------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("network", "message"),
    [
        (Network.from_dense(np.eye(20)), "all 400 known values are 0 or 1. For links choose LinkStack"),
        (
            Network.from_dense(np.zeros((9, 9))),
            "All 81 known values are 0, so that there is nothing to learn",
        ),
        (ratings().with_background(0.1), "background of 0.1"),
        (Network.from_dense([[1.0, 2.0], [3.0, 4.0]]), "at least 50 known values .* there are 4"),
    ],
)
def test_data_that_are_not_values_raise(network, message):
    with pytest.raises(IncompatibleError, match=message):
        ValueStack().fit(network)


@pytest.mark.parametrize("models", [[], 3, [RNMFk((2,)), "x"], [BayesianFactorizer, LMF()]])
def test_models_that_are_no_factorizers_raise(models):
    with pytest.raises(IncompatibleError, match="expected factorizers of values"):
        ValueStack(models=models).fit(ratings())


def test_members_of_a_stack_that_is_a_regression_of_columns_differ(tabled):
    """Their spread was 0 for every pair of a table whose regressions predict best."""
    model, split = tabled
    stage, levels = model.stage_, model.stage_.levels
    weights = np.zeros_like(stage.weights)
    weights[levels - 1, 0] = 1
    alone = ValueStack((2,), n_perturbs=2, random_state=0)
    alone.__dict__.update(model.__dict__)
    alone.stage_ = replace(stage, weights=weights, of_counts=np.zeros(4))
    alone._assemble()
    pairs = np.column_stack([split.test.rows, split.test.cols])
    score, spread = alone.predict_links(pairs, return_std=True)
    units = model.units_
    np.testing.assert_allclose(score, units.scores(model.kernels_.at(*pairs.T), pairs[:, 1]), atol=1e-5)
    expected = units.scales[pairs[:, 1]] * np.std(
        [np.mean([part.score(*pairs.T) for part in member.models], axis=0) for member in alone.members_],
        axis=0,
    )
    np.testing.assert_allclose(spread, expected, rtol=1e-5)
    for member in alone.members_[:3]:
        for (row, col), value in zip(pairs[:3], member.score(*pairs[:3].T), strict=True):
            assert sum(member.contributions(row, col).values()) == pytest.approx(value)
