"""The paper's threshold of keeping silent."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from latentlink.errors import InputError
from latentlink.uncertainty import judged, spread_threshold

SPREADS = arrays(float, st.integers(1, 20), elements=st.floats(0, 10, width=32))


@given(SPREADS, SPREADS)
def test_silence_is_where_the_spread_exceeds_the_training_mean(train, spread):
    tau = spread_threshold(train)
    assert tau == train.mean()
    found = judged(range(len(spread)), range(len(spread)), np.zeros(len(spread)), spread, tau)
    assert found.abstained.tolist() == [one > tau for one in spread]
    assert found.f_abstain == pytest.approx(np.mean(spread > tau))
    assert found.coverage == pytest.approx(1 - found.f_abstain)
    assert found.threshold == tau


def test_the_threshold_itself_is_answered():
    assert judged([0], [0], [1.0], [0.25], 0.25).coverage == 1


def test_infinity_answers_everything():
    assert judged([0], [0], [1.0], [1e9], np.inf).coverage == 1


def test_the_input_stays_as_it_was():
    score = np.array([0.1, 0.2])
    found = judged([0, 1], [0, 1], score, [0.1, 0.2], 0.1)
    found.score[0] = 7
    assert score[0] == 0.1


def test_refusals():
    with pytest.raises(InputError, match="no training entries to take the mean"):
        spread_threshold([])
    with pytest.raises(InputError, match=r"spread of pair 1 is -0\.5; expected a standard deviation"):
        spread_threshold([0.1, -0.5])
    for threshold in (np.nan, -0.1, "much", None):
        with pytest.raises(InputError, match=r"threshold is .*; expected a spread, 0 or more"):
            judged([0], [0], [0.1], [0.1], threshold)
    with pytest.raises(InputError, match=r"spreads have shape \(1,\); expected \(2,\)"):
        judged([0, 1], [0, 1], [0.1, 0.2], [0.1], 0.1)
    with pytest.raises(InputError, match="score of pair 0 is nan"):
        judged([0], [0], [np.nan], [0.1], 0.1)
