"""Scores of the stacked model of values against its formula, pair by pair: members, units and bounds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import Network
from latentlink.factors import Factors, kept_within
from latentlink.stacking.values import (
    ColumnKernels,
    ColumnUnits,
    LinearStage,
    ValueColumns,
    ValueMembers,
    ValueModel,
)
from tests.stacking.values.test_column_kernels import curved_table

SHAPE = (40, 6)


def factors(seed, rank=2):
    rng = np.random.default_rng(seed)
    return Factors(rng.normal(size=(SHAPE[0], rank)), rng.normal(size=(rank, SHAPE[1])))


def stage_of(levels, columns, seed=3):
    """A stage with weights of every kind, which are within their bounds or beyond."""
    rng = np.random.default_rng(seed)
    parts = levels + columns - 2
    ranges = np.column_stack([np.full(columns, -0.5), np.full(columns, 0.8)])
    ranges[-2:] = [[0.5, 4.0], [1.0, 3.5]]
    weights = 0.3 * rng.normal(size=(parts, 3))
    weights[1:levels] = [0.05, 1.0, 0.1]
    return LinearStage(
        levels,
        weights,
        rng.normal(size=4),
        np.array([1.5, 3.0]),
        ranges,
        rng.normal(size=parts + 1),
        10.0,
        (1.0, 0.5),
    )


def model_of(kernels=True, units=None, bounds=None, **options):
    network, *_ = curved_table(rows=SHAPE[0])
    filled = np.random.default_rng(5).normal(size=SHAPE)
    own = ColumnKernels.of(network, filled, (1.0, 1.0, 0.1)) if kernels else None
    columns = ValueColumns.of(network, np.random.default_rng(6).normal(size=network.n_listed), own)
    stage = stage_of(2 + kernels, 4)
    return ValueModel((factors(0), factors(1)), ("one", "other"), columns, stage, bounds, units, **options)


def plain_score(stage, levels, corrections, counts):
    """The score of one pair as the docstring of the stage has it, with the bounds of its weights."""
    (low, high), n = stage.ranges.T, len(levels)
    others = np.clip([*corrections, *counts], low, high)
    l_i, l_j = others[-2:] - stage.centres
    weights = stage.weights @ [1, l_i, l_j]
    total = min(max(1 + weights[0], 0.75), 1.25)
    slopes = np.append(1 + weights[0] - weights[1:n].sum(), weights[1:n]).clip(0)
    slopes[0] = max(slopes[0], 1e-300)
    slopes *= total / slopes.sum()
    added = stage.of_counts @ [1, l_i, l_j, l_i * l_j]
    return added + slopes @ levels + weights[n:] @ others[:-2]


@pytest.mark.parametrize("kernels", [False, True])
@pytest.mark.parametrize("is_member", [False, True])
@pytest.mark.parametrize("units", [None, ColumnUnits(np.arange(6.0), 2.0 ** np.arange(6))])
@pytest.mark.parametrize("bounds", [None, (-1.0, 2.0)])
def test_scores_are_their_formula(kernels, is_member, units, bounds):
    model = model_of(kernels, units, bounds, is_member=is_member)
    rows, cols = (each.ravel() for each in np.indices(SHAPE))
    features = model.columns.features(rows, cols)
    scores = [each.score(rows, cols) for each in model.models]
    levels = [*scores]
    if kernels:
        levels.append(features[0])
        if is_member:  # the regression deviates with the models from the mean of all members
            levels[-1] = features[0] + np.mean(scores, axis=0) - model.columns.kernels.filled.ravel()
        slopes = model.stage.affine(features[1:], 3)[1][2]
        assert slopes.min() == 0
        assert slopes.max() > 0.1
    corrections, counts = features[-4:-2], features[-2:]
    expected = np.array(
        [
            plain_score(
                model.stage, np.array(levels)[:, k], [c[k] for c in corrections], [c[k] for c in counts]
            )
            for k in range(len(rows))
        ]
    )
    terms = np.array([list(model.contributions(*pair).values()) for pair in ((3, 2), (39, 5))])
    if units is not None:
        expected = units.centres[cols] + units.scales[cols] * expected
    np.testing.assert_allclose(terms.sum(axis=1), expected[[3 * 6 + 2, -1]], rtol=1e-7)
    if bounds is not None:
        assert (expected < -1).any()
        assert (expected > 2).any()
        expected = kept_within(expected, *bounds)
    np.testing.assert_allclose(model.score(rows, cols), expected, rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.block(0, 40), expected.reshape(SHAPE), rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.block(7, 19, 2), expected.reshape(SHAPE)[7:19, 2:], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(model.score(4, np.arange(6)), expected[24:30], rtol=1e-6, atol=1e-6)


def test_contributions_have_the_names_of_models_and_columns():
    model = model_of()
    assert list(model.contributions(0, 0)) == [
        "one",
        "other",
        "regression on other columns",
        "similar columns",
        "similar rows",
        "numbers of known entries",
        "constant",
    ]
    assert model.contributions(0, 0)["constant"] == pytest.approx(model.stage.means.sum())


def test_a_model_without_components():
    model = model_of()
    assert model.shape == SHAPE
    assert (model.W.shape, model.H.shape) == ((40, 0), (0, 6))
    assert not model.is_member
    assert not model.boolean
    assert not model.logistic


@pytest.mark.parametrize("count", [1, 3])
def test_members_are_scored_as_each_alone(count):
    first = model_of(is_member=True)
    others = [replace(first, models=(factors(seed), factors(8))) for seed in range(10, 9 + count)]
    members = ValueMembers((first, *others))
    rows, cols = np.array([0, 3, 39]), np.array([5, 1, 0])
    assert count == 1 or np.ptp([member.score(rows, cols) for member in members], axis=0).min() > 0
    for member, scores, block, terms in zip(
        members,
        members.scores(rows, cols),
        members.blocks(2, 9, 1),
        members.contributions(rows, cols),
        strict=True,
    ):
        np.testing.assert_array_equal(scores, member.score(rows, cols))
        np.testing.assert_array_equal(block, member.block(2, 9, 1))
        for row, col, own in zip(rows, cols, terms, strict=True):
            assert own == pytest.approx(member.contributions(row, col))
    assert members.approximation(Network([], [], shape=SHAPE)) is None
