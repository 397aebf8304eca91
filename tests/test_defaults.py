"""Defaults of all settings objects, and the draws of a seed: a change of them changes results."""

from __future__ import annotations

import inspect
from dataclasses import replace

import numpy as np
import pytest

from latentlink import (
    estimators,
    evaluation,
    metrics,
    network,
    rank,
    regime,
    scoring,
    solvers,
    splitting,
    uncertainty,
)
from latentlink.factors import Factors
from latentlink.random import rng_for
from latentlink.rank.engine import Plan, with_redrawn_members
from latentlink.rank.speckle import draw_speckle
from latentlink.regime.gibbs import gibbs_sample
from latentlink.strategy import Strategy
from tests.rank.paths import record

DESCENT = {"device": None, "extrapolate": True, "max_iter": 500, "precision": "float64", "tol": 1e-5}
NONNEGATIVE = DESCENT | {"init": "random"}
LOGISTIC = DESCENT | {
    "background_sample": None, "background_seed": 0, "centred": True, "cycles": 2, "ridge": "auto",
}  # fmt: skip
CHAINS = {
    "device": None,
    "max_iter": 160,
    "burn_in": 50,
    "draws": 12,
    "precision": "float64",
    "tol": 0.0,
    "extrapolate": False,
}
LOGITS = {"max_iter": 200, "burn_in": 60, "bias_scale": 1.0, "product_scale": 4.0, "learned": False}
LOGITS |= {"background_sample": None, "background_seed": 0}
DEFAULTS = {
    solvers.NMF: NONNEGATIVE | {"cycles": 3, "missing": "ignore", "updates": "descent"},
    solvers.KLNMF: NONNEGATIVE | {"cycles": 2, "updates": "descent"},
    solvers.WNMF: NONNEGATIVE | {"cycles": 3, "ridge": "auto"},
    solvers.BNMF: NONNEGATIVE
    | {"lower": 1.0, "upper": None, "max_iter": 1000, "ridge": "auto", "ridge_cols": None}
    | {"updates": "descent"},
    solvers.RNMF: NONNEGATIVE
    | {"cycles": 3, "rate": 0.1, "ridge": "auto", "ridge_cols": None, "ridge_row_bias": None}
    | {"ridge_col_bias": None, "ridge_counts": "auto", "updates": "descent"},
    solvers.LMF: LOGISTIC,
    solvers.SymLMF: LOGISTIC | {"repelling": 0.0},
    solvers.BPMF: {"max_iter": 160, "burn_in": 50, "draws": 12, "precision": "float64"}
    | {"device": None, "tol": 0.0, "extrapolate": False, "pattern_features": 20, "node_noise": False},
    solvers.BayesianNMF: CHAINS,
    solvers.BayesianLMF: CHAINS | LOGITS,
    solvers.BayesianSymLMF: CHAINS | LOGITS | {"repelling": 0.0},
    regime.AsIs: {},
    regime.UniformScale: {"epsilon": 0.015},
    regime.Poisson: {},
    regime.Bootstrap: {},
    regime.BooleanFlip: {"eps_pos": None, "eps_neg": 0.015},
    regime.KMeans: {},
    regime.Otsu: {"bins": 256},
    regime.Search: {"max_rounds": 100},
    regime.CosineAlign: {"centres": "median", "max_rounds": 100, "silhouettes": "cosine"},
    regime.HammingAlign: {"centres": "majority", "counts": "all", "max_rounds": 100},
    regime.RotationAlign: {"centres": "mean", "max_rounds": 100, "silhouettes": "cosine"},
    rank.Bisect: {"low": 1, "high": 64},
    rank.Doubling: {"gain": 0.002},
    rank.Agreement: {"threshold": 0.8, "of": "W", "tolerance": 1.1},
    rank.HeldOut: {"threshold": 0.8, "of": "W"},
    rank.BestPrediction: {"threshold": 0.8, "of": "W"},
    rank.SilhouetteCutoff: {"threshold": 0.8, "of": "W"},
    rank.LStatistic: {"threshold": 0.8, "of": "W", "level": 0.05},
    evaluation.Protocol: {"k": 10, "top": 100, "per_link": 20, "max_links": 500, "max_nodes": 100}
    | {"new_nodes": 0.0, "relevant": None, "level": 0.95},
    uncertainty.Platt: {"on": "score"},
    uncertainty.Beta: {},
    uncertainty.Isotonic: {},
    uncertainty.ConformalIntervals: {"level": 0.9, "floor": None},
    uncertainty.ConformalSets: {"level": 0.9},
    uncertainty.RiskControl: {"alpha": 0.05, "delta": 0.1, "start": None, "steps": 50},
    uncertainty.Constant: {},
    uncertainty.RowColumn: {"ridge": 0.1},
    uncertainty.LowRank: {"rank": 2, "ratio": 5.0, "ridge": 0.3, "seed": 0},
}
BASES = {
    "Solver",
    "Sampler",
    "Perturb",
    "Threshold",
    "ByValue",
    "Align",
    "RankSearch",
    "Selection",
    "Calibration",
}
OTHERS = BASES | {"Propensity", "Regime", "Every"}  # with parameters that must be given, or none to give


