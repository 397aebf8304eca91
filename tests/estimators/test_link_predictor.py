"""LinkPredictor: a regressor of pairs that is a link model itself."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.metrics import make_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score

from latentlink import BNMFk, LinkPredictor, Network, RankedFactorizer, WNMFk, datasets, load
from latentlink.errors import IncompatibleError, InputError
from latentlink.estimators import LinkModel
from latentlink.solvers import LMF, NMF, WNMF, SymLMF
from tests.helpers.fitted import SMALL, blocks, every_pair, friends, planted

PAIRS = every_pair((12, 9))
VALUES = planted().ravel()
FOLDS = KFold(3, shuffle=True, random_state=0)


GIVEN = np.random.default_rng(0).random(len(PAIRS)) < 0.7


def predictor(**params):
    return LinkPredictor(WNMFk(solver=WNMF(ridge=0.01), **SMALL), **params)


@pytest.fixture(scope="module")
def fitted():
    """Return a predictor fitted to some of the pairs."""
    return predictor(shape=(12, 9)).fit(PAIRS[GIVEN], VALUES[GIVEN])


def test_predictions_are_those_of_the_estimator_fitted_to_the_matrix(fitted):
    X = np.where(GIVEN.reshape(12, 9), planted(), np.nan)
    model = WNMFk(solver=WNMF(ridge=0.01), **SMALL).fit(X)
    np.testing.assert_array_equal(fitted.predict(PAIRS), model.predict_links(PAIRS))
    for one, other in zip(
        fitted.predict(PAIRS, return_std=True), model.predict_links(PAIRS, return_std=True), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    assert is_regressor(fitted)
    assert fitted.score(PAIRS, VALUES) > 0.95
    assert fitted.n_features_in_ == 2


def test_pairs_that_were_not_given_are_unknown(fitted):
    assert fitted.score(PAIRS[~GIVEN], VALUES[~GIVEN]) > 0.9
    assert fitted.network_.background == 0
    assert fitted.network_.n_known == GIVEN.sum()


# ---------------------------------------------------------------- a link model itself


def test_top_links_and_explanations_are_those_of_the_estimator(fitted):
    assert isinstance(fitted, LinkModel)
    table = fitted.top_links(7)
    assert repr(table) == repr(fitted.estimator_.top_links(7))
    known = set(map(tuple, PAIRS[GIVEN].tolist()))
    assert not known & set(zip(table["row"].tolist(), table["column"].tolist(), strict=True))
    parts = fitted.explain((3, 4))
    assert repr(parts) == repr(fitted.estimator_.explain((3, 4)))
    np.testing.assert_allclose(parts["contribution"].sum(), fitted.predict([(3, 4)])[0])


def test_assess_and_calibrate_are_those_of_the_estimator(fitted):
    unseen, values = PAIRS[~GIVEN], VALUES[~GIVEN]
    for attribute in ("score", "spread", "abstained"):
        np.testing.assert_array_equal(
            getattr(fitted.assess(unseen), attribute), getattr(fitted.estimator_.assess(unseen), attribute)
        )
    calibrated = fitted.calibrate(unseen[::2], values[::2])
    assert repr(calibrated).endswith("scored by the model of LinkPredictor")
    table = calibrated.intervals(unseen[1::2])
    expected = fitted.estimator_.calibrate(unseen[::2], values[::2]).intervals(unseen[1::2])
    np.testing.assert_array_equal(table["low"], expected["low"])
    with pytest.raises(InputError, match="used in fitting"):
        fitted.calibrate(PAIRS[GIVEN], VALUES[GIVEN])


def test_a_loaded_predictor_predicts_the_same(fitted, tmp_path):
    fitted.save(tmp_path / "predictor")
    loaded = load(tmp_path / "predictor")
    assert repr(loaded) == repr(fitted)
    assert loaded.n_features_in_ == 2
    for one, other in zip(
        loaded.predict(PAIRS, return_std=True), fitted.predict(PAIRS, return_std=True), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    assert repr(loaded.top_links(5)) == repr(fitted.top_links(5))
    assert repr(loaded.explain((3, 4))) == repr(fitted.explain((3, 4)))


def test_a_predictor_with_a_default_estimator_is_saved(tmp_path):
    model = LinkPredictor(shape=(12, 9)).set_params(estimator__ranks=(1,), estimator__n_perturbs=2)
    model.set_params(estimator__solver__ridge=0.1).fit(PAIRS, VALUES).save(tmp_path / "predictor")
    assert load(tmp_path / "predictor").estimator.ranks == (1,)


def test_a_fit_that_fails_restores_the_earlier_one():
    model = predictor().fit(PAIRS, VALUES)
    before = model.predict(PAIRS[:3])
    with pytest.raises(InputError):
        model.fit(PAIRS, np.full(len(PAIRS), np.nan))
    np.testing.assert_array_equal(model.predict(PAIRS[:3]), before)


@pytest.mark.parametrize("question", ["predict", "predict_links", "assess", "top_links", "explain"])
def test_an_unfitted_predictor_raises(question):
    arguments = () if question == "top_links" else (PAIRS,)
    with pytest.raises(NotFittedError):
        getattr(predictor(), question)(*arguments)


# ---------------------------------------------------------------- scikit-learn


def test_cross_validation_holds_out_pairs():
    scores = cross_val_score(predictor(shape=(12, 9)), PAIRS, VALUES, cv=FOLDS)
    assert scores.min() > 0.9


def test_a_grid_search_reaches_the_solver_and_the_regime():
    grid = {"estimator__solver__ridge": [0.001, 100.0], "estimator__regime__perturb__epsilon": [0.01]}
    search = GridSearchCV(LinkPredictor(WNMFk(**SMALL), shape=(12, 9)), grid, cv=FOLDS).fit(PAIRS, VALUES)
    assert search.best_params_["estimator__solver__ridge"] == 0.001


def test_parameters_of_the_default_estimator_can_be_set():
    model = LinkPredictor(shape=(12, 9)).set_params(estimator__ranks=(2,), estimator__solver__ridge=0.5)
    assert isinstance(model.estimator, WNMFk)
    assert model.estimator.solver.ridge == 0.5
    assert "estimator__solver__ridge" in LinkPredictor().get_params()


def test_links_are_ranked_by_graded_scores():
    model = LinkPredictor(RankedFactorizer(solver=LMF(ridge=0.5), **SMALL), shape=(14, 10))
    scores = cross_val_score(
        model, every_pair((14, 10)), blocks().ravel(), cv=FOLDS, scoring=make_scorer(roc_auc_score)
    )
    assert scores.mean() > 0.7


# ---------------------------------------------------------------- pairs and names


def test_both_directions_of_an_unordered_pair_are_one():
    network = friends()
    pairs = np.column_stack([network.rows, network.cols])
    reversed_pairs = pairs.copy()
    reversed_pairs[::2] = reversed_pairs[::2, ::-1]
    model = LinkPredictor(RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL), shape=(14, 14), symmetric=True)
    one, other = (clone(model).fit(each, network.values) for each in (pairs, reversed_pairs))
    assert one.network_.symmetric
    np.testing.assert_array_equal(one.predict(pairs), other.predict(reversed_pairs))


NAMED = np.array([(f"u{i:02}", f"v{j}") for i, j in PAIRS])


def test_pairs_of_names_are_fitted_like_pairs_of_indices(fitted):
    named = NAMED[GIVEN]
    for pairs in (named, named.tolist(), pandas.DataFrame(named), named.astype(object)):
        model = predictor().fit(pairs, VALUES[GIVEN])
        np.testing.assert_array_equal(model.predict(NAMED[:5]), fitted.predict(PAIRS[:5]))


@pytest.mark.filterwarnings("ignore:Nothing is known")
def test_nodes_without_pairs_raise_unless_all_names_are_given():
    some = NAMED[:, 0] != "u03"
    with pytest.raises(
        InputError, match=r"1 of 12 row names is unknown: 'u03'.*LinkPredictor knows the nodes"
    ):
        predictor().fit(NAMED[some], VALUES[some]).predict(NAMED)
    model = predictor(row_names=sorted(set(NAMED[:, 0])), col_names=sorted(set(NAMED[:, 1])))
    assert np.isfinite(model.fit(NAMED[some], VALUES[some]).predict(NAMED)).all()


@pytest.mark.filterwarnings("ignore:Nothing is known")
def test_indices_without_pairs_raise_unless_a_shape_is_given():
    some = PAIRS[:, 0] < 10
    with pytest.raises(InputError, match=r"There is no row 11.*shape=\(rows, columns\)"):
        predictor().fit(PAIRS[some], VALUES[some]).predict([(11, 0)])
    assert np.isfinite(predictor(shape=(12, 9)).fit(PAIRS[some], VALUES[some]).predict([(11, 0)])).all()


def test_a_pair_given_twice_has_the_mean_value_and_the_sum_of_the_weights():
    other = np.concatenate([PAIRS, PAIRS[:20]]), np.concatenate([VALUES, VALUES[:20] + 0.2])
    network = predictor(shape=(12, 9)).fit(*other).network_
    np.testing.assert_allclose(network.values[:20], VALUES[:20] + 0.1)
    assert network.weights[:20].tolist() == [2.0] * 20
    assert network.weights[20:].tolist() == [1.0] * 88
    same = np.concatenate([PAIRS, PAIRS[:20]]), np.concatenate([VALUES, VALUES[:20]])
    network = predictor(shape=(12, 9)).fit(*same).network_
    np.testing.assert_array_equal(network.values, VALUES)
    with pytest.raises(IncompatibleError, match="needs weights of 1, but"):
        LinkPredictor(RankedFactorizer(solver=NMF(), **SMALL)).fit(*same)


def test_sample_weights_are_weights_and_zero_hides_a_pair():
    weights = np.ones(len(PAIRS))
    weights[7] = 0
    network = predictor(shape=(12, 9)).fit(PAIRS, VALUES, sample_weight=weights).network_
    assert network.n_known == len(PAIRS) - 1


def test_a_background_makes_other_pairs_zeros():
    links = np.argwhere(blocks() > 0)
    model = predictor(shape=(14, 10), background=0.5).fit(links, np.ones(len(links)))
    assert model.network_.background == 0.5


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
def test_invalid_pairs_and_values_raise(pairs, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        predictor().fit(pairs, y)


def test_invalid_settings_raise():
    with pytest.raises(IncompatibleError, match="estimator=3"):
        LinkPredictor(3).fit(PAIRS, VALUES)
    with pytest.raises(InputError, match="names of one side only; expected col_names too"):
        predictor(row_names=["a", "b"]).fit([("a", "c")], [1.0])
    with pytest.raises(InputError, match="There is no row 7"):
        predictor(shape=(5, 5)).fit([(7, 0)], [1.0])


def test_intervals_of_mapie_cover_most_values():
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
    assert model.fit(pairs, network.values).network_.shape == (14, 14)


def test_scores_of_a_boolean_estimator_are_graded():
    data = datasets.planted_boolean(rows=20, columns=15, rank=2, flips=0.1, seed=0).network
    pairs = np.column_stack([data.rows, data.cols])
    model = LinkPredictor(BNMFk((2,), n_perturbs=8, random_state=0)).fit(pairs[::2], data.values[::2])
    scores = model.predict(pairs[1::2])
    assert len(np.unique(scores)) > 2
    assert 0 <= scores.min() <= scores.max() <= 1


@pytest.mark.parametrize("shape", [(2**53, 2**53), (2**31, 2**31 + 1)])
def test_a_shape_that_no_memory_can_hold_raises_before_any_work(shape):
    pairs, values = [(0, 1), (1, 2), (2, 0)], [1.0, 2.0, 3.0]
    message = (
        f"The network has {shape[0]:,} rows and {shape[1]:,} columns; expected at most 4,294,967,296 in all, "
        "since factors have at least 8 bytes for each. If indices are numbers that somebody gave to the nodes"
    )
    predictor = LinkPredictor(WNMFk((1,), n_perturbs=2), shape=shape)
    with pytest.raises(IncompatibleError, match=message):
        predictor.fit(pairs, values)
    with pytest.raises(IncompatibleError, match=message):
        predictor._check_settings()  # as load does
    with pytest.raises(IncompatibleError, match=message):
        WNMFk((1,)).fit(Network.from_edges(pairs, shape=shape))
