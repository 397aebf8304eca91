"""Columns of hidden entries: means of members, residuals, and what each part is predicted from."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import LatentLinkError
from latentlink.factors import Factors
from latentlink.splitting import Split
from latentlink.stacking.values import ColumnKernels, ValueColumns
from latentlink.stacking.values.inner_values import (
    KERNEL_STEPS,
    MeanModel,
    hidden_columns,
    mean_kernels,
    mean_of_all,
    mean_residuals,
)
from tests.stacking.values.test_column_kernels import curved_table


class Ensemble:
    """Fits members that depend on a seed, and on how much is known of a network."""

    def __init__(self, seed):
        self.seed = seed

    def fitted_members(self, train):
        rng = np.random.default_rng([self.seed, train.n_known])
        return [
            Factors(
                rng.normal(size=(train.shape[0], 2)), rng.normal(size=(2, train.shape[1])), bounds=(0.0, 0.1)
            )
            for _ in range(3)
        ]


def plain_mean(members):
    """Scores of all pairs, without bounds."""
    return np.mean([member.W @ member.H for member in members], axis=0)


@pytest.fixture
def network():
    return curved_table(rows=40)[0]


@pytest.fixture
def splits(network):
    parts = np.random.default_rng(0).permutation(network.n_listed) % 3
    return [Split(network.hide(parts == part), network.subset(parts == part)) for part in range(3)]


def test_the_mean_of_members_is_not_clipped(network):
    models = [MeanModel.of(Ensemble(seed).fitted_members(network)) for seed in range(2)]
    expected = [plain_mean(model.members) for model in models]
    rows, cols = np.array([0, 39, 3]), np.array([1, 5, 0])
    for model, scores in zip(models, expected, strict=True):
        assert np.ptp(scores) > 1
        np.testing.assert_allclose(model.score(rows, cols), scores[rows, cols])
        np.testing.assert_allclose(model.all_scores(), scores)
    np.testing.assert_allclose(mean_of_all(models), np.mean(expected, axis=0))
    left = network.values - np.mean(expected, axis=0)[network.rows, network.cols]
    np.testing.assert_allclose(mean_residuals(models, network), left)
    kernels = mean_kernels(models, network, (0.5, 1.0, 0.1))
    np.testing.assert_allclose(kernels.filled, np.mean(expected, axis=0), rtol=1e-6)
    assert kernels.settings == (0.5, 1.0, 0.1)


@pytest.mark.parametrize("settings", [None, (1.0, 1.0, 0.1)])
def test_columns_of_each_part_are_fitted_without_it(network, splits, settings):
    ensembles = [Ensemble(0), Ensemble(1)]
    tables = hidden_columns(ensembles, splits, settings)
    assert [table.shape for table in tables] == [
        (6 + (settings is not None), split.test.n_listed) for split in splits
    ]
    for table, split in zip(tables, splits, strict=True):
        scores = [plain_mean(each.fitted_members(split.train)) for each in ensembles]
        kernels = None
        if settings is not None:
            kernels = ColumnKernels.of(split.train, np.mean(scores, axis=0), settings)
        left = split.train.values - np.mean(scores, axis=0)[split.train.rows, split.train.cols]
        i, j = split.test.rows, split.test.cols
        others = ValueColumns.of(split.train, left, kernels).features(i, j)
        np.testing.assert_allclose(table, [*(each[i, j] for each in scores), *others], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("settings", [None, (1.0, 1.0, 0.1)])
def test_progress_counts_models_and_regressions(splits, settings):
    reports = []
    hidden_columns([Ensemble(0), Ensemble(1)], splits, settings, callback=reports.append)
    expected = [*range(1, 7)]
    if settings is not None:
        expected += [6 + KERNEL_STEPS * part for part in (1, 2, 3)]
    assert [report.done for report in reports] == expected
    assert {report.total for report in reports} == {expected[-1]}


@pytest.mark.parametrize("last", [1, 6, 7])
def test_a_callback_cancels_after_any_step(splits, last):
    reports = []

    def callback(report):
        reports.append(report)
        return False if len(reports) == last else None

    with pytest.raises(LatentLinkError, match="cancelled"):
        hidden_columns([Ensemble(0), Ensemble(1)], splits, (1.0, 1.0, 0.1), callback=callback)
    assert len(reports) == last
