"""What every promise says of itself."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.uncertainty import ConformalIntervals, ConformalSets, RiskControl, discover
from latentlink.uncertainty.limits import VOID
from latentlink.validation.wording import percent

N = np.arange(100)
PROMISES = {
    "risk": RiskControl().calibrate(N, np.zeros(100)),
    "intervals": ConformalIntervals().calibrate(np.zeros(100), N),
    "sets": ConformalSets().calibrate(N, N % 2),
}


@pytest.mark.parametrize("name", PROMISES)
def test_each_ends_with_what_makes_it_void(name):
    assert PROMISES[name].limits.endswith(VOID)
    assert "100 calibration pairs" in PROMISES[name].limits or "50 links" in PROMISES[name].limits


@pytest.mark.parametrize("part", ["on average", "each node", "another way", "does not know", "rank", "curve"])
def test_what_makes_it_void(part):
    assert part in VOID


def test_discoveries_have_their_own():
    limits = discover(N, np.zeros(99)).limits
    assert "had no say in the fit or in the rank" in limits
    assert "nor for each node" in limits


def test_shares_in_percent():
    assert [percent(share) for share in (0.1, 0.025, 1 - 0.1, 0.999)] == ["10 %", "2.5 %", "90 %", "99.9 %"]
