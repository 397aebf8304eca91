"""The last stage of a loaded stack: its parts fit together, and walks down its trees end."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink import load
from latentlink.errors import InputError
from latentlink.estimators.loading.loaded_stage import check_members_of_stage, check_stage
from latentlink.stacking import AdditiveStage, BoostedTrees, MixedStage
from tests.helpers.training_pairs import drawn_links, training_pairs


def with_trees(columns):
    """A last stage of trees and functions of some columns."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, columns))
    pairs = training_pairs(x, drawn_links(rng, 3 * x[:, 0] * x[:, 1]))
    additive = AdditiveStage.fit(pairs, 10.0)
    return MixedStage(
        additive, BoostedTrees.fit(pairs), 0.5, (0.7, 0.6, 0.5), additive.redrawn(pairs, 10.0, 2, 0)
    )


STAGE = with_trees(3)


@pytest.mark.parametrize(
    ("part", "change", "sentence"),
    [
        ("roots", lambda array: array - 1, "not connected downwards"),
        ("roots", lambda array: array + 10**6, "not connected downwards"),
        ("roots", lambda array: array * 1.0, "as the roots of the trees"),
        ("left", np.zeros_like, "not connected downwards"),
        ("left", lambda array: np.arange(len(array)) + 1, "not connected downwards"),
        ("right", lambda array: array * 0 + 10**6, "not connected downwards"),
        ("right", lambda array: np.arange(len(array)), "not connected downwards"),
        ("right", lambda array: array[1:], "as the right of the trees"),
        ("column", lambda array: array - 1, "ask for other columns than its 3"),
        ("column", lambda array: array + 3, "ask for other columns than its 3"),
        ("node_value", lambda array: array[:-1], "as the node_value of the trees"),
        ("threshold", lambda array: array.astype(int), "as the threshold of the trees"),
        (
            "threshold",
            lambda array: array.astype(np.float16),
            "of type float16 as the threshold of the trees",
        ),
        ("left", lambda array: array.astype(">i8"), "of type >i8 as the left of the trees"),
    ],
)
def test_trees_whose_nodes_do_not_fit_together_raise(part, change, sentence):
    trees = replace(STAGE.trees, **{part: change(getattr(STAGE.trees, part))})
    with pytest.raises(InputError, match=sentence):
        check_stage(replace(STAGE, trees=trees))


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"share": 1.5}, "a share of trees of 1.5 in its last stage; expected 0 to 1"),
        ({"share": np.nan}, "a share of trees of nan"),
        ({"redrawn": (with_trees(2).additive,)}, "with other knots"),
        (
            {"additive": replace(STAGE.additive, heights=STAGE.additive.heights.astype(">f8"))},
            "of type >f8 as the heights of its last stage; expected an array of floating-point numbers",
        ),
    ],
)
def test_a_stage_of_wrong_parts_raises(changes, sentence):
    with pytest.raises(InputError, match=sentence):
        check_stage(replace(STAGE, **changes))


def test_a_stage_is_expected_and_its_parts_pass():
    check_stage(STAGE)
    check_stage(replace(STAGE, trees=BoostedTrees.none(), share=0.0))
    with pytest.raises(InputError, match="expected a MixedStage"):
        check_stage(STAGE.additive)


def test_there_are_redrawn_functions_for_each_member_or_none():
    check_members_of_stage(STAGE, 2)
    check_members_of_stage(replace(STAGE, redrawn=()), 7)
    with pytest.raises(InputError, match="2 redrawn functions in its last stage; expected 3"):
        check_members_of_stage(STAGE, 3)


@pytest.mark.slow
def test_a_stack_with_trees_is_the_same_after_loading(undirected_stack, tmp_path):
    columns = len(undirected_stack.stage_.additive.knots)
    trees = with_trees(columns).trees
    stack = load(saved(undirected_stack, tmp_path / "first"))
    stack.stage_ = replace(stack.stage_, trees=trees, share=0.5)
    stack._assemble()
    loaded = load(saved(stack, tmp_path / "second"))
    pairs = [(0, 1), (3, 9)]
    np.testing.assert_array_equal(loaded.predict_links(pairs), stack.predict_links(pairs))
    assert not np.allclose(loaded.predict_links(pairs), undirected_stack.predict_links(pairs))


def saved(model, folder):
    model.save(folder)
    return folder
