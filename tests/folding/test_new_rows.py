"""Rows folded into a fitted model: transform, fold_in, undirected networks, names, invalid rows."""

from __future__ import annotations

import numpy as np
import pandas
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

from latentlink import BNMFk, Network, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.factors import sigmoid
from latentlink.folding.mean_rows import pulled_to_mean
from latentlink.solvers import RNMF, WNMF, SymLMF
from tests.helpers.fitted import SMALL, blocks, every_pair, friends, planted, unseen_rows

COLUMNS = list("abcdefghi")


def fitted(X):
    return WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(X)


@pytest.fixture(scope="module")
def named():
    """Return a model fitted to a frame."""
    return fitted(pandas.DataFrame(planted(), columns=COLUMNS))


# ---------------------------------------------------------------- each row by itself


@pytest.mark.slow
def test_a_row_does_not_depend_on_the_other_rows(any_model):
    m = any_model.network_.shape[1]
    X = blocks(seed=4, shape=(5, m)) if any_model.solver_.needs_binary else planted((5, m), seed=4)
    X[0, :2] = np.nan
    together = any_model.transform(X)
    separately = np.concatenate([any_model.transform(row[None]) for row in X])
    np.testing.assert_allclose(together, separately, atol=1e-8)
    assert together.shape == (5, any_model.rank_)


def test_rows_of_links_alone_or_of_zeros_alone_are_folded_in(logistic, boolean_model):
    X = np.array([np.ones(10), np.zeros(10)])
    X[:, 3:] = np.nan
    for model in (logistic, boolean_model):
        scores = model.fold_in(X).predict_links([(0, 5), (1, 5)], by="ensemble")
        assert scores[0] >= scores[1]
    assert (boolean_model.transform(np.zeros((1, 10))) == 0).all()


def test_sparse_rows_equal_dense_ones(weighted, logistic):
    for model, X in ((weighted, np.round(planted(seed=3))), (logistic, blocks(seed=3))):
        np.testing.assert_allclose(model.transform(sparse.csr_array(X)), model.transform(X), atol=1e-7)


def test_training_rows_get_the_factors_that_they_have(any_model):
    rows = any_model.fold_in(any_model.network_)
    pairs = every_pair(any_model.network_.shape)
    if any_model.network_.symmetric:
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    expected = any_model.predict_links(pairs, by="model")
    # A row of a small noisy network is moved a little towards the mean row under a ridge.
    noisy = pulled_to_mean(any_model.solver_) and any_model.network_.symmetric
    tolerance = 0.5 * expected.std() if noisy else 0.02
    np.testing.assert_allclose(rows.predict_links(pairs, by="model"), expected, atol=tolerance)


def test_scores_and_spread_are_those_of_the_folded_members(biased):
    rows = biased.fold_in(unseen_rows() - 0.5)
    pairs = [(0, 1), (3, 8)]
    scores = np.array([member.score(*np.transpose(pairs)) for member in rows.members])
    mean, spread = rows.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(mean, scores.mean(axis=0))
    np.testing.assert_allclose(spread, scores.std(axis=0))
    np.testing.assert_allclose(
        rows.predict_links(pairs, by="model"), rows.factors.score(*np.transpose(pairs))
    )


def test_rows_without_known_entries_warn_and_get_the_average(any_model):
    m = any_model.network_.shape[1]
    with pytest.warns(DataWarning, match=r"Nothing is known of 2 new rows \(0, 1\)"):
        W = any_model.transform(np.full((2, m), np.nan))
    mean = any_model.W_.mean(axis=0)
    np.testing.assert_allclose(W, [mean > 0.5 if any_model.regime_.is_boolean else mean] * 2)


def test_a_column_without_known_entries_is_allowed(weighted):
    X = unseen_rows()
    X[:, 4] = np.nan
    assert np.isfinite(weighted.transform(X)).all()


# ---------------------------------------------------------------- names


def test_new_rows_have_names(named):
    frame = pandas.DataFrame(unseen_rows(), index=list("uvwxyz"), columns=COLUMNS)
    rows = named.fold_in(frame)
    np.testing.assert_array_equal(rows.predict_links([("w", "c")]), rows.predict_links([(2, 2)]))
    unnamed = named.fold_in(unseen_rows())  # whose columns are in the order of the fit: no warning
    np.testing.assert_array_equal(unnamed.predict_links([(2, "c")]), rows.predict_links([(2, 2)]))


def test_a_network_with_other_columns_raises():
    edges = [(f"u{i}", f"v{j}", planted()[i, j]) for i in range(12) for j in range(9)]
    model = fitted(Network.from_edges(edges))
    other = Network.from_edges([(u, v.replace("v3", "w3"), x) for u, v, x in edges])
    with pytest.raises(InputError, match="Column 3 of the network is 'v4', but was 'v3'"):
        model.transform(other)


def test_output_in_frames(named):
    X = pandas.DataFrame(planted(), columns=COLUMNS, index=list("ABCDEFGHIJKL"))
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).set_output(transform="pandas")
    frame = model.fit(X).transform(X)
    assert frame.columns.tolist() == named.get_feature_names_out().tolist() == ["wnmfk0", "wnmfk1"]
    assert frame.index.tolist() == X.index.tolist()


# ---------------------------------------------------------------- undirected networks


