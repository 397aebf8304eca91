"""Known cells as signed weights: every kind of network, every member, with and without a background."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from latentlink.errors import IncompatibleError
from latentlink.network import Ensemble, Network
from latentlink.regime import Cells
from tests.regime.dense import dense_cells, ensembles


def as_dense(cells, lines, shape):
    """Signed weights of all cells, by row or by column."""
    dense = np.full(shape, -cells.background)
    of_line = np.repeat(np.arange(shape[0]), np.diff(lines.indptr))
    dense[of_line, lines.indices] = lines.signed
    return dense


@settings(max_examples=60)
@given(ensembles())
@pytest.mark.slow
def test_cells_by_row_and_by_column_equal_the_dense_weights(ensemble):
    shape = ensemble.network.shape
    for member, cells in enumerate(Cells.each(ensemble)):
        ones, weights = dense_cells(ensemble, member)
        expected = np.where(ones, weights, -weights)
        np.testing.assert_array_equal(as_dense(cells, cells.rows, shape), expected)
        np.testing.assert_array_equal(as_dense(cells, cells.cols, shape[::-1]), expected.T)
        assert cells.total == weights.sum()


@settings(max_examples=40)
@given(ensembles())
def test_what_cells_weigh_beyond_the_background_sums_to_what_all_cells_weigh(ensemble):
    shape = ensemble.network.shape
    cells = Cells.of(ensemble)
    ones, weights = dense_cells(ensemble)
    signed = np.where(ones, weights, -weights)
    for side, lines in enumerate(cells.beyond_background):
        of_line = np.repeat(np.arange(shape[side]), np.diff(lines.indptr))
        sums = np.bincount(of_line, lines.signed, shape[side]) - cells.background * shape[1 - side]
        np.testing.assert_array_equal(sums, signed.sum(axis=1 - side))
        assert (cells.line_weights[side] >= np.abs(signed).sum(axis=1 - side)).all()


@settings(max_examples=40)
@given(ensembles())
def test_the_cells_of_one_member_equal_those_among_all(ensemble):
    for member, cells in enumerate(Cells.each(ensemble)):
        np.testing.assert_array_equal(Cells.of(ensemble, member).rows.signed, cells.rows.signed)


def test_a_value_above_one_half_is_a_one():
    network = Network([0, 0, 1, 1], [0, 1, 0, 1], [0.5, 0.51, 1.7, -3.0], shape=(2, 2))
    np.testing.assert_array_equal(Cells.of(Ensemble.of(network)).rows.signed, [-1, 1, 1, -1])


def test_a_background_requires_that_every_pair_is_listed_once():
    twice = Network([0, 0], [1, 1], [1.0, 0.0], shape=(2, 2), background=0.5)
    with pytest.raises(IncompatibleError, match="every pair listed once"):
        Cells.of(Ensemble.of(twice))
    plain = Cells.of(Ensemble.of(twice.with_background(0.0)))
    np.testing.assert_array_equal(plain.rows.signed, [1.0, -1.0])


def test_cells_without_weight_are_positive_zeros():
    network = Network([0, 0, 1], [0, 1, 1], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], shape=(2, 2))
    signed = Cells.of(Ensemble.of(network)).rows.signed
    np.testing.assert_array_equal(signed, [0.0, 0.0, -1.0])
    np.testing.assert_array_equal(np.signbit(signed), [False, False, True])


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_index_of_cells_is_read_only(symmetric):
    network = Network([0, 0, 1], [1, 2, 2], shape=(3, 3), symmetric=symmetric)
    cells = Cells.of(Ensemble.of(network))
    for lines in (cells.rows, cells.cols):
        for array in (lines.indptr, lines.indices):
            assert not array.flags.writeable
