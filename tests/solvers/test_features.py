"""Features of single solvers: empty rows, penalties, bounds, signs, sampled backgrounds, self loops."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from latentlink import kernels
from latentlink.errors import DataWarning
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.random import member_rngs
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from latentlink.solvers.descent.packing import plain_coordinates
from tests.helpers.cases import EVERY_CASE, Case, assert_same_factors, solved, unfinished
from tests.helpers.oracle import all_scores, dense_objective, linear_scores, member_network

# -------------------------------------------------------------------- rows and columns without entries

RECTANGULAR = [case for case in EVERY_CASE if not case.symmetric and not case.background]
SYMMETRIC = [case for case in EVERY_CASE if case.symmetric and not case.background]


@pytest.mark.parametrize("case", RECTANGULAR, ids=str)
@pytest.mark.parametrize("hidden", [True, False], ids=["hidden", "unlisted"])
def test_an_empty_row_gets_the_average_of_the_others(case, hidden):
    network = case.network()
    empty = network.hide(network.rows == 2) if hidden else network.subset(network.rows != 2)
    with (
        pytest.warns(
            DataWarning, match=r"Nothing is known of 1 row \(2\).*average of the other rows"
        ) as caught,
        unfinished(),
    ):
        result = case.settings(max_iter=20).solve(empty, 2, 0).members[0]
    assert caught[0].filename == __file__
    others = np.arange(network.shape[0]) != 2
    np.testing.assert_allclose(result.W[2], result.W[others].mean(axis=0), rtol=1e-12)
    if result.row_bias is not None:
        np.testing.assert_allclose(result.row_bias[2], result.row_bias[others].mean(), atol=1e-12)


@pytest.mark.parametrize("case", RECTANGULAR, ids=str)
def test_an_empty_column_gets_the_average_of_the_others(case):
    network = case.network()
    with pytest.warns(DataWarning, match=r"Nothing is known of 1 column \(3\)"), unfinished():
        result = case.settings(max_iter=20).solve(network.hide(network.cols == 3), 2, 0).members[0]
    others = np.arange(network.shape[1]) != 3
    np.testing.assert_allclose(result.H[:, 3], result.H[:, others].mean(axis=1), rtol=1e-12)


@pytest.mark.parametrize("case", SYMMETRIC, ids=str)
def test_an_empty_node_gets_the_average_of_the_others(case):
    network = case.network()
    empty = network.hide((network.rows == 2) | (network.cols == 2))
    with pytest.warns(DataWarning, match=r"Nothing is known of 1 node \(2\)"), unfinished():
        result = case.settings(max_iter=20).solve(empty, 2, 0).members[0]
    others = np.arange(network.shape[0]) != 2
    np.testing.assert_allclose(result.W[2], result.W[others].mean(axis=0), rtol=1e-12)
    np.testing.assert_allclose(result.H[:, 2], result.H[:, others].mean(axis=1), rtol=1e-12)


@pytest.mark.parametrize("case", [RECTANGULAR[0], *RECTANGULAR[3:5], *SYMMETRIC[-2:]], ids=str)
@pytest.mark.parametrize("missing", [True, False], ids=["NaN", "hidden"])
def test_a_row_that_is_unknown_to_one_member(case, missing):
    """It gets that member's average, as in a separate fit; other members fit it."""
    network = case.network()
    touched = (network.rows == 2) | (case.symmetric & (network.cols == 2))
    values = np.repeat(network.values[:, None], 3, axis=1)
    weights = np.repeat(network.weights[:, None], 3, axis=1)
    if missing:
        values[touched, 1] = np.nan
    else:
        weights[touched, 1] = 0
    ensemble = Ensemble(network, values, weights)
    together = solved(case.settings(max_iter=20), ensemble).members
    others = np.arange(network.shape[0]) != 2
    np.testing.assert_allclose(together[1].W[2], together[1].W[others].mean(axis=0), rtol=1e-12)
    assert not np.allclose(together[0].W[2], together[0].W[others].mean(axis=0), rtol=1e-3)


