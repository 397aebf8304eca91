"""Quick baselines on the held-out pairs of a calibrated model."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from latentlink.evaluation.baselines import standard_baselines
from latentlink.network import Network
from latentlink.report.sections.held_out import HeldOutPairs
from latentlink.scoring import CrossCalibrated

__all__ = ["baseline_scores"]

Array = NDArray[Any]

# Those that take a pass over the links; the whole table is that of `evaluate`.
_QUICK = {"links": ("degree product", "biases only", "resource allocation"),
          "values": ("global mean", "row mean", "item mean", "biases only")}  # fmt: skip
_SHOWN = {"item mean": "column mean"}  # not every table has items


_SMALL = 100_000  # known pairs up to which biases of links are fitted, which takes seconds beyond


def baseline_scores(held_out: HeldOutPairs) -> dict[str, Array]:
    """Return the scores of the held-out pairs by baselines that were fitted without them."""
    kind = "links" if held_out.binary else "values"
    baselines = standard_baselines(kind if kind == "values" else "labelled")
    large = held_out.binary and held_out.calibrated.network.n_known > _SMALL
    names = [name for name in _QUICK[kind] if not (large and name == "biases only")]
    return {_SHOWN.get(name, name): _scores(baselines[name], held_out) for name in names}


def _scores(baseline: Any, held_out: HeldOutPairs) -> Array:
    calibrated = held_out.calibrated
    pairs = np.column_stack([calibrated.rows, calibrated.cols])
    if not isinstance(calibrated, CrossCalibrated):
        return np.asarray(baseline.fit(calibrated.network).predict_links(pairs))
    scores = np.empty(len(pairs))
    for number in range(len(calibrated.folds)):
        own = calibrated.fold == number
        scores[own] = baseline.fit(_without(calibrated.network, pairs[own])).predict_links(pairs[own])
    return scores


def _without(network: Network, pairs: Array) -> Network:
    """Return the network with pairs hidden."""
    return network.hide(network.positions(pairs[:, 0], pairs[:, 1]))
