"""Starts: random ones scaled to the data, NNDSVD, and given ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.extmath import randomized_svd

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import BNMF, KLNMF, LMF, NMF, RNMF, WNMF, SymLMF
from latentlink.solvers.starts import nndsvd_start, random_start, signed_start
from tests.helpers.cases import Case, solved
from tests.helpers.oracle import all_scores


@pytest.mark.parametrize("solver", [NMF(), KLNMF(), WNMF(), BNMF(), RNMF()], ids=str)
@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_random_starts_are_scaled_to_the_data(solver, size):
    case = Case(solver, False, 0.0)
    network = case.network()
    size = 1.0 if case.binary else size
    network = network.with_values(size * network.values)
    start = solver.start(Ensemble.of(network), 0, 3, np.random.default_rng(0))
    known = network.values[network.known]
    expected = known.std() if isinstance(solver, RNMF) else known.mean()
    assert np.mean(start.W @ start.H) == pytest.approx(expected, rel=0.3)
    assert min(start.W.min(), start.H.min()) >= 0


@pytest.mark.parametrize("solver", [WNMF(init="nndsvd"), RNMF(init="nndsvd"), BNMF(init="nndsvd")], ids=str)
@pytest.mark.parametrize("rank", [1, 3, 12])
def test_nndsvd_starts(solver, rank):
    """They are positive, and ranks may exceed the smaller side."""
    network = Case(solver, False, 0.0).network()
    start = solver.start(Ensemble.of(network), 0, rank, np.random.default_rng(0))
    assert start.rank == rank
    assert min(start.W.min(), start.H.min()) > 0
    result = solved(replace_settings(solver, max_iter=30), network, rank)
    assert result.records[0].loss[-1] < result.records[0].loss[0]


def replace_settings(solver, **changes):
    return type(solver)(**solver.get_params() | changes)


def test_nndsvd_at_rank_one_is_the_leading_singular_pair():
    rng = np.random.default_rng(0)
    X = rng.random((8, 6)) + 0.5
    start = NMF(init="nndsvd").start(Ensemble.of(Network.from_dense(X)), 0, 1, rng)
    U, S, V = np.linalg.svd(X)
    np.testing.assert_allclose(start.W @ start.H, S[0] * np.outer(U[:, 0], V[0]), rtol=1e-6)


@pytest.mark.parametrize("solver", [NMF(init="nndsvd"), RNMF(init="nndsvd"), BNMF(init="nndsvd")], ids=str)
def test_nndsvd_of_a_matrix_of_zeros(solver):
    """Its singular values are 0, and so are the scores."""
    network = Network.from_dense(np.zeros((4, 3)))
    np.testing.assert_allclose(all_scores(solved(solver, network, 2).members[0]), 0, atol=1e-3)


@pytest.mark.parametrize("shape", [(4, 3), (3, 4)])
def test_nndsvd_of_values_below_the_offset_is_the_small_filling(shape):
    """The two singular vectors have opposite signs, so no part of their product is positive."""
    below = Ensemble.of(Network.from_dense(np.ones(shape)))
    start = nndsvd_start(below, 0, 1, offset=2.0, size=1.0)
    assert start.W.min() > 0.01  # of the positive parts, which are taken if neither product is larger
    np.testing.assert_array_equal(start.H, 0.01)
    assert np.all(start.W @ start.H < 0.02)


def test_nndsvd_uses_the_entries_known_to_the_member():
    network = Case(WNMF(), False, 0.0).network()
    values = np.repeat(network.values[:, None], 2, axis=1)
    values[:5, 1] = np.nan
    ensemble = Ensemble(network, values, network.weights)
    solver, rng = WNMF(init="nndsvd"), np.random.default_rng(0)
    hidden = Ensemble.of(network.hide(np.arange(5)))
    np.testing.assert_allclose(solver.start(ensemble, 1, 2, rng).W, solver.start(hidden, 0, 2, rng).W)
    assert not np.allclose(solver.start(ensemble, 0, 2, rng).W, solver.start(hidden, 0, 2, rng).W)


def test_a_start_continues_where_another_run_ended():
    """Ten sweeps in one run equal two runs of five."""
    for solver in (WNMF(ridge=0.1), RNMF(), LMF()):
        network = Case(solver, False, 0.0).network()
        once = solved(replace_settings(solver, max_iter=10, tol=0.0, extrapolate=False), network)
        half = solved(replace_settings(solver, max_iter=5, tol=0.0, extrapolate=False), network)
        rest = solved(
            replace_settings(solver, max_iter=5, tol=0.0, extrapolate=False), network, start=half.members
        )
        np.testing.assert_allclose(rest.records[0].loss, once.records[0].loss[5:], rtol=1e-12)
        assert rest.members[0].offset == once.members[0].offset


def test_a_start_without_biases_gets_the_mean_and_biases_of_zero():
    network = Case(RNMF(), False, 0.0).network()
    rng = np.random.default_rng(0)
    start = Factors(rng.random((network.shape[0], 2)), rng.random((2, network.shape[1])), offset=0.2)
    mean = np.average(network.values, weights=network.weights)
    zeros = np.zeros(network.shape[0]), np.zeros(network.shape[1])
    written_out = replace(start, row_bias=zeros[0], col_bias=zeros[1], offset=float(mean))
    result = solved(RNMF(), network, start=[start]).members[0]
    assert result.offset == pytest.approx(mean)
    np.testing.assert_allclose(result.W, solved(RNMF(), network, start=[written_out]).members[0].W)


@pytest.mark.parametrize("repelling", [0.0, 0.5, 1.0])
def test_symlmf_starts_from_any_parametrization_of_a_model(repelling):
    """The order of components and the scale of rows against columns are free in a model."""
    solver = SymLMF(repelling=repelling, ridge=0.1)
    network = Case(solver, True, 0.0).network()
    model = solved(solver, network).members[0]
    other = replace(model, W=3 * model.W[:, ::-1], H=model.H[::-1] / 3)
    direct, turned = (solved(solver, network, start=[start]).records[0].loss for start in (model, other))
    np.testing.assert_allclose(turned[0], direct[0])
    assert np.all(np.diff(turned) <= 1e-12 * turned[0])


def test_symlmf_raises_for_a_start_with_other_signs():
    network = Case(SymLMF(), True, 0.0).network()
    attracting = solved(SymLMF(), network).members[0]
    with pytest.raises(IncompatibleError, match=r"1 repelling components of 2, but this start has 0"):
        solved(SymLMF(repelling=0.5), network, start=[attracting])


def test_symlmf_averages_the_two_factors_of_a_start():
    """A start with two factors per node is projected onto one."""
    network = Case(SymLMF(), True, 0.0).network()
    rng = np.random.default_rng(0)
    W, V = rng.random((2, network.shape[0], 2))
    result = solved(SymLMF(), network, start=[Factors(W, V.T)]).members[0]
    np.testing.assert_array_equal(result.W, result.H.T)
    np.testing.assert_array_equal(result.row_bias, result.col_bias)


def test_symlmf_keeps_a_component_that_is_zero_on_one_side():
    """Its two sides have no common scale: the mean is half of the other side."""
    network = Case(SymLMF(), True, 0.0).network()
    rng = np.random.default_rng(0)
    W, V = rng.random((2, network.shape[0], 2))
    W[:, 1] = 0
    solver = SymLMF()
    start = solver.adopt_start(Ensemble.of(network), 0, Factors(W, V.T))
    sizes = np.linalg.norm(W[:, 0]), np.linalg.norm(V[:, 0])
    ratio = np.sqrt(sizes[1] / sizes[0])
    np.testing.assert_allclose(start.W[:, 0], (W[:, 0] * ratio + V[:, 0] / ratio) / 2)
    np.testing.assert_allclose(start.W[:, 1], V[:, 1] / 2)


@pytest.mark.parametrize("unknown", [0.0, 0.3])
@pytest.mark.parametrize("offset", [0.0, 0.4])
def test_nndsvd_by_a_plain_decomposition(offset, unknown):
    """Of each singular pair the part, positive or negative, with the larger product."""
    rng = np.random.default_rng(3)
    X = rng.random((9, 7))
    hidden = rng.random(X.shape) < unknown
    network = Network.from_dense(X)
    network = network.hide(hidden[network.rows, network.cols])
    start = nndsvd_start(Ensemble.of(network), 0, 4, offset=offset, size=0.25)
    assert_nndsvd(start, *np.linalg.svd(np.where(hidden, 0.0, X - offset)), fill=0.5 / 100, rtol=1e-6)


def test_the_decomposition_of_nndsvd_is_drawn_with_seed_0():
    """Its small singular values are not exact, so that another seed is another start."""
    X = np.random.default_rng(3).random((60, 50))
    start = nndsvd_start(Ensemble.of(Network.from_dense(X)), 0, 4, offset=0.0, size=0.25)
    drawn = randomized_svd(sparse.csr_array(X), 4, random_state=0)
    assert_nndsvd(start, *drawn, fill=0.5 / 100, rtol=1e-9)


def assert_nndsvd(start, U, S, V, fill, rtol):
    """Assert that a start is the non-negative part of a singular value decomposition."""
    for c in range(start.rank):
        best = np.zeros(start.shape)
        for sign in (1, -1):
            u, v = np.maximum(sign * U[:, c], 0), np.maximum(sign * V[c], 0)
            if np.linalg.norm(u) * np.linalg.norm(v) > np.linalg.norm(best):
                best, parts = np.outer(u, v), (u, v)
        u, v = parts
        common = np.sqrt(np.linalg.norm(u) * np.linalg.norm(v) * S[c])
        for side, part in ((start.W[:, c], u), (start.H[c], v)):
            expected = np.maximum(part / np.linalg.norm(part) * common, fill)
            np.testing.assert_allclose(side, expected, rtol=rtol)


@pytest.mark.parametrize("weight", [1.0, 0.25])
def test_the_offset_of_a_logistic_model_is_the_logit_of_the_share_of_links(weight):
    """With half a link and half a non-link added, in numbers of known entries, whatever their weight."""
    X = np.array([[1.0, 0, 0, 0], [1, np.nan, 0, 1]])
    network = Network.from_dense(X)
    network = network.with_weights(np.full(7, weight))
    for solver in (LMF(), LMF(centred=False)):
        expected = np.log((3 + 0.5) / (4 + 0.5)) if solver.centred else 0.0
        assert solver.offset(Ensemble.of(network), 0) == pytest.approx(expected)


@pytest.mark.parametrize("rank", [1, 4])
def test_starts_by_their_formulas(rank):
    """Uniform numbers whose product has a given mean, normal ones whose product has a given deviation."""
    ensemble = Ensemble.of(Network.from_dense(np.ones((5, 7))))
    start = random_start(ensemble, rank, 3.0, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    scale = 2 * np.sqrt(3.0 / rank)
    np.testing.assert_allclose(start.W, scale * rng.random((5, rank)))
    np.testing.assert_allclose(start.H, scale * rng.random((7, rank)).T)
    signed = signed_start(ensemble, rank, 0.5, np.random.default_rng(1))
    rng = np.random.default_rng(1)
    scale = np.sqrt(0.5 / np.sqrt(rank))
    np.testing.assert_allclose(signed.W, scale * rng.standard_normal((5, rank)))
    np.testing.assert_allclose(signed.H, scale * rng.standard_normal((7, rank)).T)


def test_a_central_model_with_one_factor_per_node():
    """H is W with the sign and the size of the other side, also for small and for empty components."""
    rng = np.random.default_rng(0)
    W, V = 0.01 * rng.random((6, 3)), rng.random((6, 3))
    W[:, 2] = V[:, 2] = 0
    scale = np.array([np.linalg.norm(V[:, c]) / np.linalg.norm(W[:, c]) for c in range(2)])
    for signs in ([1, 1], [1, -1], [-1, 1], [-1, -1]):
        turned = V * [*signs, 1]
        result = SymLMF(repelling=np.mean(np.array(signs) < 0) * 2 / 3).project(Factors(W, turned.T))
        np.testing.assert_allclose(result.H.T, W * [*(scale * signs), 0.0])
        np.testing.assert_array_equal(result.W, W)
    for one_sided in (Factors(W, np.ones((3, 6))), Factors(np.ones((6, 3)), W.T)):
        result = SymLMF().project(one_sided)
        np.testing.assert_array_equal(result.H[2], 0)
        assert np.all(result.H[:2] > 0)


def test_the_small_number_of_nndsvd_is_a_hundredth_of_the_root_of_the_size():
    ensemble = Ensemble.of(Network.from_dense(np.eye(3)))
    for size, fill in ((4.0, 0.02), (0.0, 1e-8)):
        start = nndsvd_start(ensemble, 0, 5, 0.0, size)
        np.testing.assert_allclose(start.W[:, 3:], fill, rtol=1e-12)
        np.testing.assert_allclose(start.H[3:], fill, rtol=1e-12)
        assert start.W.min() == pytest.approx(fill)


@pytest.mark.parametrize("repelling", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("size", [1e-3, 1.0, 30.0])
@pytest.mark.parametrize("biased", [(True, True), (True, False), (False, True), (False, False)], ids=str)
def test_symlmf_adopts_a_start_by_its_formula(repelling, size, biased):
    """The means of both factors in a common scale, repelling components last, and of both biases."""
    network = Case(SymLMF(), True, 0.0).network()
    ensemble, solver, n = Ensemble.of(network), SymLMF(repelling=repelling), network.shape[0]
    rng = np.random.default_rng(0)
    W, V = size * rng.random((n, 2)), 0.1 * rng.random((n, 2))
    signs = np.array([-1.0 if repelling else 1.0, -1.0 if repelling == 1 else 1.0])
    biases = [rng.normal(size=n) if given else None for given in biased]
    start = solver.adopt_start(ensemble, 0, Factors(W, (V * signs).T, *biases, offset=0.3))
    ratio = np.sqrt(np.linalg.norm(V, axis=0) / np.linalg.norm(W, axis=0))
    U = (W * ratio + V / ratio) / 2
    order = [1, 0] if repelling == 0.5 else [0, 1]
    np.testing.assert_allclose(start.W, U[:, order])
    np.testing.assert_allclose(start.H, (U * signs)[:, order].T)
    bias = (biases[0] + biases[1]) / 2 if all(biased) else np.zeros(n)
    np.testing.assert_allclose(start.row_bias, bias)
    np.testing.assert_array_equal(start.col_bias, start.row_bias)
    assert start.offset == (0.3 if any(biased) else solver.offset(ensemble, 0))


@pytest.mark.parametrize("empty", ["rows", "columns", "both"])
def test_symlmf_adopts_a_component_that_is_empty_on_a_side(empty):
    network = Case(SymLMF(), True, 0.0).network()
    W, V = np.random.default_rng(0).random((2, network.shape[0], 2))
    W[:, 1] *= empty == "columns"
    V[:, 1] *= empty == "rows"
    start = SymLMF().adopt_start(Ensemble.of(network), 0, Factors(W, V.T))
    np.testing.assert_allclose(start.W[:, 1], (W[:, 1] + V[:, 1]) / 2)


@pytest.mark.parametrize("solver", [LMF(), SymLMF(), SymLMF(repelling=0.5)], ids=str)
def test_logistic_starts_have_a_deviation_of_half_a_logit(solver):
    ensemble = Ensemble.of(Case(solver, True, 0.0).network())
    start = solver.start(ensemble, 0, 3, np.random.default_rng(1))
    expected = signed_start(ensemble, 3, 0.5, np.random.default_rng(1))
    np.testing.assert_array_equal(start.W, expected.W)
    H = (expected.W * solver.signs(3)).T if solver.needs_symmetric else expected.H
    np.testing.assert_array_equal(start.H, H)


def test_a_start_with_biases_keeps_its_offset():
    """Only a start without any bias gets the offset of the member."""
    ensemble = Ensemble.of(Case(RNMF(), False, 0.0).network())
    n, m = ensemble.network.shape
    plain = Factors(np.ones((n, 2)), np.ones((2, m)), offset=0.2)
    for biases in ({"row_bias": np.ones(n)}, {"col_bias": np.ones(m)}):
        assert RNMF().adopt_start(ensemble, 0, replace(plain, **biases)).offset == 0.2
    assert RNMF().adopt_start(ensemble, 0, plain).offset == ensemble.member_mean(0)
    assert WNMF().adopt_start(ensemble, 0, plain) is plain


def test_a_central_model_whose_component_is_empty_on_one_side():
    rng = np.random.default_rng(0)
    for empty in (0, 1):
        sides = [rng.random((6, 2)), rng.random((6, 2))]
        sides[empty][:, 1] = 0
        result = SymLMF().project(Factors(sides[0], sides[1].T))
        np.testing.assert_array_equal(result.H[1], 0)
        assert result.H[0].all()