def test_the_warning_names_at_most_five_empty_rows():
    network = Network(
        [0, 0, 1], [0, 1, 0], [1.0, 0.0, 2.0], shape=(12, 2), row_names=[f"user{i}" for i in range(12)]
    )
    with pytest.warns(DataWarning, match=r"10 rows \(user2, user3, user4, user5, user6, \.\.\.\)"):
        WNMF().solve(network, 1, 0)


def test_a_background_leaves_no_row_empty():
    network = Network([0, 0], [0, 1], [1.0, 2.0], shape=(3, 2), background=0.1)
    result = WNMF(ridge=0.01, max_iter=2000).solve(network, 1, 0).members[0]  # a warning would be an error
    np.testing.assert_allclose(result.score([1, 2], [0, 0]), 0, atol=1e-3)


def test_a_row_whose_every_entry_is_hidden_is_empty_whatever_the_background():
    network = Network([0, 0, 1, 1], [0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], shape=(3, 2), background=0.5)
    with pytest.warns(DataWarning, match=r"1 row \(1\)"):
        result = WNMF(max_iter=2000).solve(network.hide(network.rows == 1), 1, 0).members[0]
    np.testing.assert_allclose(result.W[1], result.W[[0, 2]].mean(axis=0))


# -------------------------------------------------------------------- penalties and bounds


@pytest.mark.parametrize(
    ("setting", "part"),
    [("ridge", "W"), ("ridge_cols", "H"), ("ridge_row_bias", "row_bias"), ("ridge_col_bias", "col_bias")],
)
def test_each_penalty_of_rnmf_shrinks_its_own_part(setting, part):
    network = Case(RNMF(), False, 0.0).network()
    free = {"ridge": 0.01, "ridge_cols": 0.01, "ridge_row_bias": 0.01, "ridge_col_bias": 0.01}
    model = solved(RNMF(**free | {setting: 1e6}, max_iter=3000), network).members[0]
    assert np.abs(getattr(model, part)).max() < 1e-3
    loose = solved(RNMF(**free, max_iter=3000), network).members[0]
    assert np.abs(getattr(loose, part)).max() > 1e-2


def test_rnmf_penalties_default_to_ridge():
    network = Case(RNMF(), False, 0.0).network()
    spelled = RNMF(ridge=0.3, ridge_cols=0.3, ridge_row_bias=0.3, ridge_col_bias=0.3)
    assert_same_factors(solved(RNMF(ridge=0.3), network).members[0], solved(spelled, network).members[0])


def test_the_offset_of_rnmf_is_the_mean_of_known_values():
    network = Case(RNMF(), False, 0.0).network()
    result = solved(RNMF(), network).members[0]
    assert result.offset == pytest.approx(np.average(network.values, weights=network.weights))
    with_zeros = network.with_background(0.5)
    unlisted = np.prod(network.shape) - network.n_listed
    mean = np.sum(network.values * network.weights) / (network.weights.sum() + 0.5 * unlisted)
    assert solved(RNMF(), with_zeros).members[0].offset == pytest.approx(mean)


def test_the_mean_of_a_symmetric_network_excludes_the_hidden_diagonal():
    network = Network([0, 1], [1, 2], [1.0, 3.0], shape=(3, 3), symmetric=True, background=1.0)
    assert solved(RNMF(), network, 1).members[0].offset == pytest.approx(4 / 3)


def test_rnmf_takes_values_of_any_sign():
    rng = np.random.default_rng(0)
    network = Network.from_dense(rng.normal(-5, 1, (8, 6)))
    result = solved(RNMF(), network).members[0]
    assert result.offset == pytest.approx(network.values.mean())
    assert np.abs(all_scores(result) + 5).max() < 4


