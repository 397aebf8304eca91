"""Limits of values, weights and penalties in each precision."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.network import Network
from latentlink.solvers import WNMF


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_values_weights_and_penalties_up_to_the_limits_of_the_precision(precision):
    """From 1e4 times the root of the smallest to 1e-4 times the root of the largest number."""
    numbers = np.finfo(precision)
    most, least = 1e-4 * float(np.sqrt(numbers.max)), 1e4 * float(np.sqrt(numbers.tiny))
    for size, limit, ok in [
        (most, "", True),
        (1.01 * most, "up to", False),
        (least, "", True),
        (0.99 * least, "from", False),
    ]:
        for value, weight in ((size, 1.0), (size / 8, 64.0)):  # powers of 2, so that products are exact
            network = Network.from_dense([[value, 0.0], [0.0, value / 2]])
            network = network.with_weights(np.full(4, weight))
            solver = WNMF(precision=precision, ridge=0.0)
            if ok:
                solver.check(network)
            else:
                with pytest.raises(IncompatibleError, match=limit):
                    solver.check(network)
    largest = 1e-8 * float(numbers.max)
    network = Network.from_dense(np.eye(3))
    WNMF(precision=precision, ridge=largest).check(network)
    with pytest.raises(IncompatibleError, match="exceeds the range"):
        WNMF(precision=precision, ridge=1.01 * largest).check(network)