@pytest.mark.parametrize("fixture", ["undirected", "undirected_weighted"])
def test_new_nodes_are_scored_with_known_ones(fixture, request):
    model = request.getfixturevalue(fixture)
    n = model.network_.shape[0]
    X = np.full((1, n), np.nan)
    X[0, 2:] = np.arange(2, n) % 2  # linked to one group and not to the other
    rows = model.fold_in(X)
    scores = rows.predict_links([(0, 0), (0, 1)])
    assert scores[1] > scores[0] + 0.1
    assert rows.factors.shape == (n + 1, n + 1)
    assert rows.W.shape == (1, 2)
    # Both directions are one pair.
    np.testing.assert_allclose(rows.factors.score([0], [2]), rows.factors.score([2], [0]))


def test_a_new_node_has_the_same_factors_on_both_sides(undirected):
    X = np.where(np.eye(14) > 0, np.nan, friends().to_dense(fill=0.0))[:3]
    rows = undirected.fold_in(X).factors
    np.testing.assert_allclose(rows.W[:3], rows.H.T[:3], atol=1e-6)
    np.testing.assert_allclose(rows.row_bias[:3], rows.col_bias[:3], atol=1e-6)


def test_a_symmetric_array_is_the_network_that_was_fitted():
    A = friends().to_dense(fill=0.0)
    model = RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL)
    W = model.fit_transform(A)
    np.testing.assert_allclose(W, model.transform(model.network_), atol=1e-8)
    np.testing.assert_allclose(W, model.W_, atol=0.05)


def test_the_diagonal_of_an_undirected_background_is_hidden():
    network = friends()
    network = network.subset(network.values > 0).with_background(1.0)
    solver = WNMF(ridge=0.0, tol=1e-12, max_iter=20000)
    model = WNMFk((2,), solver=solver, n_perturbs=2, random_state=0).fit(network)
    np.testing.assert_allclose(model.transform(network), model.W_, atol=1e-3)


# ---------------------------------------------------------------- invalid rows


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.ones((2, 4)), "X has 4 features, but WNMFk is expecting 9"),
        (Network.from_dense(np.ones((2, 4))), "X has 4 features, but WNMFk is expecting 9"),
        (-np.ones((2, 9)), "Negative values in data passed to WNMF"),
        (np.full((2, 9), np.inf), "inf"),
        (np.ones(8), "Expected 2D array, got 1D array"),
    ],
)
def test_invalid_rows_raise(weighted, X, sentence):
    with pytest.raises(ValueError, match=sentence):
        weighted.transform(X)


def test_an_unfitted_model_raises():
    with pytest.raises(NotFittedError):
        WNMFk().transform(planted())


# ---------------------------------------------------------------- fit_transform and inverse_transform


@pytest.mark.parametrize(
    "model",
    [WNMFk(solver=WNMF(ridge=0.05), **SMALL), RNMFk(solver=RNMF(ridge=0.1), **SMALL)],
    ids=["WNMFk", "RNMFk"],
)
def test_fit_transform_is_fit_then_transform(model):
    X, mask = planted(), np.random.default_rng(0).random((12, 9)) < 0.9
    W = model.fit_transform(X, mask=mask)
    np.testing.assert_array_equal(W, model.fit(X, mask=mask).transform(X, mask=mask))


def test_the_inverse_has_biases_offset_and_link(weighted, biased, logistic, boolean_model):
    W = np.random.default_rng(0).random((3, 2))
    np.testing.assert_allclose(weighted.inverse_transform(W), W @ weighted.H_)
    f = biased.factors_
    np.testing.assert_allclose(
        biased.inverse_transform(W), W @ f.H + f.offset + f.col_bias + f.row_bias.mean()
    )
    f = logistic.factors_
    np.testing.assert_allclose(
        logistic.inverse_transform(W), sigmoid(W @ f.H + f.offset + f.col_bias + f.row_bias.mean())
    )
    binary = (W > 0.5) * 1.0
    np.testing.assert_array_equal(boolean_model.inverse_transform(binary), binary @ boolean_model.H_ > 0)
    with pytest.raises(InputError, match=r"X has shape \(3, 5\); expected \(rows, 2\)"):
        weighted.inverse_transform(np.ones((3, 5)))


@pytest.mark.parametrize("value", [3.0, 0.5])
def test_values_that_a_boolean_fit_refuses_are_refused_in_new_rows(value):
    X = np.random.default_rng(0).integers(0, 2, (12, 6)).astype(float)
    model = BNMFk((2,), n_perturbs=2, random_state=0).fit(X)
    for X_new in (np.full((1, 6), value), {0: value}):
        for method in (model.fold_in, model.transform):
            with pytest.raises(IncompatibleError, match="needs values 0 and 1, but"):
                method(X_new)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", [WNMFk, RNMFk, NMFk])
@pytest.mark.parametrize("value", [1e16, 1e60, 1e160])
def test_values_that_a_fit_refuses_as_too_large_are_refused_in_new_rows(kind, value):
    model = kind((1,), n_perturbs=2, random_state=0).fit(np.random.default_rng(0).random((8, 5)))
    for X_new in (np.full((1, 5), value), {0: value}):
        with pytest.raises(IncompatibleError, match=r"needs largest values up to 2e\+15.*Divide"):
            model.fold_in(X_new)
