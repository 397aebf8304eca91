"""Defects of the reference implementation (FINDINGS, section 1), each by its number: never ours."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from latentlink import BNMFk, NMFk, RNMFk, WNMFk
from latentlink.errors import DataWarning
from latentlink.rank import SilhouetteCutoff
from latentlink.solvers import NMF, RNMF, WNMF
from tests.estimators.conftest import SMALL, blocks, every_pair, planted

SHAPE = (30, 24)


def gaussian(rank=3, seed=0):
    """Products of half-normal factors, without noise."""
    rng = np.random.default_rng(seed)
    return np.abs(rng.standard_normal((SHAPE[0], rank))) @ np.abs(rng.standard_normal((rank, SHAPE[1])))


def hidden(share, seed=0):
    return np.random.default_rng(seed).random(SHAPE) < share


def rmse(model, X, out):
    return float(np.sqrt(np.mean((model.predict_links(np.argwhere(out)) - X[out]) ** 2)))


def test_defect_1_held_out_predictions_are_not_pulled_to_zero():
    """There H is regressed on the zero-filled matrix: 1.22 instead of 0.009 with half of it hidden."""
    X, out = gaussian(), hidden(0.5)
    model = WNMFk((3,), solver=WNMF(ridge=1e-4, max_iter=3000), n_perturbs=8, random_state=0)
    model.fit(np.where(out, np.nan, X))
    assert rmse(model, X, out) < 0.05
    assert rmse(model, X, out) < 0.05 * X.std()
    # What stands in unknown entries has no say at all.
    filled = model.predict_links(every_pair(SHAPE))
    model.fit(np.where(out, 1e3, X), mask=~out)
    np.testing.assert_array_equal(model.predict_links(every_pair(SHAPE)), filled)


def test_defect_2_mean_and_biases_are_counted_once():
    rng = np.random.default_rng(0)
    X = 3.5 + rng.normal(0, 0.5, (30, 1)) + rng.normal(0, 0.5, (1, 24))  # nothing but mean and biases
    model = RNMFk((1,), solver=RNMF(ridge=0.05), n_perturbs=4, random_state=0).fit(X)
    for by in ("model", "ensemble"):
        scores = model.predict_links(every_pair(SHAPE), by=by)
        assert np.sqrt(np.mean((scores - X.ravel()) ** 2)) < 0.05
    # New rows are scored on the same scale.
    new = model.fold_in(X[:3])
    scores = new.predict_links(every_pair((3, 24)))
    assert np.sqrt(np.mean((scores - X[:3].ravel()) ** 2)) < 0.05


def test_defect_7_each_member_keeps_its_own_biases():
    """There biases are averaged by repeated halving: the last member's weigh half of all."""
    model = RNMFk((1,), solver=RNMF(ridge=0.05), n_perturbs=4, random_state=0).fit(planted())
    biases = np.array([member.row_bias for member in model.members_])
    assert len({tuple(each) for each in biases}) == len(model.members_)
    pairs = every_pair((12, 9))
    scores = np.array([member.score(*pairs.T) for member in model.members_])
    mean, spread = model.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(mean, scores.mean(axis=0))
    np.testing.assert_allclose(spread, scores.std(axis=0))


def test_defect_10_nothing_persists_from_one_fit_to_the_next():
    model = WNMFk(
        (1, 2, 3), solver=WNMF(ridge=0.01), selection=SilhouetteCutoff(), n_perturbs=4, random_state=0
    )
    first = model.fit(planted())
    kept = first.path_.ranks, first.rank_, first.predict_links([(0, 0)])
    model.fit(gaussian(rank=1))  # other data, other shape, another rank
    model.fit(planted())
    assert (model.path_.ranks, model.rank_) == kept[:2]
    np.testing.assert_array_equal(model.predict_links([(0, 0)]), kept[2])
    assert model.ranks == (1, 2, 3)


