"""Kinds of values on both sides of each threshold."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network
from latentlink.stacking.values import ValueKind, kind_of_values, value_kind


def network_of(values):
    return Network.from_dense(np.atleast_2d(np.asarray(values, np.float64)))


@pytest.mark.parametrize(("different", "name"), [(50, "scale"), (51, "bounded")])
def test_a_scale_has_up_to_50_values(different, name, monkeypatch):
    monkeypatch.setattr(value_kind, "bounded_range", lambda _: (0.0, 9.0))
    kind = kind_of_values(network_of(np.linspace(0, 9, different)))
    assert (kind.name, kind.low, kind.high, kind.bounds) == (name, 0, 9, (0, 9))


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ([0, 1, 2], "counts"),
        ([0, 2], "real"),
        ([3, 3, 3], "real"),
        ([-1, 1, 2], "real"),
        ([0, 1, 2.5], "real"),
        ([1, 4, 7], "counts"),
    ],
)
def test_counts_are_three_different_whole_numbers_of_at_least_0(values, name, monkeypatch):
    monkeypatch.setattr(value_kind, "bounded_range", lambda _: None)
    kind = kind_of_values(network_of(values))
    assert kind.name == name
    assert (kind.low, kind.high) == (0 if name == "counts" else -np.inf, np.inf)
    assert kind.bounds == ((0, np.inf) if name == "counts" else None)


def test_nothing_known_is_real():
    assert kind_of_values(Network([], [], shape=(3, 4))).name == "real"


@pytest.mark.parametrize(
    ("low", "high", "bounds"),
    [(-np.inf, np.inf, None), (0, np.inf, (0, np.inf)), (-np.inf, 1, (-np.inf, 1)), (0, 1, (0, 1))],
)
def test_one_end_is_a_range(low, high, bounds):
    assert ValueKind("any", low, high, "").bounds == bounds


def test_the_sentence_says_that_columns_are_standardized():
    network = network_of([0.5, -1.3, 2.2, 0.1])
    plain, standardized = kind_of_values(network), kind_of_values(network, standardized=True)
    assert standardized.sentence == f"{plain.sentence}; columns differ in unit, and each is standardized"