def test_bnmf_fits_ones_within_its_bounds():
    """With an upper bound of 1, a product of 2 at a known one is an error; with one of 3 it is not."""
    network = Network.from_dense([[1.0]])
    two = Factors(np.array([[2.0]]), np.array([[1.0]]))
    for solver, loss in ((BNMF(upper=1.0), 1.0), (BNMF(upper=3.0), 0.0), (BNMF(lower=2.5, upper=3.0), 0.25)):
        result = solved(solver, network, 1, start=[two])
        assert result.records[0].loss[0] == pytest.approx(loss)
    # The default is the rank, which is 1 here.
    assert solved(BNMF(), network, 1, start=[two]).records[0].loss[0] == pytest.approx(1.0)


def test_bnmf_has_a_separate_ridge_of_columns():
    network = Case(BNMF(), False, 0.0).network()
    result = solved(BNMF(ridge=1.0, ridge_cols=1e6), network)
    assert np.abs(all_scores(result.members[0])).max() < 1e-2
    assert solved(BNMF(ridge=0.2), network).records[0].loss[-1] == pytest.approx(
        solved(BNMF(ridge=0.2, ridge_cols=0.2), network).records[0].loss[-1]
    )


@pytest.mark.parametrize("updates", ["descent", "multiplicative"])
@pytest.mark.parametrize("own", [False, True], ids=["shared", "own"])
def test_bnmf_with_weights_above_one(updates, own):
    """A batch of members with their own weights equals separate fits."""
    case = Case(BNMF(updates=updates, ridge=0.1), False, 0.3)
    network = case.network()
    weights = network.weights * np.random.default_rng(0).uniform(0.5, 4, network.n_listed)
    together = weights[:, None] * np.array([1.0, 0.5, 2.0]) if own else weights
    ensemble = Ensemble(network, np.repeat(network.values[:, None], 3, axis=1), together)
    result = solved(case.settings(max_iter=60), ensemble)
    for member in range(3):
        alone = member_network(ensemble, member)
        losses = result.records[member].loss
        assert np.all(np.diff(losses) <= 1e-12 * losses[0])
        assert losses[-1] == pytest.approx(dense_objective(alone, result.members[member], case.solver))
        single = solved(case.settings(max_iter=60), alone, start=[_start(case, ensemble, member)])
        np.testing.assert_array_equal(single.records[0].loss, losses)


@pytest.mark.parametrize("updates", ["descent", "multiplicative"])
@pytest.mark.parametrize("background", [0.0, 0.25])
def test_a_common_factor_of_weights_and_ridge_changes_nothing_for_bnmf(updates, background):
    """Factors of 2, so that quotients are exact."""
    network = Case(BNMF(), False, background).network()
    solver = BNMF(updates=updates, max_iter=20, tol=0.0)
    expected = solved(solver.set_params(ridge=0.1), network)
    for factor in (2.0, 4.0):
        heavy = network.with_weights(factor * network.weights).with_background(factor * background)
        result = solved(solver.set_params(ridge=factor * 0.1), heavy)
        assert_same_factors(result.members[0], expected.members[0])
        np.testing.assert_array_equal(result.records[0].loss, factor * expected.records[0].loss)


def _start(case, ensemble, member):
    return case.solver.start(ensemble, member, 2, member_rngs(0, 2, 3)[member])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_multiplicative_updates_of_zero_stay_zero(dtype):
    """Also where the quotient overflows; with a denominator of 0 a coordinate is unchanged."""
    tiny = np.finfo(dtype).smallest_subnormal
    A, N, D = (
        np.array(row, dtype)[None, :, None]
        for row in ([0.0, 2.0, 3.0, 0.5], [1.0, 3.0, 1.0, -1.0], [tiny, 2.0, 0.0, 1.0])
    )
    kernels.multiplied_rows(N, D, A, plain_coordinates(4, 1, dtype))
    np.testing.assert_array_equal(A[0, :, 0], [0.0, 3.0, 3.0, 0.0])


# -------------------------------------------------------------------- logistic solvers