def test_defect_11_defaults_are_not_shared_or_changed():
    one = BNMFk().set_params(regime__threshold=None, regime__perturb__eps_pos=0.4, solver__ridge=3.0)
    other = BNMFk()
    assert one.get_params()["regime__perturb__eps_pos"] == 0.4
    assert other.get_params()["regime__perturb__eps_pos"] is None
    assert other.get_params()["regime__threshold"] is not None
    assert one.regime is not other._filled("regime")
    before = repr(WNMFk(**SMALL).get_params())
    WNMFk(**SMALL).set_params(solver__ridge=0.01).fit(planted())
    assert repr(WNMFk(**SMALL).get_params()) == before


def test_defect_12_inputs_and_masks_are_not_overwritten():
    X, mask = blocks(), np.ones((14, 10))
    mask[:3, :3] = 0
    stored = sparse.csr_array(X)
    copies = X.copy(), mask.copy(), stored.data.copy()
    for model in (NMFk(solver=NMF(max_iter=50), **SMALL), BNMFk(**SMALL)):
        model.fit(X, mask=mask)
        model.transform(X, mask=mask)
        model.fit(stored)
    np.testing.assert_array_equal(X, copies[0])
    np.testing.assert_array_equal(mask, copies[1])
    np.testing.assert_array_equal(stored.data, copies[2])


def test_defect_13_no_global_seed_and_no_word_from_threads():
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    model = WNMFk((1, 2), solver=WNMF(max_iter=40, ridge=0.01), n_perturbs=9, random_state=0)
    scores = [
        model.set_params(n_jobs=jobs).fit(planted()).predict_links(every_pair((12, 9))) for jobs in (1, 2, 4)
    ]
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    np.testing.assert_array_equal(scores[0], scores[1])
    np.testing.assert_array_equal(scores[0], scores[2])


@pytest.mark.parametrize("kind", [int, bool, np.float32, np.uint8])
def test_defect_14_integers_and_booleans_are_numbers(kind):
    expected = NMFk(solver=NMF(max_iter=50), **SMALL).fit(blocks()).predict_links([(0, 0), (3, 2)])
    found = NMFk(solver=NMF(max_iter=50), **SMALL).fit(blocks().astype(kind)).predict_links([(0, 0), (3, 2)])
    np.testing.assert_array_equal(found, expected)


def test_defect_14_sparse_input_works():
    model = NMFk(solver=NMF(max_iter=50), **SMALL).fit(sparse.csr_matrix(blocks()))
    assert np.isfinite(model.predict_links(every_pair((14, 10)))).all()


@pytest.mark.parametrize("solver", [NMF(max_iter=50), NMF(max_iter=50, init="nndsvd")], ids=str)
def test_defect_14_nan_is_unknown(solver):
    X = planted()
    X[2, 3] = np.nan
    assert np.isfinite(NMFk(solver=solver, **SMALL).fit(X).predict_links([(2, 3)])).all()


@pytest.mark.parametrize("estimator", [NMFk, WNMFk, BNMFk])
def test_defect_14_negative_numbers_are_refused_in_a_sentence(estimator):
    X = planted()
    X[2, 3] = -1
    with pytest.raises(ValueError, match=r"Negative values in data.*-1 in row 2, column 3"):
        estimator(**SMALL).fit(X)


def test_defect_15_rows_without_a_known_entry_are_not_zero():
    X = planted()
    expected = X[:, 4].mean()
    X[3] = np.nan
    with pytest.warns(DataWarning, match=r"Nothing is known of 1 row \(3\)"):
        model = WNMFk(solver=WNMF(ridge=0.01), **SMALL).fit(X)
    score = model.predict_links([(3, 4)])[0]
    assert score == pytest.approx(expected, rel=0.3)


def test_defect_15_new_rows_without_a_known_entry_are_told_of(weighted):
    with pytest.warns(DataWarning, match="Nothing is known of 1 new row "):
        assert (weighted.transform(np.full((1, 9), np.nan)) > 0).all()
