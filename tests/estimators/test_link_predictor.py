"""The pair face: pairs and values in, scores out."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from latentlink import BNMFk, LinkPredictor, RankedFactorizer, WNMFk, datasets
from latentlink.errors import IncompatibleError, InputError
from latentlink.solvers import LMF, NMF, WNMF, SymLMF
from tests.estimators.conftest import SMALL, blocks, every_pair, friends, planted

PAIRS = every_pair((12, 9))
VALUES = planted().ravel()
FOLDS = KFold(3, shuffle=True, random_state=0)


def predictor(**params):
    return LinkPredictor(WNMFk(solver=WNMF(ridge=0.01), **SMALL), **params)


def test_it_is_the_matrix_face_on_pairs():
    found = predictor(shape=(12, 9)).fit(PAIRS, VALUES)
    same = WNMFk(solver=WNMF(ridge=0.01), **SMALL).fit(planted())
    np.testing.assert_array_equal(found.predict(PAIRS), same.predict_links(PAIRS))
    for one, other in zip(
        found.predict(PAIRS, return_std=True), same.predict_links(PAIRS, return_std=True), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    assert is_regressor(found)
    assert found.score(PAIRS, VALUES) > 0.95
    assert found.n_features_in_ == 2


def test_pairs_that_were_not_given_are_unknown():
    some = np.random.default_rng(0).random(len(PAIRS)) < 0.8
    found = predictor(shape=(12, 9)).fit(PAIRS[some], VALUES[some])
    assert found.score(PAIRS[~some], VALUES[~some]) > 0.9
    assert found.estimator_.network_.background == 0


def test_cross_validation_holds_out_pairs():
    scores = cross_val_score(predictor(shape=(12, 9)), PAIRS, VALUES, cv=FOLDS)
    assert scores.min() > 0.9


def test_a_grid_search_reaches_the_solver_and_the_regime():
    grid = {"estimator__solver__ridge": [0.001, 100.0], "estimator__regime__perturb__epsilon": [0.01]}
    search = GridSearchCV(LinkPredictor(WNMFk(**SMALL), shape=(12, 9)), grid, cv=FOLDS).fit(PAIRS, VALUES)
    assert search.best_params_["estimator__solver__ridge"] == 0.001


def test_the_estimators_own_default_can_be_searched():
    found = LinkPredictor(shape=(12, 9)).set_params(estimator__ranks=(2,), estimator__solver__ridge=0.5)
    assert isinstance(found.estimator, WNMFk)
    assert found.estimator.solver.ridge == 0.5
    assert "estimator__solver__ridge" in LinkPredictor().get_params()


def test_links_are_ranked_by_graded_scores():
    model = LinkPredictor(RankedFactorizer(solver=LMF(ridge=0.5), **SMALL), shape=(14, 10))
    scores = cross_val_score(
        model, every_pair((14, 10)), blocks().ravel(), cv=FOLDS, scoring=make_scorer(roc_auc_score)
    )
    assert scores.mean() > 0.7


def test_unordered_pairs_are_one():
    network = friends()
    pairs = np.column_stack([network.rows, network.cols])
    turned = pairs.copy()
    turned[::2] = turned[::2, ::-1]
    model = LinkPredictor(RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL), shape=(14, 14), symmetric=True)
    one, other = (clone(model).fit(each, network.values) for each in (pairs, turned))
    assert one.estimator_.network_.symmetric
    np.testing.assert_array_equal(one.predict(pairs), other.predict(turned))


def test_names():
    named = np.array([(f"u{i:02}", f"v{j}") for i, j in PAIRS])
    expected = predictor(shape=(12, 9)).fit(PAIRS, VALUES).predict(PAIRS[:5])
    for pairs in (named, named.tolist(), pandas.DataFrame(named), named.astype(object)):
        np.testing.assert_array_equal(predictor().fit(pairs, VALUES).predict(named[:5]), expected)


@pytest.mark.filterwarnings("ignore:Nothing is known")
def test_nodes_that_are_announced_need_not_be_fitted():
    named = np.array([(f"u{i:02}", f"v{j}") for i, j in PAIRS])
    some = named[:, 0] != "u03"
    with pytest.raises(InputError, match=r"No row has the name 'u03'\. LinkPredictor knows the nodes"):
        predictor().fit(named[some], VALUES[some]).predict(named)
    everybody = predictor(row_names=sorted(set(named[:, 0])), col_names=sorted(set(named[:, 1])))
    everybody = everybody.fit(named[some], VALUES[some])
    assert np.isfinite(everybody.predict(named)).all()


@pytest.mark.filterwarnings("ignore:Nothing is known")
def test_unseen_indices_are_refused_unless_a_shape_is_given():
    some = PAIRS[:, 0] < 10
    with pytest.raises(InputError, match=r"There is no row 11.*shape=\(rows, columns\)"):
        predictor().fit(PAIRS[some], VALUES[some]).predict([(11, 0)])
    assert np.isfinite(predictor(shape=(12, 9)).fit(PAIRS[some], VALUES[some]).predict([(11, 0)])).all()


def test_a_pair_given_twice_counts_by_its_mean_and_its_weight():
    again = np.concatenate([PAIRS, PAIRS[:20]]), np.concatenate([VALUES, VALUES[:20] + 0.2])
    network = predictor(shape=(12, 9)).fit(*again).estimator_.network_
    np.testing.assert_allclose(network.values[:20], VALUES[:20] + 0.1)
    assert network.weights[:20].tolist() == [2.0] * 20
    assert network.weights[20:].tolist() == [1.0] * 88
    same = np.concatenate([PAIRS, PAIRS[:20]]), np.concatenate([VALUES, VALUES[:20]])
    network = predictor(shape=(12, 9)).fit(*same).estimator_.network_
    np.testing.assert_array_equal(network.values, VALUES)
    with pytest.raises(IncompatibleError, match="counts every known entry once"):
        LinkPredictor(RankedFactorizer(solver=NMF(), **SMALL)).fit(*same)


def test_sample_weights_are_weights_and_zero_hides():
    weights = np.ones(len(PAIRS))
    weights[7] = 0
    network = predictor(shape=(12, 9)).fit(PAIRS, VALUES, sample_weight=weights).estimator_.network_
    assert network.n_known == len(PAIRS) - 1


def test_a_background_makes_other_pairs_zeros():
    links = np.argwhere(blocks() > 0)
    found = predictor(shape=(14, 10), background=0.5).fit(links, np.ones(len(links)))
    assert found.estimator_.network_.background == 0.5


@pytest.mark.parametrize(
    ("pairs", "y", "sentence"),
    [
        (PAIRS, VALUES[:-1], "y is an array of shape"),
        (PAIRS, None, "requires y to be passed, but the target y is None"),
        (PAIRS, ["x"] * len(PAIRS), "y is an array"),
        (PAIRS, np.where(PAIRS.sum(axis=1) == 0, np.nan, VALUES), "nan"),
        (PAIRS[:0], [], "There are no pairs to fit"),
        (np.ones((3, 4)), [1, 2, 3], "array of shape"),
    ],
)
def test_refusals(pairs, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        predictor().fit(pairs, y)


def test_other_refusals():
    with pytest.raises(NotFittedError):
        predictor().predict(PAIRS)
    with pytest.raises(IncompatibleError, match="estimator=3"):
        LinkPredictor(3).fit(PAIRS, VALUES)
    with pytest.raises(InputError, match="names of one side only; expected col_names too"):
        predictor(row_names=["a", "b"]).fit([("a", "c")], [1.0])
    with pytest.raises(InputError, match="There is no row 7"):
        predictor(shape=(5, 5)).fit([(7, 0)], [1.0])


def test_intervals_of_mapie_hold_what_they_promise():
    regression = pytest.importorskip("mapie.regression")
    order = np.random.default_rng(0).permutation(len(PAIRS))
    train, calibrate, test = np.split(order, [50, 80])
    conformal = regression.SplitConformalRegressor(
        predictor(shape=(12, 9)), confidence_level=0.8, prefit=False
    )
    conformal.fit(PAIRS[train], VALUES[train]).conformalize(PAIRS[calibrate], VALUES[calibrate])
    _, intervals = conformal.predict_interval(PAIRS[test])
    inside = (intervals[:, 0, 0] <= VALUES[test]) & (VALUES[test] <= intervals[:, 1, 0])
    assert inside.mean() > 0.6


def test_names_of_unordered_pairs_are_given_once():
    names = [f"n{i:02}" for i in range(14)]
    network = friends()
    pairs = [(names[i], names[j]) for i, j in zip(network.rows, network.cols, strict=True)]
    model = LinkPredictor(
        RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL), symmetric=True, row_names=names
    )
    assert model.fit(pairs, network.values).estimator_.network_.shape == (14, 14)


def test_scores_of_a_boolean_estimator_are_graded():
    data = datasets.planted_boolean(rows=20, columns=15, rank=2, flips=0.1, seed=0).network
    pairs = np.column_stack([data.rows, data.cols])
    model = LinkPredictor(BNMFk((2,), n_perturbs=8, random_state=0)).fit(pairs[::2], data.values[::2])
    scores = model.predict(pairs[1::2])
    assert len(np.unique(scores)) > 2
    assert 0 <= scores.min() <= scores.max() <= 1
