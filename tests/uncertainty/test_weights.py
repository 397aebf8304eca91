"""The paper's weights by certainty."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from latentlink.errors import InputError
from latentlink.uncertainty import uq_weights

SPREADS = arrays(float, st.integers(1, 20), elements=st.floats(0, 10, width=32))


@given(SPREADS, SPREADS)
def test_they_are_those_of_the_paper(train, spread):
    w = spread / (1 + np.median(train))
    np.testing.assert_allclose(uq_weights(spread, train), 1 / (1 + w))


@given(SPREADS, SPREADS)
def test_the_surer_the_more_and_never_more_than_one(train, spread):
    weights = uq_weights(np.sort(spread), train)
    assert (np.diff(weights) <= 0).all()
    assert 0 < weights.min() <= weights.max() <= 1
    assert uq_weights([0.0], train) == 1


def test_refusals():
    with pytest.raises(InputError, match="no training entries to take the median"):
        uq_weights([0.1], [])
    with pytest.raises(InputError, match="spread of pair 0 is -1"):
        uq_weights([-1], [0.1])
    assert len(uq_weights([], [0.1])) == 0
