"""Description length of Boolean models, compared with the formula."""

from __future__ import annotations

from math import comb, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.regime import Cells
from latentlink.regime.boolean_fit import BooleanFit
from latentlink.regime.description_length import description_length
from tests.helpers.oracle import dense_problem
from tests.network.strategies import networks
from tests.regime.dense import boolean_factors, dense_error, planted


def length_of(network, factors):
    """The description length of a model of a network."""
    return description_length(BooleanFit(Cells.of(Ensemble.of(network)), factors.W, factors.H))


def bits(cells, ones):
    """Bits of the number of ones and of their positions."""
    return log2(cells + 1) + log2(comb(cells, ones))


def formula(factors, known, wrong):
    """Bits of each column of W, of each row of H, and of the errors among known cells."""
    model = [bits(len(line), int(line.sum())) for side in (factors.W.T, factors.H) for line in side]
    return sum(model) + bits(known, wrong)


@settings(max_examples=80)
@given(networks(binary=True), st.data())
@pytest.mark.slow
def test_the_length_equals_the_formula(network, data):
    """For every kind of network; a symmetric pair counts once, hidden entries and the diagonal do not."""
    counted = network.with_weights((network.weights > 0).astype(float))
    counted = counted.with_background(float(network.background > 0))
    factors = data.draw(boolean_factors(network.shape))
    if network.symmetric:
        factors = Factors(factors.W, factors.W.T, boolean=True, symmetric=True)
    known, wrong = dense_problem(counted)[1].sum(), dense_error(counted, factors)
    assert known == int(known)
    assert length_of(counted, factors) == pytest.approx(formula(factors, int(known), int(wrong)), rel=1e-9)


def test_listed_and_unlisted_zeros_take_the_same_bits():
    _, observed = planted((20, 15), 3, 0.3, 0.05, 0)
    dense = Network.from_dense(observed.astype(float))
    sparse = dense.subset(dense.values == 1).with_background(1.0)
    rng = np.random.default_rng(0)
    factors = Factors(rng.integers(0, 2, (20, 3)) * 1.0, rng.integers(0, 2, (3, 15)) * 1.0, boolean=True)
    assert length_of(sparse, factors) == pytest.approx(length_of(dense, factors), rel=1e-12)


def test_errors_and_cells_are_counted_by_their_weights():
    X = np.kron(np.eye(2), np.ones((4, 4)))
    network = Network.from_dense(X)
    half = Factors(X[:, :1], X[:1], boolean=True)  # one of the two blocks: 16 errors among 64 cells
    assert length_of(network, half) == pytest.approx(formula(half, 64, 16))
    double = network.with_weights(np.full(64, 2.0))
    assert length_of(double, half) == pytest.approx(formula(half, 128, 32))
    light = network.with_weights(np.where(X.ravel() > 0, 0.25, 1.0))
    assert length_of(light, half) == pytest.approx(formula(half, 40, 4))


def test_the_true_number_of_components_has_the_smallest_description_length():
    truth, _ = planted((60, 40), 4, 0.3, 0.0, 1)
    rng = np.random.default_rng(1)
    W, H = rng.random((60, 4)) < 0.3, rng.random((4, 40)) < 0.3
    np.testing.assert_array_equal(W.astype(int) @ H.astype(int) > 0, truth)
    network = Network.from_dense(truth.astype(float))
    lengths = []
    for rank in range(1, 7):
        more = np.zeros((60, max(0, rank - 4)))
        more[:1] = 1  # further components explain nothing, and cost bits
        factors = Factors(
            np.column_stack([W[:, :rank], more]).astype(float),
            np.vstack([H[:rank], np.zeros((more.shape[1], 40))]).astype(float),
            boolean=True,
        )
        lengths.append(length_of(network, factors))
    assert int(np.argmin(lengths)) + 1 == 4


def test_the_description_length_of_one_cell():
    network = Network.from_dense([[1.0]])
    right = Factors(np.ones((1, 1)), np.ones((1, 1)), boolean=True)
    assert length_of(network, right) == pytest.approx(3.0)  # one bit each for W, H and the errors
    assert length_of(network.hide([0]), right) == pytest.approx(2.0)
