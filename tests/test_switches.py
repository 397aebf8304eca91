"""Settings that are either True or False."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.solvers import LMF, WNMF
from latentlink.strategy import Strategy, strategy
from latentlink.validation.choices import check_switch


@strategy
class Lamp(Strategy):
    lit: bool = True


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_])
def test_switches_are_true_or_false(value):
    assert check_switch(Lamp(lit=value), "lit") is None


@pytest.mark.parametrize("value", [1, 0, None, "yes", 1.0, [], np.array([True]), np.int8(1)], ids=repr)
def test_anything_else_raises(value):
    with pytest.raises(IncompatibleError, match=r"Lamp has lit=.*; expected True or False\."):
        check_switch(Lamp(lit=value), "lit")


@pytest.mark.parametrize("solver", [WNMF(extrapolate="no"), LMF(extrapolate=1), LMF(centred=None)], ids=repr)
def test_solvers_check_their_switches_before_any_work(solver):
    with pytest.raises(IncompatibleError, match="expected True or False"):
        solver.solve(Network.from_dense([[1.0, 0.0], [0.0, 1.0]]), 1, 0)
