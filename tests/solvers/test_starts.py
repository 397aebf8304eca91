"""Starts: random ones scaled to the data, NNDSVD, and given ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from latentlink.errors import IncompatibleError
from latentlink.factors import Factors
from latentlink.network import Ensemble, Network
from latentlink.solvers import BNMF, LMF, NMF, RNMF, WNMF, SymLMF
from latentlink.solvers.starts import nndsvd_start, random_start, signed_start
from tests.helpers.cases import Case, solved
from tests.helpers.oracle import all_scores


@pytest.mark.parametrize("solver", [NMF(), WNMF(), BNMF(), RNMF()], ids=str)
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


def test_nndsvd_of_values_below_the_offset_is_the_small_filling():
    """The two singular vectors have opposite signs, so no part of their product is positive."""
    below = Ensemble.of(Network.from_dense(np.ones((4, 3))))
    start = nndsvd_start(below, 0, 1, offset=2.0, size=1.0)
    assert min(start.W.min(), start.H.min()) == 0.01
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


@pytest.mark.parametrize("offset", [0.0, 0.4])
def test_nndsvd_by_a_plain_decomposition(offset):
    """Of each singular pair the part, positive or negative, with the larger product."""
    rng = np.random.default_rng(3)
    X = rng.random((9, 7))
    start = nndsvd_start(Ensemble.of(Network.from_dense(X)), 0, 4, offset=offset, size=0.25)
    U, S, V = np.linalg.svd(X - offset)
    for c in range(4):
        best = np.zeros((9, 7))
        for sign in (1, -1):
            u, v = np.maximum(sign * U[:, c], 0), np.maximum(sign * V[c], 0)
            if np.linalg.norm(u) * np.linalg.norm(v) > np.linalg.norm(best):
                best, parts = np.outer(u, v), (u, v)
        u, v = parts
        common = np.sqrt(np.linalg.norm(u) * np.linalg.norm(v) * S[c])
        for side, part in ((start.W[:, c], u), (start.H[c], v)):
            expected = np.maximum(part / np.linalg.norm(part) * common, 0.5 / 100)
            np.testing.assert_allclose(side, expected, rtol=1e-6)


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
    result = SymLMF().project(Factors(W, V.T))
    scale = [np.linalg.norm(V[:, c]) / np.linalg.norm(W[:, c]) for c in range(2)]
    np.testing.assert_allclose(result.H.T, W * [*scale, 0.0])
    np.testing.assert_array_equal(result.W, W)


def test_the_small_number_of_nndsvd_is_a_hundredth_of_the_root_of_the_size():
    ensemble = Ensemble.of(Network.from_dense(np.eye(3)))
    for size, fill in ((4.0, 0.02), (0.0, 1e-8)):
        start = nndsvd_start(ensemble, 0, 5, 0.0, size)
        np.testing.assert_allclose(start.W[:, 3:], fill, rtol=1e-12)
        np.testing.assert_allclose(start.H[3:], fill, rtol=1e-12)
        assert start.W.min() == pytest.approx(fill)


def test_a_central_model_whose_component_is_empty_on_one_side():
    rng = np.random.default_rng(0)
    for empty in (0, 1):
        sides = [rng.random((6, 2)), rng.random((6, 2))]
        sides[empty][:, 1] = 0
        result = SymLMF().project(Factors(sides[0], sides[1].T))
        np.testing.assert_array_equal(result.H[1], 0)
        assert result.H[0].all()
