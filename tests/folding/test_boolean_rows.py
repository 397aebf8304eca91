"""New rows of Boolean factors, against all combinations of components."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from latentlink import Network, RNMFk
from latentlink.factors import Factors
from latentlink.folding.boolean_rows import boolean_rows
from latentlink.regime import KMeans, boolean
from latentlink.solvers import RNMF
from tests.helpers.fitted import SMALL, blocks, with_unknown


def test_rows_have_the_fewest_errors_on_known_entries(boolean_model):
    X, H = with_unknown(blocks(seed=7), 0.2, 0), boolean_model.H_
    W = boolean_model.transform(X)
    assert np.isin(W, (0, 1)).all()
    for w, row in zip(W, X, strict=True):
        known = ~np.isnan(row)
        errors = {u: np.sum(((u @ H > 0) != row)[known]) for u in product((0.0, 1.0), repeat=2)}
        assert errors[tuple(w)] == min(errors.values())


@pytest.mark.parametrize("background", [0.0, 1.0])
def test_rows_of_more_components_are_near_the_fewest_errors(background):
    rng = np.random.default_rng(0)
    H = (rng.random((4, 12)) < 0.4) * 1.0
    X = ((rng.random((20, 4)) < 0.4) @ H > 0) ^ (rng.random((20, 12)) < 0.1)
    network = Network.from_dense(X)
    if background:
        network = network.subset(network.values > 0).with_background(1.0)
    W = boolean_rows(network, Factors(np.ones((3, 4)), H, boolean=True)).W
    errors = np.sum((W @ H > 0) != X, axis=1)
    fewest = [min(np.sum((np.array(u) @ H > 0) != row) for u in product((0, 1), repeat=4)) for row in X]
    assert np.mean(errors == fewest) >= 0.9  # one change at a time may end in a local minimum
    assert np.all(errors <= np.array(fewest) + 1)


def test_rows_without_known_entries_have_the_components_of_most_rows():
    model = Factors(np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]), np.eye(2), boolean=True)
    rows = boolean_rows(Network([0], [1], [1.0], shape=(2, 2)), model)
    assert rows.W.tolist() == [[0.0, 1.0], [1.0, 0.0]]
    assert not rows.symmetric


def test_rounds_begin_without_components():
    model = Factors(np.zeros((1, 3)), np.eye(3), boolean=True)
    network = Network.from_dense(np.ones((1, 3)))
    assert boolean_rows(network, model, max_rounds=0).W.tolist() == [[0, 0, 0]]
    assert boolean_rows(network, model, max_rounds=1).W.tolist() == [[1, 1, 1]]


def test_boolean_factors_with_biases_are_regressed_and_binarized():
    model = RNMFk(solver=RNMF(ridge=0.05), regime=boolean(KMeans()), **SMALL).fit(blocks())
    assert not model.factors_.boolean
    assert np.isin(model.transform(blocks(seed=2)), (0, 1)).all()
