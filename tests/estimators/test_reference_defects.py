"""Defects of an earlier implementation of these methods, each with a test that this package is free of it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from latentlink import BNMFk, Network, NMFk, RankedFactorizer, RNMFk, WNMFk
from latentlink.errors import DataWarning
from latentlink.factors import Factors
from latentlink.network import Ensemble
from latentlink.rank import Bisect, Plan, SilhouetteCutoff
from latentlink.rank.engine import summarise
from latentlink.rank.results import Member
from latentlink.regime import (
    Cells,
    HammingAlign,
    KMeans,
    Otsu,
    Regime,
    Search,
    UniformScale,
    boolean,
    real,
)
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from tests.helpers.fitted import SMALL, blocks, every_pair, friends, planted

SHAPE = (30, 24)


def gaussian(rank=3, seed=0):
    """Return a product of half-normal factors, without noise."""
    rng = np.random.default_rng(seed)
    return np.abs(rng.standard_normal((SHAPE[0], rank))) @ np.abs(rng.standard_normal((rank, SHAPE[1])))


def hidden(share, seed=0):
    """Return which entries are hidden."""
    return np.random.default_rng(seed).random(SHAPE) < share


def rmse(model, X, out):
    return float(np.sqrt(np.mean((model.predict_links(np.argwhere(out)) - X[out]) ** 2)))


def test_defect_1_held_out_predictions_are_not_pulled_to_zero():
    """There H is regressed on the zero-filled matrix: 1.22 instead of 0.009 with half of it hidden."""
    X, out = gaussian(), hidden(0.5)
    model = WNMFk((3,), solver=WNMF(ridge=1e-4, max_iter=3000), n_perturbs=3, random_state=0)
    model.fit(np.where(out, np.nan, X))
    assert rmse(model, X, out) < 0.05
    assert rmse(model, X, out) < 0.05 * X.std()
    # Values of unknown entries have zero weight.
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


@pytest.mark.parametrize("threshold", [Otsu(), KMeans(), Search()], ids=str)
def test_defect_3_a_column_of_two_values_keeps_both(threshold):
    """There Otsu's threshold sits on the lower class, so that a two-valued column becomes all ones."""
    W = np.array([[0.2], [0.2], [0.9], [0.9], [0.2]])
    cells = Cells.of(Ensemble.of(Network.from_dense(np.outer(W[:, 0] > 0.5, [1.0, 1.0, 0.0]))))
    binary = threshold.binarize(Factors(W, np.array([[0.8, 0.8, 0.1]])), cells)
    np.testing.assert_array_equal(binary.W[:, 0], [0, 0, 1, 1, 0])
    np.testing.assert_array_equal(binary.H, [[1, 1, 0]])


@pytest.mark.parametrize("regime", [real(), boolean(KMeans())], ids=str)
def test_defect_4_the_stability_of_h_is_that_of_h(regime):
    """There it is computed from W, or from an H that was never aligned."""
    rng = np.random.default_rng(0)
    W, H = (rng.random((12, 3)) < 0.5) * 1.0, [(rng.random((3, 40)) < 0.5) * 1.0 for _ in range(4)]
    W[[0, 1, 2], [0, 1, 2]] = 1
    orders = [np.arange(3), np.array([2, 0, 1]), np.array([1, 0, 2]), np.array([0, 2, 1])]
    plan = Plan(Network.from_dense((W @ H[0] > 0) * 1.0), WNMF(ridge=0.1), regime, 4)
    is_boolean = regime.is_boolean

    def record(sides):
        members = [
            Member(Factors(W[:, order], side[order], boolean=is_boolean), 1.0, 0.1, True)
            for order, side in zip(orders, sides, strict=True)
        ]
        return summarise(plan, 3, members)

    same, other = record([H[0]] * 4), record(H)
    for each in (same, other):  # all members have the same W, in other orders
        np.testing.assert_allclose(each.stability_rows, 1, atol=1e-7)
    np.testing.assert_allclose(same.stability_cols, 1, atol=1e-7)  # and here the same H
    assert (other.stability_cols < 0.5).all()


def test_defect_5_boolean_members_predict_the_same_after_alignment():
    """There W is permuted in place and H is left, so that the spread is that of mismatched factors."""
    rng = np.random.default_rng(1)
    W, H = (rng.random((12, 3)) < 0.5) * 1.0, (rng.random((3, 9)) < 0.5) * 1.0
    orders = (np.arange(3), np.array([2, 0, 1]), np.array([1, 2, 0]))
    members = [Factors(W[:, order], H[order], boolean=True) for order in orders]
    pairs = every_pair((12, 9)).T
    scores = [member.score(*pairs) for member in HammingAlign().align(members).members]
    np.testing.assert_array_equal(np.std(scores, axis=0), 0)
    np.testing.assert_array_equal(scores[0], (W @ H > 0).ravel())


