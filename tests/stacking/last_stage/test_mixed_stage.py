"""The last stage: what held-out pairs choose, values and contributions of the mixture, redrawn functions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink.errors import LatentLinkError
from latentlink.metrics import roc_auc
from latentlink.stacking import fit_last_stage
from latentlink.stacking.last_stage import AdditiveStage, BoostedTrees, MixedStage
from tests.helpers.training_pairs import drawn_links, five_parts, training_pairs


def additive_data(rng, count=1200):
    x = rng.normal(size=(count, 3))
    return x, drawn_links(rng, 2 * np.abs(x[:, 0]) - x[:, 1] - 1)


def product_data(rng, count=2000):
    x = rng.normal(size=(count, 3))
    return x, drawn_links(rng, 3 * np.sign(x[:, 0] * x[:, 1]))


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(0)
    pairs = training_pairs(*product_data(rng, 600))
    return MixedStage(AdditiveStage.fit(pairs, 10.0), BoostedTrees.fit(pairs), 0.5, (0.5, 0.4, 0.6))


def test_the_value_is_the_mean_of_both(mixed):
    columns = list(np.random.default_rng(1).normal(size=(3, 4, 5)))
    flat = np.stack([each.ravel() for each in columns])
    expected = (mixed.additive.value(flat) + mixed.trees.value(flat)) / 2
    np.testing.assert_allclose(mixed.value(columns), expected.reshape(4, 5))
    for share, part in ((0.0, mixed.additive), (1.0, mixed.trees)):
        np.testing.assert_allclose(replace(mixed, share=share).value(columns).ravel(), part.value(flat))


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_contributions_and_constant_add_up_to_the_value(mixed, share):
    stage = replace(mixed, share=share)
    columns = list(np.random.default_rng(2).normal(size=(3, 7)))
    total = sum(stage.contributions(columns)) + stage.constant
    np.testing.assert_allclose(total, stage.value(columns), atol=1e-9)


def test_values_do_not_depend_on_how_many_pairs_are_asked(mixed):
    columns = list(np.random.default_rng(3).normal(size=(3, 70_000)))
    value = mixed.value(columns)
    np.testing.assert_array_equal(
        value[40_000:40_010], mixed.value([each[40_000:40_010] for each in columns])
    )


def test_trees_are_chosen_where_columns_act_together_only():
    rng = np.random.default_rng(4)
    together = fit_last_stage(*five_parts(*product_data(rng)))
    assert together.share >= 0.5
    assert together.losses[0] > together.losses[2]
    test, links = product_data(rng)
    assert roc_auc(links, together.value(list(test.T))) > 0.88
    apart = fit_last_stage(*five_parts(*additive_data(rng)))
    assert apart.share < 0.9
    assert apart.share == (0.0, 0.5, 0.9)[int(np.argmin(apart.losses))]


def test_members_differ_and_scores_are_not_tied_where_trees_predict_best():
    rng = np.random.default_rng(4)
    stage = fit_last_stage(*five_parts(*product_data(rng)), members=2)
    columns = list(rng.normal(size=(len(stage.additive.knots), 500)))
    assert stage.share == 0.9
    assert len(np.unique(stage.value(columns))) == 500
    assert (stage.member(0).value(columns) != stage.member(1).value(columns)).all()


def test_few_pairs_get_no_trees():
    stage = fit_last_stage(*five_parts(*additive_data(np.random.default_rng(5), 990)))
    assert stage.share == 0.0
    assert len(stage.trees.roots) == 0
    assert np.isfinite(stage.losses[0])
    assert np.isnan(stage.losses[1:]).all()


def test_few_links_get_the_strongest_penalty():
    rng = np.random.default_rng(5)
    x = rng.normal(size=(200, 2))
    links = np.zeros(200)
    links[:3] = 1
    stage = fit_last_stage(*five_parts(x, links))
    assert np.abs(stage.additive.heights).max() < 0.5
    assert np.isnan(stage.losses).all()


def test_a_callback_receives_the_progress_and_cancels():
    parts = five_parts(*additive_data(np.random.default_rng(6), 300))
    reports = []
    fit_last_stage(*parts, callback=reports.append)
    assert [each.done for each in reports] == list(range(1, len(reports) + 1))
    assert 0.99 < reports[-1].share < 1  # the whole fit has the last call
    with pytest.raises(LatentLinkError, match="cancelled"):
        fit_last_stage(*parts, callback=lambda report: False)


def test_members_have_redrawn_functions_whose_mean_is_the_stage():
    parts = five_parts(*additive_data(np.random.default_rng(7)))
    stage = fit_last_stage(*parts, members=6)
    assert len(stage.redrawn) == 6
    heights = np.mean([each.heights for each in stage.redrawn], axis=0)
    np.testing.assert_allclose(heights, stage.additive.heights, atol=1e-9)
    assert stage.member(2).additive is stage.redrawn[2]
    assert stage.member(2).trees is stage.trees
    assert fit_last_stage(*parts).member(3).redrawn == ()


@pytest.mark.slow
def test_the_redrawn_functions_differ_as_those_of_other_training_pairs_do():
    """Standard deviations of the logit over redrawn functions, and over fits to new pairs, are alike."""
    points = np.random.default_rng(8).normal(size=(3, 50))
    fits, ratios = [], []
    for seed in range(60):
        pairs = training_pairs(*additive_data(np.random.default_rng(100 + seed)))
        stage = AdditiveStage.fit(pairs, 10.0)
        fits.append(stage.value(points))
        if seed < 6:
            drawn = [each.value(points) for each in stage.redrawn(pairs, 10.0, 40, seed)]
            ratios.append(np.std(drawn, axis=0))
    ratio = np.median(np.mean(ratios, axis=0) / np.std(fits, axis=0))
    assert 0.8 < ratio < 1.25
