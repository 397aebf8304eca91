"""Consistency of the last stage of a loaded stack: shapes, orders and numbers, before it is used."""

from __future__ import annotations

from typing import Any

import numpy as np

from latentlink.errors import InputError
from latentlink.estimators.loading.loaded_state import check_array
from latentlink.network import Network
from latentlink.stacking import AdditiveStage, BoostedTrees, HiddenLinks, MixedStage
from latentlink.validation.wording import shortened

__all__ = ["check_columns_of_stage", "check_hidden_links", "check_members_of_stage", "check_stage"]


def check_stage(stage: Any) -> None:
    """Raise InputError unless the parts of the last stage of a stack fit together."""
    if not isinstance(stage, MixedStage):
        raise InputError(f"{shortened(stage)} as its last stage; expected a MixedStage")
    if not 0 <= stage.share <= 1:
        raise InputError(f"a share of trees of {stage.share:.3g} in its last stage; expected 0 to 1")
    for each in (stage.additive, *stage.redrawn):
        _check_additive(each)
        if each.knots.shape != stage.additive.knots.shape:
            raise InputError("redrawn functions with other knots than those of its last stage")
    _check_trees(stage.trees, len(stage.additive.knots))


def _check_additive(stage: AdditiveStage) -> None:
    """Raise InputError unless there is a height for each knot, and knots ascend."""
    shape = np.shape(stage.knots)
    if len(shape) != 2 or shape[1] < 2:
        raise InputError(f"knots of the shape {shape} in its last stage; expected two dimensions")
    for name in ("knots", "heights"):
        check_array(getattr(stage, name), f"the {name} of its last stage", "f", shape)
    if not (np.diff(stage.knots, axis=1) >= 0).all():
        raise InputError("knots of its last stage that are not in ascending order")


def _check_trees(trees: BoostedTrees, columns: int) -> None:
    """Raise InputError unless every walk down a tree ends at a leaf, and asks for columns that exist."""
    nodes = np.shape(trees.column)
    for name, kinds in (
        ("column", "i"),
        ("threshold", "f"),
        ("left", "i"),
        ("right", "i"),
        ("node_value", "f"),
    ):
        check_array(getattr(trees, name), f"the {name} of the trees of its last stage", kinds, nodes)
    check_array(trees.roots, "the roots of the trees of its last stage", "i")
    own = np.arange(len(trees.column))
    leaf = trees.left == own
    below = np.stack([trees.left, trees.right])
    walks_end = ((below > own) | (leaf & (below == own))).all() and (below < max(1, len(own))).all()
    if not walks_end or not _within(trees.roots, len(own)):
        raise InputError("trees in its last stage whose nodes are not connected downwards")
    if not _within(trees.column, columns):
        raise InputError(f"trees in its last stage that ask for other columns than its {columns}")


def _within(numbers: Any, count: int) -> bool:
    return bool(((numbers >= 0) & (numbers < count)).all())


def check_columns_of_stage(stage: MixedStage, count: int) -> None:
    """Raise InputError unless the last stage has a function for each model and each feature."""
    columns = len(stage.additive.knots)
    if columns != count:
        raise InputError(f"a last stage of {columns} columns; expected {count}")


def check_members_of_stage(stage: MixedStage, count: int) -> None:
    """Raise InputError unless the last stage has redrawn functions for each member, or none at all."""
    if len(stage.redrawn) not in (0, count):
        raise InputError(f"{len(stage.redrawn)} redrawn functions in its last stage; expected {count}")


def check_hidden_links(hidden: Any, network: Network, models: int, members: int, features: int) -> None:
    """Raise InputError unless there are columns of all links of a network for each model and member."""
    if not isinstance(hidden, HiddenLinks):
        raise InputError(f"{shortened(hidden)} as columns of its links; expected HiddenLinks")
    links = int((network.known & (network.values != 0)).sum())
    check_array(hidden.features, "features of its links", "f", (features, links))
    check_array(hidden.scores, "scores of its links", "f", (models, members, links))