def test_defect_6_real_valued_noise_does_not_erase_the_ones():
    """There a perturbed value is compared with 1: every one is lost, and the factors collapse."""
    regime = Regime(perturb=UniformScale(epsilon=0.1), threshold=KMeans(), align=HammingAlign())
    model = BNMFk((2,), solver=BNMF(ridge=0.5), regime=regime, n_perturbs=4, random_state=0).fit(blocks())
    assert model.W_.any(axis=0).all()
    wrong = model.predict_links(every_pair((14, 10)), by="model") != blocks().ravel()
    assert wrong.mean() < 0.1


def test_defect_8_a_boolean_centre_is_boolean():
    """There it is a median: 0.5 where two of four members have 1."""
    members = [Factors(np.array([[1.0], [vote]]), np.ones((1, 2)), boolean=True) for vote in (0, 1, 1, 0)]
    aligned = HammingAlign().align(members)
    np.testing.assert_array_equal(aligned.centre.W, [[1], [0]])
    assert aligned.ties == 1


def test_defect_9_column_errors_are_those_of_known_entries():
    """There they are those of the zero-filled matrix, known or not."""
    X, out = gaussian(), hidden(0.5)
    fits = [
        WNMFk((3,), solver=WNMF(ridge=1e-4, max_iter=1000), n_perturbs=4, random_state=0).fit(
            filled, mask=~out
        )
        for filled in (np.where(out, 0.0, X), np.where(out, 1e3, X))
    ]
    errors = [model.path_[3].column_errors for model in fits]
    np.testing.assert_array_equal(errors[0], errors[1])
    assert errors[0].max() < 0.05  # against zeros half of each column would be wrong
    model = fits[0]
    scores = model.predict_links(every_pair(SHAPE), by="model").reshape(SHAPE)
    expected = np.sqrt(np.sum((~out) * (X - scores) ** 2, axis=0) / np.sum((~out) * X**2, axis=0))
    np.testing.assert_allclose(errors[0], expected, rtol=1e-6)


def test_defect_7_each_member_keeps_its_own_biases():
    """There biases are averaged by repeated halving: the last member has half of the weight."""
    model = RNMFk((1,), solver=RNMF(ridge=0.05), n_perturbs=4, random_state=0).fit(planted())
    biases = np.array([member.row_bias for member in model.members_])
    assert len({tuple(each) for each in biases}) == len(model.members_)
    pairs = every_pair((12, 9))
    scores = np.array([member.score(*pairs.T) for member in model.members_])
    mean, spread = model.predict_links(pairs, return_std=True)
    np.testing.assert_allclose(mean, scores.mean(axis=0))
    np.testing.assert_allclose(spread, scores.std(axis=0))


@pytest.mark.slow
def test_defect_10_nothing_persists_from_one_fit_to_the_next():
    model = WNMFk(
        (1, 2, 3), solver=WNMF(ridge=0.01), selection=SilhouetteCutoff(), n_perturbs=2, random_state=0
    )
    first = model.fit(planted())
    expected = first.path_.ranks, first.rank_, first.predict_links([(0, 0)])
    model.fit(gaussian(rank=1))  # other data, other shape, another rank
    model.fit(planted())
    assert (model.path_.ranks, model.rank_) == expected[:2]
    np.testing.assert_array_equal(model.predict_links([(0, 0)]), expected[2])
    assert model.ranks == (1, 2, 3)


@pytest.mark.slow
def test_defect_10_bounds_and_thresholds_of_a_search_stay_as_they_were_given():
    search, regime = Bisect(1, 64), boolean(Search())
    model = BNMFk(search, solver=BNMF(max_iter=60, ridge=0.5), regime=regime, n_perturbs=2, random_state=0)
    before = repr(model)
    first = model.fit(blocks()).path_
    model.fit(blocks(shape=(5, 4)))  # no rank beyond 4
    assert model.path_.ranks[-1] == 4
    second = model.fit(blocks()).path_
    assert second.ranks == first.ranks
    assert second.ranks[-1] == 10
    assert (search.low, search.high, repr(model)) == (1, 64, before)
    for one, other in zip(second, first, strict=True):
        np.testing.assert_array_equal(one.model.W, other.model.W)