def test_the_offset_of_lmf_is_the_logit_of_the_fraction_of_links():
    network = Case(LMF(), False, 0.0).network()
    share = np.average(network.values, weights=network.weights)
    result = solved(LMF(), network).members[0]
    assert result.offset == pytest.approx(np.log(share / (1 - share)), abs=0.1)
    assert solved(LMF(centred=False), network).members[0].offset == 0


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_lmf_of_links_or_non_links_alone_stays_finite(value):
    network = Network.from_dense(np.full((4, 3), value))
    result = solved(LMF(ridge=0.1), network, 1).members[0]
    assert np.all(np.abs(all_scores(result) - value) < 0.3)


def test_without_ridge_logits_grow_but_stay_finite():
    network = Network.from_dense([[1.0, 0.0], [0.0, 1.0]])
    result = solved(LMF(ridge=0.0, max_iter=300, tol=0.0), network, 2)
    assert np.all(np.isfinite(linear_scores(result.members[0])))
    assert result.records[0].loss[-1] < 0.1


def test_symlmf_has_one_factor_and_one_bias_for_each_node():
    network = Case(SymLMF(), True, 0.0).network()
    for repelling, signs in ((0.0, [1, 1, 1]), (0.5, [1, 1, -1]), (1.0, [-1, -1, -1])):
        result = solved(SymLMF(repelling=repelling), network, 3).members[0]
        np.testing.assert_array_equal(result.H, (result.W * signs).T)
        np.testing.assert_array_equal(result.row_bias, result.col_bias)
        scores = all_scores(result)
        np.testing.assert_array_equal(scores, scores.T)


def test_a_repelling_component_fits_a_bipartite_network():
    """Two kinds of nodes that link to the other kind only: one repelling component suffices."""
    kind = np.repeat([0, 1], 5)
    X = (kind[:, None] != kind).astype(float)
    np.fill_diagonal(X, np.nan)
    network = Network.from_dense(X, symmetric=True)
    losses = [
        min(
            solved(SymLMF(ridge=0.05, repelling=repelling), network, 1, seed).records[0].loss[-1]
            for seed in range(3)
        )
        for repelling in (0.0, 1.0)
    ]
    assert losses[1] < 0.2 * losses[0]


