"""Rows and columns without known entries, against a plain count, and the warning about them."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink.errors import DataWarning
from latentlink.network import Ensemble, Network
from latentlink.solvers.descent.empty_lines import empty_lines, empty_lines_by_member, warn_of_empty_lines


def ensemble_of(seed, background, symmetric, own_weights):
    """Return an ensemble of three members, with few known entries and weights below and above 1."""
    rng = np.random.default_rng(seed)
    shape = (5, 5) if symmetric else (5, 4)
    listed = np.triu(rng.random(shape) < 0.9) if symmetric else rng.random(shape) < 0.9
    rows, cols = np.nonzero(listed)
    count = len(rows)
    weights = rng.choice([0.0, 0.25, 1.0, 3.0], (count, 3), p=[0.5, 0.2, 0.2, 0.1])
    weights = weights if own_weights else weights[:, 0]
    values = np.where(rng.random((count, 3)) < 0.4, np.nan, 1.0)
    network = Network(
        rows, cols, np.ones(count), np.ones(count), shape=shape, symmetric=symmetric, background=background
    )
    return Ensemble(network, values, weights)


def plain_empty(ensemble, member):
    """Mark lines of which no cell is known: neither listed with a weight, nor a zero of the background."""
    network = ensemble.network
    known = np.full(network.shape, network.background > 0)
    weights = ensemble.weights if ensemble.weights.ndim == 1 else ensemble.weights[:, member]
    listed = ~np.isnan(ensemble.values[:, member]) & (weights > 0)
    known[network.rows, network.cols] = listed
    if network.symmetric:
        known[network.cols, network.rows] = listed
    return ~known.any(axis=1), ~known.any(axis=0)


@pytest.mark.parametrize("own_weights", [True, False])
@pytest.mark.parametrize("symmetric", [True, False])
@pytest.mark.parametrize("background", [0.0, 0.5])
def test_lines_without_a_known_cell(background, symmetric, own_weights):
    empty = 0
    for seed in range(20):
        ensemble = ensemble_of(seed, background, symmetric, own_weights)
        by_member = empty_lines_by_member(ensemble)
        expected = [plain_empty(ensemble, member) for member in range(3)]
        for member in range(3):
            for side, lines in enumerate(empty_lines(ensemble, member)):
                np.testing.assert_array_equal(lines, expected[member][side])
                np.testing.assert_array_equal(by_member[side][:, member], expected[member][side])
        for side, lines in enumerate(empty_lines(ensemble, None)):
            np.testing.assert_array_equal(lines, np.all([each[side] for each in expected], axis=0))
        empty += sum(side.sum() for side in by_member)
    assert empty > 0


def test_members_that_all_are_the_network():
    network = Network([0, 0, 2], [0, 1, 1], [1.0, 2.0, 3.0], [1.0, 0.0, 0.5], shape=(3, 3))
    for members in (1, 4):
        rows, cols = empty_lines(Ensemble.of(network, members), None)
        assert (rows.tolist(), cols.tolist()) == ([False, True, False], [False, False, True])


@pytest.mark.parametrize(
    ("count", "shown"),
    [(1, "row (b0)"), (5, "rows (b0, b1, b2, b3, b4)"), (6, "rows (b0, b1, b2, b3, b4, ...)")],
)
def test_the_first_five_are_named(count, shown):
    names = ["a", *(f"b{k}" for k in range(count))]
    network = Network([0], [0], shape=(count + 1, 1), row_names=names)
    with pytest.warns(DataWarning) as warned:
        warn_of_empty_lines(Ensemble.of(network))
    assert [str(each.message) for each in warned] == [
        f"Nothing is known of {count} {shown}: each gets the average of the other rows, and its scores carry "
        "no further information."
    ]


def test_lines_whose_entries_are_held_out_are_unknown_in_this_fit():
    network = Network([0, 1, 1], [0, 1, 2], [1.0, 2.0, 3.0], [1.0, 1.0, 0.0], shape=(2, 3))
    with pytest.warns(DataWarning, match=r"Nothing is known of 1 column \(2\) in this fit: each gets"):
        warn_of_empty_lines(Ensemble.of(network))


def test_columns_and_nodes_without_names_are_named_by_index():
    with pytest.warns(DataWarning, match=r"Nothing is known of 2 columns \(1, 2\): "):
        warn_of_empty_lines(Ensemble.of(Network([0], [0], shape=(1, 3))))
    with pytest.warns(DataWarning, match=r"Nothing is known of 1 node \(2\): .* of the other nodes"):
        warn_of_empty_lines(Ensemble.of(Network([0], [1], shape=(3, 3), symmetric=True)))
