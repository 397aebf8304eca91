"""Whole fits beside other packages, on tiny data."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from benchmarks.ensemble import measure as measure_ensemble
from benchmarks.fits.contender import Contender
from benchmarks.fits.data_sets import DATA_SETS, split_of
from benchmarks.fits.one_fit import errors_of, fit_once
from benchmarks.fits.ours import ensemble, single
from benchmarks.fits.rivals import dense_numpy, implicit_als, sklearn_nmf, surprise_model
from benchmarks.ratings import measure as measure_ratings
from benchmarks.ratings import time_to, with_targets
from benchmarks.whole_fits import CASES, rows_of

from latentlink import Network

SURPRISE = pytest.mark.skipif(find_spec("surprise") is None, reason="scikit-surprise is not installed")
IMPLICIT = pytest.mark.skipif(find_spec("implicit") is None, reason="implicit is not installed")


@pytest.mark.parametrize("name", DATA_SETS)
def test_splits_are_seeded_and_disjoint(name):
    split = split_of(name, quick=True)
    again = split_of.__wrapped__(name, True)
    assert np.array_equal(split.test.rows, again.test.rows)
    assert split.train.n_known > split.test.n_known > 0
    known = set(zip(split.train.rows[split.train.known], split.train.cols[split.train.known], strict=True))
    assert known.isdisjoint(zip(split.test.rows, split.test.cols, strict=True))


def test_data_that_are_not_at_hand_have_no_split(monkeypatch, tmp_path):
    monkeypatch.setenv("LATENTLINK_DATA", str(tmp_path))
    monkeypatch.setenv("LATENTLINK_CACHE", str(tmp_path))
    assert split_of.__wrapped__("proteins, metabolism") is None


def low_rank(symmetric=False):
    rng = np.random.default_rng(0)
    W = rng.random((20, 2)) + 0.1
    X = W @ (W.T if symmetric else rng.random((2, 15)) + 0.1)
    X[rng.random(X.shape) < 0.2] = np.nan
    if symmetric:
        X = np.where(np.isnan(X.T), np.nan, X)
    return Network.from_dense(X, symmetric=symmetric)


@pytest.mark.parametrize("symmetric", [False, True])
@pytest.mark.parametrize(
    ("prepare", "settings"),
    [
        (single, {"solver": "WNMF", "ridge": 0.0}),
        (ensemble, {"estimator": "WNMFk", "n_perturbs": 4}),
        (dense_numpy, {"sweeps": 200}),
        pytest.param(surprise_model, {"model": "SVD", "n_epochs": 300, "lr_all": 0.02}, marks=SURPRISE),
    ],
)
def test_methods_that_know_missing_values_fit_them(prepare, settings, symmetric):
    network = low_rank(symmetric)
    predict = prepare(network, 2, **settings)()
    scores = predict(network.rows, network.cols)
    assert np.sqrt(np.mean((scores - network.values) ** 2)) < 0.5 * np.std(network.values)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_scikit_learn_takes_unknown_values_for_zeros():
    network = low_rank()
    scores = sklearn_nmf(network, 2)()(network.rows, network.cols)
    assert scores.mean() < 0.95 * network.values.mean()


@IMPLICIT
def test_als_ranks_links_above_other_pairs():
    X = np.kron(np.eye(2), np.ones((8, 8)))
    network = Network.from_dense(X)
    scores = implicit_als(network, 2)()(network.rows, network.cols)
    assert scores[network.values == 1].min() > scores[network.values == 0].max()


def test_scores_are_clipped_to_the_training_values_for_the_rmse_alone():
    split = split_of("Dog", quick=True)
    wild = np.where(split.test.values == 1, 50.0, -50.0)
    assert errors_of(wild, split) == {"rmse": 0.0, "auc": 1.0}


def test_what_cannot_be_run_says_why():
    split = split_of("Dog", quick=True)
    absent = Contender("other", dense_numpy, package="no_such_package")
    assert fit_once(absent, split, 2) == {"note": "The package no_such_package is not installed."}
    assert fit_once(Contender("other", dense_numpy, left_out="Why."), split, 2) == {"note": "Why."}


@pytest.mark.slow
def test_methods_have_costs_and_errors():
    case = CASES[0]
    ours = [each for each in case.contenders if each.name in {"WNMF", "BNMF", "dense NumPy"}]
    assert [each.is_ours for each in ours] == [True, True, False]
    rows = rows_of(case._replace(contenders=ours), split_of(case.data, quick=True), quick=True)
    for row in rows:
        assert row["error"] == row["rmse"] < 0.3
        assert row["cpu_s"] > 0


def test_cases_name_every_method_once():
    for case in CASES:
        names = [each.name for each in case.contenders]
        assert len(set(names)) == len(names)


def test_targets_are_the_least_errors_of_the_methods_they_name():
    rows = [
        {"method": "surprise NMF", "budget": "1", "rmse": 0.96, "cpu_s": 1.0},
        {"method": "surprise SVD", "budget": "1", "rmse": 0.94, "cpu_s": 3.0},
        {"method": "RNMF", "budget": "1", "rmse": 0.95, "cpu_s": 0.1},
        {"method": "RNMF", "budget": "2", "rmse": 0.93, "cpu_s": 0.2},
        {"method": "RNMF", "budget": "3", "rmse": 0.93, "cpu_s": 0.4},
    ]
    found = time_to(rows, "surprise NMF or SVD")
    assert found["rmse"] == 0.94
    assert found["first"]["surprise NMF"] is None
    assert found["first"]["RNMF"]["budget"] == "2"
    assert [row["reaches"] != "" for row in with_targets(rows)] == [False, True, False, True, True]


@pytest.mark.slow
def test_ratings_have_a_row_for_each_method_and_budget():
    (ours,) = measure_ratings(quick=True, methods=["RNMF, rank 8"])
    assert ours["ours"]
    assert ours["budget"] == "5 sweeps"
    assert ours["rmse"] < 1.2
    assert ours["reaches"] == ""


@pytest.mark.slow
def test_an_ensemble_is_measured_in_fits_of_als():
    rows = measure_ensemble(quick=True, solvers=())
    als, ours = ([row for row in rows if row["what"].startswith(name)] for name in ("implicit", "ensemble"))
    assert all(row["cpu_s"] > 0 for row in ours)
    for row, one in zip(ours, als, strict=True):
        assert ("als_fits" in row) == ("wall_s" in one)
    assert all("speed_up" in row for row in ours if row["threads"] > 1)
