"""R^2 of held-out entries: of new rows in five folds, and of the entries held out of the members."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from latentlink import Network, WNMFk
from latentlink.errors import IncompatibleError, InputError
from latentlink.folding import own_score
from latentlink.solvers import WNMF
from tests.helpers.fitted import SMALL, blocks, planted, unseen_rows


@pytest.mark.slow
def test_no_entry_is_predicted_from_itself():
    """Noise cannot be predicted from noise, however large the rank; columns fitted to it know it a little."""
    X, other = np.random.default_rng(0).random((2, 20, 10))
    model = WNMFk((9,), solver=WNMF(ridge=0.01, max_iter=300), n_perturbs=2, random_state=0).fit(X)
    assert model.score(X) < 0.4
    assert model.score(other) < 0
    assert WNMFk(solver=WNMF(ridge=0.001), **SMALL).fit(planted()).score(planted()) > 0.95


@pytest.mark.slow
def test_the_score_is_r_squared_of_five_folds(weighted):
    X = unseen_rows(shape=(4, 9), hidden=0.1)
    predicted = np.full(X.shape, np.nan)
    for fold in range(5):
        hidden = X.copy()
        for i, row in enumerate(X):
            known = np.flatnonzero(~np.isnan(row))
            hidden[i, known[fold::5]] = np.nan
        out = np.isnan(hidden) & ~np.isnan(X)
        predicted[out] = weighted.inverse_transform(weighted.transform(hidden))[out]
    known = ~np.isnan(X)
    expected = 1 - np.sum((X - predicted)[known] ** 2) / np.sum((X[known] - X[known].mean()) ** 2)
    assert weighted.score(X) == pytest.approx(expected)
    assert weighted.score(X, y=None) == weighted.score(Network.from_dense(X))


@pytest.mark.slow
def test_unlisted_zeros_are_scored_like_listed_ones(logistic):
    X = blocks(seed=3)[:7]
    assert logistic.score(sparse.csr_array(X)) == pytest.approx(logistic.score(X), abs=1e-6)


@pytest.mark.slow
def test_entries_under_a_mask_of_zero_are_not_scored(weighted):
    X = planted()[:6]
    mask = np.random.default_rng(3).random(X.shape) < 0.8
    assert weighted.score(X, mask=mask) == weighted.score(np.where(mask, X, np.nan))
    assert weighted.score(X, mask=mask) != weighted.score(X)
    with pytest.raises(InputError, match="a mask but no X"):
        weighted.score(mask=mask)


def test_constant_rows_score_one_if_predicted_exactly_and_zero_if_not():
    model = WNMFk(solver=WNMF(ridge=0.0), **SMALL).fit(planted())
    assert model.score(np.zeros((2, 9))) == 1.0
    assert model.score(np.full((2, 9), 5.0)) == 0.0


# ---------------------------------------------------------------- without X


def test_without_rows_the_score_is_that_of_entries_held_out_of_the_members(weighted):
    record = weighted.path_[2]
    expected = 1 - np.nanmean(record.held_out) / weighted.network_.values.var()
    assert weighted.score() == pytest.approx(expected)


def test_without_held_out_entries_there_is_no_score(weighted):
    record = replace(weighted.path_[2], held_out=np.full(3, np.nan))
    with pytest.raises(IncompatibleError, match="speckle is 0"):
        own_score(weighted.network_, record)