@pytest.mark.parametrize("background", [0.0, 0.5])
@pytest.mark.parametrize("solver", [SymLMF(ridge=0.1), SymLMF(ridge=0.1, repelling=0.5)], ids=str)
def test_self_loops_are_left_out_of_symlmf(solver, background):
    """Also those of a background; the result is that of the network without them."""
    network = Case(solver, True, background).network()
    loops = network.relisted(
        [*network.rows, 2, 4],
        [*network.cols, 2, 4],
        [*network.values, 1.0, 1.0],
        [*network.weights, 1.0, 1.0],
    )
    with pytest.warns(DataWarning, match="leaves 2 known self loops out") as caught:
        result = solver.solve(loops, 2, 0)
    assert caught[0].filename == __file__
    expected = solver.solve(network, 2, 0)
    losses = result.records[0].loss
    assert np.all(np.diff(losses) <= 1e-12 * losses[0])
    np.testing.assert_allclose(losses, expected.records[0].loss, rtol=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no warning of a hidden self loop
        hidden = solver.solve(loops.hide(loops.rows == loops.cols), 2, 0)
    np.testing.assert_allclose(hidden.records[0].loss, losses, rtol=1e-9)


def test_self_loops_of_members_with_their_own_weights():
    case = Case(SymLMF(ridge=0.1), True, 0.0)
    network = case.network()
    loops = network.relisted(
        [*network.rows, 2], [*network.cols, 2], [*network.values, 1.0], [*network.weights, 1.0]
    )
    ensemble = Ensemble(
        loops, np.repeat(loops.values[:, None], 2, axis=1), np.repeat(loops.weights[:, None], 2, axis=1)
    )
    with pytest.warns(DataWarning, match="1 known self loop out"):
        result = solved(case.solver, ensemble)
    assert result.records[1].loss[-1] == pytest.approx(dense_objective(loops, result.members[1], case.solver))


@pytest.mark.parametrize("symmetric", [False, True])
def test_a_large_background_is_sampled(symmetric):
    """The sample has the weight of the whole background, its own seed, and is the same for all members."""
    solver = SymLMF if symmetric else LMF
    network = Case(solver(), symmetric, 0.2).network()
    n, m = network.shape
    unlisted = (n * (n - 1) // 2 if symmetric else n * m) - network.n_listed
    whole = solver().prepared(Ensemble.of(network))
    assert whole.network.n_listed == network.n_listed + unlisted
    sampled = solver(background_sample=7).prepared(Ensemble.of(network))
    assert sampled.network.n_listed == network.n_listed + 7
    assert sampled.network.is_clean
    assert sampled.network.background == 0
    assert sampled.weights.sum() == pytest.approx(whole.weights.sum())
    again = solver(background_sample=7).prepared(Ensemble.of(network, 4))
    assert again.network == sampled.network
    other = solver(background_sample=7, background_seed=1).prepared(Ensemble.of(network))
    assert other.network != sampled.network


@pytest.mark.parametrize(("links", "expected"), [(100, 10_000), (2_000, 20_000)])
def test_ten_unlisted_pairs_for_each_known_link_are_sampled_by_default(links, expected):
    """A few times the known links suffice; all unlisted pairs are used where they are not many more."""
    rng = np.random.default_rng(0)
    codes = rng.choice(300 * 300, links, replace=False)
    network = Network(*np.divmod(codes, 300), shape=(300, 300), background=0.1)
    whole = LMF(background_sample=10**6).prepared(Ensemble.of(network))
    sampled = LMF().prepared(Ensemble.of(network))
    assert whole.network.n_listed == 300 * 300
    assert sampled.network.n_listed == links + expected
    assert sampled.weights.sum() == pytest.approx(whole.weights.sum())
    most = Network(*np.divmod(np.arange(110_000), 1_100), shape=(1_100, 1_100), background=0.1)
    assert LMF().prepared(Ensemble.of(most)).network.n_listed == 110_000 + 1_000_000


def test_the_loss_of_a_sampled_background_is_unbiased():
    """Over samples, the mean of the sampled loss at given factors is the loss."""
    network = Case(LMF(), False, 0.2).network()
    rng = np.random.default_rng(0)
    n, m = network.shape
    start = Factors(rng.normal(size=(n, 2)), rng.normal(size=(2, m)), np.zeros(n), np.zeros(m))
    losses = [
        solved(LMF(background_sample=12, background_seed=seed, max_iter=1), network, start=[start])
        .records[0]
        .loss[0]
        for seed in range(100)
    ]
    exact = dense_objective(network, start, LMF())
    assert np.mean(losses) == pytest.approx(exact, abs=4 * np.std(losses) / np.sqrt(100))
    assert np.std(losses) > 0


# -------------------------------------------------------------------- results


def test_the_score_of_all_members_is_their_mean():
    case = Case(WNMF(ridge=0.1), False, 0.0)
    result = solved(case.settings(max_iter=5), case.ensemble())
    expected = np.mean([all_scores(member)[2, [0, 1]] for member in result.members], axis=0)
    np.testing.assert_allclose(result.score(2, [0, 1]), expected)


def test_nmf_descends_by_gram_matrices_exactly_where_all_is_known():
    """Which have no cycles: their number makes a difference only where some entry is unknown."""
    rng = np.random.default_rng(0)
    X = rng.random((8, 2)) @ rng.random((2, 9))
    full = Network.from_dense(X)
    unlisted = Network.from_dense(np.where(X > 0.3, X, np.nan)).with_background(1.0)
    kinds = [(full, True), (unlisted, True), (full.hide([3]), False), (full.with_background(0.5), False)]
    kinds += [(full.subset(np.arange(72) != 3), False), (unlisted.with_background(0.5), False)]
    for network, same in kinds:
        with unfinished():
            one, other = (
                NMF(cycles=cycles, max_iter=5, tol=0.0).solve(network, 2, 0).records[0].loss
                for cycles in (1, 4)
            )
        assert np.array_equal(one, other) == same
