"""Plain NMF with unknown entries as zeros, the baseline of the paper."""

from __future__ import annotations

import numpy as np
import pytest

from latentlink import Network, NMFk
from latentlink.errors import IncompatibleError
from latentlink.regime import real
from latentlink.solvers import NMF


def data(hidden=0.3, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.gamma(0.5, size=(15, 2)) @ rng.gamma(0.5, size=(2, 10))
    return X, rng.random(X.shape) < hidden


@pytest.mark.parametrize("updates", ["descent", "multiplicative"])
def test_unknown_entries_are_fitted_as_zeros_however_they_are_marked(updates):
    X, missing = data()
    filled = NMF(updates=updates).solve(Network.from_dense(np.where(missing, 0, X)), 2, 0).members[0]
    listed = Network.from_dense(X)
    i, j = np.nonzero(~missing)
    networks = {
        "NaN": Network.from_dense(np.where(missing, np.nan, X)),
        "hidden": listed.hide(missing[listed.rows, listed.cols]),
        "unlisted": Network(i, j, X[i, j], shape=X.shape),
    }
    rows, cols = np.indices(X.shape).reshape(2, -1)
    for name, network in networks.items():
        model = NMF(updates=updates, missing="zero").solve(network, 2, 0).members[0]
        np.testing.assert_allclose(
            model.score(rows, cols), filled.score(rows, cols), rtol=1e-6, atol=1e-6, err_msg=name
        )


def test_ignored_entries_are_predicted_and_zeros_are_not():
    X, missing = data()
    network = Network.from_dense(np.where(missing, np.nan, X))
    errors = {}
    for kind in ("ignore", "zero"):
        model = NMFk((2,), solver=NMF(missing=kind), n_perturbs=4, random_state=0).fit(network)
        errors[kind] = np.sqrt(np.mean((model.predict_links(np.argwhere(missing)) - X[missing]) ** 2))
    assert errors["ignore"] < 0.1 * errors["zero"]


def test_new_rows_have_zeros_too():
    X, missing = data()
    network = Network.from_dense(np.where(missing, np.nan, X))
    model = NMFk((2,), solver=NMF(missing="zero"), n_perturbs=2, random_state=0).fit(network)
    W = model.transform(network)
    filled = np.where(missing, 0, X)
    gradient = (W @ model.H_ - filled) @ model.H_.T
    assert np.abs(gradient[W > 0]).max() < 1e-6  # the minimum of the filled rows
    assert gradient.min() > -1e-6


def test_links_alone_are_no_trivial_problem_then():
    network = Network.from_edges([(0, 1), (1, 2), (2, 0)], shape=(4, 4))
    with pytest.raises(IncompatibleError, match="There are three ways"):
        NMF().solve(network, 1, 0)
    assert NMF(missing="zero").solve(network, 1, 0).members[0].score(0, 1) < 1


def test_another_word_raises():
    with pytest.raises(IncompatibleError, match="NMF has missing='nan'; expected one of 'ignore', 'zero'"):
        NMFk((2,), solver=NMF(missing="nan"), regime=real()).fit(np.ones((3, 3)))
