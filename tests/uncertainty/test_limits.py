"""The ``limits`` of calibrated rules: every guarantee states its conditions."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.uncertainty import ConformalIntervals, ConformalSets, RiskControl, discover
from latentlink.uncertainty.limits import CONDITIONS
from latentlink.validation.wording import percent

N = np.arange(100)
RULES = {
    "risk": RiskControl().calibrate(N, np.zeros(100)),
    "intervals": ConformalIntervals().calibrate(np.zeros(100), N),
    "sets": ConformalSets().calibrate(N, N % 2),
}


@pytest.mark.parametrize("name", RULES)
def test_each_ends_with_its_conditions(name):
    limits = RULES[name].limits
    assert limits.endswith(CONDITIONS)
    assert "100 calibration pairs" in limits or "50 links" in limits


@pytest.mark.parametrize(
    "part",
    [
        "on average over such pairs",
        "not for each of them or each node",
        "void for pairs chosen in another way than the calibration pairs",
        "nodes that the model does not know",
        "used in fitting",
        "choice of the rank or of the rule",
        "calibration curve",
    ],
)
def test_the_conditions(part):
    assert part in CONDITIONS


def test_discoveries_have_their_own_conditions():
    limits = discover(N, np.zeros(99)).limits
    assert "were not used in fitting or in the choice of the rank" in limits
    assert "nor for each node" in limits


def test_shares_in_percent():
    assert [percent(share) for share in (0.1, 0.025, 1 - 0.1, 0.999)] == ["10 %", "2.5 %", "90 %", "99.9 %"]