def test_defect_11_defaults_are_not_shared_or_changed():
    one = BNMFk().set_params(regime__threshold=None, regime__perturb__eps_pos=0.4, solver__ridge=3.0)
    other = BNMFk()
    assert one.get_params()["regime__perturb__eps_pos"] == 0.4
    assert other.get_params()["regime__perturb__eps_pos"] is None
    assert other.get_params()["regime__threshold"] is not None
    assert one.regime is not other.used_regime()
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


def test_defect_13_no_global_seed_and_no_effect_of_threads():
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    model = WNMFk((1, 2), solver=WNMF(max_iter=40, ridge=0.01), n_perturbs=9, random_state=0)
    scores = [
        model.set_params(n_jobs=jobs).fit(planted()).predict_links(every_pair((12, 9))) for jobs in (1, 4)
    ]
    np.testing.assert_array_equal(np.random.get_state()[1], state)  # noqa: NPY002
    np.testing.assert_array_equal(*scores)


@pytest.mark.parametrize("kind", [int, bool, np.float32, np.uint8])
def test_defect_14_integers_and_booleans_are_numbers(kind):
    expected = NMFk(solver=NMF(max_iter=50), **SMALL).fit(blocks()).predict_links([(0, 0), (3, 2)])
    converted = blocks().astype(kind)
    scores = NMFk(solver=NMF(max_iter=50), **SMALL).fit(converted).predict_links([(0, 0), (3, 2)])
    np.testing.assert_array_equal(scores, expected)


def test_defect_14_sparse_input_works():
    model = NMFk(solver=NMF(max_iter=50), **SMALL).fit(sparse.csr_matrix(blocks()))
    assert np.isfinite(model.predict_links(every_pair((14, 10)))).all()


@pytest.mark.parametrize("solver", [NMF(max_iter=50), NMF(max_iter=50, init="nndsvd")], ids=str)
def test_defect_14_nan_is_unknown(solver):
    X = planted()
    X[2, 3] = np.nan
    assert np.isfinite(NMFk(solver=solver, **SMALL).fit(X).predict_links([(2, 3)])).all()


@pytest.mark.parametrize("estimator", [NMFk, WNMFk, BNMFk])
def test_defect_14_negative_numbers_raise_with_their_position(estimator):
    X = planted()
    X[2, 3] = -1
    with pytest.raises(ValueError, match=r"Negative values in data.*-1 at \(2, 3\)"):
        estimator(**SMALL).fit(X)


def test_defect_15_rows_without_known_entries_are_not_zero():
    X = planted()
    expected = X[:, 4].mean()
    X[3] = np.nan
    with pytest.warns(DataWarning, match=r"Nothing is known of 1 row \(3\)"):
        model = WNMFk(solver=WNMF(ridge=0.01), **SMALL).fit(X)
    score = model.predict_links([(3, 4)])[0]
    assert score == pytest.approx(expected, rel=0.3)


def test_defect_15_new_rows_without_known_entries_warn(weighted):
    with pytest.warns(DataWarning, match="Nothing is known of 1 new row "):
        assert (weighted.transform(np.full((1, 9), np.nan)) > 0).all()


@pytest.mark.parametrize(
    ("method", "data"),
    [
        (NMFk(solver=NMF(max_iter=40)), planted()),
        (WNMFk(solver=WNMF(max_iter=40, ridge=0.01)), planted()),
        (RNMFk(solver=RNMF(max_iter=40, ridge=0.1)), planted()),
        (BNMFk(solver=BNMF(max_iter=40, ridge=0.5)), blocks(shape=(12, 9))),
        (RankedFactorizer(solver=LMF(max_iter=40, ridge=0.5)), blocks(shape=(12, 9))),
        (RankedFactorizer(solver=SymLMF(max_iter=40, ridge=0.5)), friends(12)),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, np.ndarray | Network) else str(each),
)
@pytest.mark.slow
def test_defect_16_every_method_of_the_paper_is_an_ensemble_with_uncertainty_and_seeds(method, data):
    """There none of them has a spread, a seed, a symmetric model or a test."""
    pairs = every_pair((12, 9))
    fits = [
        clone(method).set_params(ranks=(2,), n_perturbs=6, random_state=seed).fit(data) for seed in (0, 0, 1)
    ]
    (scores, spread), same, other = (model.predict_links(pairs, return_std=True) for model in fits)
    np.testing.assert_array_equal(same, (scores, spread))
    assert not np.array_equal(other, (scores, spread))
    assert 3 <= len(fits[0].members_) <= 6
    assert np.isfinite(spread).all()
    assert spread.max() > 0
    if isinstance(data, Network):
        np.testing.assert_array_equal(fits[0].predict_links(pairs), fits[0].predict_links(pairs[:, ::-1]))
