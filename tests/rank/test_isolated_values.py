"""Of values that are alone in their rows and columns none can be predicted, and no rank is agreed upon."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import BNMFk, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import RankWarning
from latentlink.network import Network
from latentlink.solvers import SymLMF

TOLD = "the held-out error is that of zeros alone, since no other value can be predicted"


def with_ones(*places):
    """A matrix of zeros with some ones."""
    values = np.zeros((20, 12))
    for place in places:
        values[place] = 1
    return values


def choice_of(model, data):
    """The choice of a fit, and the warnings about it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(data)
    return model.choice_, [str(each.message) for each in caught if each.category is RankWarning]


@pytest.mark.parametrize("cls", [WNMFk, NMFk, RNMFk, BNMFk])
@pytest.mark.parametrize("places", [[(0, 0)], [(0, 0), (3, 4), (7, 9)]], ids=["one", "three"])
def test_no_rank_of_isolated_values_is_agreed_upon(cls, places):
    choice, told = choice_of(cls(range(1, 4), n_perturbs=4, random_state=0), with_ones(*places))
    assert choice.status == "unconfirmed"
    assert TOLD in choice.reason or "no component" in choice.reason
    assert len(told) == 1


def test_the_warning_says_why_nothing_can_be_predicted():
    model = WNMFk(range(1, 4), n_perturbs=4, random_state=0)
    _, told = choice_of(model, with_ones((0, 0), (3, 4), (7, 9)))
    assert "Each known value other than 0 is the only one of its row and of its column" in told[0]


def test_pairs_without_a_common_node_are_isolated():
    pairs = np.arange(20).reshape(-1, 2)
    network = Network.from_edges(*pairs.T, np.ones(10), shape=(20, 20), symmetric=True, background=1.0)
    model = RankedFactorizer(range(1, 3), solver=SymLMF(max_iter=20), n_perturbs=3, random_state=0)
    choice, _ = choice_of(model, network)
    assert choice.status == "unconfirmed"
    assert TOLD in choice.reason or "no component" in choice.reason


@pytest.mark.parametrize("places", [[(0, 0), (0, 4)], [(0, 0), (5, 0)]], ids=["row", "column"])
def test_values_that_share_a_row_or_a_column_are_not_isolated(places):
    choice, _ = choice_of(WNMFk(range(1, 3), n_perturbs=4, random_state=0), with_ones(*places))
    assert TOLD not in choice.reason


def test_known_values_alone_without_a_zero_are_not_zeros():
    choice, _ = choice_of(
        WNMFk((1,), n_perturbs=4, random_state=0), np.where(np.eye(6), np.arange(1.0, 7), np.nan)
    )
    assert TOLD not in choice.reason
