"""All metrics of one model in one task, for each kind of non-links and each subset of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from latentlink.evaluation.protocol import Protocol
from latentlink.evaluation.tasks.task import Setting, Task
from latentlink.metrics import (
    link_metrics,
    mae,
    mean_reciprocal_rank,
    precision_at_k,
    recall_at_k,
    rmse,
    vertex_precision,
)

__all__ = ["Measurement", "measured"]

Array = NDArray[Any]


class Measurement(NamedTuple):
    """One number: a metric of a model in a repeat, under one kind of non-links, on a subset of the pairs."""

    model: str
    repeat: int
    negatives: str
    pairs: str
    metric: str
    value: float


@dataclass(frozen=True, eq=False)
class _Part:
    """Pairs that are measured together: values, scores, rows and columns, groups and UQ weights."""

    values: Array
    scores: Array
    pairs: Array
    groups: Array | None
    weights: Array | None


def measured(
    name: str, task: Task, scored: tuple[Array, Array | None], protocol: Protocol, kind: str
) -> Iterator[Measurement]:
    """Yield all measurements of a model in a task, given its scores and UQ weights.

    Pairs that the model did not score (NaN) are never left out: links and non-links without a score are
    ranked last, all equal, and values without a score count as the mean training value. Their number is the
    metric ``unscored``. A metric that is not defined, since there are no links or no non-links, is NaN.
    """
    scores, weights = scored
    missing = np.isnan(scores)
    filled = np.where(missing, _stand_in(task, scores, kind), scores)
    metrics = _value_metrics if kind == "values" else _link_metrics
    for setting in task.settings:
        of_all: dict[str, float] = {}
        for subset, chosen in _subsets(task, setting):
            at = setting.positions[chosen]
            groups = None if setting.groups is None else setting.groups[chosen]
            part = _Part(
                task.values[at], filled[at], task.pairs[at], groups, None if weights is None else weights[at]
            )
            # Often all pairs are of known nodes or in one component, and nothing has to be computed again.
            result = dict(of_all) if of_all and chosen.all() else metrics(part, task, protocol)
            of_all = of_all or (result if chosen.all() else {})
            result |= {"n_pairs": float(len(at)), "unscored": float(missing[at].sum())}
            for metric, value in result.items():
                yield Measurement(name, task.repeat, setting.negatives, subset, metric, value)


def _stand_in(task: Task, scores: Array, kind: str) -> float:
    if kind == "values":
        return _training_mean(task)
    known = scores[~np.isnan(scores)]
    return float(known.min()) - 1.0 if len(known) else 0.0


def _training_mean(task: Task) -> float:
    return float(np.average(task.train.values, weights=task.train.weights))


def _subsets(task: Task, setting: Setting) -> Iterator[tuple[str, Array]]:
    """Yield the subsets of a setting that have pairs; where whole nodes are held out, that of these nodes."""
    masks = {name: mask[setting.positions] for name, mask in task.subsets.items()}
    if task.hidden == "nodes":
        masks = {"held-out nodes": masks["new nodes"]}
    else:
        masks = {"all": np.ones(len(setting.positions), bool)} | masks
    for name, mask in masks.items():
        if mask.any():
            yield name, mask


def _link_metrics(part: _Part, task: Task, protocol: Protocol) -> dict[str, float]:
    k, top = protocol.k, protocol.top
    names = ["mrr", f"precision@{top}", f"recall@{top}", f"vertex_precision@{k}"]
    if part.values.min() == part.values.max():
        ranking = ["roc_auc", "pr_auc", "average_precision"]
        weighted = [] if part.weights is None else [f"uq_{name}" for name in ranking]
        return dict.fromkeys([*ranking, "share_of_links", *weighted, *names], np.nan)
    labels, scores = part.values, part.scores
    lists = [
        mean_reciprocal_rank(labels, scores, part.groups),
        precision_at_k(labels, scores, top),
        recall_at_k(labels, scores, top),
        _vertex_precision(part, task, k),
    ]
    return link_metrics(labels, scores, part.weights) | dict(zip(names, lists, strict=True))


def _vertex_precision(part: _Part, task: Task, k: int) -> float:
    """Return the precision of lists: of the groups if there are any, else of the nodes of the pairs."""
    if part.groups is not None:
        return vertex_precision(part.values, part.scores, part.groups, k)
    if not task.train.symmetric:
        return vertex_precision(part.values, part.scores, part.pairs[:, 0], k)
    ends = part.pairs.T.ravel()
    return vertex_precision(np.tile(part.values, 2), np.tile(part.scores, 2), ends, k)


def _value_metrics(part: _Part, task: Task, protocol: Protocol) -> dict[str, float]:
    k = protocol.k
    threshold = _training_mean(task) if protocol.relevant is None else protocol.relevant
    relevant = part.values >= threshold
    names = [f"precision@{k}", f"recall@{k}", "mrr"]
    lists = [np.nan] * 3
    if relevant.any():
        lists = [
            precision_at_k(relevant, part.scores, k, part.groups),
            recall_at_k(relevant, part.scores, k, part.groups),
            mean_reciprocal_rank(relevant, part.scores, part.groups),
        ]
    errors = {"rmse": rmse(part.values, part.scores), "mae": mae(part.values, part.scores)}
    return errors | dict(zip(names, lists, strict=True))