def test_every_settings_object_is_listed_here():
    exported = [
        getattr(module, name)
        for module in (evaluation, rank, regime, solvers, uncertainty)
        for name in module.__all__
    ]
    settings = {each for each in exported if inspect.isclass(each) and issubclass(each, Strategy)}
    assert {each.__name__ for each in settings - set(DEFAULTS)} <= OTHERS


@pytest.mark.parametrize("settings", DEFAULTS, ids=lambda each: each.__name__)
def test_defaults(settings):
    assert settings().get_params(deep=False) == DEFAULTS[settings]


def test_defaults_of_a_regime():
    for each in (regime.real(), regime.boolean()):
        assert (each.starts, each.speckle, each.polish) == (2, 0.1, True)


def test_defaults_of_the_regime_of_a_posterior():
    assert (regime.posterior().starts, regime.posterior().speckle) == (1, 0.1)
    assert [type(part) for part in (regime.posterior().perturb, regime.posterior().align)] == [
        regime.AsIs,
        regime.RotationAlign,
    ]


def test_what_solvers_need_and_are():
    flags = (
        "needs_nonnegative",
        "needs_binary",
        "needs_symmetric",
        "needs_unit_weights",
        "biased",
        "logistic",
    )
    expected = {
        solvers.NMF: (True, False, False, True, False, False),
        solvers.KLNMF: (True, False, False, False, False, False),
        solvers.WNMF: (True, False, False, False, False, False),
        solvers.BNMF: (True, True, False, False, False, False),
        solvers.RNMF: (False, False, False, False, True, False),
        solvers.LMF: (False, True, False, False, True, True),
        solvers.SymLMF: (False, True, True, False, True, True),
        solvers.BPMF: (False, False, False, False, True, False),
        solvers.BayesianNMF: (True, False, False, False, False, False),
        solvers.BayesianLMF: (False, True, False, False, True, True),
        solvers.BayesianSymLMF: (False, True, True, False, True, True),
    }
    assert {each: tuple(getattr(each(), flag) for flag in flags) for each in expected} == expected
    assert [each.plain_ridge for each in expected] == [None, None, 0.0, 0.0, 1.0, 1.0, 1.0, *[None] * 4]
    assert [each.ridge_grid for each in expected] == [
        (),
        (),
        (0.0, 0.1, 1.0, 3.0),
        (0.0, 0.3, 1.0, 3.0),
        (0.003, 0.03, 0.3, 1.0, 3.0, 6.0),
        (0.3, 1.0, 2.0, 4.0),
        (0.3, 1.0, 2.0, 4.0),
        *[()] * 4,
    ]
    samplers = {each.__name__: each.rotates for each in expected if each.samples}
    assert samplers == {"BPMF": True, "BayesianNMF": False, "BayesianLMF": True, "BayesianSymLMF": True}


def test_what_perturbations_keep():
    kept = {
        regime.AsIs: (True, True),
        regime.UniformScale: (False, True),
        regime.Poisson: (False, True),
        regime.Bootstrap: (True, False),
        regime.BooleanFlip: (True, True),
    }
    assert {each: (each.keeps_binary, each.keeps_weights) for each in kept} == kept
    needed = [each.needs_held_out for each in (rank.Every, rank.Bisect, rank.Doubling)]
    assert needed == [False, False, True]


