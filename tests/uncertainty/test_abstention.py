"""The paper's two uses of the spread: the threshold of abstention, and the weights of metrics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from latentlink.errors import InputError
from latentlink.uncertainty import abstain_above, spread_threshold, uq_weights

SPREADS = arrays(float, st.integers(1, 20), elements=st.floats(0, 10, width=32))


@settings(max_examples=40)
@given(SPREADS, SPREADS)
def test_the_model_abstains_where_the_spread_exceeds_the_training_mean(train, spread):
    tau = spread_threshold(train)
    assert tau == train.mean()
    prediction = abstain_above(range(len(spread)), range(len(spread)), np.zeros(len(spread)), spread, tau)
    assert prediction.abstained.tolist() == [one > tau for one in spread]
    assert prediction.f_abstain == pytest.approx(np.mean(spread > tau))
    assert prediction.coverage == pytest.approx(1 - prediction.f_abstain)
    assert prediction.threshold == tau


def test_a_spread_at_the_threshold_is_answered():
    assert abstain_above([0], [0], [1.0], [0.25], 0.25).coverage == 1


def test_an_infinite_threshold_answers_everything():
    assert abstain_above([0], [0], [1.0], [1e9], np.inf).coverage == 1


def test_the_input_is_never_changed():
    score = np.array([0.1, 0.2])
    prediction = abstain_above([0, 1], [0, 1], score, [0.1, 0.2], 0.1)
    prediction.score[0] = 7
    assert score[0] == 0.1


def test_invalid_input_of_abstention_raises():
    with pytest.raises(InputError, match="no training entries to take the mean"):
        spread_threshold([])
    with pytest.raises(InputError, match=r"spread of pair 1 is -0\.5; expected a standard deviation"):
        spread_threshold([0.1, -0.5])
    masked = np.ma.masked_array(np.linspace(0, 1, 60), np.arange(60) == 7)
    with pytest.raises(InputError, match="spread of pair 7 is masked"):
        spread_threshold(masked)
    for threshold in (np.nan, -0.1, "much", None):
        with pytest.raises(
            InputError, match=r"threshold is .*; expected a number >= 0, a spread, or infinity"
        ):
            abstain_above([0], [0], [0.1], [0.1], threshold)
    with pytest.raises(InputError, match=r"spreads have shape \(1,\); expected \(2,\)"):
        abstain_above([0, 1], [0, 1], [0.1, 0.2], [0.1], 0.1)
    with pytest.raises(InputError, match="score of pair 0 is nan"):
        abstain_above([0], [0], [np.nan], [0.1], 0.1)


@settings(max_examples=40)
@given(SPREADS, SPREADS)
def test_weights_are_those_of_the_paper(train, spread):
    weights = uq_weights(spread, train)
    np.testing.assert_allclose(weights, 1 / (1 + spread / (1 + np.median(train))))
    assert (np.diff(weights[np.argsort(spread)]) <= 0).all()
    assert 0 < weights.min() <= weights.max() <= 1
    assert uq_weights([0.0], train) == 1


def test_invalid_input_of_weights_raises():
    with pytest.raises(InputError, match="no training entries to take the median"):
        uq_weights([0.1], [])
    with pytest.raises(InputError, match="spread of pair 0 is -1"):
        uq_weights([-1], [0.1])
    assert len(uq_weights([], [0.1])) == 0
