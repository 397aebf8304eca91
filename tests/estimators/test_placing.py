"""New rows: against plain NumPy and SciPy, alone and in company."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pandas
import pytest
from scipy import sparse
from scipy.optimize import minimize, nnls
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from latentlink import BNMFk, Network, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import DataWarning, IncompatibleError, InputError
from latentlink.folding.boolean_rows import boolean_rows
from latentlink.folding.regression import folding_solver, regressed_rows
from latentlink.folding.row_score import own_score
from latentlink.factors import Factors, sigmoid
from latentlink.regime import KMeans, boolean, real
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.estimators.conftest import SMALL, blocks, every_pair, friends, planted


def new_rows(seed=5, shape=(6, 9), hidden=0.2):
    X = planted(shape, seed=seed)
    X[np.random.default_rng(seed).random(shape) < hidden] = np.nan
    return X


# ---------------------------------------------------------------- against other people's solvers


@pytest.mark.parametrize("ridge", [0.0, 0.3])
def test_weighted_rows_are_ridge_regressions_with_bounds(ridge):
    model = WNMFk(solver=WNMF(ridge=ridge, tol=1e-12, max_iter=5000), **SMALL).fit(planted())
    X, H = new_rows(), model.H_
    weights = np.random.default_rng(0).uniform(0.2, 2.0, X.shape) * ~np.isnan(X)
    found = model.transform(X, mask=weights)
    for i, row in enumerate(X):
        known = weights[i] > 0
        root = np.sqrt(weights[i][known])
        A = np.vstack([(H[:, known] * root).T, np.sqrt(ridge) * np.eye(2)])
        expected = nnls(A, np.concatenate([row[known] * root, np.zeros(2)]))[0]
        np.testing.assert_allclose(found[i], expected, atol=1e-7)


def test_rows_of_plain_nmf_are_least_squares_with_bounds():
    model = NMFk(**SMALL).fit(planted())
    X = new_rows(hidden=0.0)
    for found, row in zip(model.transform(X), X, strict=True):
        np.testing.assert_allclose(found, nnls(model.H_.T, row)[0], atol=1e-8)


def test_biased_rows_have_their_own_bias_and_penalties():
    solver = RNMF(ridge=0.3, ridge_cols=0.1, ridge_row_bias=0.7, ridge_col_bias=0.2)
    # A factorization cannot tell scales apart, so its ridges are compared in the scale that it settles in.
    model = RNMFk(solver=solver.set_params(tol=1e-13, max_iter=20000), **SMALL).fit(planted() - 0.5)
    X = new_rows() - 0.5
    rows, f = model.fold_in(X).factors, model.factors_
    for i, row in enumerate(X):
        known = ~np.isnan(row)
        A = np.vstack([f.H[:, known], np.ones(known.sum())]).T
        left = row[known] - f.offset - f.col_bias[known]

        def loss(a, A=A, left=left):
            return np.sum((left - A @ a) ** 2) + 0.3 * np.sum(a[:2] ** 2) + 0.7 * a[2] ** 2

        best = minimize(loss, np.ones(3), bounds=[(0, None), (0, None), (None, None)], tol=1e-14)
        found = np.append(rows.W[i], rows.row_bias[i])
        np.testing.assert_allclose(found, best.x, atol=1e-3)
        assert loss(found) <= best.fun + 1e-7


def test_logistic_rows_minimise_the_cross_entropy(logistic):
    X, f = blocks(seed=3)[:4], logistic.factors_
    rows = logistic.fold_in(X).factors
    for i, row in enumerate(X):

        def loss(a, row=row):
            z = a[:2] @ f.H + a[2] + f.col_bias + f.offset
            return np.sum(np.logaddexp(0, z) - row * z) + 0.25 * np.sum(a**2)

        best = minimize(loss, np.zeros(3), tol=1e-12)
        np.testing.assert_allclose(np.append(rows.W[i], rows.row_bias[i]), best.x, atol=2e-3)


def test_boolean_rows_have_the_fewest_errors(boolean_model):
    X, H = blocks(seed=7), boolean_model.H_
    X[np.random.default_rng(0).random(X.shape) < 0.2] = np.nan
    found = boolean_model.transform(X)
    assert np.isin(found, (0, 1)).all()
    for w, row in zip(found, X, strict=True):
        known = ~np.isnan(row)
        errors = {u: np.sum(((u @ H > 0) != row)[known]) for u in product((0.0, 1.0), repeat=2)}
        assert errors[tuple(w)] == min(errors.values())


@pytest.mark.parametrize("background", [0.0, 1.0])
def test_boolean_rows_of_more_components(background):
    rng = np.random.default_rng(0)
    H = (rng.random((4, 12)) < 0.4) * 1.0
    X = ((rng.random((20, 4)) < 0.4) @ H > 0) ^ (rng.random((20, 12)) < 0.1)
    network = Network.from_dense(X)
    if background:
        network = network.subset(network.values > 0).with_background(1.0)
    found = boolean_rows(network, Factors(np.ones((3, 4)), H, boolean=True)).W
    errors = np.sum((found @ H > 0) != X, axis=1)
    best = [min(np.sum((np.array(u) @ H > 0) != row) for u in product((0, 1), repeat=4)) for row in X]
    assert np.mean(errors == best) >= 0.9  # one flip at a time may end beside the best
    assert np.all(errors <= np.array(best) + 1)


# ---------------------------------------------------------------- company


def test_a_row_does_not_depend_on_its_company(any_model):
    m = any_model.network_.shape[1]
    X = (blocks(seed=4, shape=(7, m)) if any_model.solver_.needs_binary else planted((7, m), seed=4)) * 1.0
    X[0, :2] = np.nan
    together = any_model.transform(X)
    apart = np.concatenate([any_model.transform(row[None]) for row in X])
    np.testing.assert_allclose(together, apart, atol=1e-8)
    assert together.shape == (7, any_model.rank_)


def test_rows_of_nothing_but_links_or_zeros_have_a_place(logistic, boolean_model):
    X = np.array([np.ones(10), np.zeros(10)])
    X[:, 3:] = np.nan
    for model in (logistic, boolean_model):
        scores = model.fold_in(X).predict_links([(0, 5), (1, 5)], by="ensemble")
        assert scores[0] >= scores[1]
    assert (boolean_model.transform(np.zeros((1, 10))) == 0).all()


def test_sparse_rows_equal_dense_ones(weighted, logistic):
    for model, X in ((weighted, np.round(planted(seed=3))), (logistic, blocks(seed=3))):
        np.testing.assert_allclose(model.transform(sparse.csr_array(X)), model.transform(X), atol=1e-7)


def test_unlisted_pairs_are_taken_in_parts_where_they_must_be_listed():
    solver = LMF(ridge=0.5, background_sample=25)
    X = blocks(seed=3)
    model = Factors(
        np.ones((3, 2)), np.random.default_rng(0).random((2, 10)), np.zeros(3), np.zeros(10), logistic=True
    )
    few = regressed_rows(solver, Network.from_sparse(sparse.csr_array(X), unstored="zero"), [model])[0]
    all_known = regressed_rows(solver, Network.from_dense(X), [model])[0]
    np.testing.assert_allclose(few.W, all_known.W, atol=1e-6)


def test_training_rows_fold_back_into_their_place(any_model):
    found = any_model.fold_in(any_model.network_)
    n, m = any_model.network_.shape
    pairs = every_pair((n, m))
    if any_model.network_.symmetric:
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    again, before = found.predict_links(pairs, by="model"), any_model.predict_links(pairs, by="model")
    np.testing.assert_allclose(again, before, atol=0.02)


def test_new_rows_have_a_spread_of_their_own(biased):
    X = new_rows() - 0.5
    rows = biased.fold_in(X)
    pairs = [(0, 1), (3, 8)]
    scores = np.array([member.score(*np.transpose(pairs)) for member in rows.members])
    mean, spread = rows.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(mean, scores.mean(axis=0))
    np.testing.assert_allclose(spread, scores.std(axis=0))
    np.testing.assert_allclose(
        rows.predict_links(pairs, by="model"), rows.factors.score(*np.transpose(pairs))
    )


def test_a_member_folds_rows_in_as_the_model_would():
    """Members have columns of W of unit length; the ridge is meant for factors of one size."""
    model = WNMFk(solver=WNMF(ridge=1.0), **SMALL).fit(planted())
    f = model.factors_
    scale = np.array([10.0, 0.01])
    other = Factors(f.W * scale, f.H / scale[:, None])
    network = Network.from_dense(new_rows())
    one, two = regressed_rows(model.solver_, network, [f, other])
    np.testing.assert_allclose(two.W, one.W * scale, rtol=1e-6)


def test_new_rows_have_names(weighted):
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(
        pandas.DataFrame(planted(), columns=list("abcdefghi"))
    )
    frame = pandas.DataFrame(new_rows(), index=list("uvwxyz"), columns=list("abcdefghi"))
    rows = model.fold_in(frame)
    np.testing.assert_array_equal(rows.predict_links([("w", "c")]), rows.predict_links([(2, 2)]))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        plain = model.fold_in(new_rows())
    np.testing.assert_array_equal(plain.predict_links([(2, "c")]), rows.predict_links([(2, 2)]))


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


def test_both_sides_of_a_new_node_are_mirrors(undirected):
    X = np.where(np.eye(14) > 0, np.nan, friends().to_dense(fill=0.0))[:3]
    rows = undirected.fold_in(X).factors
    np.testing.assert_allclose(rows.W[:3], rows.H.T[:3], atol=1e-6)
    np.testing.assert_allclose(rows.row_bias[:3], rows.col_bias[:3], atol=1e-6)


def test_a_symmetric_array_is_its_own_network(undirected):
    A = friends().to_dense(fill=0.0)
    model = RankedFactorizer(solver=SymLMF(ridge=0.5), **SMALL)
    W = model.fit_transform(A)
    np.testing.assert_allclose(W, model.transform(model.network_), atol=1e-8)
    np.testing.assert_allclose(W, model.W_, atol=0.05)


def test_an_undirected_background_hides_the_diagonal():
    network = friends()
    network = network.subset(network.values > 0).with_background(1.0)
    model = WNMFk(solver=WNMF(ridge=0.1, tol=1e-10, max_iter=5000), **SMALL).fit(network)
    np.testing.assert_allclose(model.transform(network), model.W_, atol=1e-3)


# ---------------------------------------------------------------- what is not known


def test_rows_of_which_nothing_is_known_get_the_average(any_model):
    m = any_model.network_.shape[1]
    with pytest.warns(DataWarning, match=r"Nothing is known of 2 new rows \(0, 1\)"):
        W = any_model.transform(np.full((2, m), np.nan))
    mean = any_model.W_.mean(axis=0)
    np.testing.assert_allclose(W, [mean > 0.5 if any_model.regime_.is_boolean else mean] * 2)


def test_a_column_of_which_nothing_is_known_is_no_matter(weighted):
    X = new_rows()
    X[:, 4] = np.nan
    assert np.isfinite(weighted.transform(X)).all()


def test_rows_that_do_not_settle_are_told_of(monkeypatch):
    monkeypatch.setattr("latentlink.folding.regression._ROUNDS", 1)
    monkeypatch.setattr("latentlink.folding.regression._SWEEPS", 1)
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(planted())
    with pytest.warns(ConvergenceWarning, match="6 of 6 new rows still moved after 1 sweeps"):
        model.transform(new_rows())


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.ones((2, 4)), "X has 4 features, but WNMFk is expecting 9"),
        (Network.from_dense(np.ones((2, 4))), "X has 4 features, but WNMFk is expecting 9"),
        (-np.ones((2, 9)), "Negative values in data passed to WNMFk"),
        (np.full((2, 9), np.inf), "inf"),
        (np.ones(9), "Reshape your data"),
    ],
)
def test_rows_that_make_no_sense_are_refused(weighted, X, sentence):
    with pytest.raises(ValueError, match=sentence):
        weighted.transform(X)


def test_a_network_of_other_columns_is_refused():
    edges = [(f"u{i}", f"v{j}", planted()[i, j]) for i in range(12) for j in range(9)]
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).fit(Network.from_edges(edges))
    other = Network.from_edges([(u, v.replace("v3", "w3"), x) for u, v, x in edges])
    with pytest.raises(InputError, match="Column 3 of the network is 'v4', but was 'v3'"):
        model.transform(other)
    with pytest.raises(NotFittedError):
        WNMFk().transform(planted())


# ---------------------------------------------------------------- and back


def test_fit_transform_is_fit_then_transform():
    X, mask = planted(), np.random.default_rng(0).random((12, 9)) < 0.9
    for model in (WNMFk(solver=WNMF(ridge=0.05), **SMALL), RNMFk(solver=RNMF(ridge=0.1), **SMALL)):
        W = model.fit_transform(X, mask=mask)
        np.testing.assert_array_equal(W, model.fit(X, mask=mask).transform(X, mask=mask))


def test_the_inverse_has_all_that_the_factors_do_not_tell(weighted, biased, logistic, boolean_model):
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
    cut = (W > 0.5) * 1.0
    np.testing.assert_array_equal(boolean_model.inverse_transform(cut), cut @ boolean_model.H_ > 0)
    with pytest.raises(InputError, match=r"X has shape \(3, 5\); expected \(rows, 2\)"):
        weighted.inverse_transform(np.ones((3, 5)))


def test_output_in_frames(weighted):
    X = pandas.DataFrame(planted(), columns=list("abcdefghi"), index=list("ABCDEFGHIJKL"))
    model = WNMFk(solver=WNMF(ridge=0.05), **SMALL).set_output(transform="pandas")
    frame = model.fit(X).transform(X)
    assert frame.columns.tolist() == ["wnmfk0", "wnmfk1"]
    assert frame.index.tolist() == X.index.tolist()


# ---------------------------------------------------------------- score


def test_no_entry_is_scored_by_itself():
    """Noise cannot be predicted from noise, however large the rank."""
    X = np.random.default_rng(0).random((30, 12))
    score = WNMFk((11,), solver=WNMF(ridge=1e-3, max_iter=2000), n_perturbs=2, random_state=0).fit(X).score(X)
    assert score < 0.2
    assert WNMFk(solver=WNMF(ridge=0.001), **SMALL).fit(planted()).score(planted()) > 0.95


def test_the_score_is_r_squared_of_five_folds(weighted):
    X = new_rows(shape=(4, 9), hidden=0.1)
    predicted = np.full(X.shape, np.nan)
    for fold in range(5):
        hidden = X.copy()
        for i, row in enumerate(X):
            known = np.flatnonzero(~np.isnan(row))
            hidden[i, known[fold::5]] = np.nan
        out = np.isnan(hidden) & ~np.isnan(X)
        predicted[out] = weighted.inverse_transform(weighted.transform(hidden))[out]
    known = ~np.isnan(X)
    expected = 1 - np.sum((X - predicted)[known] ** 2) / np.sum((X[known] - X[known].mean()) ** 2)
    assert weighted.score(X) == pytest.approx(expected)
    assert weighted.score(X, y=None) == weighted.score(Network.from_dense(X))


def test_unlisted_zeros_are_scored_too(logistic):
    X = blocks(seed=3)
    assert logistic.score(sparse.csr_array(X)) == pytest.approx(logistic.score(X), abs=1e-6)


def test_a_score_of_what_members_were_not_shown(weighted):
    record = weighted.path_[2]
    known = weighted.network_.values
    expected = 1 - np.nanmean(record.held_out) / known.var()
    assert weighted.score() == pytest.approx(expected)


def test_without_anything_held_out_there_is_no_score(weighted):
    record = replace(weighted.path_[2], held_out=np.full(3, np.nan))
    with pytest.raises(IncompatibleError, match="speckle is 0"):
        own_score(weighted.network_, record)


def test_constant_rows_are_scored_all_the_same(weighted):
    assert weighted.score(np.zeros((2, 9))) == 1.0
    assert weighted.score(np.full((2, 9), 5.0)) == 0.0


# ---------------------------------------------------------------- other regimes


def test_cut_factors_beside_biases_are_cut_for_new_rows_too():
    model = RNMFk(solver=RNMF(ridge=0.05), regime=boolean(KMeans()), **SMALL).fit(blocks())
    assert not model.factors_.boolean
    assert np.isin(model.transform(blocks(seed=2)), (0, 1)).all()


def test_boolean_solver_with_real_factors():
    model = BNMFk(solver=BNMF(ridge=0.1, ridge_cols=0.2), regime=real(), **SMALL).fit(blocks())
    W = model.transform(blocks())
    assert np.abs(W - model.W_).max() < 0.05


@pytest.mark.parametrize(
    ("solver", "kind"),
    [
        (NMF(updates="multiplicative"), WNMF),
        (SymLMF(repelling=0.5), LMF),
        (BNMF(updates="multiplicative"), BNMF),
        (RNMF(updates="paper"), RNMF),
    ],
    ids=str,
)
def test_rows_are_found_by_exact_steps(solver, kind):
    found = folding_solver(solver)
    assert type(found) is kind
    assert getattr(found, "updates", "descent") == "descent"
    found.check_settings()


def test_penalties_change_sides_with_the_matrix():
    found = folding_solver(RNMF(ridge=1.0, ridge_cols=2.0, ridge_row_bias=3.0, ridge_col_bias=4.0))
    assert (found.ridge, found.ridge_cols) == (2.0, 1.0)
    assert (found.ridge_row_bias, found.ridge_col_bias) == (4.0, 3.0)
    found = folding_solver(RNMF(ridge=1.0, ridge_cols=2.0))
    assert (found.ridge_row_bias, found.ridge_col_bias) == (1.0, 1.0)


def test_a_mask_says_what_counts_in_a_score(weighted):
    X = planted()
    mask = np.random.default_rng(3).random(X.shape) < 0.8
    holes = np.where(mask, X, np.nan)
    assert weighted.score(X, mask=mask) == weighted.score(holes)
    assert weighted.score(X, mask=mask) != weighted.score(X)
    with pytest.raises(InputError, match="a mask but no X"):
        weighted.score(mask=mask)


def test_a_frame_with_two_columns_of_one_label_is_refused():
    frame = pandas.DataFrame(planted(), columns=[*"abcdefgh", "a"])
    with pytest.raises(InputError, match="has the label 'a' in columns 0 and 8"):
        WNMFk((1,)).fit(frame)
