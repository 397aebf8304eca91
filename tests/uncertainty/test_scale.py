"""Memory on a network of 100,000 nodes, where a matrix of rows times columns would take 80 gigabytes."""

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
    abstain_above,
    confidence_of,
    discover,
    require_unseen,
)

NODES, PAIRS, HELD_OUT = 100_000, 60_000, 10_000


@pytest.fixture(scope="module")
def network():
    rng = np.random.default_rng(0)
    codes = np.unique(rng.integers(0, NODES, 2 * PAIRS) * NODES + rng.integers(0, NODES, 2 * PAIRS))
    rows, cols = np.divmod(rng.permutation(codes)[:PAIRS], NODES)
    return Network(rows, cols, shape=(NODES, NODES))


def test_memory_is_that_of_the_pairs(network):
    rng = np.random.default_rng(1)
    train = network.hide(np.arange(HELD_OUT))
    rows, cols = network.rows[:HELD_OUT], network.cols[:HELD_OUT]
    score, spread = rng.random(HELD_OUT), rng.random(HELD_OUT)
    label = rng.random(HELD_OUT) < score
    tracemalloc.start()
    require_unseen(train, rows, cols)
    abstain_above(rows, cols, score, spread, 0.5)
    _, propensity = (model.fit(network).score(rows, cols) for model in (Constant(), RowColumn()))
    RiskControl(0.2).calibrate(confidence_of(score, spread), (score > 0.5) != label)
    ConformalIntervals().calibrate(score, label, spread, propensity).interval(score, spread, propensity)
    ConformalSets().calibrate(score, label).sets(score)
    discover(score, score[~label])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100e6