ARGUMENTS = {
    network.Ensemble.of: {"members": 1},
    network.drop_sparse_nodes: {"links_only": False, "repeat": True},
    network.sample_negatives: {"ratio": 1.0},
    splitting.holdout: {"stratify": True, "calibration": 0.0, "keep_nodes": False},
    splitting.kfold: {"folds": 5, "stratify": True},
    regime.Cells.of: {"member": 0},
    regime.boolean: {"polish": True},
    regime.flip_polish: {"max_rounds": 100},
    regime.real: {"epsilon": 0.015},
    gibbs_sample: {"rounds": 10},
    rank.RankPath.save: {"overwrite": False},
    rank.consensus_matrix: {"max_nodes": 2000},
    rank.consensus_table: {"max_nodes": 2000},
    rank.share_ambiguous: {"low": 0.1, "high": 0.9},
    uncertainty.confidence_of: {"threshold": 0.5},
    uncertainty.discover: {"fdr": 0.1},
    uncertainty.require_unseen: {"repeats": False},
    metrics.brier_parts: {"bins": 10},
    metrics.precision_at_k: {"k": 10},
    metrics.recall_at_k: {"k": 10},
    metrics.vertex_precision: {"k": 10},
    metrics.expected_calibration_error: {"bins": 10},
    metrics.probability_metrics: {"bins": 10},
    metrics.reliability_curve: {"bins": 10},
    metrics.mean_interval: {"level": 0.95},
    metrics.over_repeats: {"level": 0.95},
    metrics.paired_difference: {"level": 0.95},
    scoring.Calibrated.answers: {"threshold": 0.5},
    scoring.Calibrated.discover: {"fdr": 0.1, "chosen_without_scores": False},
    scoring.CalibrationPairs.top_links: {"n": 100, "per_node": False, "exact": False},
    scoring.CalibrationPairs.recommend: {"n": 10},
    estimators.LinkModel.predict_links: {"return_std": False},
    estimators.LinkModel.cross_calibrate: {"folds": 5, "rng": 0},
    estimators.LinkModel.top_links: {
        "n": 100,
        "per_node": False,
        "known": False,
        "self_loops": False,
        "exact": False,
    },
    estimators.LinkModel.recommend: {"n": 10, "known": False},
    estimators.LinkModel.save: {"overwrite": False},
}


@pytest.mark.parametrize("function", ARGUMENTS, ids=lambda each: each.__qualname__)
def test_numbers_and_switches_that_functions_take_by_default(function):
    parameters = inspect.signature(function).parameters.values()
    defaults = {each.name: each.default for each in parameters if isinstance(each.default, int | float)}
    assert defaults == ARGUMENTS[function]


def test_the_draws_of_a_seed_are_those_of_its_purpose():
    """Perturbations and speckles have keys of their own, so that no draw repeats another one."""
    data = network.Network.from_dense(np.random.default_rng(0).random((9, 8)))
    plan = Plan(data, solvers.WNMF(), regime.real().set_params(speckle=0.2), n_members=3, seed=5)
    for member in range(3):
        expected = draw_speckle(data, 0.2, rng_for(5, 2**32 - 2, member))
        np.testing.assert_array_equal(plan.speckle_of(member).rows, expected.rows)
    rngs = [rng_for(5, 2**32 - 1, member) for member in range(3)]
    perturbed = plan.regime.perturb.ensemble(data, rngs)
    values = plan.ensemble_of(range(3), [plan.speckle_of(member) for member in range(3)]).values
    np.testing.assert_array_equal(values[~np.isnan(values)], perturbed.values[~np.isnan(values)])
    assert Plan(data, solvers.WNMF(), regime.real()).n_members == 16
    assert Plan(data, solvers.WNMF(), regime.real()).seed == 0


def test_gibbs_samples_have_a_key_of_their_own():
    data = network.Network.from_dense(np.kron(np.eye(2), np.ones((4, 3))))
    plan = Plan(data, solvers.BNMF(max_iter=20), regime.boolean(regime.KMeans()), n_members=2, seed=5)
    rng = np.random.default_rng(0)
    models = [Factors((rng.random((8, 2)) < 0.5) * 1.0, (rng.random((2, 6)) < 0.5) * 1.0, boolean=True)] * 2
    fitted = replace(record(2), model=models[0], members=tuple(models))
    cells = regime.Cells.of(network.Ensemble.of(data))
    for index, sample in enumerate(with_redrawn_members(plan, fitted).members):
        expected = gibbs_sample(models[index], cells, rng_for(5, 2**32 - 3, 2, index))
        np.testing.assert_array_equal(sample.W, expected.W)
        np.testing.assert_array_equal(sample.H, expected.H)
