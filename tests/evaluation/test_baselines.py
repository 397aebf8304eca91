"""Baselines for values and biases, against plain loops and dense formulas."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.evaluation.baselines import (
    Biases,
    ColumnMean,
    GlobalMean,
    ItemNeighbours,
    ResidualSVD,
    RowMean,
    standard_baselines,
)
from latentlink.network.transforms.symmetry import as_matrix
from latentlink.splitting import holdout
from tests.evaluation.cases import groups, labelled, ratings


def dense(network):
    X = np.full(network.shape, np.nan)
    X[network.rows[network.known], network.cols[network.known]] = network.values[network.known]
    return X


@pytest.fixture(scope="module")
def split():
    return holdout(ratings(), 0.2, rng=0)


def test_means_are_those_of_known_values(split):
    X, pairs = dense(split.train), np.column_stack([split.test.rows, split.test.cols])
    rows, cols = pairs.T
    np.testing.assert_allclose(GlobalMean().fit(split.train).predict_links(pairs), np.nanmean(X))
    np.testing.assert_allclose(RowMean().fit(split.train).predict_links(pairs), np.nanmean(X, axis=1)[rows])
    np.testing.assert_allclose(
        ColumnMean().fit(split.train).predict_links(pairs), np.nanmean(X, axis=0)[cols]
    )


def test_lines_without_values_have_the_mean_of_all():
    network = Network.from_edges([(0, 0, 2.0), (0, 1, 5.0)], shape=(2, 3))
    assert RowMean().fit(network).predict_links(np.array([[1, 0]])) == 3.5
    assert ColumnMean().fit(network).predict_links(np.array([[0, 2]])) == 3.5


def test_biases_solve_the_ridge_equations(split):
    X = dense(split.train)
    n, m = X.shape
    known = np.argwhere(~np.isnan(X))
    D = np.zeros((len(known), n + m))
    D[np.arange(len(known)), known[:, 0]] = D[np.arange(len(known)), n + known[:, 1]] = 1
    centred, values = D - D.mean(axis=0), X[tuple(known.T)]
    bias = np.linalg.solve(centred.T @ centred + 5 * np.eye(n + m), centred.T @ (values - values.mean()))
    offset = values.mean() - D.mean(axis=0) @ bias
    model = Biases().fit(split.train)
    expected = offset + bias[:n, None] + bias[n:]
    result = model.predict_links(np.argwhere(np.isnan(X)))
    np.testing.assert_allclose(result, expected[np.isnan(X)], atol=1e-2)


@pytest.mark.parametrize("symmetric", [False, True])
def test_biases_of_links_rank_by_shares_of_links(symmetric):
    network = labelled((30, 30), symmetric)
    pairs = np.array([[0, 5], [5, 0]])
    scores = Biases().fit(network).predict_links(pairs)
    assert (scores[0] == pytest.approx(scores[1])) == symmetric
    links, _ = groups(40)
    degrees = np.bincount(np.concatenate([links.rows, links.cols]), minlength=40)
    others = np.setdiff1d(np.arange(40), 0)
    alone = Biases().fit(links).predict_links(np.column_stack([np.zeros(39, int), others]))
    assert np.corrcoef(alone, degrees[others])[0, 1] > 0.7


def test_neighbours_equal_a_plain_loop(split):
    model = ItemNeighbours(k=3, shrinkage=2.0).fit(split.train)
    X, biases = dense(split.train), Biases().fit(split.train)
    pairs = np.column_stack([split.test.rows, split.test.cols])[:40]
    every = np.argwhere(np.ones(X.shape))
    R = X - biases.predict_links(every).reshape(X.shape)
    expected = []
    for (i, j), score in zip(pairs, biases.predict_links(pairs), strict=True):
        similar = []
        for item in np.flatnonzero(~np.isnan(X[i])):
            both = ~np.isnan(X[:, item]) & ~np.isnan(X[:, j])
            a, b = R[both, item], R[both, j]
            if both.any():
                corr = a @ b / np.sqrt((a @ a) * (b @ b))
                similar.append((both.sum() / (both.sum() + 2.0) * corr, R[i, item]))
        best = [pair for pair in sorted(similar, reverse=True)[:3] if pair[0] > 0]
        weight = sum(s for s, _ in best)
        expected.append(score + (sum(s * r for s, r in best) / weight if weight else 0))
    np.testing.assert_allclose(model.predict_links(pairs), expected, atol=1e-8)


def test_the_svd_is_that_of_residuals(split):
    X, biases = dense(split.train), Biases().fit(split.train)
    scores = biases.predict_links(np.argwhere(np.ones(X.shape))).reshape(X.shape)
    U, s, Vt = np.linalg.svd(np.nan_to_num(X - scores))
    expected = scores + (U[:, :2] * s[:2]) @ Vt[:2]
    pairs = np.column_stack([split.test.rows, split.test.cols])
    result = ResidualSVD(rank=2).fit(split.train).predict_links(pairs)
    np.testing.assert_allclose(result, expected[tuple(pairs.T)], atol=1e-5)


@pytest.mark.parametrize("name", standard_baselines("values"))
def test_baselines_of_values_do_not_see_what_is_hidden(name, split):
    changed = split.train.with_values(np.where(split.train.known, split.train.values, 99.0))
    pairs = np.column_stack([split.test.rows, split.test.cols])
    ours, theirs = (
        standard_baselines("values")[name].fit(network).predict_links(pairs)
        for network in (split.train, changed)
    )
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", standard_baselines("values"))
def test_undirected_values_have_one_score_a_pair(name):
    rng = np.random.default_rng(0)
    upper = np.triu(rng.uniform(1, 5, (12, 12)) * (rng.random((12, 12)) < 0.6), 1)
    rows, cols = np.nonzero(upper)
    network = Network(rows, cols, upper[rows, cols], shape=(12, 12), symmetric=True)
    model = standard_baselines("values")[name].fit(network)
    assert as_matrix(network).n_listed == 2 * network.n_listed
    assert np.isfinite(model.predict_links(np.array([[0, 1], [5, 2]]))).all()


@pytest.mark.parametrize("kind", ["links", "values"])
def test_baselines_are_always_the_same_and_named(kind):
    baselines = standard_baselines(kind)
    named = {
        "links": {"degree product", "biases only", "common neighbours", "Adamic-Adar", "resource allocation"}
    }
    named["links"] |= {"L3", "Katz", "personalized PageRank", "SVD"}
    named["values"] = {"item mean", "biases only", "KNN", "SVD"}
    assert named[kind] <= set(baselines)
