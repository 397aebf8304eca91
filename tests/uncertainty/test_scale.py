"""A network of 100,000 nodes: nothing of rows times columns, which would be 80 gigabytes."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from latentlink.network import Network
from latentlink.uncertainty import (
    ConformalIntervals,
    ConformalSets,
    Constant,
    RiskControl,
    RowColumn,
    confidence_of,
    discover,
    judged,
    require_apart,
)

NODES, PAIRS = 100_000, 60_000


@pytest.fixture(scope="module")
def network():
    rng = np.random.default_rng(0)
    codes = np.unique(rng.integers(0, NODES, 2 * PAIRS) * NODES + rng.integers(0, NODES, 2 * PAIRS))
    rows, cols = np.divmod(rng.permutation(codes)[:PAIRS], NODES)
    return Network(rows, cols, shape=(NODES, NODES))


def test_every_step_costs_what_the_pairs_cost(network):
    rng = np.random.default_rng(1)
    held = network.hide(np.arange(10_000))
    rows, cols = network.rows[:10_000], network.cols[:10_000]
    score, spread = rng.random(10_000), rng.random(10_000)
    label = rng.random(10_000) < score
    tracemalloc.start()
    require_apart(held, rows, cols)
    judged(rows, cols, score, spread, 0.5)
    chance = [each.fit(network).score(rows, cols) for each in (Constant(), RowColumn())][1]
    RiskControl(0.2).calibrate(confidence_of(score, spread), (score > 0.5) != label)
    ConformalIntervals().calibrate(score, label, spread, chance).interval(score, spread, chance)
    ConformalSets().calibrate(score, label).sets(score)
    discover(score, score[~label])
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100e6
